"""Chunker of Arrow batches, as engines for tables call it: configuration that pickles small."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from chunkwright.checks import checked_flag, checked_int, checked_text
from chunkwright.chunking.arrow_tables import TableOptions
from chunkwright.chunking.bases.chunker import Chunker
from chunkwright.chunking.batch import Errors, checked_errors, checked_workers
from chunkwright.chunking.registry import make_strategy
from chunkwright.corpus.arrow.cutting import IDS, Cutting
from chunkwright.corpus.arrow.rows import FEATURE, array_of, one_batch, table_of, whole_documents
from chunkwright.corpus.arrow.sending import check_sendable, received
from chunkwright.corpus.settings import CorpusSettings
from chunkwright.errors import ConfigError
from chunkwright.io.table_files import pyarrow
from chunkwright.readers.kinds import checked_kind

if TYPE_CHECKING:
    import pyarrow as pa

    from chunkwright.corpus.arrow.cutting import ChunkBatch
    from chunkwright.embed import EmbedderLike

T = TypeVar("T")
Spec: TypeAlias = "Chunker | str | Mapping[str, Any]"

MIB = 2**20
BATCH_BYTES = 64 * MIB
"""The size of the batches of chunks, in bytes, where none is given."""
MOST_BATCH_BYTES = 2**30
"""The largest such size: engines fail on batches of 2 GiB."""
# What can be pickled in the place of what cannot.
_INSTEAD = {
    "strategy": "name tokenizers and models of a strategy by their files",
    "embedder": "give the folder of a model, or a function or an object of a module",
}


@dataclass(frozen=True)
class ArrowChunker:
    """Cuts the documents of Arrow batches; the same chunks whatever engine calls it.

    A batch has a row for each document, and becomes one with a row for each chunk:

    - the columns of :meth:`chunkwright.Chunks.to_arrow`, but for ``doc_index``, which would be
      another one in another batch,
    - the other columns of the batch, each value as often as its document has chunks,
    - the vectors of the chunks, if there is an embedder,
    - ``error``, if errors are collected: a document that cannot be cut has one row, in which this
      says why, and the columns of chunks are null.

    Nothing in a row depends on how documents are spread over batches. What pickles are the options
    alone; a process that is sent equal chunkers builds tokenizers and models once.

    Needs pyarrow: ``pip install "chunkwright[arrow]"``.

    Parameters
    ----------
    strategy
        A strategy, also :class:`chunkwright.Contextual`; the name of one, with its defaults; or its
        ``spec``: a name with options.
    text_column
        The column with the texts; see :meth:`chunkwright.Recursive.arrow`.
    id_column
        A column of strings or integers with the documents' ids. As a string each is the
        ``document_id`` and the ``document`` of the rows, from which chunk ids are derived; the
        column is not carried along beside these. Without, ids are derived from the texts.
    kind
        What the texts are read as; see :meth:`chunkwright.Recursive.arrow`.
    drop_columns
        Columns that are not carried along.
    embedder
        Gives chunks their vectors, of unit length as in a store; see
        :func:`chunkwright.embed.as_embedder`. What is embedded is the text, with its context if
        there is one. The path of a model's folder has to be one on every machine.
    vector_column
        The name of the column with the vectors: lists of as many float32 as the model has
        dimensions.
    n_tokens
        Whether the tokens of chunks are counted; by default where the limit is in tokens.
    workers
        Threads, at most; by default as many as the process may use processors.
    errors
        With ``"raise"`` the first document that cannot be cut ends the run. With ``"collect"`` it
        has a row that says why.
    batch_bytes
        The size of the batches that :meth:`map_iter` yields, in bytes, at most; a single row may
        be larger. 64 MiB by default, up to 1 GiB.

    Raises
    ------
    ConfigError
        If an option makes no sense. A pickle raises it if the strategy or the embedder cannot be
        pickled, or is larger than 64 KiB so.
    ModelError
        If a model's folder cannot be used.

    Examples
    --------
    >>> import chunkwright as cw
    >>> import pyarrow as pa
    >>> from chunkwright.corpus.arrow.chunker import ArrowChunker
    >>> chunker = ArrowChunker(cw.Window(max_chars=4), id_column="id")
    >>> documents = pa.record_batch({"id": [1, 2], "text": ["One two.", None], "year": [26, 27]})
    >>> chunks = chunker(documents)
    >>> [(row["document_id"], row["text"], row["year"], row["error"]) for row in chunks.to_pylist()]
    [('1', 'One ', 26, None), ('1', 'two.', 26, None), ('2', None, 27, 'the text is null')]
    """

    strategy: Spec
    _: KW_ONLY
    text_column: str = "text"
    id_column: str | None = None
    kind: str | None = None
    drop_columns: Sequence[str] = ()
    embedder: EmbedderLike | None = None
    vector_column: str = CorpusSettings.vector_column
    n_tokens: bool | None = None
    workers: int | None = None
    errors: Errors = "collect"
    batch_bytes: int = BATCH_BYTES
    _cutting: Cutting = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._set("strategy", _made(self.strategy))
        for name in ("text_column", "vector_column"):
            checked_text(name, getattr(self, name))
        if self.id_column is not None:
            checked_text("id_column", self.id_column)
        self._set("drop_columns", _checked_columns(self.drop_columns))
        if self.n_tokens is not None:
            checked_flag("n_tokens", self.n_tokens)
        checked_int("batch_bytes", self.batch_bytes, least=1, most=MOST_BATCH_BYTES)
        self._set("_cutting", self._made_cutting())

    def _made_cutting(self) -> Cutting:
        collects, workers = checked_errors(self.errors), checked_workers(self.workers)
        vectors = None
        if self.embedder is not None:
            from chunkwright.corpus.arrow.vectors import Vectors

            vectors = Vectors(self.embedder, collects=collects)
        options = TableOptions(
            self.text_column,
            name_column=None,
            document_id_column=None,
            id_column="chunk_id",
            n_tokens=self.n_tokens,
            kind=checked_kind(self.kind),
            workers=workers,
            collects=collects,
            name_from_id=True,
        )
        return Cutting(
            self.strategy,  # type: ignore[arg-type]
            options,
            ids=self.id_column,
            dropped=tuple(self.drop_columns),
            vectors=vectors,
            vector_column=self.vector_column,
        )

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        options = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        for name, instead in _INSTEAD.items():
            check_sendable(name, options[name], instead)
        return received, (ArrowChunker, options)

    def __call__(self, batch: T) -> T:
        """Cut the documents of a record batch or a table of pyarrow.

        Returns
        -------
        pyarrow.RecordBatch or pyarrow.Table
            The chunks, as the kind of what was given, with the schema of :meth:`schema`.

        Raises
        ------
        ConfigError
            If it is none of the two; if a column is missing, of a wrong type, or called as one of
            the chunks' own; if the chunks are more than one record batch can hold.
        ReadError, TokenizerError, ModelError
            If a document cannot be cut or embedded, unless errors are collected; if the embedder
            gives no vector at all.
        MissingExtraError
            If pyarrow is not installed.
        """
        pa = pyarrow(FEATURE)
        table = table_of(batch)
        schema = self.schema(table.schema)
        chunks = pa.Table.from_batches(self._cutting.batches(table), schema)
        return chunks if batch is table else one_batch(chunks)  # type: ignore[no-any-return]

    def map_iter(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Cut the documents of one record batch after another.

        It is the shape of Spark's ``mapInArrow``, and of generators.

        Parameters
        ----------
        batches
            Record batches, or tables, of one schema.

        Yields
        ------
        pyarrow.RecordBatch
            Chunks, with the schema of :meth:`schema`: of each batch none, one or several of
            ``batch_bytes`` at most, each embedded before the next is cut.

        Raises
        ------
        ConfigError, ReadError, TokenizerError, ModelError, MissingExtraError
            As :meth:`__call__`.
        """
        for batch in batches:
            yield from self._cutting.batches(table_of(batch), self.batch_bytes)

    def whole_documents(self, table: pa.Table, most_bytes: int) -> Iterator[pa.RecordBatch]:
        """Yield the chunks of the documents of a table, with no document in two batches.

        Parameters
        ----------
        table
            The documents.
        most_bytes
            The size of batches, at most; that of a single document may be more.

        Yields
        ------
        pyarrow.RecordBatch
            Chunks, with the schema of :meth:`schema`.

        Raises
        ------
        ConfigError, ReadError, TokenizerError, ModelError, MissingExtraError
            As :meth:`__call__`.
        """
        batches = ((each.numbers, each.rows) for each in self.numbered(table_of(table)))
        return whole_documents(batches, most_bytes)

    def numbered(self, table: pa.Table) -> Iterator[ChunkBatch]:
        """Yield the chunks of the documents of a table, with the numbers of these.

        Raises as :meth:`__call__`.
        """
        return self._cutting.numbered(table, self._cutting.layout(table.schema))

    def schema(self, input_schema: pa.Schema) -> pa.Schema:
        """Return the schema of the chunks of batches with ``input_schema``.

        With an embedder, the first call embeds a word, to know how many dimensions there are.

        Raises
        ------
        ConfigError
            If a column is missing, of a wrong type, or called as one of the chunks' own.
        ModelError
            If the embedder fails.
        MissingExtraError
            If pyarrow is not installed.
        """
        pyarrow(FEATURE)
        return self._cutting.layout(input_schema).schema

    def column(self, texts: T, ids: object = None) -> T:
        """Cut a column of texts: each becomes the list of the rows that it has as a document.

        It is the shape of functions over columns, in Daft, DuckDB and Polars: the engine keeps the
        other columns itself, and makes rows of the lists. So a text that is null has a list of one
        row, with an error, if errors are collected; and an empty list otherwise, as one that is
        empty has.

        Parameters
        ----------
        texts
            An array or a chunked array of pyarrow.
        ids
            The documents' ids, one for each text: an array, or anything that pyarrow makes one of.
            Needed if the chunker has an ``id_column``.

        Returns
        -------
        pyarrow.ListArray or pyarrow.ChunkedArray
            As long as ``texts``, and of the type of :meth:`column_type`.

        Raises
        ------
        ConfigError
            If there are no ids where they are needed, or not one for each text.
        ReadError, TokenizerError, ModelError, MissingExtraError
            As :meth:`__call__`.
        """
        pa = pyarrow(FEATURE)
        if self.id_column is not None and ids is None:
            raise ConfigError(
                f"texts of a chunker with id_column={self.id_column!r} need ids", option="ids"
            )
        whole = texts if isinstance(texts, pa.ChunkedArray) else pa.chunked_array([texts])
        columns = {self.text_column: whole}
        if ids is not None:
            columns[IDS] = array_of(ids, len(whole))
        cutting = self._cutting_columns(has_ids=ids is not None)
        kind, parts = self.column_type, pa.table(columns).to_batches()
        lists = [cutting.lists(pa.Table.from_batches([part])) for part in parts]
        if whole is texts:
            return pa.chunked_array(lists, kind)  # type: ignore[no-any-return]
        return lists[0] if lists else pa.array([], kind)  # type: ignore[no-any-return]

    @cached_property
    def column_type(self) -> pa.ListType:
        """The type of what :meth:`column` returns: a list of structs with the columns of chunks.

        Raises
        ------
        ModelError, MissingExtraError
            As :meth:`schema`.
        """
        pa = pyarrow(FEATURE)
        texts = pa.schema([(self.text_column, pa.string())])
        return pa.list_(pa.struct(list(self._cutting_columns(has_ids=False).layout(texts).schema)))

    def _cutting_columns(self, *, has_ids: bool) -> Cutting:
        return replace(self._cutting, ids=IDS if has_ids else None, dropped=())


def _made(strategy: object) -> Chunker:
    if isinstance(strategy, Chunker):
        return strategy
    if isinstance(strategy, Mapping):
        options = dict(strategy)
        return make_strategy(options.pop("strategy", "recursive"), options)
    # What is no name either is refused as an unknown one.
    return make_strategy(strategy, {})  # type: ignore[arg-type]


def _checked_columns(names: object) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ConfigError(
            f"drop_columns must be a list of str, got {names!r}", option="drop_columns"
        )
    return tuple(checked_text("drop_columns", name) for name in names)
