"""Chunks of batches of tables, cut without an object for each document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.chunking.arrow_tables import TableOptions
from chunkwright.errors import ReadError

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.io.table_rows import TableBatch

# Columns on their way to the core.
_TEXT, _NAME = "text", "chunkwright.name"


class TableChunks(NamedTuple):
    """Chunks of a batch.

    Attributes
    ----------
    rows
        A ``pyarrow.RecordBatch`` of them, with the columns that they have by themselves.
    carried
        The columns that they carry, by name.
    failures
        Why documents cannot be cut; each names the place.
    """

    rows: Any
    carried: dict[str, Any]
    failures: list[ReadError]


def asks_no_model(chunker: Chunker) -> bool:
    """Return whether a strategy asks no language model, and so can cut many documents at once."""
    return "llm" not in getattr(type(chunker), "models", ("llm",))


def cut_table(
    chunker: Chunker, batch: TableBatch, *, has_ids: bool, first: int, workers: int
) -> TableChunks | None:
    """Cut the documents of a batch.

    Parameters
    ----------
    chunker
        The chunker.
    batch
        The rows.
    has_ids
        Whether they have ids, which are their names, too.
    first
        What ``doc_index`` is for the first document.
    workers
        Threads.

    Returns
    -------
    TableChunks or None
        None if rows have to be read one by one.

    Raises
    ------
    TokenizerError, ModelError
        If a callback fails for all documents.
    """
    import pyarrow as pa

    plain = batch.plain()
    if plain is None:
        return None
    texts, names = plain
    options = TableOptions(
        _TEXT,
        name_column=_NAME,
        document_id_column=_NAME if has_ids else None,
        id_column="chunk_id",
        n_tokens=True,
        kind="text",
        workers=workers,
        collects=True,
    )
    table = pa.RecordBatch.from_arrays([texts, names], names=[_TEXT, _NAME])
    cut = pa.record_batch(chunker.cut_table(table, options))
    failures = dict(_failures(cut, batch))
    return _joined(cut.filter(cut["error"].is_null()), batch, failures, first)


def _failures(cut: Any, batch: TableBatch) -> Iterator[tuple[int, ReadError]]:
    failed = cut.filter(cut["error"].is_valid())
    for number, why in zip(
        failed["doc_index"].to_pylist(), failed["error"].to_pylist(), strict=True
    ):
        told = why.removeprefix(f"row {number}: ")
        yield number, ReadError(f"{batch.places[number]}: {told}")


def _joined(
    rows: Any, batch: TableBatch, failures: dict[int, ReadError], first: int
) -> TableChunks:
    """Return rows with documents numbered as they are written, and the columns that they carry."""
    import numpy as np
    import pyarrow as pa

    numbers = rows["doc_index"].to_numpy()
    before = np.searchsorted(np.array(sorted(failures), np.int64), numbers)
    at = rows.schema.get_field_index("doc_index")
    field = rows.schema.field(at)
    rows = rows.set_column(at, field, pa.array(numbers - before + first, field.type))
    taken = None if batch.carried is None else batch.carried.take(pa.array(numbers))
    carried = {} if taken is None else dict(zip(taken.schema.names, taken.columns, strict=True))
    return TableChunks(rows, carried, list(failures.values()))
