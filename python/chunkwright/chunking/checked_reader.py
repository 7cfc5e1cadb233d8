"""Readers of pyarrow whose batches are compared with the schema that they declare."""

from __future__ import annotations

from typing import Any

from chunkwright.errors import ReadError


class RecordBatchReader:
    """A ``pyarrow.RecordBatchReader`` that gives no batch of another schema than its own.

    pyarrow takes any batches beside a schema, and hands them on as bare buffers: a ``string`` and a
    ``large_string``, say, cannot be told apart any more then, and one would be read as the other.

    Parameters
    ----------
    reader
        A ``pyarrow.RecordBatchReader``.
    """

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the reader through the Arrow PyCapsule interface.

        Whoever reads it sees a `ReadError` at the first batch that contradicts the schema.
        """
        import pyarrow as pa

        batches = map(self._checked, self._reader)
        checked = pa.RecordBatchReader.from_batches(self._reader.schema, batches)
        return checked.__arrow_c_stream__(requested_schema)

    def _checked(self, batch: Any) -> Any:
        contradiction = _contradiction(self._reader.schema, batch.schema)
        if contradiction is not None:
            raise ReadError(f"the Arrow data contradict their schema: {contradiction}")
        return batch


def _contradiction(declared: Any, given: Any) -> str | None:
    """Say which column is another one than declared; None if all are as they should be."""
    for field, name, kind in zip(declared, given.names, given.types, strict=False):
        if name != field.name:
            return f"column {field.name!r} is missing, {name!r} is in its place"
        if kind != field.type:
            return f"column {name!r} is of type {kind}, by the schema of {field.type}"
    if len(given) == len(declared):
        return None
    n_both = min(len(given), len(declared))
    odd = [*declared.names[n_both:], *given.names[n_both:]][0]
    counts = f"there are {len(given)} columns, {len(declared)} by the schema"
    return f"{counts}: column {odd!r} is {'missing' if n_both == len(given) else 'one too many'}"
