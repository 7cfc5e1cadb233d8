"""Batches of documents: rows of a table, or documents that are files, with what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwright.corpus.failures import Failure
    from chunkwright.corpus.inputs.unit import Unit
    from chunkwright.io.names import RowNames
    from chunkwright.io.sources import Entry

BATCH_BYTES = 8 * 2**20
"""About so many bytes are read, cut and embedded at once."""


@dataclass(frozen=True)
class DocumentBatch:
    """Documents that are cut together.

    Parameters
    ----------
    unit
        Where they are from.
    rows
        A ``pyarrow.RecordBatch`` with a document in each row; None if they are files.
    places
        Where each row is in its file, for messages.
    entries
        Documents that are files.
    failures
        What could not be read between them.
    n_bytes
        About as many bytes as they take.
    input_bytes
        About as many bytes of their file as were read for them, as far as that is known.
    duplicate_of
        For each document the id of an earlier one that is the same, if there is one; empty where
        nobody asked.
    n_dropped
        How many were left out because of that.
    """

    unit: Unit
    rows: Any = None
    places: Sequence[str] | RowNames = ()
    entries: Sequence[Entry] = ()
    failures: list[Failure] = field(default_factory=list)
    n_bytes: int = 0
    input_bytes: int = 0
    duplicate_of: Sequence[str | None] = ()
    n_dropped: int = 0

    @property
    def n_documents(self) -> int:
        """How many documents there are, those that failed left out."""
        return len(self.entries) if self.rows is None else int(self.rows.num_rows)


def sliced(batch: Any, places: RowNames, text_column: str) -> list[tuple[Any, RowNames]]:
    """Cut a batch of rows into ones of some megabytes, or of one row that is larger."""
    if batch.nbytes <= 2 * BATCH_BYTES or batch.num_rows <= 1:
        return [(batch, places)]
    sizes = _sizes(batch, text_column)
    parts, start, n_bytes = [], 0, 0
    for row, size in enumerate(sizes):
        if n_bytes and n_bytes + size > BATCH_BYTES:
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
