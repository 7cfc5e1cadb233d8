"""Connections to a PostgreSQL server, pooled for threads, and values as SQLite has them too."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

import psycopg
from psycopg import adapters, postgres
from psycopg.adapt import AdaptersMap, Buffer, Dumper
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Format
from psycopg.types.numeric import NumericBinaryLoader
from psycopg.types.string import TextBinaryLoader

from chunkwright.errors import ConfigError, StoreError
from chunkwright.store.database.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Iterator

Connection = psycopg.Connection[tuple[object, ...]]

# What an address may leave out.
_DEFAULTS = {"connect_timeout": "10", "application_name": "chunkwright"}
# The schema of PostgreSQL that holds a store, so that its tables meet no others.
_SCHEMA = "chunkwright"
_MOST_BYTES = 63
_KINDS = frozenset({"postgresql", "postgres"})
# Seconds that are waited for a server which recovers from a crash.
_BACK_SECONDS, _TRY_AGAIN_SECONDS = 20.0, 0.2
_SECRETS = frozenset({"password", "sslpassword"})


class Address(NamedTuple):
    """Address of a store on a server.

    Attributes
    ----------
    name
        The address without a password, for messages.
    parameters
        Those of a connection.
    schema
        The schema that holds the tables.
    """

    name: str
    parameters: dict[str, str]
    schema: str

    @classmethod
    def of(cls, address: str) -> Address:
        """Return an address by its text, ``postgresql://…``, with ``schema`` as an option.

        Raises
        ------
        ConfigError
            If it is none.
        """
        start, _, query = address.partition("?")
        kind, _, where = start.partition("://")
        netloc, slash, path = where.partition("/")
        user, at, host = netloc.rpartition("@")
        options = [(each.partition("=")[0], each) for each in query.split("&") if each]
        shown = _joined(
            f"{kind}://{user.partition(':')[0]}{at}{host}{slash}{path}",
            [each for name, each in options if name not in _SECRETS],
        )
        if kind not in _KINDS:
            raise ConfigError(f"it is no address of PostgreSQL: {shown}", option="target")
        own = [each.partition("=")[2] for name, each in options if name == "schema"]
        schema = unquote(own[-1]) if own else _SCHEMA
        if not 0 < len(schema.encode()) <= _MOST_BYTES or "\0" in schema:
            raise ConfigError(f"{shown}: it is no name of a schema: {schema!r}", option="target")
        others = _joined(start, [each for name, each in options if name != "schema"])
        try:
            parameters = {name: str(value) for name, value in conninfo_to_dict(others).items()}
        except (ValueError, psycopg.Error) as error:
            message = " ".join(str(error).split())
            raise ConfigError(f"{shown}: it is no address: {message}", option="target") from None
        return cls(shown, _DEFAULTS | parameters, schema)


def _joined(start: str, options: list[str]) -> str:
    return f"{start}?{'&'.join(options)}" if options else start


class Connections:
    """Connections to one database.

    Parameters
    ----------
    address
        Where they lead.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._pool: Pool[Connection] = Pool(address.name)
        self._was_there = False

    @contextmanager
    def transaction(self, begin: str) -> Iterator[Connection]:
        """Open a transaction by these statements; commit it, or roll back if something raises.

        Raises
        ------
        StoreError
            If the server fails.
        """
        with told(self._address.name):
            connection = self._begun(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(psycopg.Error):
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._give_back(connection)

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """Open a connection without a transaction, for statements that must not be in one.

        Raises
        ------
        StoreError
            If the server fails.
        """
        with told(self._address.name), self._connected() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections that are not used now, and the others when they no longer are."""
        self._pool.close()

    def _begun(self, begin: str) -> Connection:
        """Return a connection that has begun: a server may have ended those that were idle."""
        while (connection := self._pool.take()) is not None:
            try:
                connection.execute(begin)
            except psycopg.OperationalError:
                connection.close()
            else:
                return connection
        connection = self._connected()
        connection.execute(begin)
        return connection

    def _connected(self) -> Connection:
        """Return a new connection; a server that was there may need some seconds to be back."""
        deadline = time.monotonic() + (_BACK_SECONDS if self._was_there else 0)
        while True:
            try:
                connection = self._opened()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(_TRY_AGAIN_SECONDS)
            else:
                self._was_there = True
                return connection

    def _opened(self) -> Connection:
        return psycopg.connect(
            **self._address.parameters,  # type: ignore[arg-type]
            client_encoding="UTF8",
            autocommit=True,
            context=ADAPTERS,
            cursor_factory=psycopg.RawCursor,
            # Prepared statements would be planned for any model, and poolers may lose them.
            prepare_threshold=None,
        )

    def _give_back(self, connection: Connection) -> None:
        if connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
            self._pool.give_back(connection)
        else:
            connection.close()


@contextmanager
def told(name: str) -> Iterator[None]:
    """Raise errors of PostgreSQL as those of the store."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreError(cause(error), store=name) from error


def cause(error: psycopg.Error) -> str:
    """Return what went wrong, in words."""
    message = error.diag.message_primary or " ".join(str(error).split())
    hint = f"; {error.diag.message_hint}" if error.diag.message_hint else ""
    kind = "" if error.sqlstate is None else f" ({type(error).__name__})"
    return f"{message}{kind}{hint}"


# Literals and names in quotes, which may have question marks, or else a parameter.
_PARTS: Final = re.compile(r"""'[^']*'|"[^"]*"|\?""")


@lru_cache(maxsize=512)
def numbered(sql: str) -> str:
    """Return a statement with ``$1``, ``$2``, … for its parameters in place of question marks."""
    numbers = count(1)
    return _PARTS.sub(lambda m: f"${next(numbers)}" if m[0] == "?" else m[0], sql)


class _Text(Dumper):
    """Text whose type the server finds out, without the one character that it does not take."""

    def dump(self, obj: str) -> Buffer:
        return obj.replace("\0", "\ufffd").encode()


class _CopiedText(_Text):
    """Text in a copied table."""

    format = Format.BINARY
    oid = postgres.types["text"].oid


class _Boolean(Dumper):
    """Truth as a number, as in SQLite."""

    oid = postgres.types["int8"].oid

    def dump(self, obj: bool) -> Buffer:
        return b"1" if obj else b"0"


class _NumberLoader(NumericBinaryLoader):
    """Sums of integers, as integers."""

    def load(self, data: Buffer) -> int | float:  # type: ignore[override]
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


def _adapters() -> AdaptersMap:
    """Return what converts values in both directions."""
    own = AdaptersMap(adapters)
    own.register_dumper(str, _CopiedText)
    # The last one is the one of parameters.
    own.register_dumper(str, _Text)
    own.register_dumper(bool, _Boolean)
    own.register_loader("json", TextBinaryLoader)
    own.register_loader("numeric", _NumberLoader)
    return own


ADAPTERS: Final = _adapters()
