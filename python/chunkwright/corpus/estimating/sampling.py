"""Samples of a corpus: documents from places that are spread evenly over its bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate
from time import perf_counter
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.inputs.places import place_of
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.corpus.reading.json_lines import json_batches
from chunkwright.corpus.reading.tables import table_batches
from chunkwright.corpus.reading.units import file_batches
from chunkwright.corpus.report import Failure
from chunkwright.errors import ReadError
from chunkwright.io.json_lines import decompressed
from chunkwright.io.sources import COMPRESSED
from chunkwright.io.table_files import opened_parquet

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Unit
    from chunkwright.io.sources import Reading

# A file that is a document is read whole: one that has more bytes is not worth the time.
_MOST_FILE = 4 * 2**20
# How much a file that is decompressed to such bytes tells of how well it is compressed.
_FOR_RATIO = 4 * 2**20
# What is compressed has about so many times its bytes.
_UNPACKED = 4
# PDF and office files have so many times the bytes of their text, if not more.
_OF_TEXT = 4


@dataclass(frozen=True)
class Sample:
    """Documents from one place of the inputs.

    Parameters
    ----------
    batches
        The documents.
    size
        Bytes of the inputs that they are.
    stands_for
        Bytes of the inputs around it, this included.
    seconds
        Time that reading took.
    """

    batches: list[DocumentBatch]
    size: float
    stands_for: float
    seconds: float = 0.0


@dataclass
class _Spot:
    """A unit, how far into it a sample is taken, the bytes that it stands for, and its own."""

    first: int
    at: float
    stands_for: float
    most: int


@dataclass
class Sampler:
    """Takes samples of units, the same ones of the same units.

    Parameters
    ----------
    units
        All units, in order.
    reading
        How they are read.
    carried
        The ``pyarrow.Schema`` of the columns that chunks carry.
    n_spots
        So many samples are taken, at most.
    most
        Bytes of text in each of them, or one document that has more.
    """

    units: Sequence[Unit]
    reading: Reading
    carried: Any
    n_spots: int
    most: int
    _seen: set[str] = field(default_factory=set)
    _is_whole: bool = False
    _is_warm: bool = False

    def samples(self) -> Iterator[Sample]:
        """Yield samples; if one ends early, those before it are spread over all inputs as well.

        Inputs that are small are sampled whole. Units that cannot be reached are left out.
        """
        for spot in self._spots():
            with suppress(OSError):
                self._warm_up(spot)
                began = perf_counter()
                batches, size = self._read(spot)
                seconds = perf_counter() - began
                if size:
                    stands_for = size if self._is_whole else spot.stands_for
                    yield Sample(batches, size, stands_for, seconds)

    def _warm_up(self, spot: _Spot) -> None:
        """Read a small file, so that the library of its kind is loaded, as it is once in a run."""
        unit = self.units[spot.first]
        if not self._is_warm and unit.format == "file" and unit.size <= self.most:
            list(file_batches([unit], self.reading))
        self._is_warm = True

    def _spots(self) -> list[_Spot]:
        total = sum(unit.size for unit in self.units)
        if sum(text_size(unit) for unit in self.units) <= self.n_spots * self.most:
            self._is_whole = True
            most = max(self.most, total * _UNPACKED)
            # What takes long to read is read file by file, so that it can be ended early.
            order = ((i, self.units[i]) for i in _spread(len(self.units)))
            return [
                _Spot(i, 0.0, unit.size, most if unit.kind is None else unit.size)
                for i, unit in order
            ]
        ends = list(accumulate(unit.size for unit in self.units))
        spots = []
        for number in _spread(self.n_spots):
            at = (number + 0.5) * total / self.n_spots
            index = min(bisect_right(ends, at), len(ends) - 1)
            size = max(1, self.units[index].size)
            share = (at - (ends[index] - size)) / size
            spots.append(_Spot(index, share, total / self.n_spots, self.most))
        return self._merged(spots)

    def _merged(self, spots: Iterable[_Spot]) -> list[_Spot]:
        """Return spots of which no two are read alike; one for several of them is larger."""
        merged: dict[tuple[int, float], _Spot] = {}
        for spot in spots:
            unit = self.units[spot.first]
            at = spot.at if _is_split(unit) and unit.size > self.most else 0.0
            known = merged.setdefault((spot.first, at), _Spot(spot.first, at, 0.0, 0))
            known.stands_for += spot.stands_for
            known.most += spot.most
        return list(merged.values())

    def _read(self, spot: _Spot) -> tuple[list[DocumentBatch], float]:
        unit = self.units[spot.first]
        if unit.format == "file":
            return self._files(spot)
        read = {"parquet": self._parquet, "arrow": self._arrow, "jsonl": self._json}[unit.format]
        try:
            return read(unit, spot)
        except ReadError as error:
            failed = DocumentBatch(unit, failures=[Failure.of(error, "read", unit.label)])
            return [failed], unit.size

    def _files(self, spot: _Spot) -> tuple[list[DocumentBatch], float]:
        """Read files from a first one on, but for large ones."""
        some: list[Unit] = []
        size = 0
        for unit in self.units[spot.first :]:
            if unit.format != "file" or size >= spot.most:
                break
            if unit.size <= _MOST_FILE and unit.key not in self._seen:
                some.append(unit)
                size += unit.size
        if not some and not self._seen:
            # All of them are large.
            some = [min(self.units[spot.first :], key=lambda unit: unit.size)]
            size = some[0].size
        self._seen |= {unit.key for unit in some}
        return list(file_batches(some, self.reading)), size

    def _json(self, unit: Unit, spot: _Spot) -> tuple[list[DocumentBatch], float]:
        if unit.path.lower().endswith(COMPRESSED):
            batches = json_batches(unit, self.reading, self.carried, spot.most)
            first, behind = next(batches, DocumentBatch(unit)), next(batches, None)
            size = unit.size if behind is None else _compressed_size(unit, first.n_bytes)
            return [first], size
        start, end = unit.part or (0, unit.size)
        begin = start + max(0, min(int(spot.at * unit.size), unit.size - spot.most))
        part = (begin, min(end, begin + spot.most))
        sub = replace(unit, part=part, first_row=None if begin else 0)
        return list(json_batches(sub, self.reading, self.carried)), part[1] - part[0]

    def _parquet(self, unit: Unit, spot: _Spot) -> tuple[list[DocumentBatch], float]:
        if unit.part is None:
            # Where nothing is known of what is in it, it cannot be read.
            return list(table_batches(unit, self.reading)), unit.size
        with opened_parquet(place_of(unit.path).open(unit.path)) as table:
            start, end = unit.part
            n_rows = sum(table.metadata.row_group(i).num_rows for i in range(start, end))
        group = min(start + int(spot.at * (end - start)), end - 1)
        whole = replace(
            unit, part=(start, end) if not spot.at else (group, group + 1), first_row=None
        )
        batches = self._first(table_batches(whole, self.reading), spot.most)
        read = sum(batch.n_documents for batch in batches)
        return batches, unit.size * read / max(1, n_rows)

    def _arrow(self, unit: Unit, spot: _Spot) -> tuple[list[DocumentBatch], float]:
        if unit.part is None:
            stream = table_batches(unit, self.reading)
            batches = self._first(stream, spot.most)
            is_all = self._is_whole and next(stream, None) is None
            of_memory = sum(batch.n_bytes for batch in batches)
            return batches, unit.size if is_all else min(unit.size, of_memory)
        start, end = unit.part
        number = min(start + int(spot.at * (end - start)), end - 1)
        one = replace(unit, part=(number, number + 1), first_row=None)
        all_of_it = list(table_batches(one, self.reading))
        n_rows = sum(batch.n_documents for batch in all_of_it)
        batches = self._first(iter(all_of_it), spot.most)
        read = sum(batch.n_documents for batch in batches)
        return batches, unit.size / (end - start) * read / max(1, n_rows)

    @staticmethod
    def _first(batches: Iterator[DocumentBatch], left: int) -> list[DocumentBatch]:
        """Return the first of some rows, about so many bytes."""
        found: list[DocumentBatch] = []
        for batch in batches:
            part = first_documents(batch, max(1, batch.n_documents * left // max(1, batch.n_bytes)))
            found.append(part)
            left -= part.n_bytes
            if left <= 0 or part is not batch:
                break
        return found


def first_documents(batch: DocumentBatch, most: int) -> DocumentBatch:
    """Return the first documents of a batch; the batch itself if it has no more."""
    if batch.n_documents <= most:
        return batch
    n_bytes = batch.n_bytes * most // batch.n_documents
    if batch.rows is not None:
        return replace(batch, rows=batch.rows.slice(0, most), n_bytes=n_bytes)
    return replace(batch, entries=batch.entries[:most], n_bytes=n_bytes)


def _spread(n: int) -> list[int]:
    """Return the numbers below n in an order in which the first few are far from each other."""
    n_bits = max(1, (n - 1).bit_length())
    order = (int(f"{number:0{n_bits}b}"[::-1], 2) for number in range(2**n_bits))
    return [number for number in order if number < n]


def text_size(unit: Unit) -> int:
    """Return about how many bytes of text a unit has."""
    if unit.kind is not None:
        return unit.size // _OF_TEXT
    is_compressed = unit.format == "parquet" or unit.path.lower().endswith(COMPRESSED)
    return unit.size * _UNPACKED if is_compressed else unit.size


def _is_split(unit: Unit) -> bool:
    """Return whether reading may begin in the middle of a unit."""
    if unit.format == "arrow":
        # A stream is read from its beginning.
        return unit.part is not None
    return unit.format != "file" and not unit.path.lower().endswith(COMPRESSED)


def _compressed_size(unit: Unit, n_bytes: int) -> float:
    """Return about how many bytes of a compressed file some bytes at its beginning are."""
    with (
        place_of(unit.path).open(unit.path) as file,
        decompressed(file, unit.path) as unpacked,
    ):
        n_read = len(unpacked.read(max(n_bytes, _FOR_RATIO)))
        # As far as it was read ahead.
        return min(1.0, n_bytes / max(1, n_read)) * min(unit.size, file.tell())
