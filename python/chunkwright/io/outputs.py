"""Outputs of chunks: files of rows, in the format that a suffix names."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from chunkwright.files.atomic import replacing
from chunkwright.io.rows import NAMES, Carried, rows_of
from chunkwright.messages.terminal_text import escaped

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

FORMATS = ["jsonl", "parquet", "arrow"]
"""The formats of files, which are their suffixes too."""


class Writer(Protocol):
    """Takes rows, document by document."""

    def write(self, chunks: Chunks, number: int, carried: Carried | None = None) -> None:
        """Write the rows of one document, which has that number."""

    def close(self) -> None:
        """Write what is left."""


@contextmanager
def opened(out: Path, format_: str, names: Sequence[str]) -> Iterator[Writer]:
    """Open a file for rows with those columns; it appears only when the block ends without error.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    MissingExtraError
        If it is to be a table, and pyarrow is not installed.
    """
    # Closed whatever happens: pyarrow would otherwise do it when the file is closed already.
    with replacing(out) as file, closing(_writer(file, format_, names)) as writer:
        yield writer


def _writer(file: BinaryIO, format_: str, names: Sequence[str]) -> Writer:
    if format_ == "jsonl":
        return JsonLines(file, names)
    from chunkwright.io.table_writer import TableWriter

    return TableWriter(file, format_, names)


class JsonLines:
    """Writes rows to a file as UTF-8, one JSON object a line.

    Whoever reads a pipe or a terminal gets the rows of each document as soon as they are written.
    On a terminal, characters that could steer it are written as JSON's escapes of them.
    """

    def __init__(self, file: BinaryIO, names: Sequence[str] = NAMES) -> None:
        self._file, self._names = file, names
        self._is_awaited = not _is_regular(file)
        self._is_shown = file.isatty()
        self._encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

    def write(self, chunks: Chunks, number: int, carried: Carried | None = None) -> None:
        """Write the rows of one document. `oversize` is left out where it is false."""
        more = {} if carried is None else _finite(carried.values())
        rows = rows_of(chunks, number, self._names).to_dicts()
        # JSON says lone surrogates, too.
        for row, text in zip(rows, chunks.texts(), strict=True):
            row["text"] = text
            if not row["oversize"]:
                del row["oversize"]
            self._write(row | more)
        if self._is_awaited:
            self._file.flush()

    def write_row(self, row: Mapping[str, Any]) -> None:
        """Write one row as it is."""
        self._write(row)
        if self._is_awaited:
            self._file.flush()

    def close(self) -> None:
        """Hand on what is buffered."""
        self._file.flush()

    def _write(self, row: Mapping[str, Any]) -> None:
        line = self._encode(row)
        if self._is_shown:
            line = escaped(line)
        # A lone surrogate is no UTF-8; with a backslash it is JSON's own escape of it.
        self._file.write(line.encode("utf-8", "backslashreplace") + b"\n")


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
