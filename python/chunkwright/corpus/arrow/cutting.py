"""Cutting of Arrow tables into batches of chunks: columns in, columns out, errors, vectors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.corpus.arrow.rows import (
    failed,
    ids_as_strings,
    lists_of,
    plain_strings,
    slices,
)
from chunkwright.errors import ConfigError, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from chunkwright.chunking.arrow_tables import Failed, TableOptions
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.corpus.arrow.vectors import Vectors
    from chunkwright.errors import ModelError

IDS = "chunkwright.document_id"
"""The column of ids on its way to the core, which has a column ``document_id`` of its own."""
# Columns of chunks that the core gives: the first depends on the batch, the other goes to the end.
_NUMBER, _ERROR = "doc_index", "error"
_OF_DOCUMENTS = ("document", "document_id", _NUMBER, _ERROR)
# A table of many small parts is cut and embedded as one.
_MOST_JOINED = 2**25


class ChunkBatch(NamedTuple):
    """Rows of chunks with what they are of.

    Attributes
    ----------
    numbers
        The number of the document of each row, in order.
    rows
        The rows, with the columns of :attr:`Layout.schema`.
    failures
        Why documents have a row with an error, by their numbers.
    """

    numbers: NDArray[np.int64]
    rows: pa.RecordBatch
    failures: Mapping[int, BaseException]


class Layout(NamedTuple):
    """Columns of batches of documents, and of those of their chunks.

    Attributes
    ----------
    carried
        The columns of documents that are carried along.
    own
        The columns of chunks.
    schema
        All columns of batches of chunks.
    """

    carried: tuple[str, ...]
    own: tuple[str, ...]
    schema: pa.Schema


@dataclass(frozen=True)
class Cutting:
    """Strategy with what is said of the tables that it cuts.

    Parameters
    ----------
    chunker
        What cuts.
    options
        The options of the strategy's own tables.
    ids
        The column with the documents' ids, if there is one.
    dropped
        Columns that are not carried along.
    vectors
        What embeds chunks; None: nothing does.
    vector_column
        The name of the column with the vectors.
    """

    chunker: Chunker
    options: TableOptions
    ids: str | None
    dropped: tuple[str, ...]
    vectors: Vectors | None
    vector_column: str

    def layout(self, documents: pa.Schema) -> Layout:
        """Return the columns of documents and chunks.

        Raises
        ------
        ConfigError
            If a column is missing, of a wrong type, or called as one of the chunks' own.
        ModelError
            If the embedder fails, which is to tell the dimensions of its vectors.
        """
        import pyarrow as pa

        taken = [self.options.text_column, *([] if self.ids is None else [self.ids])]
        _check_there([*taken, *self.dropped], documents)
        empty, _ = self._given(documents.empty_table(), ())
        found = pa.schema(self._cut(empty))
        own = [f for f in found if f.name not in {IDS, _NUMBER, _ERROR}]
        carried = [f for f in documents if f.name not in {*taken, *self.dropped}]
        behind = []
        if self.vectors is not None:
            from chunkwright.corpus.arrow.vectors import vector_type

            _check_unused(self.vector_column, found.names)
            behind.append(pa.field(self.vector_column, vector_type(self.vectors.n_dims)))
        if self.options.collects:
            behind.append(found.field(_ERROR))
        _check_free(carried, [*found.names, *(f.name for f in behind)])
        schema = pa.schema([*own, *carried, *behind], found.metadata)
        return Layout(tuple(f.name for f in carried), tuple(f.name for f in own), schema)

    def batches(self, table: pa.Table, most_bytes: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the chunks of the documents of a table.

        Parameters
        ----------
        table
            The documents.
        most_bytes
            The size of batches, at most; None: as they are cut.
        """
        layout = self.layout(table.schema)
        for batch in self.numbered(table, layout):
            yield from slices(batch.rows, most_bytes)

    def lists(self, table: pa.Table) -> pa.ListArray:
        """Return the chunks of the documents of a table as a list for each."""
        import numpy as np

        layout = self.layout(table.schema)
        lengths = np.zeros(len(table), np.int64)
        rows = []
        for batch in self.numbered(table, layout):
            lengths += np.bincount(batch.numbers, minlength=len(table))
            rows.append(batch.rows)
        return lists_of(lengths, rows, layout.schema)

    def _cut(self, table: pa.Table, failed: Failed | None = None) -> Any:
        options = replace(self.options, failed=failed)
        if self.ids is not None:
            options = replace(options, document_id_column=IDS)
        return self.chunker.cut_table(table, options)

    def _given(
        self, table: pa.Table, carried: tuple[str, ...]
    ) -> tuple[pa.Table, NDArray[np.int64]]:
        """Return what the core is given of a table, and the numbers of rows without an id.

        Raises
        ------
        ReadError
            If there are such rows, and errors are not collected.
        """
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        text = plain_strings(table[self.options.text_column])
        columns, nameless = {self.options.text_column: text}, np.zeros(0, np.int64)
        if self.ids is not None:
            ids = columns[IDS] = ids_as_strings(table[self.ids], self.ids)
            if ids.null_count:
                nameless = np.flatnonzero(ids.is_null().to_numpy())
                if not self.options.collects:
                    raise ReadError(f"column {self.ids!r} is null in row {nameless[0]}")
                # A text that is null is an error of its row, as this is to be.
                columns[self.options.text_column] = pc.if_else(ids.is_valid(), text, None)
        columns |= {name: table[name] for name in carried}
        fields = [
            table.schema.field(name) if name in carried else pa.field(name, column.type)
            for name, column in columns.items()
        ]
        return pa.table(list(columns.values()), schema=pa.schema(fields)), nameless

    def numbered(self, table: pa.Table, layout: Layout) -> Iterator[ChunkBatch]:
        """Yield the chunks of the documents of a table, with the numbers of these."""
        import pyarrow as pa

        if table.nbytes <= _MOST_JOINED:
            table = table.combine_chunks()
        given, nameless = self._given(table, layout.carried)
        raised: dict[int | None, BaseException] = {}
        reader = pa.RecordBatchReader.from_stream(self._cut(given, raised.__setitem__))
        for batch in _read(reader, raised):
            if not len(batch):
                continue
            done, failures = self._told(batch, nameless, raised)
            if self.vectors is not None:
                done, more = self._with_vectors(done, layout)
                failures |= more
            columns = [done[name] for name in layout.schema.names]
            finished = pa.RecordBatch.from_arrays(columns, schema=layout.schema)
            yield ChunkBatch(done[_NUMBER].to_numpy(), finished, failures)

    def _told(
        self,
        batch: pa.RecordBatch,
        nameless: NDArray[np.int64],
        raised: dict[int | None, BaseException],
    ) -> tuple[pa.RecordBatch, dict[int, BaseException]]:
        """Return a batch and its errors, which do not say the numbers of rows: these are its own.

        Parameters
        ----------
        batch
            What the core has cut.
        nameless
            The numbers of documents without an id.
        raised
            The errors of documents that are not told yet; those of the batch are taken out.
        """
        import pyarrow as pa

        at = batch.schema.get_field_index(_ERROR)
        if at < 0 or batch.column(at).null_count == len(batch):
            return batch, {}
        texts, failures = batch.column(at).to_pylist(), {}
        without = set(nameless.tolist())
        for row, number in enumerate(batch[_NUMBER].to_pylist()):
            if texts[row] is None:
                continue
            error = raised.pop(number)
            if number in without:
                error = ReadError(f"column {self.ids!r} is null")
                texts[row] = str(error)
            else:
                texts[row] = _without_number(texts[row], number)
                if isinstance(error, ReadError):
                    first, *rest = error.parts
                    error = ReadError(_without_number(str(first), number), *rest)
            failures[number] = error
        told = batch.set_column(at, batch.schema.field(at), pa.array(texts, pa.string()))
        return told, failures

    def _with_vectors(
        self, batch: pa.RecordBatch, layout: Layout
    ) -> tuple[pa.RecordBatch, dict[int, ModelError]]:
        import numpy as np

        from chunkwright.corpus.arrow.vectors import vector_column

        assert self.vectors is not None  # noqa: S101 - for type checkers
        name = "contextual_text" if "contextual_text" in layout.own else "text"
        numbers, has = batch[_NUMBER].to_numpy(), _has_text(batch)
        texts = batch[name].drop_null().to_pylist()
        vectors, failures = self.vectors.of_documents(texts, numbers[has])
        if failures:
            vectors = vectors[~np.isin(numbers[has], list(failures))]
            emptied = set(layout.own) - set(_OF_DOCUMENTS)
            batch = failed(batch, numbers, failures, emptied)
            has = _has_text(batch)
        column = vector_column(vectors, has)
        return batch.append_column(layout.schema.field(self.vector_column), column), failures


def _has_text(batch: pa.RecordBatch) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = batch["text"].is_valid().to_numpy(zero_copy_only=False)
    return found


def _without_number(why: str, number: int) -> str:
    return why.removeprefix(f"row {number}: ").replace(f" in row {number} ", " ", 1)


def _read(
    reader: pa.RecordBatchReader, raised: Mapping[int | None, BaseException]
) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a stream of the core; raises what has ended it as what it is."""
    import pyarrow as pa

    try:
        yield from reader
    except (pa.ArrowException, OSError) as error:
        # Arrow's streams know errors by their message only.
        if (own := raised.get(None)) is None:
            raise
        raise own from error


def _check_there(names: list[str], schema: pa.Schema) -> None:
    for name in names:
        if schema.names.count(name) != 1:
            there = ", ".join(map(repr, schema.names)) or "none"
            what = "are two columns" if name in schema.names else "is no column"
            raise ConfigError(f"there {what} {name!r} among the columns {there}")


def _check_unused(vector_column: str, taken: list[str]) -> None:
    if vector_column in taken:
        raise ConfigError(
            f"vector_column={vector_column!r} is another column of chunks: choose another name",
            option="vector_column",
        )


def _check_free(carried: list[pa.Field], taken: list[str]) -> None:
    """Check the names of what is carried along.

    Raises
    ------
    ConfigError
        If one is that of another column of the chunks.
    """
    names = list(taken)
    for each in carried:
        if each.name in names:
            raise ConfigError(
                f"column {each.name!r} cannot be carried along, chunks have one of that name:"
                f" rename it, or leave it out with drop_columns=[{each.name!r}]",
                option="drop_columns",
            )
        names.append(each.name)
