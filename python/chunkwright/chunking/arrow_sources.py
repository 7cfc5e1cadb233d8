"""Sources of Arrow data: how they are opened, and what to give instead of what is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol, TypeAlias

from chunkwright.errors import ConfigError, ReadError
from chunkwright.tokens.sources import is_of


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
    for column, name, kind in zip(declared, given.names, given.types, strict=False):
        if name != column.name:
            return f"column {column.name!r} is missing, {name!r} is in its place"
        if kind != column.type:
            return f"column {name!r} is of type {kind}, by the schema of {column.type}"
    if len(given) == len(declared):
        return None
    n_both = min(len(given), len(declared))
    odd = [*declared.names[n_both:], *given.names[n_both:]][0]
    counts = f"there are {len(given)} columns, {len(declared)} by the schema"
    return f"{counts}: column {odd!r} is {'missing' if n_both == len(given) else 'one too many'}"


class ArrayLike(Protocol):
    """A record batch, through Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> object:
        """Return capsules with a schema and an array."""


class StreamLike(Protocol):
    """A table or a stream of batches, through Arrow's PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object:
        """Return a capsule with a stream."""


class DatasetLike(Protocol):
    """A ``pyarrow.dataset.Dataset``."""

    def scanner(self) -> Any:
        """Return what reads all of it."""


class ScannerLike(Protocol):
    """A ``pyarrow.dataset.Scanner``."""

    def to_reader(self) -> Any:
        """Return a reader of its batches."""


Readable: TypeAlias = StreamLike | DatasetLike | ScannerLike
"""What batches of documents can be read of, one after another."""


class Scanner:
    """A ``pyarrow.dataset.Dataset`` or ``Scanner``, which is scanned when it is read.

    Parameters
    ----------
    data
        The one or the other.
    """

    def __init__(self, data: Any) -> None:
        self._scanner = data.scanner() if hasattr(data, "scanner") else data

    def like(self) -> StreamLike:
        """Return a table with the same columns and no rows."""
        table: StreamLike = self._scanner.projected_schema.empty_table()
        return table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Begin a scan."""
        return RecordBatchReader(self._scanner.to_reader()).__arrow_c_stream__(requested_schema)


class Relation:
    """A DuckDB relation, whose query is run when it is read.

    DuckDB has one open result a connection. So the connection is free until the chunks are read,
    and a query of the same connection that reads them is told what to do instead.

    Parameters
    ----------
    relation
        A ``duckdb.DuckDBPyRelation``.
    """

    def __init__(self, relation: Any) -> None:
        self._relation = relation

    def like(self) -> StreamLike:
        """Return a relation with the same columns and no rows."""
        relation: StreamLike = self._relation.limit(0)
        return relation

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Run the query.

        Raises
        ------
        ConfigError
            If another query of the connection has an open result.
        """
        import duckdb

        try:
            stream: object = self._relation.__arrow_c_stream__(requested_schema)
        except duckdb.ResourceInUseException as error:
            raise ConfigError(
                "DuckDB runs one query at a time on a connection: make the relation of documents "
                "on a second one, connection.cursor().sql(...), or give relation.to_arrow_table() "
                f"({error})"
            ) from error
        return stream


def opened(data: object) -> tuple[object, object | None]:
    """Return what speaks Arrow's PyCapsule interface for ``data``.

    Returns
    -------
    source : object
        What has ``__arrow_c_array__`` or ``__arrow_c_stream__``.
    like : object or None
        What has the same columns, where the source is to be opened no earlier than it is read.

    Raises
    ------
    ConfigError
        If there is no such thing; says what could be given instead.
    """
    if hasattr(data, "__arrow_c_array__"):
        return data, None
    if is_of(data, "pyarrow", "RecordBatchReader"):
        return RecordBatchReader(data), None
    if is_of(data, "pyarrow", "Dataset") or is_of(data, "pyarrow", "Scanner"):
        scanner = Scanner(data)
        return scanner, scanner.like()
    if is_of(data, "duckdb", "DuckDBPyRelation") and _tells_open_results():
        relation = Relation(data)
        return relation, relation.like()
    if hasattr(data, "__arrow_c_stream__"):
        return data, None
    lacks = f"data must have the Arrow PyCapsule interface, which {type(data).__name__} lacks"
    hint = _hint(data)
    raise ConfigError(f"{lacks}: {hint}" if hint else lacks)


def _tells_open_results() -> bool:
    """Return whether DuckDB refuses a query below another one, as 2.0 does, or waits for ever."""
    return hasattr(sys.modules.get("duckdb"), "ResourceInUseException")


# Of a library a class, and what to do with its objects.
_OF_LIBRARIES = (
    (
        *("polars", "LazyFrame"),
        "give data.collect(), or for more than memory holds each frame of data.collect_batches()",
    ),
    ("_duckdb", "DuckDBPyConnection", "give a relation, connection.sql(query)"),
    ("duckdb", "DuckDBPyConnection", "give a relation, connection.sql(query)"),
    ("duckdb", "DuckDBPyRelation", "give data.fetch_record_batch()"),
    ("pandas", "DataFrame", "give pyarrow.Table.from_pandas(data)"),
    ("pyspark", "DataFrame", "give data.toArrow()"),
    ("pyarrow", "ParquetFile", "give pyarrow.dataset.dataset(path)"),
    ("datasets", "Dataset", 'give data.with_format("arrow")[:]'),
)


# The same of classes that no library but Python's own has.
_OF_PYTHON: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((str, os.PathLike), "open a file of tables with pyarrow.dataset.dataset(path)"),
    (Mapping, "give pyarrow.table(data)"),
    (Iterator, "give pyarrow.RecordBatchReader.from_batches(schema, batches), or stream(texts)"),
)


def _hint(data: object) -> str:
    """Say what to give instead of what speaks no Arrow; nothing if nobody knows."""
    of_library = (hint for library, kind, hint in _OF_LIBRARIES if is_of(data, library, kind))
    of_python = (hint for kinds, hint in _OF_PYTHON if isinstance(data, kinds))
    return next(chain(of_library, of_python), "") or _hint_for_items(data)


def _hint_for_items(data: object) -> str:
    if not isinstance(data, Sequence) or isinstance(data, bytes | bytearray) or not data:
        return ""
    if all(isinstance(row, Mapping) for row in data):
        return "give pyarrow.Table.from_pylist(data)"
    if all(hasattr(batch, "__arrow_c_array__") for batch in data):
        return "give pyarrow.Table.from_batches(data)"
    return "batch(texts) cuts a list of texts"
