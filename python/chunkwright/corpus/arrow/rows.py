"""Rows of Arrow tables: columns of strings, slices by size, rows of documents that failed."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError
from chunkwright.io.table_files import is_string, pyarrow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


FEATURE = "chunks of record batches"
"""What pyarrow is needed for."""


def table_of(batch: object) -> pa.Table:
    """Return a record batch or a table as a table.

    Raises
    ------
    ConfigError
        If it is none of the two.
    MissingExtraError
        If pyarrow is not installed.
    """
    pa = pyarrow(FEATURE)
    if isinstance(batch, pa.Table):
        return batch
    if isinstance(batch, pa.RecordBatch):
        return pa.Table.from_batches([batch])
    kind = f"{type(batch).__module__}.{type(batch).__qualname__}"
    raise ConfigError(f"batch must be a pyarrow.RecordBatch or a pyarrow.Table, got {kind}")


def array_of(ids: Any, n_texts: int) -> pa.Array | pa.ChunkedArray:
    """Return ids as an array.

    Raises
    ------
    ConfigError
        If there is not one for each text.
    """
    import pyarrow as pa

    array = ids if isinstance(ids, pa.Array | pa.ChunkedArray) else pa.array(ids)
    if len(array) != n_texts:
        raise ConfigError(f"{n_texts} texts need as many ids, got {len(array)}", option="ids")
    return array


def one_batch(table: pa.Table) -> pa.RecordBatch:
    """Return a table as one record batch.

    Raises
    ------
    ConfigError
        If it holds more than one can.
    """
    import pyarrow as pa

    batches = table.combine_chunks().to_batches()
    if len(batches) > 1:
        message = f"the chunks of one record batch hold {table.nbytes:,} bytes, more than one can"
        raise ConfigError(f"{message}: cut smaller batches, or a table, or use map_iter")
    return batches[0] if batches else pa.RecordBatch.from_pylist([], table.schema)


def slices(batch: pa.RecordBatch, most_bytes: int | None) -> Iterator[pa.RecordBatch]:
    """Yield a batch in parts of about that many bytes at most, or whole; none of no rows."""
    n_parts = 1 if most_bytes is None else max(1, ceil(batch.nbytes / most_bytes))
    n_rows = max(1, len(batch) // n_parts)
    for start in range(0, len(batch), n_rows):
        yield batch.slice(start, n_rows)


def whole_documents(
    numbered: Iterable[tuple[NDArray[np.int64], pa.RecordBatch]], most_bytes: int
) -> Iterator[pa.RecordBatch]:
    """Yield batches with no document in two of them.

    Parameters
    ----------
    numbered
        Batches, each with the numbers of the documents of its rows, in order.
    most_bytes
        The size of batches, at most; that of a single document may be more.
    """
    import numpy as np
    import pyarrow as pa

    last: tuple[NDArray[np.int64], pa.RecordBatch] | None = None
    for numbers, batch in numbered:
        if last is not None and last[0][0] == numbers[0]:
            # The document goes on.
            numbers = np.concatenate([last[0], numbers])  # noqa: PLW2901
            batch = pa.concat_batches([last[1], batch])  # noqa: PLW2901
        elif last is not None:
            yield last[1]
        start = int(numbers.searchsorted(numbers[-1]))
        yield from _halves(numbers[:start], batch.slice(0, start), most_bytes)
        last = numbers[start:], batch.slice(start)
    if last is not None:
        yield last[1]


def _halves(
    numbers: NDArray[np.int64], batch: pa.RecordBatch, most_bytes: int
) -> Iterator[pa.RecordBatch]:
    """Yield a batch in halves, and these in halves, until none is too large or of one document."""
    if not len(batch):
        return
    if batch.nbytes <= most_bytes or numbers[0] == numbers[-1]:
        yield batch
        return
    # The middle is between two documents: before that of the middle row, or behind it.
    middle = int(numbers.searchsorted(numbers[len(numbers) // 2]))
    middle = middle or int(numbers.searchsorted(numbers[0], side="right"))
    yield from _halves(numbers[:middle], batch.slice(0, middle), most_bytes)
    yield from _halves(numbers[middle:], batch.slice(middle), most_bytes)


def plain_strings(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return strings of a dictionary, and a column of nothing but nulls, as strings.

    Other columns stay as they are.
    """
    import pyarrow as pa

    kind = column.type
    is_encoded = pa.types.is_dictionary(kind) and is_string(kind)
    return column.cast(pa.string()) if is_encoded or pa.types.is_null(kind) else column


def ids_as_strings(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Return a column of ids as strings.

    Raises
    ------
    ConfigError
        If it holds neither strings nor integers.
    """
    import pyarrow as pa

    kind = column.type
    if pa.types.is_integer(kind):
        return column.cast(pa.string())
    if is_string(kind) or pa.types.is_null(kind):
        return plain_strings(column)
    message = f"column {name!r} must hold strings or integers, but is of type {kind}"
    raise ConfigError(f"{message}: cast it to one of these", option="id_column")


def failed(
    batch: pa.RecordBatch,
    numbers: NDArray[np.int64],
    failures: Mapping[int, Exception],
    emptied: Collection[str],
) -> pa.RecordBatch:
    """Return a batch of chunks in which documents that have no vectors have one row, with an error.

    Parameters
    ----------
    batch
        Rows of chunks, with a column ``error``.
    numbers
        The numbers of their documents, in order.
    failures
        Why, by number.
    emptied
        The columns that are null in the rows of documents that failed.
    """
    import pyarrow as pa

    parts, kept_from = [], 0
    for number, why in sorted(failures.items()):
        start, end = (int(at) for at in numbers.searchsorted([number, number + 1]))
        columns = [
            pa.nulls(1, f.type) if f.name in emptied else batch[f.name].slice(start, 1)
            for f in batch.schema
        ]
        columns[batch.schema.get_field_index("error")] = pa.array([f"embed: {why}"], pa.string())
        failing = pa.RecordBatch.from_arrays(columns, schema=batch.schema)
        parts += [batch.slice(kept_from, start - kept_from), failing]
        kept_from = end
    return pa.concat_batches([*parts, batch.slice(kept_from)])


def lists_of(lengths: Any, rows: list[pa.RecordBatch], schema: pa.Schema) -> pa.ListArray:
    """Return rows as lists of structs, of these lengths one after another."""
    import numpy as np
    import pyarrow as pa

    structs = [pa.StructArray.from_arrays(part.columns, fields=list(schema)) for part in rows]
    values = pa.concat_arrays(structs) if structs else pa.array([], pa.struct(list(schema)))
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), values, pa.list_(pa.struct(list(schema)))
    )
