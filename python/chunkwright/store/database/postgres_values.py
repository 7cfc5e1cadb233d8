"""Values of a store in PostgreSQL, the same in Python as those of SQLite."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count
from typing import Final

from psycopg import adapters, postgres
from psycopg.adapt import AdaptersMap, Buffer, Dumper
from psycopg.pq import Format
from psycopg.types.numeric import NumericBinaryLoader
from psycopg.types.string import TextBinaryLoader

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
