"""Files that commands read and write: how they are read, in which format, what may be replaced."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import fields
from pathlib import Path

from chunkwright.cli.docling import FORMAT as DOCLING
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.streams import piped
from chunkwright.errors import ConfigError, nearest
from chunkwright.io import outputs
from chunkwright.io.outputs import FORMATS, JsonLines, Writer
from chunkwright.io.sources import Reading


def reading_of(settings: Settings) -> Reading:
    """Return how inputs are read.

    Raises
    ------
    ConfigError
        If a setting makes no sense; names it.
    """
    from chunkwright.chunking import ELEMENT_STRATEGIES

    given = {each.name for each in fields(Settings)}
    return Reading(
        **{
            each.name: getattr(settings, each.name)
            for each in fields(Reading)
            if each.name in given
        },
        by_content=settings.strategy in ELEMENT_STRATEGIES,
        elements_for=settings.strategy if cuts_elements_only(settings.strategy) else None,
    )


def cuts_elements_only(strategy: str) -> bool:
    """Return whether a strategy of that name cannot cut a text without elements."""
    from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES

    return strategy in ELEMENT_STRATEGIES and strategy not in STRATEGIES


def format_of(out: Path | None, format_: str | None) -> str:
    """Return the format to write: the one that is named, else the one of the suffix.

    Raises
    ------
    ConfigError
        If neither names a format that is known, or a table is to go to standard output.
    """
    if format_ is not None and format_ not in FORMATS:
        if format_ == DOCLING:
            return format_
        raise ConfigError(f"unknown --format {format_!r}; {nearest(format_, [*FORMATS, DOCLING])}")
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
    """Open a file, or standard output, for rows with those columns."""
    if out is not None:
        with outputs.opened(out, format_, names) as writer:
            yield writer
        return
    with piped(), closing(JsonLines(sys.stdout.buffer, names)) as writer:
        yield writer
