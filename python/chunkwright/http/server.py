"""Server of a model: where it is, its key, its clients, and errors that never show the key."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, NamedTuple, Protocol, TypeVar

from chunkwright.checks import checked_text
from chunkwright.errors import ConfigError, ModelError, OptionName


class Closable(Protocol):
    """An object that has connections to close."""

    def close(self) -> None:
        """Close them."""


ClientT = TypeVar("ClientT", bound=Closable)


class Clients(Generic[ClientT]):
    """Clients that are idle; they are closed with the last reference to this."""

    def __init__(self) -> None:
        # With the process that made each.
        self._idle: list[tuple[int, ClientT]] = []

    @contextmanager
    def one(self, connect: Callable[[], ClientT]) -> Iterator[ClientT]:
        """Yield a client that nobody else uses meanwhile, made by ``connect`` if none is idle."""
        client = self._idle_one() or connect()
        try:
            yield client
        finally:
            self._idle.append((os.getpid(), client))

    def _idle_one(self) -> ClientT | None:
        # Another thread may have been faster.
        with suppress(IndexError):
            while True:
                pid, client = self._idle.pop()
                # A child must not use the connections of the process that it was forked from.
                if pid == os.getpid():
                    return client
                client.close()
        return None

    def __del__(self) -> None:
        for _, client in self._idle:
            client.close()


# Characters of a server's error that a message shows.
_SHOWN = 500


class Server(NamedTuple):
    """A model on a server.

    Parameters
    ----------
    base_url
        Where the server is.
    model
        What it calls the model.
    key
        The key; None: there is none.
    """

    base_url: str
    model: str
    key: str | None

    def error(self, what: str, kind: type[ModelError] = ModelError) -> ModelError:
        """Return an error that says what is wrong with the model, and not its key."""
        # The key goes first: half of it would not be found.
        message = f"the model {self.model!r} at {self.base_url} {what}"
        shown = message.replace(self.key, "***") if self.key else message
        if len(shown) > _SHOWN:
            shown = f"{shown[:_SHOWN]}... ({len(shown):,} characters)"
        return kind(shown)

    def failed(self, error: Exception, on: str, kind: type[ModelError] = ModelError) -> ModelError:
        """Return the error of a request that failed: its status, what was said, and on what."""
        status = status_of(error)
        said = "" if status is None else f"status {status}: "
        # What failed to connect says only that, and its cause why.
        why = with_cause(error) if status is None else str(error)
        return self.error(f"failed on {on}: {said}{why}", kind)

    def cause(self, error: Exception) -> Exception | None:
        """Return the error itself, unless its text would show the key or fill the screen."""
        said = str(error)
        is_secret = bool(self.key) and str(self.key) in said
        return None if is_secret or len(said) > _SHOWN else error


def with_cause(error: Exception) -> str:
    """Return what an error and its cause say: once, if one says what the other does.

    Examples
    --------
    >>> refused = ConnectionRefusedError(111, "Connection refused")
    >>> error = OSError("Connection refused")
    >>> error.__cause__ = refused
    >>> with_cause(error)
    '[Errno 111] Connection refused'
    """
    said, why = str(error).strip(), str(error.__cause__ or "").strip()
    if not why or why in said:
        return said or type(error).__name__
    return why if said.rstrip(".") in why else f"{said.rstrip('.')}: {why}"


def status_of(error: Exception) -> int | None:
    """Return the status of HTTP that an error of a provider's library has, if it has one."""
    status: int | None = getattr(error, "status_code", None)
    return status


def check_key(name: str, key: object) -> None:
    """Check the key of a server.

    Parameters
    ----------
    name
        The option, or the variable of the environment, that has it.
    key
        The key; it is not shown.

    Raises
    ------
    ConfigError
        If it is no str that a header can hold: a line feed at its end is the usual fault.
    """
    checked = checked_text(name, key, is_secret=True)
    odd = [at for at, sign in enumerate(checked) if not "!" <= sign <= "~"]
    if odd:
        what = " must be of ASCII signs without blanks: there is another at"
        raise ConfigError(OptionName(name), f"{what} {odd[0]} of {len(checked)}")


def check_url(url: object, name: str = "base_url") -> None:
    """Check the place of a server.

    Parameters
    ----------
    url
        The place.
    name
        What the option is called.

    Raises
    ------
    ConfigError
        If it is no URL of http or https, or has a user, a password or a query.
    """
    from urllib.parse import urlsplit

    checked_text(name, url)
    try:
        parts = urlsplit(str(url))
        is_server = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_server = False
    # The address may hold a secret, so the message does not show it.
    if is_server and (parts.username or parts.password or parts.query or parts.fragment):
        what = " must have no user, password or query: say api_key=... instead"
        raise ConfigError(OptionName(name), what)
    if not is_server:
        raise ConfigError.refused(name, "one of http or https", url)
