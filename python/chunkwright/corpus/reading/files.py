"""Files that are a document each, as batches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkwright.corpus.failures import Failure
from chunkwright.corpus.inputs.places import LocalPlace, place_of
from chunkwright.corpus.reading.batch import BATCH_BYTES, DocumentBatch
from chunkwright.errors import ChunkwrightError
from chunkwright.io.documents import whole
from chunkwright.io.sources import Entry, Reading, Source
from chunkwright.readers.signatures import refuse

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.unit import Unit

MAX_FILES = 256


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
    entries: list[Entry] = []
    failures: list[Failure] = []
    n_bytes, last = 0, None
    for unit in units:
        try:
            entries.append(entry_of(unit, reading))
        except ChunkwrightError as error:
            failures.append(replace(Failure.of(error, "read", unit.label), document=unit.name))
        n_bytes, last = n_bytes + unit.size, unit
        if n_bytes >= BATCH_BYTES or len(entries) + len(failures) >= MAX_FILES:
            yield DocumentBatch(
                unit, entries=entries, failures=failures, n_bytes=n_bytes, input_bytes=n_bytes
            )
            entries, failures, n_bytes, last = [], [], 0, None
    if last is not None:
        yield DocumentBatch(
            last, entries=entries, failures=failures, n_bytes=n_bytes, input_bytes=n_bytes
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
