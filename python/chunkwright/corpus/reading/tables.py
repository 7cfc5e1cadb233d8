"""Parquet and Arrow files as batches of their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.corpus.inputs.places import LocalPlace, place_of
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.io import table_files
from chunkwright.io.batches import ROWS
from chunkwright.io.rows import RowNames
from chunkwright.io.table_files import batches_of, is_damage, unreadable, validate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkwright.corpus.inputs.splitting import Unit
    from chunkwright.io.sources import Reading
    from chunkwright.io.table_files import TableFile


def table_batches(unit: Unit, reading: Reading) -> Iterator[DocumentBatch]:
    """Read a unit of a table.

    Yields
    ------
    DocumentBatch
        Some megabytes of rows, or one row that is larger.

    Raises
    ------
    ReadError
        If the table is damaged.
    OSError
        If the file is not there, or cannot be reached.
    """
    import pyarrow as pa

    dropped = set(reading.drop_columns)
    places = RowNames(unit.name, None if unit.first_row is None else unit.first_row + 1)
    try:
        file = _path_or_file(unit)
        for batch, n_all in batches_of(file, unit.format, ROWS, unit.part, dropped):
            if unit.format == "arrow":
                validate(batch, reading.text_column)
            for rows, of in sliced(batch, places, reading.text_column):
                read_for_it = 0 if n_all is None else unit.size * rows.num_rows // max(1, n_all)
                yield DocumentBatch(unit, rows, of, n_bytes=rows.nbytes, input_bytes=read_for_it)
            places = places.behind(batch.num_rows)
    except (pa.ArrowException, OSError) as error:
        if not is_damage(error):
            raise
        raise unreadable(unit.name, unit.format, error) from error


def schema_of(unit: Unit) -> Any:
    """Return the ``pyarrow.Schema`` of a unit of a table; raises what opening the file raises."""
    return table_files.schema_of(_path_or_file(unit), unit.format)


def _path_or_file(unit: Unit) -> TableFile:
    """Return the path of a file of this machine, which pyarrow reads by itself; open others."""
    place = place_of(unit.path)
    return unit.path if isinstance(place, LocalPlace) else place.open(unit.path)


def sliced(batch: Any, places: RowNames, text_column: str) -> list[tuple[Any, RowNames]]:
    """Cut a batch of rows into ones of some megabytes, or of one row that is larger."""
    if batch.nbytes <= 2 * ROWS.n_bytes or batch.num_rows <= 1:
        return [(batch, places)]
    sizes = _sizes(batch, text_column)
    parts, start, n_bytes = [], 0, 0
    for row, size in enumerate(sizes):
        if n_bytes and n_bytes + size > ROWS.n_bytes:
            parts.append((start, row))
            start, n_bytes = row, 0
        n_bytes += size
    parts.append((start, batch.num_rows))
    return [(batch.slice(a, b - a), places.behind(a)) for a, b in parts]


def _sizes(batch: Any, text_column: str) -> list[int]:
    """Return about how many bytes each row takes: its text, and the mean of all else."""
    import pyarrow as pa
    import pyarrow.compute as pc

    mean = max(1, batch.nbytes // batch.num_rows)
    try:
        texts = batch.column(text_column)
        lengths = pc.fill_null(pc.binary_length(texts), 0)
    except (KeyError, pa.ArrowNotImplementedError):
        # No such column, or none of texts.
        return [mean] * batch.num_rows
    others = max(0, batch.nbytes - texts.nbytes) // batch.num_rows
    return [length + others for length in lengths.to_pylist()]
