"""Units of a corpus: parts of inputs that are read by themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.readers.kinds import FILES, file_kind_named, missing_extra

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Unit:
    """A file, or a part of one.

    Parameters
    ----------
    path
        The path or address of the file.
    name
        What the file is called; documents that are files have it as their name.
    format
        ``"parquet"``, ``"arrow"``, ``"jsonl"``; ``"file"`` is a document by itself.
    stamp
        Changes with the file's content.
    size
        Bytes of the file that it is.
    part
        Row groups (Parquet), batches (Arrow) or bytes (JSON lines), from and up to; None: all.
    first_row
        How many rows of the file stand before it, where that is known.
    n_rows
        How many rows it has, where that is known.
    """

    path: str
    name: str
    format: str
    stamp: str
    size: int
    part: tuple[int, int] | None = None
    first_row: int | None = 0
    n_rows: int | None = None

    @property
    def key(self) -> str:
        """What it is known by: its name, its part, and what changes with its content."""
        return f"{self.name}\0{self.format}\0{self.stamp}\0{self.part}"

    @property
    def kind(self) -> str | None:
        """The kind of file without text that its name says it is; None if it says none."""
        return file_kind_named(self.path) if self.format == "file" else None

    @property
    def label(self) -> str:
        """How messages call it."""
        parts = {"parquet": "row groups", "arrow": "batches", "jsonl": "bytes"}
        if self.part is None:
            return self.name
        return f"{self.name}, {parts[self.format]} {self.part[0]}-{self.part[1]}"


def lacking_extras(units: Iterable[Unit]) -> dict[str, int]:
    """Return how many files cannot be read without an extra that is missing, by its name."""
    missing = {kind for kind in FILES if missing_extra(kind)}
    return dict(Counter(kind for unit in units if missing and (kind := unit.kind) in missing))
