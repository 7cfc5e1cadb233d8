"""Rows as JSON lines."""

from json import JSONEncoder
from typing import BinaryIO

from chunkwright.cli.rows import Columns


class JsonLines:
    """Writes rows to a file as UTF-8, one JSON object a line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._encode = JSONEncoder(ensure_ascii=False).encode

    def write(self, columns: Columns) -> None:
        """Write the rows of one document. `oversize` is left out where it is false."""
        for values in zip(*columns.values(), strict=True):
            row = dict(zip(columns, values, strict=True))
            if not row["oversize"]:
                del row["oversize"]
            # A lone surrogate is no UTF-8; with a backslash it is JSON's own escape of it.
            line = self._encode(row).encode("utf-8", "backslashreplace")
            self._file.write(line + b"\n")

    def close(self) -> None:
        """Hand on what is buffered."""
        self._file.flush()
