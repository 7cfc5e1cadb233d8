"""Base class of the strategies over text: calls that cut one text, many texts, or a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, ClassVar, TypeAlias, overload

from chunkwright import _core
from chunkwright.chunking import batch as batches
from chunkwright.chunking import tables
from chunkwright.chunking.batch import CoreSource, Errors
from chunkwright.chunking.options import Sizes
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns, Origin
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.rows import arrow_metadata

Source: TypeAlias = str | Document | Iterable[Any]


class Strategy(Sizes):
    """Checked options that cut: a subclass adds its own options and says what cuts by them.

    The options that all strategies share are documented in
    :class:`chunkwright.chunking.options.Sizes`.
    """

    # What is one document, although it can be iterated over.
    _singles: ClassVar[tuple[type, ...]] = (str, bytes, bytearray, Document)
    # Whether the core is told of what kind documents are, by their names.
    _tells_kinds: ClassVar[bool] = False

    @property
    def provenance(self) -> dict[str, str]:
        """What chunks depend on beside texts and options: fingerprints of models and prompts."""
        return {}

    def __call__(self, text: Source, *, name: str | None = None) -> Chunks:
        """Cut ``text``.

        Parameters
        ----------
        text
            Any text; it may hold lone surrogates.
        name
            The document's name, from which ids are derived.

        Returns
        -------
        Chunks
            None for an empty text, and for one of whitespace only.

        Raises
        ------
        TokenizerError
            If a callable tokenizer gives no count.
        ModelError
            If an embedder fails, or gives no vectors that can be used; if a language model refuses
            all requests.
        """
        if not isinstance(name, str | None):
            raise ConfigError(f"name must be a str or None, got {name!r}")
        document = self._read(text)
        elements, called = document.elements, name or document.name
        source = document.text if elements is None else elements.core
        columns = Columns(
            self._cutter.cut(self._told(source, called)),
            tokenizer=self._tokenizer,
            sizes_are_tokens=self._in_tokens,
            origin=Origin(
                [called],
                elements=[] if elements is None else [elements],
                provenance=self.provenance,
            ),
        )
        return self._log(Chunks(columns))

    def _read(self, source: object, at: int | None = None) -> Document:
        """Return what is to be cut, of a batch the item ``at`` that place, as a document.

        Raises
        ------
        ConfigError
            If it is none.
        """
        document = source if isinstance(source, Document) else None
        text = source if document is None else document.text
        if not isinstance(text, str):
            what = "text" if at is None else f"texts[{at}]"
            kind = type(text).__name__
            raise ConfigError(f"{what} must be a str or a Document, got {kind}{_hint(text)}")
        return Document(text=text) if document is None else document

    def _log(self, chunks: Chunks) -> Chunks:
        """Log what is to be known about how documents were cut; return their chunks."""
        return chunks

    def _told(self, source: str | _core.Elements, name: str | None) -> CoreSource:
        """Return what the core cuts, told to be of a kind if the name of the document says so."""
        del name
        return source

    def batch(
        self,
        texts: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Chunks:
        """Cut many texts on several threads, with the GIL free.

        A long text is shared by the threads: :class:`chunkwright.Chunks` of one text come sooner
        from ``batch([text])`` than from the strategy itself, which uses one thread. The result is
        the same for any number of them.

        A tokenizer that is a callable needs the GIL: then the texts are cut one after another, and
        ``workers`` says nothing. An embedder that is called from the core gets the pieces of many
        texts at once, up to 4,096 of them; if it fails, it is asked again text by text.

        Parameters
        ----------
        texts
            A list, or any other iterable, of ``str`` or :class:`chunkwright.Document`.
        names
            The documents' names, from which ids are derived: one, or None, for each text. Without
            a name, equal chunks of two documents have equal ids.
        workers
            Threads, at most; by default as many as the process may use processors.
        errors
            With ``"raise"`` an item that is no text is an error before anything is cut, and the
            first text that cannot be cut ends the batch. With ``"collect"`` both have no chunks,
            and :attr:`chunkwright.Chunks.errors` says why.

        Returns
        -------
        Chunks
            Those of all texts, in order; ``doc_index`` says which text each is from.

        Raises
        ------
        ConfigError
            If ``texts`` is no iterable of texts, or an option makes no sense.
        TokenizerError, ModelError
            If a callable tokenizer gives no count, or an embedder no vectors.

        Examples
        --------
        >>> import chunkwright as cw
        >>> chunks = cw.Recursive(max_tokens=4).batch(["One sentence. And more.", "", "Another."])
        >>> chunks.texts(), chunks.doc_index.tolist()
        (['One sentence. And', 'more.', 'Another.'], [0, 0, 2])
        """
        return self._log(batches.batch(self._cutting(workers, errors), texts, names))

    async def acall(self, text: Source, *, name: str | None = None) -> Chunks:
        """Cut ``text`` as the strategy does when it is called, for ``async`` programs.

        Another thread does the work, so the event loop goes on meanwhile. If the task is cancelled,
        so is the work: requests to a model that are under way are given up, and the core stops.

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
        from chunkwright.llm.background import in_background

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
        from chunkwright.llm.background import in_background

        return await in_background(
            partial(self.batch, texts, names=names, workers=workers, errors=errors)
        )

    def stream(
        self,
        texts: Iterable[Source],
        *,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Iterator[Chunks]:
        """Cut one text after another, for texts that are too many for memory or never end.

        Up to 1,024 texts, or 8 million characters, are taken from ``texts`` ahead of what has been
        asked for; at first only as many as there are workers, or 64 if an embedder or a language
        model is called. They are cut on several threads, with the GIL free, as :meth:`batch` does.

        Parameters
        ----------
        texts
            Any iterable of ``str`` or :class:`chunkwright.Document`.
        workers
            Threads, at most; by default as many as the process may use processors.
        errors
            With ``"raise"`` an item that is no text, and one that cannot be cut, is an error when
            its turn comes. With ``"collect"`` it has no chunks, and
            :attr:`chunkwright.Chunks.errors` says why under the number 0.

        Yields
        ------
        Chunks
            Those of the next text.

        Raises
        ------
        ConfigError
            If ``texts`` is no iterable of texts, or an option makes no sense.
        TokenizerError, ModelError
            If a callable tokenizer gives no count, or an embedder no vectors.

        Examples
        --------
        >>> import itertools
        >>> import chunkwright as cw
        >>> endless = (f"Text number {i}." for i in itertools.count())
        >>> chunked = cw.Window(max_chars=12).stream(endless)
        >>> next(chunked).texts(), next(chunked).texts()
        (['Text number ', '0.'], ['Text number ', '1.'])
        """
        found = batches.stream(self._cutting(workers, errors), texts)
        return (self._log(chunks) for chunks in found)

    @overload
    def arrow(
        self,
        data: tables.ArrayLike,
        *,
        text_column: str = ...,
        name_column: str | None = ...,
        id_column: str | None = ...,
        kind: str | None = ...,
        workers: int | None = ...,
        errors: Errors = ...,
    ) -> tables.ArrowBatch: ...
    @overload
    def arrow(
        self,
        data: tables.StreamLike,
        *,
        text_column: str = ...,
        name_column: str | None = ...,
        id_column: str | None = ...,
        kind: str | None = ...,
        workers: int | None = ...,
        errors: Errors = ...,
    ) -> tables.ArrowStream: ...
    def arrow(  # noqa: PLR0913 - options, all by name
        self,
        data: tables.ArrayLike | tables.StreamLike,
        *,
        text_column: str = "text",
        name_column: str | None = None,
        id_column: str | None = "chunk_id",
        kind: str | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> tables.ArrowBatch | tables.ArrowStream:
        """Cut a column of an Arrow table; the result has a row for each chunk.

        Texts are read from Arrow's buffers on several threads, with the GIL free, and pyarrow is
        not needed: ``data`` and the result speak Arrow's PyCapsule interface, as pyarrow, Polars,
        DuckDB, pandas and others do.

        The columns of ``data`` are carried along, each value as often as its text has chunks, and
        ``text_column`` holds the chunks' texts. Behind them come ``doc_index`` (the row of
        ``data``, from 0), ``id_column``, ``index`` (in its document), ``start``, ``end`` (code
        points of the document's text), ``byte_start``, ``byte_end``, ``line_start``, ``line_end``,
        ``source_start``, ``source_end``, ``source_line_start``, ``source_line_end`` (the same in
        what was read, null where that is not known), ``n_tokens`` if the limit is in tokens, and
        ``oversize``; of documents with elements ``kind``, ``part``, ``first_element``,
        ``last_element``, ``html``, ``pages``, ``headings`` and ``headings_above``; of a
        semantic strategy ``score`` (null where there is none) and ``reason``. A text that is null,
        empty or nothing but whitespace has no chunks, so its row is gone.

        Parameters
        ----------
        data
            A record batch (``__arrow_c_array__``) or a table, a data frame or a stream of batches
            (``__arrow_c_stream__``).
        text_column
            The column with the texts: ``string``, ``large_string`` or ``string_view``. For a
            strategy over elements it may also hold lists of structs with ``text``, ``type``,
            ``element_id`` and ``metadata``, as Unstructured's elements have them.
        name_column
            A column of strings with the documents' names, from which ids are derived. Without,
            equal chunks of two documents have equal ids.
        id_column
            The name of the new column with the ids; None leaves them out, which saves about a
            fifth of the time.
        kind
            What the texts are read as: one of :data:`chunkwright.readers.kinds.KINDS`, say
            ``"markdown"``. By default a strategy over elements or headings reads each text as what
            it looks like, as :func:`chunkwright.read` does with bytes that have no name; any other
            strategy takes texts as they are. Markdown, HTML and elements are read on all threads,
            other kinds one after another.
        workers
            Threads, at most; by default as many as the process may use processors.
        errors
            With ``"raise"`` the first document that cannot be cut ends the run. With
            ``"collect"`` it has one row, in which what is known of chunks is null and the column
            ``error`` says why.

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
            If there is no such column, or it holds no strings, or a new column would have the name
            of one that there is; if ``kind`` is unknown, or a text has no elements where the
            strategy cuts nothing else.
        ReadError
            If a text is not UTF-8, or cannot be read as what it is; names the row.
        TokenizerError, ModelError
            If a callable tokenizer gives no count, or an embedder no vectors. Whoever reads a
            stream raises these and ``ReadError`` as errors of its own, with the same message.

        Examples
        --------
        >>> import chunkwright as cw
        >>> import pyarrow as pa
        >>> documents = pa.record_batch({"path": ["a", "b"], "text": ["One two.", "Three."]})
        >>> chunks = pa.record_batch(cw.Window(max_chars=4).arrow(documents, id_column=None))
        >>> chunks["path"].to_pylist(), chunks["text"].to_pylist()
        (['a', 'a', 'b', 'b'], ['One ', 'two.', 'Thre', 'e.'])
        """
        collects = batches.checked_errors(errors)
        columns = tables.Columns(
            text_column,
            name_column,
            id_column,
            kind,
            sizes=self._in_tokens,
            errors=collects,
            metadata=arrow_metadata(self.provenance),
        )
        return tables.arrow(self._cutter, data, columns, batches.checked_workers(workers))

    def _cutting(self, workers: int | None, errors: Errors) -> batches.Cutting:
        return batches.Cutting(
            self._cutter,
            read=self._read,
            told=self._told if self._tells_kinds else None,
            singles=self._singles,
            tokenizer=self._tokenizer,
            sizes_are_tokens=self._in_tokens,
            provenance=self.provenance,
            workers=batches.checked_workers(workers),
            collects=batches.checked_errors(errors),
        )


def _hint(source: object) -> str:
    """Return what to do with what is no text."""
    if isinstance(source, os.PathLike):
        return ": cw.read(path) reads a file"
    if isinstance(source, list | tuple):
        return ": .batch(texts) cuts several"
    return ""
