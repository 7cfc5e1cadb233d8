"""Rows as JSON lines."""

from json import JSONEncoder
from math import isfinite
from typing import Any, BinaryIO

from chunkwright.cli.rows import Carried, Columns


class JsonLines:
    """Writes rows to a file as UTF-8, one JSON object a line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._encode = JSONEncoder(ensure_ascii=False, allow_nan=False).encode

    def write(self, columns: Columns, carried: Carried | None = None) -> None:
        """Write the rows of one document. `oversize` is left out where it is false."""
        more = {} if carried is None else _finite(carried.values())
        for values in zip(*columns.values(), strict=True):
            row = dict(zip(columns, values, strict=True))
            if not row["oversize"]:
                del row["oversize"]
            # A lone surrogate is no UTF-8; with a backslash it is JSON's own escape of it.
            line = self._encode({**row, **more}).encode("utf-8", "backslashreplace")
            self._file.write(line + b"\n")

    def close(self) -> None:
        """Hand on what is buffered."""
        self._file.flush()


def _finite(value: Any) -> Any:
    """Put null where a float is none of JSON's."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
