"""Reader of units of any format: their documents, a batch at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.inputs.places import LocalPlace, place_of
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.corpus.reading.json_lines import json_batches
from chunkwright.corpus.reading.tables import table_batches
from chunkwright.corpus.report import Failure
from chunkwright.errors import ChunkwrightError, ReadError
from chunkwright.io.batches import FILES, batches
from chunkwright.io.documents import whole
from chunkwright.io.sources import Entry, Reading, Source
from chunkwright.readers.signatures import refuse

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Unit


class ChangedError(OSError):
    """An input is not what it was when the run was planned."""


def batches_of(units: Sequence[Unit], reading: Reading, carried: Any) -> Iterator[DocumentBatch]:
    """Read units, one after another.

    Parameters
    ----------
    units
        The units.
    reading
        How they are read.
    carried
        The ``pyarrow.Schema`` of the columns that chunks carry.

    Yields
    ------
    DocumentBatch
        Documents; a unit that cannot be read further is a failure behind what was read of it.

    Raises
    ------
    OSError
        If a file has gone, has changed, or cannot be reached: whoever tries again may have more
        luck.
    """
    for is_file, some in groupby(units, key=lambda unit: unit.format == "file"):
        if is_file:
            yield from file_batches(map(_unchanged, some), reading)
            continue
        for unit in map(_unchanged, some):
            try:
                if unit.format == "jsonl":
                    yield from json_batches(unit, reading, carried)
                else:
                    yield from table_batches(unit, reading)
            except ReadError as error:
                yield DocumentBatch(unit, failures=[Failure.of(error, "read", unit.label)])


def _unchanged(unit: Unit) -> Unit:
    state = place_of(unit.path).state(unit.path)
    if state is None:
        raise FileNotFoundError(f"{unit.path}: no such file any more, or it cannot be read")
    if state.stamp != unit.stamp:
        raise ChangedError(f"{unit.path}: changed since the run was planned")
    return unit


@dataclass(frozen=True)
class _RemoteSource(Source):
    """A file of another place."""

    def read(self, *, allowed: Collection[str] = ()) -> bytes:
        """Read all of it; see :meth:`Source.read`."""
        with place_of(self.name).open(self.name) as file:
            data = file.read()
        refuse(data, self.name, allowed=allowed)
        return data


def file_batches(units: Iterable[Unit], reading: Reading) -> Iterator[DocumentBatch]:
    """Read units that are documents, many small ones together.

    Raises
    ------
    OSError
        If a file is not there, or cannot be reached.
    """
    for some in batches(units, FILES, lambda unit: unit.size):
        entries: list[Entry] = []
        failures: list[Failure] = []
        for unit in some:
            try:
                entries.append(entry_of(unit, reading))
            except ChunkwrightError as error:
                failure = Failure.of(error, "read", unit.label)
                failures.append(replace(failure, document=unit.name))
        size = sum(unit.size for unit in some)
        yield DocumentBatch(
            some[-1], entries=entries, failures=failures, n_bytes=size, input_bytes=size
        )


def entry_of(unit: Unit, reading: Reading) -> Entry:
    """Read a unit as the document that it is.

    Raises
    ------
    ReadError
        If it cannot be read as what it is.
    """
    is_local = isinstance(place_of(unit.path), LocalPlace)
    kind = Source if is_local else _RemoteSource
    return whole(kind(unit.path, called=unit.name), reading)
