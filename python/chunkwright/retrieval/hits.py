"""Hits of a search, as a sequence for each question and as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, overload, runtime_checkable

from chunkwright.errors import ConfigError
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Buffer

    from chunkwright.chunk_view import Chunk
    from chunkwright.chunks import Chunks
    from chunkwright.render.notebook import ShownText


class StoredChunk(Protocol):
    """A chunk of a store, as hits are made of it."""

    @property
    def text(self) -> str:
        """Its text."""

    @property
    def contextual_text(self) -> str:
        """The text that is searched: its context before its text, if it has one."""

    @property
    def chunk(self) -> Chunk | None:
        """The chunk itself; None for a text that was written by hand."""


@runtime_checkable
class StoredChunks(Protocol):
    """Chunks of a store in the order of an index, which are read when they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> StoredChunk: ...

    def contextual_texts(self) -> list[str]:
        """Return the texts of all that are searched."""


Searched: TypeAlias = "Chunks | StoredChunks | Sequence[str]"
"""Sequences that hits are numbers of: chunks, or their texts."""

# Columns of hits beside numbers and scores, in the order of a hit's fields, and what these are
# where there is no column.
_OPTIONAL = ("starts", "ends", "scores_before", "ranks_before")
_UNKNOWN = (0, None, None, None)
_ALL = ("indices", "scores", *_OPTIONAL)


def searched_text(found: Chunk | StoredChunk | str) -> str:
    """Return the text by which a chunk is found: with its context, if it has one."""
    return found if isinstance(found, str) else found.contextual_text


@dataclass(frozen=True)
class Hit:
    """A chunk that a search found.

    ``dataclasses.asdict``, pydantic and FastAPI write it as an object with these names.

    Attributes
    ----------
    index
        The number of the chunk.
    score
        The score; greater is better.
    start, end
        The part of the chunk's text that was found, in code points: 0 and None, the whole chunk,
        unless hits are trimmed or fill a budget.
    score_before, rank_before
        The score and the rank, from 0, before reranking; None if hits are not reranked.
    text
        That part of the chunk's text. None if the search knew no texts, as :func:`top_k` without
        `texts`.
    """

    index: int
    score: float
    start: int = 0
    end: int | None = None
    score_before: float | None = None
    rank_before: int | None = None
    text: str | None = None

    # No field: it would be copied, compared and written with all columns of its document.
    _chunk: ClassVar[Chunk | None] = None

    @property
    def chunk(self) -> Chunk | None:
        """The chunk, with its document, headings, pages and context; None if texts were indexed."""
        return self._chunk

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import texts_display

        return texts_display("Hit", [], [self.shown()])

    def shown(self, question: str = "") -> ShownText:
        """Return what a notebook shows of it.

        Parameters
        ----------
        question
            What is said of the question that it is a hit of.
        """
        from chunkwright.render.notebook import ShownText, place_facts

        facts = [question] if question else []
        facts.append(f"score {self.score:.3f}")
        if self.score_before is not None:
            facts.append(f"{self.score_before:.3f} before it was reranked")
        found = self.chunk
        # A text that was written by hand in a store is no chunk.
        pages, headings = (getattr(found, each, None) for each in ("pages", "headings"))
        facts += [f"chunk {self.index}", *place_facts(pages, headings)]
        return ShownText(self.text or "", facts, self.index, f"chunk {self.index}")

    @classmethod
    def of(cls, values: tuple[Any, ...], searched: Searched | None) -> Hit:
        """Return a hit from its values, with its text and chunk if these are known."""
        if searched is None:
            return cls(*values)
        index, _, start, end, *_ = values
        found = searched[index]
        hit = cls(*(*values, searched_text(found)[start:end]))
        if not isinstance(found, str):
            object.__setattr__(hit, "_chunk", found)
        return hit


@dataclass(frozen=True, eq=False)
class Hits(Sequence["list[Hit]"]):
    """The chunks found for each question, best first: a sequence, and the same as columns.

    Attributes
    ----------
    offsets
        The hits of question ``q`` are rows ``offsets[q]`` to ``offsets[q + 1]`` of the others.
    indices
        Numbers of chunks.
    scores
        Scores; greater is better. Of equal scores, the lower number comes first.
    starts, ends
        The part of each chunk's text that answers the question, in code points; None if hits are
        whole chunks.
    scores_before, ranks_before
        The score and the rank, from 0, of each hit before reranking; None if hits are not reranked.
    searched
        The chunks or texts to which ``indices`` refer, and from which hits take their texts; None
        if there are none.

    Examples
    --------
    >>> from chunkwright.retrieval import top_k
    >>> hits = top_k([[0.1, 0.9, 0.5], [0.0, 0.0, 0.25]], k=2)
    >>> [(hit.index, hit.score) for hit in hits[1]]
    [(2, 0.25), (0, 0.0)]
    >>> hits.offsets.tolist(), hits.indices.tolist()
    ([0, 2, 4], [1, 2, 2, 0])
    """

    offsets: NDArray[np.int64]
    indices: NDArray[np.int64]
    scores: NDArray[np.float64]
    starts: NDArray[np.int64] | None = None
    ends: NDArray[np.int64] | None = None
    scores_before: NDArray[np.float64] | None = None
    ranks_before: NDArray[np.int64] | None = None
    searched: Searched | None = field(default=None, repr=False, kw_only=True)

    @classmethod
    def of(cls, columns: tuple[Buffer, Buffer, Buffer]) -> Hits:
        """Return the hits that the core found."""
        import numpy as np

        offsets, indices, scores = (np.asarray(column) for column in columns)
        return cls(offsets, indices, scores)

    @classmethod
    def joined(cls, parts: Sequence[Hits]) -> Hits:
        """Return the hits of questions that follow those of the part before."""
        import numpy as np

        if len(parts) == 1:
            return parts[0]
        counts = [np.diff(part.offsets) for part in parts]
        ends = np.cumsum(np.concatenate(counts), dtype=np.int64) if parts else np.zeros(0, np.int64)
        return cls(
            np.concatenate([np.zeros(1, np.int64), ends]),
            np.concatenate([np.zeros(0, np.int64), *(part.indices for part in parts)]),
            np.concatenate([np.zeros(0), *(part.scores for part in parts)]),
            *(_joined([getattr(part, name) for part in parts], name) for name in _OPTIONAL),
            searched=parts[0].searched if parts else None,
        )

    def among(self, searched: Searched | None) -> Hits:
        """Return the hits with these chunks or texts."""
        return replace(self, searched=searched)

    def numbered(self, rows: NDArray[np.int64]) -> Hits:
        """Return hits among some chunks with the numbers that these have among all."""
        return replace(self, indices=rows[self.indices])

    def over(self, least: float) -> Hits:
        """Return the hits above a score."""
        return self.where(self.scores > least)

    def first(self, counts: int | NDArray[np.int64]) -> Hits:
        """Return the best hits of each question, one number for all questions or one for each."""
        import numpy as np

        limits = np.broadcast_to(np.asarray(counts, np.int64), len(self))
        return self.where(self.ranks < np.repeat(limits, np.diff(self.offsets)))

    def where(self, is_kept: NDArray[np.bool_]) -> Hits:
        """Return the hits that a mask selects, with a value for each hit of all questions."""
        import numpy as np

        n_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_kept, dtype=np.int64)])
        return replace(_taken(self, np.flatnonzero(is_kept)), offsets=n_before[self.offsets])

    @classmethod
    def gathered(cls, parts: Sequence[tuple[NDArray[np.int64], Hits]], n_questions: int) -> Hits:
        """Return the hits of parts in the order of the questions.

        Parameters
        ----------
        parts
            The numbers of questions, ascending, and the hits of these; each in one part at most.
        n_questions
            How many there are.
        """
        import numpy as np

        joined = cls.joined([hits for _, hits in parts])
        numbers = np.concatenate([np.zeros(0, np.int64), *(numbers for numbers, _ in parts)])
        asked = np.repeat(numbers, np.diff(joined.offsets))
        order = np.argsort(asked, kind="stable")
        offsets = np.searchsorted(asked[order], np.arange(n_questions + 1)).astype(np.int64)
        return replace(_taken(joined, order), offsets=offsets)

    def of_questions(self, is_kept: NDArray[np.bool_]) -> Hits:
        """Return the hits of the questions that a mask selects."""
        import numpy as np

        rows = self.where(is_kept[self.questions])
        counts = np.diff(self.offsets)[is_kept]
        return replace(rows, offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]))

    @property
    def questions(self) -> NDArray[np.int64]:
        """The number of each hit's question."""
        import numpy as np

        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.offsets))

    def texts(self) -> list[str]:
        """Return the text of each hit, question after question; empty if it is not known."""
        return [hit.text or "" for found in self for hit in found]

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each hit, from 0, among those of its question."""
        import numpy as np

        begins = np.repeat(self.offsets[:-1], np.diff(self.offsets))
        return np.arange(len(self.indices), dtype=np.int64) - begins

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, question: int) -> list[Hit]: ...
    @overload
    def __getitem__(self, question: slice) -> Sequence[list[Hit]]: ...
    def __getitem__(self, question: int | slice) -> list[Hit] | Sequence[list[Hit]]:
        numbers = range(len(self))[question]
        if isinstance(numbers, range):
            return [self[number] for number in numbers]
        rows = slice(int(self.offsets[numbers]), int(self.offsets[numbers + 1]))
        columns = [each[rows].tolist() for each in (self.indices, self.scores)]
        # What is not known has the value of a hit that says nothing of it.
        columns += [
            [value] * len(columns[0]) if each is None else each[rows].tolist()
            for each, value in zip(self._optional, _UNKNOWN, strict=True)
        ]
        return [Hit.of(values, self.searched) for values in zip(*columns, strict=True)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hits):
            return NotImplemented
        return self._identity() == other._identity()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def _optional(self) -> list[NDArray[Any] | None]:
        """The columns that only some searches give."""
        return [getattr(self, name) for name in _OPTIONAL]

    def _identity(self) -> list[list[object] | None]:
        columns = (self.offsets, self.indices, self.scores, *self._optional)
        return [None if each is None else each.tolist() for each in columns]

    def __repr__(self) -> str:
        return f"<{len(self.indices)} hits of {len(self)} questions>"

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import texts_display

        many = len(self) > 1
        facts = [counted(len(self.indices), "hit"), counted(len(self), "question")]
        shown = [
            hit.shown(f"question {number}" if many else "")
            for number, found in enumerate(self)
            for hit in found
        ]
        return texts_display("Hits", facts if many else facts[:1], shown)


def _joined(parts: Sequence[NDArray[Any] | None], name: str) -> NDArray[Any] | None:
    """Return one column of several; None if there is none of that name."""
    import numpy as np

    known = [part for part in parts if part is not None]
    if not known:
        return None
    if len(known) < len(parts):
        raise ConfigError(f"hits with {name} cannot be joined to such without")
    return np.concatenate(known)


def _taken(hits: Hits, rows: NDArray[np.int64]) -> Hits:
    """Return these rows of hits, in that order; whose they are has to be said then."""
    columns = {name: each[rows] for name in _ALL if (each := getattr(hits, name)) is not None}
    return replace(hits, **columns)
