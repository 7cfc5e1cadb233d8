"""Chunker: base of all that cuts documents, a strategy or one that adds contexts to its chunks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from chunkwright.chunking import arrow_sources, arrow_tables
from chunkwright.chunking import batch as batches
from chunkwright.document import Document

if TYPE_CHECKING:
    from chunkwright.chunking.batch import Errors
    from chunkwright.chunks import Chunks

Source: TypeAlias = str | Document | Iterable[Any]


class Chunker(ABC):
    """What cuts one document, many, or a table of them into :class:`chunkwright.Chunks`."""

    __slots__ = ()

    @property
    @abstractmethod
    def provenance(self) -> dict[str, str]:
        """What chunks depend on beside texts and options: fingerprints of models and prompts."""

    @abstractmethod
    def __call__(self, text: Source, *, name: str | None = None) -> Chunks:
        """Cut one document."""

    @abstractmethod
    def batch(
        self,
        texts: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Chunks:
        """Cut many documents, as one result."""

    @abstractmethod
    def stream(
        self,
        texts: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Iterator[Chunks]:
        """Cut one document after another, as one result each."""

    @abstractmethod
    def cut_table(
        self, data: object, options: arrow_tables.TableOptions
    ) -> arrow_tables.ArrowBatch | arrow_tables.ArrowStream:
        """Cut a column of a table as :meth:`arrow` does, which makes the options of its arguments.

        Parameters
        ----------
        data
            See :meth:`arrow`.
        options
            How to read the table and to write that of the chunks, and what writes contexts, if
            anything does.

        Raises
        ------
        ConfigError, ReadError, TokenizerError, ModelError
            As :meth:`arrow` does.
        """

    async def acall(self, text: Source, *, name: str | None = None) -> Chunks:
        """Cut ``text`` as the strategy does when it is called, for ``async`` programs.

        Another thread does the work, so the event loop stays free. If the task is cancelled, the
        work is, too: pending requests to a model are dropped, and the core stops.

        Parameters
        ----------
        text, name
            As the strategy takes them.

        Raises
        ------
        ConfigError, ReadError, TokenizerError, ModelError
            As the strategy does.

        Examples
        --------
        >>> import asyncio
        >>> import chunkwright as cw
        >>> asyncio.run(cw.Recursive(max_tokens=4).acall("One sentence. And more.")).texts()
        ['One sentence. And', 'more.']
        """
        from chunkwright.concurrency.background import in_background

        return await in_background(partial(self, text, name=name))

    async def abatch(
        self,
        texts: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Chunks:
        """Cut many texts as :meth:`batch` does, for ``async`` programs: see :meth:`acall`.

        Parameters
        ----------
        texts, names, workers, errors
            As :meth:`batch` takes them; an iterator is read by the other thread.

        Raises
        ------
        ConfigError, ReadError, TokenizerError, ModelError
            As :meth:`batch` does.
        """
        from chunkwright.concurrency.background import in_background

        return await in_background(
            partial(self.batch, texts, names=names, workers=workers, errors=errors)
        )

    @overload
    def arrow(
        self,
        data: arrow_sources.ArrayLike,
        *,
        text_column: str = ...,
        name_column: str | None = ...,
        document_id_column: str | None = ...,
        id_column: str | None = ...,
        n_tokens: bool | None = ...,
        kind: str | None = ...,
        workers: int | None = ...,
        errors: Errors = ...,
    ) -> arrow_tables.ArrowBatch: ...
    @overload
    def arrow(
        self,
        data: arrow_sources.Readable,
        *,
        text_column: str = ...,
        name_column: str | None = ...,
        document_id_column: str | None = ...,
        id_column: str | None = ...,
        n_tokens: bool | None = ...,
        kind: str | None = ...,
        workers: int | None = ...,
        errors: Errors = ...,
    ) -> arrow_tables.ArrowStream: ...
    def arrow(  # noqa: PLR0913 - options, all by name
        self,
        data: arrow_sources.ArrayLike | arrow_sources.Readable,
        *,
        text_column: str = "text",
        name_column: str | None = None,
        document_id_column: str | None = None,
        id_column: str | None = "chunk_id",
        n_tokens: bool | None = None,
        kind: str | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> arrow_tables.ArrowBatch | arrow_tables.ArrowStream:
        """Cut a column of an Arrow table; the result has a row for each chunk.

        Texts are read from Arrow's buffers on several threads, with the GIL free, and pyarrow is
        not needed: ``data`` and the result speak Arrow's PyCapsule interface, as pyarrow, Polars,
        DuckDB, pandas and others do.

        A row has the columns of :meth:`chunkwright.Chunks.to_arrow`, in the same order, including
        those that only documents with elements, semantic strategies or chunks with contexts have.
        ``n_tokens`` is there only if tokens are counted; ``doc_index`` is the row of ``data``, from
        0. The other columns of ``data`` follow: each value is repeated for every chunk of its text.
        A text that is null, empty or only whitespace has no chunks, and so no row; with
        ``errors="collect"``, a null has a row with the error.

        Parameters
        ----------
        data
            A record batch (``__arrow_c_array__``) or a table, a data frame or a stream of batches
            (``__arrow_c_stream__``). A ``pyarrow.dataset.Dataset`` or ``Scanner`` is scanned, and a
            DuckDB relation run, when the result is read.
        text_column
            The column with the texts: ``string``, ``large_string`` or ``string_view``. For a
            strategy over elements it may also hold lists of structs with ``text``, ``type``,
            ``element_id`` and ``metadata``, as Unstructured's elements have them.
        name_column
            A column of strings with the documents' names, from which chunk ids are derived; it
            becomes the column ``document``. Without it, equal chunks of two documents have equal
            ids.
        document_id_column
            A column of strings with the documents' ids; it becomes the column ``document_id``. If
            it is null or not given, the id is derived from the document's text.
        id_column
            The name of the column with the chunks' ids. None leaves them out, and derives none for
            documents, which saves about a fifth of the time.
        n_tokens
            Whether the tokens of chunks are counted; by default where the limit is in tokens, when
            they are known anyway.
        kind
            The format of the texts: one of :data:`chunkwright.readers.kinds.KINDS`, such as
            ``"markdown"``. By default a strategy over elements or headings recognises the format of
            each text, as :func:`chunkwright.read` does for bytes without a name; other strategies
            take texts as they are. Markdown, HTML and elements are read on all threads, other kinds
            one after another.
        workers
            Threads, at most; by default as many as the process may use processors.
        errors
            With ``"raise"`` the first document that cannot be cut ends the run. With
            ``"collect"`` it has one row, in which the columns of chunks are null and the column
            ``error`` says why; so has a text that is null or not UTF-8.

        Returns
        -------
        ArrowBatch or ArrowStream
            For a record batch a record batch. Otherwise a stream, which cuts when it is read:
            32 MB of text at a time, or one document, of what ``data`` gives at once. Read it with
            ``pyarrow.RecordBatchReader.from_stream(result)``, ``polars.DataFrame(result)`` and the
            like. The texts are of type ``string``; ``large_string`` if those of one record batch
            hold more than 2 GiB.

        Raises
        ------
        ConfigError
            If ``data`` has no Arrow interface (the message says what to pass instead); if a column
            is missing, has no strings, or its name is already taken; if ``kind`` is unknown; or if
            a text has no elements and the strategy cuts nothing else.
        ReadError
            If a text is not UTF-8, or cannot be read as its kind; names the row.
        TokenizerError, ModelError
            If a callable tokenizer gives no count, or an embedder no vectors. A library that reads
            the stream raises these, and ``ReadError``, as its own errors with the same message.

        Examples
        --------
        >>> import chunkwright as cw
        >>> import pyarrow as pa
        >>> documents = pa.record_batch({"path": ["a", "b"], "text": ["One two.", "Three."]})
        >>> chunks = pa.record_batch(cw.Window(max_chars=4).arrow(documents, id_column=None))
        >>> chunks["path"].to_pylist(), chunks["text"].to_pylist()
        (['a', 'a', 'b', 'b'], ['One ', 'two.', 'Thre', 'e.'])
        """
        options = arrow_tables.TableOptions(
            text_column,
            name_column,
            document_id_column,
            id_column,
            n_tokens,
            kind,
            batches.checked_workers(workers),
            batches.checked_errors(errors),
        )
        return self.cut_table(data, options)
