"""Reader of units of any format: their documents, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.failures import Failure
from chunkwright.corpus.inputs.places import place_of
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.corpus.reading.files import file_batches
from chunkwright.corpus.reading.json_lines import json_batches
from chunkwright.corpus.reading.tables import table_batches
from chunkwright.errors import ReadError

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.unit import Unit
    from chunkwright.io.sources import Reading


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
