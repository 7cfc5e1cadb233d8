"""Base class of the strategies: the core's cutter, the calls that cut by it, and fingerprints."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from chunkwright import __version__, _core
from chunkwright.chunking import arrow_tables
from chunkwright.chunking import batch as batches
from chunkwright.chunking.bases.chunker import Chunker, Source
from chunkwright.chunking.bases.options import Sizes
from chunkwright.chunking.batch import CoreSource, Errors
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.messages.logs import once
from chunkwright.origin import Origin
from chunkwright.tokens.shipped import SHIPPED
from chunkwright.tokens.sources import PLAIN_UNITS
from chunkwright.tokens.tokenizer import TokenizerLike, as_tokenizer


class Strategy(Sizes, Chunker):
    """Checked options that cut: a subclass adds its own options and says what cuts by them.

    The options that all strategies share are documented in
    :class:`chunkwright.chunking.bases.options.Sizes`.
    """

    # What is one document, although it can be iterated over.
    _singles: ClassVar[tuple[type, ...]] = (str, bytes, bytearray, Document)
    # Whether the core is told of what kind documents are, by their names.
    _tells_kinds: ClassVar[bool] = False

    @property
    def _environment(self) -> dict[str, str]:
        """Versions of what else is installed that cuts depend on."""
        return {}

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
            No chunks for an empty text, and for one of whitespace only.

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
            sizes_are_tokens=self.sizes_are_tokens,
            origin=Origin.of(document, called, self),
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
        if self.overlap and "elements" not in self.takes and _overlaps_nowhere(chunks):
            once(_nowhere(self.overlap, self.overlap_at, has_marks=self.split_at is not None))
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
        ``workers`` has no effect. An embedder in Python gets the pieces of many texts at once, up
        to 4,096 of them; if it fails, it is called again for each text.

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
            With ``"raise"`` an item that is not a text is an error before anything is cut, and the
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

    def stream(
        self,
        texts: Iterable[Source],
        *,
        names: Iterable[str | None] | None = None,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Iterator[Chunks]:
        """Cut one text after another, for texts that are too many for memory or never end.

        Up to 1,024 texts, or 8 million characters, are read ahead from ``texts``; at first only as
        many as there are workers, or 64 if an embedder or a language model is called. They are cut
        on several threads, with the GIL free, as :meth:`batch` does.

        Parameters
        ----------
        texts
            Any iterable of ``str`` or :class:`chunkwright.Document`.
        names
            Any iterable of the documents' names, from which ids are derived: one, or None, for each
            text; it is read together with the texts. With None a document keeps its own name.
            Without a name, equal chunks of two documents have equal ids.
        workers
            Threads, at most; by default as many as the process may use processors.
        errors
            With ``"raise"`` an item that is not a text, or cannot be cut, is an error when its turn
            comes. With ``"collect"`` it has no chunks, and :attr:`chunkwright.Chunks.errors` says
            why, with the key 0.

        Yields
        ------
        Chunks
            Those of the next text.

        Raises
        ------
        ConfigError
            If ``texts`` is not an iterable of texts, or an option makes no sense. When its turn
            comes, if a name is not valid, or if the numbers of texts and names differ.
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
        found = batches.stream(self._cutting(workers, errors), texts, names)
        return (self._log(chunks) for chunks in found)

    def cut_table(
        self, data: object, options: arrow_tables.TableOptions
    ) -> arrow_tables.ArrowBatch | arrow_tables.ArrowStream:
        """Cut a column of a table; see :meth:`arrow`."""
        counts = self.sizes_are_tokens if options.n_tokens is None else options.n_tokens
        own = arrow_tables.Own(
            provenance=self.provenance,
            n_tokens=counts,
            counter=self._tokenizer.unit if counts and not self.sizes_are_tokens else None,
        )
        return arrow_tables.arrow(self._cutter, data, options, own)

    def _cutting(self, workers: int | None, errors: Errors) -> batches.Cutting:
        return batches.Cutting(
            self._cutter,
            read=self._read,
            told=self._told if self._tells_kinds else None,
            singles=self._singles,
            tokenizer=self._tokenizer,
            sizes_are_tokens=self.sizes_are_tokens,
            provenance=self.provenance,
            columns=self.columns,
            workers=batches.checked_workers(workers),
            collects=batches.checked_errors(errors),
        )


def _nowhere(overlap: int, at: str, *, has_marks: bool) -> str:
    """Return what is logged of an overlap that came to nothing."""
    where = (
        "no overlap reaches over a mark of split_at, and elsewhere"
        if has_marks
        else "where they meet,"
    )
    what, remedy = at, "overlap_at='any' begins at any character, and "
    if at == "any":
        what, remedy = "character", ""
    return (
        f"overlap={overlap} came to nothing in a text of several chunks: {where} no "
        f"{what} began that had room; {remedy}chunks.overlaps says what each chunk repeats"
    )


def _overlaps_nowhere(chunks: Chunks) -> bool:
    """Return whether there are chunks behind others, and none repeats anything of one before it.

    As a rule the second chunk does: so it is looked at first.
    """
    columns = chunks.columns
    second = range(1, min(len(columns), 3))
    if not second or any(role == "overlap" for row in second for role, *_ in columns.pieces(row)):
        return False
    docs = columns.doc_index
    return bool((docs[1:] == docs[:-1]).any()) and not columns.overlaps.any()


def _hint(source: object) -> str:
    """Return what to do with what is no text."""
    if isinstance(source, os.PathLike):
        return ": cw.read(path) reads a file"
    if isinstance(source, list | tuple):
        return ": .batch(texts) cuts several"
    return ""


_BUILT_IN = (*_core.Tokenizer.names(), *SHIPPED, *PLAIN_UNITS)
# The packages of strategies: contextual ones wrap those of this package.
_OURS = ("chunkwright.chunking.", "chunkwright.contextual.")
# Options that tell of nothing where no marks are given.
_OF_MARKS = {"split_at", "keep_mark"}


def fingerprint_of(chunker: object) -> str | None:
    """Return a text that is the same only for chunkers that cut alike; None if there is none.

    It is what an attribute ``fingerprint`` says; or a strategy's name and options, with the version
    of chunkwright, if its tokenizer is a built-in one and its models have fingerprints.
    """
    own = getattr(chunker, "fingerprint", None)
    if isinstance(own, str) and own:
        return own
    if not type(chunker).__module__.startswith(_OURS):
        return None
    try:
        return f"chunkwright {__version__}: {_described(chunker)!r}"
    except UnknownError:
        return None


class UnknownError(Exception):
    """What an option depends on is not known."""


def _described(value: Any) -> object:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_described(item) for item in value]
    if is_dataclass(value) and type(value).__module__.startswith("chunkwright."):
        given = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
        if given.get("split_at") is None:
            # They came later: what stores know of strategies without them stays true.
            given = {name: of for name, of in given.items() if name not in _OF_MARKS}
        options = {name: _option(name, of) for name, of in given.items()}
        environment = getattr(value, "_environment", None)
        return [type(value).__qualname__, options, *filter(None, [environment])]
    raise UnknownError(type(value).__name__)


def _option(name: str, value: Any) -> object:
    if name == "tokenizer":
        return described_tokenizer(value)
    if name == "embedder" and value is not None:
        from chunkwright.embed import as_embedder

        fingerprint = as_embedder(value).fingerprint
        if not fingerprint:
            raise UnknownError(type(value).__name__)
        return fingerprint
    if name == "llm" and value is not None:
        from chunkwright.llm.run.runner import as_runner

        return as_runner(value).fingerprint or _unknown(value)
    if name == "prompt" and value is not None:
        from chunkwright.llm.prompt import as_prompt

        # Of a file what it says, not where it is.
        return as_prompt(value, "").fingerprint
    return _described(value)


def _unknown(value: object) -> object:
    raise UnknownError(type(value).__name__)


def described_tokenizer(value: TokenizerLike) -> list[object]:
    """Return what names a built-in tokenizer and its options.

    Raises
    ------
    UnknownError
        If it is none.
    """
    tokenizer = as_tokenizer(value)
    if tokenizer.source not in _BUILT_IN:
        raise UnknownError(type(value).__name__)
    return [tokenizer.name, tokenizer.special_tokens]
