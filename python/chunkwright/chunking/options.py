"""Options that strategies share, checked when a strategy is made."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, overload

from chunkwright import _core
from chunkwright.chunking import many, tables
from chunkwright.chunking.many import Errors
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns, Origin
from chunkwright.document import Document
from chunkwright.errors import ConfigError, nearest
from chunkwright.tokenizer import Tokenizer, TokenizerLike, as_tokenizer

OverlapAt = Literal["word", "sentence", "any"]

# Larger limits are no limits, and would not fit into a machine word.
MAX_SIZE = 2**62


@dataclass(frozen=True, kw_only=True)
class Sizes(ABC):
    """What every strategy is: how large chunks may be, how far they overlap, and a call that cuts.

    Parameters
    ----------
    max_tokens, max_chars
        The limit, in tokens of ``tokenizer`` or in code points; exactly one of the two.
    soft_max
        The size at which a chunk is full, in the unit of the limit; the limit itself by default.
    overlap
        How much of the chunk before is repeated at most, in the unit of the limit; it counts
        against the limit.
    overlap_at
        Where an overlap may begin: at a ``"word"`` or at a ``"sentence"`` (where none begins within
        reach, there is no overlap), or at ``"any"`` grapheme.
    tokenizer
        What counts tokens; see :class:`chunkwright.Tokenizer`.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    """

    max_tokens: int | None = None
    max_chars: int | None = None
    soft_max: int | None = None
    overlap: int = 0
    overlap_at: OverlapAt = "word"
    tokenizer: TokenizerLike = "cl100k_base"
    _tokenizer: Tokenizer = field(init=False, repr=False, compare=False)
    _cutter: _core.Cutter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        set_derived(self, "_tokenizer", as_tokenizer(self.tokenizer))
        unit = self._tokenizer.unit if self._in_tokens else CHARS
        set_derived(self, "_cutter", self._make_cutter(unit, self._checked_limits()))

    def __reduce__(self) -> tuple[Any, ...]:
        # What is derived from the options is derived anew.
        options = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        return _remade, (type(self), options)

    def _checked_limits(self) -> _core.Limits:
        name, hard_max = self._checked_limit()
        soft_max = self.soft_max
        if soft_max is not None:
            soft_max = checked_int("soft_max", soft_max, least=1, most=hard_max)
        full = hard_max if soft_max is None else soft_max
        overlap = checked_int("overlap", self.overlap, least=0)
        if overlap >= full:
            limit = name if soft_max is None else "soft_max"
            raise ConfigError(f"overlap must be less than {limit}={full}, got {overlap}")
        if self.overlap_at not in get_args(OverlapAt):
            hint = nearest(self.overlap_at, list(get_args(OverlapAt)))
            raise ConfigError(f"unknown overlap_at {self.overlap_at!r}: {hint}")
        return _core.Limits(hard_max, soft_max, overlap, self.overlap_at, self._sentence_language)

    def _checked_limit(self) -> tuple[str, int]:
        """Return the name and the value of the limit."""
        given = [limit for limit in ("max_tokens", "max_chars") if getattr(self, limit) is not None]
        if not given and not self._needs_limit:
            for option in ("soft_max", "overlap"):
                if value := getattr(self, option):
                    raise ConfigError(f"{option} needs max_tokens or max_chars, got {value!r}")
            return "max_tokens", MAX_SIZE
        if len(given) != 1:
            both = f"max_tokens={self.max_tokens!r} and max_chars={self.max_chars!r}"
            raise ConfigError(f"exactly one of max_tokens and max_chars is needed, got {both}")
        limit = checked_int(given[0], getattr(self, given[0]), least=1)
        if self._in_tokens and self._tokenizer.special_tokens:
            n_special = self._tokenizer.count("")
            if limit <= n_special:
                reason = f"the model adds {n_special} special tokens to each text"
                raise ConfigError(
                    f"max_tokens must be more than {n_special}, got {limit}: {reason}"
                )
        return given[0], limit

    def __call__(self, text: str | Document, *, name: str | None = None) -> Chunks:
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
        """
        if isinstance(text, Document):
            return self(text.text, name=name or text.name)
        if not isinstance(text, str):
            raise ConfigError(f"text must be a str or a Document, got {type(text).__name__}")
        if not isinstance(name, str | None):
            raise ConfigError(f"name must be a str or None, got {name!r}")
        columns = Columns(
            self._cutter.cut(text),
            tokenizer=self._tokenizer,
            sizes_are_tokens=self._in_tokens,
            origin=Origin([name]),
        )
        return Chunks(columns)

    def batch(
        self,
        texts: Iterable[str | Document],
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
        ``workers`` says nothing.

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
        TokenizerError
            If a callable tokenizer gives no count.

        Examples
        --------
        >>> import chunkwright as cw
        >>> chunks = cw.Recursive(max_tokens=4).batch(["One sentence. And more.", "", "Another."])
        >>> chunks.texts(), chunks.doc_index.tolist()
        (['One sentence. And', 'more.', 'Another.'], [0, 0, 2])
        """
        return many.batch(self._cutting(workers, errors), texts, names)

    def stream(
        self,
        texts: Iterable[str | Document],
        *,
        workers: int | None = None,
        errors: Errors = "raise",
    ) -> Iterator[Chunks]:
        """Cut one text after another, for texts that are too many for memory or never end.

        Up to 1,024 texts, or 8 million characters, are taken from ``texts`` ahead of what has been
        asked for; at first only as many as there are workers. They are cut on several threads,
        with the GIL free, as :meth:`batch` does.

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
        TokenizerError
            If a callable tokenizer gives no count.

        Examples
        --------
        >>> import itertools
        >>> import chunkwright as cw
        >>> endless = (f"Text number {i}." for i in itertools.count())
        >>> chunked = cw.Window(max_chars=12).stream(endless)
        >>> next(chunked).texts(), next(chunked).texts()
        (['Text number ', '0.'], ['Text number ', '1.'])
        """
        return many.stream(self._cutting(workers, errors), texts)

    @overload
    def arrow(
        self,
        data: tables.ArrayLike,
        *,
        text_column: str = ...,
        name_column: str | None = ...,
        id_column: str | None = ...,
        workers: int | None = ...,
    ) -> tables.ArrowBatch: ...
    @overload
    def arrow(
        self,
        data: tables.StreamLike,
        *,
        text_column: str = ...,
        name_column: str | None = ...,
        id_column: str | None = ...,
        workers: int | None = ...,
    ) -> tables.ArrowStream: ...
    def arrow(
        self,
        data: tables.ArrayLike | tables.StreamLike,
        *,
        text_column: str = "text",
        name_column: str | None = None,
        id_column: str | None = "chunk_id",
        workers: int | None = None,
    ) -> tables.ArrowBatch | tables.ArrowStream:
        """Cut a column of an Arrow table; the result has a row for each chunk.

        Texts are read from Arrow's buffers on several threads, with the GIL free, and pyarrow is
        not needed: ``data`` and the result speak Arrow's PyCapsule interface, as pyarrow, Polars,
        DuckDB, pandas and others do.

        The columns of ``data`` are carried along, each value as often as its text has chunks, and
        ``text_column`` holds the chunks' texts. Behind them come ``doc_index`` (the row of
        ``data``, from 0), ``id_column``, ``start``, ``end`` (code points of the document's text),
        ``byte_start``, ``byte_end``, and ``n_tokens`` if the limit is in tokens. A text that is
        null, empty or nothing but whitespace has no chunks, so its row is gone.

        Parameters
        ----------
        data
            A record batch (``__arrow_c_array__``) or a table, a data frame or a stream of batches
            (``__arrow_c_stream__``).
        text_column
            The column with the texts: ``string``, ``large_string`` or ``string_view``.
        name_column
            A column of strings with the documents' names, from which ids are derived. Without,
            equal chunks of two documents have equal ids.
        id_column
            The name of the new column with the ids; None leaves them out, which saves about a
            fifth of the time.
        workers
            Threads, at most; by default as many as the process may use processors.

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
            of one that there is.
        ReadError
            If a text is not UTF-8.
        TokenizerError
            If a callable tokenizer gives no count. Whoever reads a stream raises this and
            ``ReadError`` as errors of its own, with the same message.

        Examples
        --------
        >>> import chunkwright as cw
        >>> import pyarrow as pa
        >>> documents = pa.record_batch({"path": ["a", "b"], "text": ["One two.", "Three."]})
        >>> chunks = pa.record_batch(cw.Window(max_chars=4).arrow(documents, id_column=None))
        >>> chunks["path"].to_pylist(), chunks["text"].to_pylist()
        (['a', 'a', 'b', 'b'], ['One ', 'two.', 'Thre', 'e.'])
        """
        columns = tables.Columns(text_column, name_column, id_column, sizes=self._in_tokens)
        return tables.arrow(self._cutter, data, columns, self._checked_workers(workers))

    def _checked_workers(self, workers: int | None) -> int:
        if workers is None:
            return min(_core.available_workers(), many.MAX_WORKERS)
        return checked_int("workers", workers, least=1, most=many.MAX_WORKERS)

    def _cutting(self, workers: int | None, errors: Errors) -> many.Cutting:
        return many.Cutting(
            self._cutter,
            tokenizer=self._tokenizer,
            sizes_are_tokens=self._in_tokens,
            workers=self._checked_workers(workers),
            collects=many.checked_errors(errors),
        )

    @property
    def _in_tokens(self) -> bool:
        return self.max_chars is None

    @property
    def _sentence_language(self) -> str:
        """The code of the language that sentences are told apart in."""
        return "en"

    @property
    def _needs_limit(self) -> bool:
        """Whether there is nothing else to say where a chunk ends."""
        return True

    @abstractmethod
    def _make_cutter(self, unit: _core.Unit, limits: _core.Limits) -> _core.Cutter:
        """Check the strategy's own options and make what cuts in the core."""


CHARS = _core.Unit.named("chars")


def set_derived(options: object, name: str, value: object) -> None:
    """Set a field that is derived from the others, on a frozen dataclass."""
    object.__setattr__(options, name, value)


def checked_int(name: str, value: object, *, least: int, most: int = MAX_SIZE) -> int:
    """Return ``value`` as an int between ``least`` and ``most``.

    Raises
    ------
    ConfigError
        If it is none, naming option and value.
    """
    if isinstance(value, bool):
        raise ConfigError(f"{name} must be an int, got {value!r}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ConfigError(f"{name} must be an int, got {value!r}") from None
    if not least <= number <= most:
        raise ConfigError(f"{name} must be between {least} and {most}, got {number}")
    return number


def checked_language(language: object) -> str:
    """Return a code of a language; whether it is known, the core says.

    Raises
    ------
    ConfigError
        If it is no text.
    """
    if isinstance(language, str):
        return language
    raise ConfigError(f"language must be a code such as 'en', got {language!r}")


def _remade(strategy: type[Sizes], options: dict[str, Any]) -> Sizes:
    return strategy(**options)
