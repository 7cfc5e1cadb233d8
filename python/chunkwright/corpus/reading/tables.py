"""Parquet and Arrow files as batches of their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.corpus.inputs.places import LocalPlace, place_of
from chunkwright.corpus.inputs.splitting import FILE_MAGIC, is_damage, unreadable
from chunkwright.corpus.reading.batch import BATCH_BYTES, DocumentBatch, Places, sliced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkwright.corpus.inputs.unit import Unit
    from chunkwright.io.sources import Reading

# Rows of a few bytes are not worth more at once.
MAX_ROWS = 65_536
# Parquet's pages are read through a buffer of so many bytes, not column by column.
_BUFFER_BYTES = 2**20


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

    read = _parquet if unit.format == "parquet" else _arrow
    first = None if unit.first_row is None else unit.first_row + 1
    try:
        for batch, n_all in read(unit, reading):
            places = Places(unit.name, first)
            for rows, of in sliced(batch, places, reading.text_column):
                read_for_it = 0 if n_all is None else unit.size * rows.num_rows // max(1, n_all)
                yield DocumentBatch(unit, rows, of, n_bytes=rows.nbytes, input_bytes=read_for_it)
            first = None if first is None else first + batch.num_rows
    except (pa.ArrowException, OSError) as error:
        if not is_damage(error):
            raise
        raise unreadable(unit.name, unit.format, error) from error


def _parquet(unit: Unit, reading: Reading) -> Iterator[tuple[Any, int | None]]:
    """Yield batches, and how many rows there are about in all of the unit."""
    import pyarrow.parquet as pq

    with _opened(unit) as file, pq.ParquetFile(file, buffer_size=_BUFFER_BYTES) as table:
        start, end = unit.part or (0, table.num_row_groups)
        dropped = set(reading.drop_columns)
        columns = [name for name in table.schema_arrow.names if name not in dropped]
        groups = [table.metadata.row_group(i) for i in range(start, end)]
        n_rows = sum(group.num_rows for group in groups)
        n_bytes = sum(group.total_byte_size for group in groups)
        size = min(MAX_ROWS, max(1, BATCH_BYTES * n_rows // max(1, n_bytes)))
        for batch in table.iter_batches(size, row_groups=list(range(start, end)), columns=columns):
            yield batch, n_rows


def _arrow(unit: Unit, reading: Reading) -> Iterator[tuple[Any, int | None]]:
    """Yield the same, as if all batches were as long; None where there is no telling."""
    import pyarrow as pa

    from chunkwright.io.parquet import validate

    with _opened(unit) as file:
        is_file = file.read(len(FILE_MAGIC)) == FILE_MAGIC
        file.seek(0)
        for batch, n_batches in _of_file(unit, file) if is_file else _of_stream(file):
            validate(batch, reading.text_column, pa)
            dropped = [name for name in reading.drop_columns if name in batch.schema.names]
            yield batch.drop_columns(dropped), n_batches and n_batches * batch.num_rows


def _of_file(unit: Unit, file: Any) -> Iterator[tuple[Any, int]]:
    import pyarrow as pa

    opened = pa.ipc.open_file(file)
    start, end = unit.part or (0, opened.num_record_batches)
    return ((opened.get_batch(i), end - start) for i in range(start, end))


def _of_stream(file: Any) -> Iterator[tuple[Any, None]]:
    import pyarrow as pa

    return ((batch, None) for batch in pa.ipc.open_stream(file))


def _opened(unit: Unit) -> Any:
    """Open a file as pyarrow reads it, by itself where it can."""
    import pyarrow as pa

    place = place_of(unit.path)
    if isinstance(place, LocalPlace):
        return pa.OSFile(unit.path)
    return pa.PythonFile(place.open(unit.path), mode="r")
