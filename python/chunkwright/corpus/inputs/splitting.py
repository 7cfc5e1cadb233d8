"""Units of a corpus: how files are split into them, and the shards that they make."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

from chunkwright.corpus.inputs.places import LocalPlace, place_of
from chunkwright.corpus.settings import SHARD_BYTES
from chunkwright.io.sources import COMPRESSED, Source
from chunkwright.io.table_files import is_file_format, opened_parquet, pyarrow, unreadable
from chunkwright.readers.kinds import file_kind_named, missing_extra

if TYPE_CHECKING:
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
    files = (unit for unit in units if unit.format == "file")
    return dict(Counter(extra for unit in files if (extra := missing_extra(unit.path))))


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


# Digits of a hash that names a shard: enough for 2^64 of them.
_DIGITS = 32
# Of units in the second half of a shard, one in so many ends it.
_ENDS = 4


@dataclass(frozen=True)
class Shard:
    """Units that are read, cut and written together, all of them or none.

    Parameters
    ----------
    name
        The hash of its units and of the configuration: 32 hexadecimal digits.
    units
        Its units, in order.
    marks
        Its documents that are the same as one before them; see
        :mod:`chunkwright.corpus.planning.duplicates`.
    drops
        Whether those are left out; else they are marked.
    """

    name: str
    units: tuple[Unit, ...]
    marks: Mapping[str, Mapping[int, str]] = field(default_factory=dict, compare=False)
    drops: bool = True

    @property
    def size(self) -> int:
        """Bytes of its inputs."""
        return sum(unit.size for unit in self.units)

    @property
    def files(self) -> list[str]:
        """A file of each folder of this machine that its units are in, by absolute paths."""
        some = {os.path.dirname(unit.path): unit.path for unit in self.units}  # noqa: PTH120
        local = [path for path in some.values() if isinstance(place_of(path), LocalPlace)]
        return [file for path in local if (file := Source(path).file) is not None]


def grouped(units: Iterable[Unit], most: int = SHARD_BYTES) -> Iterator[tuple[Unit, ...]]:
    """Group units, in their order; a unit more or less changes the groups near it alone.

    Where a group ends depends on the units in it: by their sizes alone, one file that is added
    would change all groups behind it, and what is done of them would have to be done again.

    Parameters
    ----------
    units
        The units.
    most
        Bytes of a group, if none of its units has more.
    """
    group: list[Unit] = []
    size = 0
    for unit in units:
        if group and size + unit.size > most:
            yield tuple(group)
            group, size = [], 0
        group.append(unit)
        size += unit.size
        if size >= most // 2 and _hash(unit.key)[0] % _ENDS == 0:
            yield tuple(group)
            group, size = [], 0
    if group:
        yield tuple(group)


def shard_of(
    units: tuple[Unit, ...],
    fingerprint: str,
    marks: Mapping[str, Mapping[int, str]] | None = None,
    *,
    drops: bool = True,
) -> Shard:
    """Return the shard that units make under a configuration.

    Parameters
    ----------
    units
        The units.
    fingerprint
        That of the configuration.
    marks, drops
        See :class:`Shard`; marks of other units are left out.
    """
    own = {unit.key: marks[unit.key] for unit in units if marks and unit.key in marks}
    said = [f"{unit.key}\0{sorted(own.get(unit.key, {}).items())}" for unit in units]
    parts = "\n".join([fingerprint, *said])
    return Shard(_hash(parts).hex()[:_DIGITS], units, own, drops)


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
