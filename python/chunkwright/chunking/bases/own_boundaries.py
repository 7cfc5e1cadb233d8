"""Base classes of strategies between pieces of a text, and of those of your own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.errors import ConfigError
from chunkwright.rows import OF_ENDINGS


@dataclass(frozen=True, kw_only=True)
class OverPieces(Strategy):
    """Cuts between pieces of a text.

    Parameters
    ----------
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.

    Raises
    ------
    ConfigError
        If a value is out of range, naming it.
    """

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class OwnBoundaries(OverPieces):
    """Cuts where a subclass says, and between sentences wherever the limit needs it.

    The text is split into sentences, and :meth:`starts` says at which of them a chunk begins. All
    else is as in any strategy: no chunk is over the limit, offsets are exact, and texts can be
    many, tables or documents with elements. ``chunk.reason`` is ``"given"`` where the subclass said
    so and ``"limit"`` where the limit did.

    A subclass has a ``name`` and may have options: fields of a frozen dataclass, which it checks in
    ``__post_init__`` before it calls that of its base. What :meth:`starts` returns must depend on
    the sentences and the options alone; any thread may call it. Stores and runs over a corpus know
    a strategy again by its attribute ``fingerprint``, a text that changes when its chunks do.

    Parameters
    ----------
    soft_max
        Where a text is over the limit, it is divided into even chunks, each of which ends between
        this size and the limit if a boundary is there; half of the limit by default.
    language
        The language of the text, as :func:`chunkwright.split_sentences` takes it.
    max_tokens, max_chars, tokenizer, min_size, overlap, overlap_at, split_at, keep_mark
        See :class:`chunkwright.chunking.bases.options.Sizes`.

    Raises
    ------
    ConfigError
        If an option makes no sense, or :meth:`starts` returns what is no number of a sentence.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from chunkwright.chunking.bases.own_boundaries import OwnBoundaries
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Questions(OwnBoundaries):
    ...     name = "questions"
    ...
    ...     def starts(self, sentences):
    ...         return [i for i, sentence in enumerate(sentences) if sentence.endswith("?")]
    >>> text = "Who sings? Birds do. At dawn. Why? They like it."
    >>> Questions(max_chars=40)(text).texts()
    ['Who sings? Birds do. At dawn.', 'Why? They like it.']
    """

    columns = OF_ENDINGS
    _native: ClassVar[str] = "own_boundaries"

    @abstractmethod
    def starts(self, sentences: Sequence[str]) -> Iterable[int]:
        """Return the numbers, from 0, of the sentences that begin a chunk.

        The first does in any case. A heading is in one sentence with what follows it.
        """

    def _beside(self) -> dict[str, Any]:
        # The core holds what it calls, and the strategy holds the core: a twin makes no circle.
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        return {"asked": twin._asked}

    def _asked(self, texts: Sequence[Sequence[str]]) -> list[list[int] | Exception]:
        return [self._checked_starts(sentences) for sentences in texts]

    def _checked_starts(self, sentences: Sequence[str]) -> list[int] | Exception:
        try:
            found = list(self.starts(sentences))
        except Exception as error:  # noqa: BLE001 - a subclass raises any; it is the text's error
            return error
        for number in found:
            if type(number) is not int or not 0 <= number < len(sentences):
                last, called = len(sentences) - 1, type(self).__name__
                message = f"{called}.starts must return numbers from 0 to {last}, got {number!r}"
                return ConfigError(message)
        return sorted({*found} - {0})
