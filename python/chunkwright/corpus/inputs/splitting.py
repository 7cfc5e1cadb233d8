"""Units of a corpus, which are read by themselves, and how files are split into them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkwright.corpus.inputs.places import place_of
from chunkwright.io.sources import COMPRESSED
from chunkwright.io.table_files import is_file_format, opened_parquet, pyarrow, unreadable
from chunkwright.readers.kinds import FILES, file_kind_named, missing_extra

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chunkwright.corpus.inputs.listing import InputFile


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


UNIT_BYTES = 32 * 2**20
"""So many bytes a unit has at least, where its file can be split."""


def units_of(file: InputFile) -> Iterator[Unit]:
    """Yield the units of a file, in order.

    Raises
    ------
    ReadError
        If what says where its parts are cannot be read.
    MissingExtraError
        If it is a table, and pyarrow is not installed.
    """
    split = {"parquet": _row_groups, "arrow": _batches, "jsonl": _byte_ranges}.get(file.format)
    if split is None:
        yield _unit(file, file.state.size)
        return
    yield from split(file)


def _unit(
    file: InputFile, size: int, part: tuple[int, int] | None = None, first_row: int | None = 0
) -> Unit:
    return Unit(file.path, file.name, file.format, file.state.stamp, size, part, first_row)


def _row_groups(file: InputFile) -> Iterator[Unit]:
    pa = pyarrow(f"reading {file.format}")
    try:
        with opened_parquet(place_of(file.path).open(file.path)) as table:
            metadata = table.metadata
    except (OSError, pa.ArrowException) as error:
        raise unreadable(file.name, file.format, error) from error
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    total = sum(group.total_byte_size for group in groups) or 1
    start = first_row = n_rows = n_bytes = 0
    for i, group in enumerate(groups):
        n_bytes, n_rows = n_bytes + group.total_byte_size, n_rows + group.num_rows
        if n_bytes >= UNIT_BYTES or i == len(groups) - 1:
            size = n_bytes * file.state.size // total
            yield replace(_unit(file, size, (start, i + 1), first_row), n_rows=n_rows)
            start, first_row, n_bytes, n_rows = i + 1, first_row + n_rows, 0, 0
    if not groups:
        yield replace(_unit(file, file.state.size, (0, 0)), n_rows=0)


def _batches(file: InputFile) -> Iterator[Unit]:
    pa = pyarrow(f"reading {file.format}")
    try:
        with place_of(file.path).open(file.path) as opened:
            if not is_file_format(opened):
                yield _unit(file, file.state.size)
                return
            n_batches = pa.ipc.open_file(opened).num_record_batches
    except (OSError, pa.ArrowException) as error:
        raise unreadable(file.name, file.format, error) from error
    n_units = max(1, min(n_batches, file.state.size // UNIT_BYTES))
    ends = [n_batches * i // n_units for i in range(n_units + 1)]
    for start, end in pairwise(ends):
        yield _unit(file, file.state.size // n_units, (start, end), None if start else 0)


def _byte_ranges(file: InputFile) -> Iterator[Unit]:
    size = file.state.size
    if file.path.lower().endswith(COMPRESSED) or size < 2 * UNIT_BYTES:
        yield _unit(file, size)
        return
    n_units = size // UNIT_BYTES
    ends = [size * i // n_units for i in range(n_units + 1)]
    for start, end in pairwise(ends):
        yield _unit(file, end - start, (start, end), None if start else 0)
