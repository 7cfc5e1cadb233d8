"""Where rows go: standard output or a file, in the format that its suffix names."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

import typer

from chunkwright.atomic import replacing
from chunkwright.errors import ConfigError, nearest
from chunkwright.io import streams
from chunkwright.io.json_lines_out import JsonLines
from chunkwright.io.rows import Carried, Columns

FORMATS = ["jsonl", "parquet", "arrow"]


class Writer(Protocol):
    """Takes rows, document by document."""

    def write(self, columns: Columns, carried: Carried | None = None) -> None:
        """Write the rows of one document."""

    def close(self) -> None:
        """Write what is left."""


def format_of(out: Path | None, format_: str | None) -> str:
    """Return the format to write: the one that is named, else the one of the suffix.

    Raises
    ------
    ConfigError
        If neither names a format that is known, or a table is to go to standard output.
    """
    if format_ is not None and format_ not in FORMATS:
        raise ConfigError(f"unknown --format {format_!r}; {nearest(format_, FORMATS)}")
    if out is None:
        if format_ in {"parquet", "arrow"}:
            raise ConfigError(f"--format {format_} needs a file: name one with --out")
        return "jsonl"
    named = format_ or out.suffix.removeprefix(".").lower()
    if named not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise ConfigError(f"cannot tell the format of {out}: end it in {known}, or use --format")
    return named


def check_new(path: Path, flag: str, *, force: bool) -> None:
    """Check that no file is replaced that nobody asked to replace.

    Raises
    ------
    ConfigError
        If a file is there already; names it.
    """
    if path.is_file() and not force:
        raise ConfigError(f"{flag}: {path} is there already: say --force to replace it")


@contextmanager
def opened(out: Path | None, format_: str, names: Sequence[str]) -> Iterator[Writer]:
    """Open the output, for rows with those columns.

    A file appears only when the block has ended without an exception.
    """
    if out is None:
        with piped(), closing(JsonLines(sys.stdout.buffer)) as writer:
            yield writer
        return
    # Closed whatever happens: pyarrow would otherwise do it when the file is closed already.
    with replacing(out) as file, closing(_writer(file, format_, names)) as writer:
        yield writer


@contextmanager
def piped() -> Iterator[None]:
    """End the command quietly when whoever reads standard output has read enough."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        streams.discard()
        raise typer.Exit(0) from error


def _writer(file: BinaryIO, format_: str, names: Sequence[str]) -> Writer:
    if format_ == "jsonl":
        return JsonLines(file)
    from chunkwright.io.parquet_out import Table

    return Table(file, format_, names)
