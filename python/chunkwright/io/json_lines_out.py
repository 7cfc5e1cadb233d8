"""Rows as JSON lines."""

import os
import stat
from json import JSONEncoder
from math import isfinite
from typing import Any, BinaryIO

from chunkwright.io.rows import Carried, Columns
from chunkwright.terminal_text import escaped


class JsonLines:
    """Writes rows to a file as UTF-8, one JSON object a line.

    Whoever reads a pipe or a terminal gets the rows of each document as soon as they are written.
    On a terminal, characters that could steer it are written as JSON's escapes of them.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._is_awaited = not _is_regular(file)
        self._is_shown = file.isatty()
        self._encode = JSONEncoder(ensure_ascii=False, allow_nan=False).encode

    def write(self, columns: Columns, carried: Carried | None = None) -> None:
        """Write the rows of one document. `oversize` is left out where it is false."""
        more = {} if carried is None else _finite(carried.values())
        for values in zip(*columns.values(), strict=True):
            row = dict(zip(columns, values, strict=True))
            if not row["oversize"]:
                del row["oversize"]
            row |= more
            line = self._encode(row)
            if self._is_shown:
                line = escaped(line)
            # A lone surrogate is no UTF-8; with a backslash it is JSON's own escape of it.
            self._file.write(line.encode("utf-8", "backslashreplace") + b"\n")
        if self._is_awaited:
            self._file.flush()

    def close(self) -> None:
        """Hand on what is buffered."""
        self._file.flush()


def _is_regular(file: BinaryIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    except OSError:
        # A stream that is no file of the system.
        return False


def _finite(value: Any) -> Any:
    """Put null where a float is none of JSON's."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
