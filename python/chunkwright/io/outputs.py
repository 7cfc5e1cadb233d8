"""Outputs of chunks: files of rows, in the format that a suffix names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from chunkwright.files.atomic import replacing
from chunkwright.io.json_lines import JsonLines
from chunkwright.io.rows import Carried

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
    from chunkwright.io.parquet import Table

    return Table(file, format_, names)
