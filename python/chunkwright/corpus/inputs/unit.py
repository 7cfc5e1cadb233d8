"""Units of a corpus: parts of inputs that are read by themselves."""

from __future__ import annotations

from dataclasses import dataclass


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
    """

    path: str
    name: str
    format: str
    stamp: str
    size: int
    part: tuple[int, int] | None = None
    first_row: int | None = 0

    @property
    def key(self) -> str:
        """What it is known by: its name, its part, and what changes with its content."""
        return f"{self.name}\0{self.format}\0{self.stamp}\0{self.part}"

    @property
    def label(self) -> str:
        """How messages call it."""
        parts = {"parquet": "row groups", "arrow": "batches", "jsonl": "bytes"}
        if self.part is None:
            return self.name
        return f"{self.name}, {parts[self.format]} {self.part[0]}-{self.part[1]}"
