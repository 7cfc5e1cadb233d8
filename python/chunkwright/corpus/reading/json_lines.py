"""JSON lines, also compressed, as batches of their rows."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwright.corpus.failures import Failure
from chunkwright.corpus.inputs.places import place_of
from chunkwright.corpus.inputs.splitting import is_damage, unreadable
from chunkwright.corpus.reading.batch import BATCH_BYTES, DocumentBatch
from chunkwright.corpus.reading.json_columns import JsonColumns
from chunkwright.errors import ReadError
from chunkwright.io.json_lines import decompressed, object_of

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
        for place, line in placed_lines(unit):
            if not line or line.isspace():
                continue
            try:
                columns.add(object_of(line, reading, place), place)
            except ReadError as error:
                columns.failures.append(Failure.of(error, "read", unit.label, place))
            n_bytes += len(line)
            if n_bytes >= most or len(columns) + len(columns.failures) >= MAX_ROWS:
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
    with _opened(unit) as file:
        start, end = unit.part or (0, None)
        at = _next_line(file, start)
        for number, line in enumerate(file, 1):
            if end is not None and at >= end:
                return
            place = f"{unit.name}:{number}" if start == 0 else f"{unit.name}, byte {at}"
            whole = line.rstrip(b"\r\n")
            yield place, whole if at else whole.removeprefix(codecs.BOM_UTF8)
            at += len(line)


def _next_line(file: BinaryIO, start: int) -> int:
    """Go to the first line that begins at a byte or behind it; return where that is."""
    if start == 0:
        return 0
    file.seek(start - 1)
    return start - 1 + len(file.readline())


@contextmanager
def _opened(unit: Unit) -> Iterator[BinaryIO]:
    with (
        place_of(unit.path).open(unit.path) as file,
        decompressed(file, unit.path) as lines,
    ):
        yield lines


def sample(unit: Unit, reading: Reading, n_rows: int) -> list[dict[str, Any]]:
    """Return the first rows of a unit without their texts, those left out that are none."""
    rows: list[dict[str, Any]] = []
    # What cannot be read is told of when all rows are.
    with suppress(OSError, EOFError, zlib.error):
        for place, line in placed_lines(unit):
            if len(rows) == n_rows:
                break
            with suppress(ReadError):
                rows.append(object_of(line, reading, place))
                rows[-1].pop(reading.text_column, None)
    return rows
