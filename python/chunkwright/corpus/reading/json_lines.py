"""JSON lines, also compressed, as batches of their rows."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.inputs.places import place_of
from chunkwright.corpus.reading.batch import BATCH_BYTES, DocumentBatch
from chunkwright.corpus.reading.json_columns import JsonColumns
from chunkwright.errors import ReadError
from chunkwright.io import json_lines
from chunkwright.io.table_files import is_damage, unreadable

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.unit import Unit
    from chunkwright.io.sources import Reading

# A row of a few bytes takes much more as Python's objects.
MAX_ROWS = 8192


def json_batches(
    unit: Unit, reading: Reading, carried: Any, most: int = BATCH_BYTES
) -> Iterator[DocumentBatch]:
    """Read a unit of JSON lines: those that begin in its bytes.

    Parameters
    ----------
    unit
        The unit.
    reading
        How it is read.
    carried
        The ``pyarrow.Schema`` of the fields that are carried.
    most
        Bytes of the lines of a batch, or one line that has more.

    Yields
    ------
    DocumentBatch
        Some rows; lines that are no rows are failures in it.

    Raises
    ------
    ReadError
        If it cannot be decompressed further.
    OSError
        If the file is not there, or cannot be reached.
    """
    columns, n_bytes = JsonColumns(unit, reading, carried), 0
    try:
        for place, line in filter(json_lines.is_filled, placed_lines(unit)):
            columns.add(line, place)
            n_bytes += len(line)
            if n_bytes >= most or len(columns) >= MAX_ROWS:
                yield columns.batch(n_bytes)
                columns, n_bytes = JsonColumns(unit, reading, carried), 0
    except (OSError, EOFError, zlib.error) as error:
        if not is_damage(error):
            raise
        # What was read before is not lost.
        yield columns.batch(n_bytes)
        raise unreadable(unit.name, unit.format, error) from error
    yield columns.batch(n_bytes)


def placed_lines(unit: Unit) -> Iterator[tuple[str, bytes]]:
    """Yield the lines that begin in a unit's bytes, each with its place."""
    with (
        place_of(unit.path).open(unit.path) as file,
        json_lines.decompressed(file, unit.path) as lines,
    ):
        yield from json_lines.placed_lines(lines, unit.name, unit.part)


def sample(unit: Unit, reading: Reading, n_rows: int) -> list[dict[str, Any]]:
    """Return the first rows of a unit without their texts, those left out that are none."""
    rows: list[dict[str, Any]] = []
    # What cannot be read is told of when all rows are.
    with suppress(OSError, EOFError, zlib.error):
        for place, line in filter(json_lines.is_filled, placed_lines(unit)):
            if len(rows) == n_rows:
                break
            with suppress(ReadError):
                rows.append(json_lines.object_of(line, reading, place))
                rows[-1].pop(reading.text_column, None)
    return rows
