"""Batches of documents: rows of a table, or documents that are files, with what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Unit
    from chunkwright.corpus.report import Failure
    from chunkwright.io.rows import RowNames
    from chunkwright.io.sources import Entry


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
