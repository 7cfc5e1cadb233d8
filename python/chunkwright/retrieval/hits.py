"""Hits of a search, as a sequence for each question and as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Buffer


class Hit(NamedTuple):
    """A chunk that was found.

    Attributes
    ----------
    index
        Its number.
    score
        How well it fits; what is better is greater.
    start, end
        The part of the chunk's text that speaks to the question, in code points, as a slice has
        them: all of it unless hits are trimmed, ``end`` being None then.
    """

    # A tuple's own `index` finds a value in it, which nobody asks of a hit.
    index: int  # type: ignore[assignment]
    score: float
    start: int = 0
    end: int | None = None


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
        What is better is greater; of equal ones that of the lower number is first.
    starts, ends
        The part of each chunk's text that speaks to the question, in code points of that text.
        None: hits are whole chunks.

    Examples
    --------
    >>> from chunkwright.retrieval import top_k
    >>> hits = top_k([[0.1, 0.9, 0.5], [0.0, 0.0, 0.25]], k=2)
    >>> hits[1]
    [Hit(index=2, score=0.25, start=0, end=None), Hit(index=0, score=0.0, start=0, end=None)]
    >>> hits.offsets.tolist(), hits.indices.tolist()
    ([0, 2, 4], [1, 2, 2, 0])
    """

    offsets: NDArray[np.int64]
    indices: NDArray[np.int64]
    scores: NDArray[np.float64]
    starts: NDArray[np.int64] | None = None
    ends: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, columns: tuple[Buffer, Buffer, Buffer]) -> Hits:
        """Return what the core found."""
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
            _joined([part.starts for part in parts]),
            _joined([part.ends for part in parts]),
        )

    def over(self, least: float) -> Hits:
        """Return the hits with a greater score."""
        return self.where(self.scores > least)

    def first(self, counts: int | NDArray[np.int64]) -> Hits:
        """Return the best hits of each question: so many of all, or of each."""
        import numpy as np

        limits = np.broadcast_to(np.asarray(counts, np.int64), len(self))
        return self.where(self.ranks < np.repeat(limits, np.diff(self.offsets)))

    def where(self, is_kept: NDArray[np.bool_]) -> Hits:
        """Return the hits for which that is true, of all questions in a row."""
        import numpy as np

        n_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(is_kept, dtype=np.int64)])
        return Hits(
            n_before[self.offsets],
            self.indices[is_kept],
            self.scores[is_kept],
            None if self.starts is None else self.starts[is_kept],
            None if self.ends is None else self.ends[is_kept],
        )

    @property
    def ranks(self) -> NDArray[np.int64]:
        """How many hits of its question are before each."""
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
        columns = [each[rows].tolist() for each in self._columns]
        return [Hit(*values) for values in zip(*columns, strict=True)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hits):
            return NotImplemented
        return self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]

    @property
    def _columns(self) -> list[NDArray[Any]]:
        """What there is of each hit."""
        trimmed = [] if self.starts is None or self.ends is None else [self.starts, self.ends]
        return [self.indices, self.scores, *trimmed]

    def _identity(self) -> list[list[object]]:
        return [each.tolist() for each in (self.offsets, *self._columns)]

    def __repr__(self) -> str:
        return f"<{len(self.indices)} hits of {len(self)} questions>"


def _joined(parts: Sequence[NDArray[np.int64] | None]) -> NDArray[np.int64] | None:
    """Return one column of several; None if they are of whole chunks."""
    import numpy as np

    known = [part for part in parts if part is not None]
    if not known:
        return None
    if len(known) < len(parts):
        raise ConfigError("hits that are trimmed cannot be joined to such that are whole chunks")
    return np.concatenate(known)
