"""Page headers and footers: lines that are in no block, found by their words alone.

A reader may take a line of the body for one, and nobody would find it. How much of a question a
line has is the share of the question's words that stand in it, each by its rarity in blocks and
lines together: what is in no block is what the line was looked for by.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.elements.box import Box
from chunkwright.errors import StoreError
from chunkwright.store.reading import metadata_of, uri_of
from chunkwright.store.searching.found import Found, Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.steps.bm25 import Subwords
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.searching.segments import Line

# A line with so much of what a question has of the words of all texts, and half of all its words,
# is the first hit where no block has as much. It is one line: a number of hits loses the last one,
# a budget what it takes.
_NEARLY_ALL = 0.9
# One with so much is a hit behind the blocks.
_HALF = 0.5
# Shares have so many digits: they are sums of 32 bits, and equal ones are to be equal.
_DIGITS = 4
# Of lines that have as much, the order of words is looked at in so many, the shortest.
_COMPARED = 1000
# Lines are indexed in parts of so many.
_PART = 32_768


class Ranked(NamedTuple):
    """A line that has a part of a question.

    Attributes
    ----------
    line
        The line.
    share
        How much of the weight of the question's words it has, above 0 and at most 1.
    """

    line: Line
    share: float


@dataclass(frozen=True)
class Matches:
    """The lines that have a part of a question.

    Attributes
    ----------
    first
        The line that stands before all blocks; none or one.
    others
        Those that stand behind them, best first.
    """

    first: Sequence[Ranked] = ()
    others: Sequence[Ranked] = ()


class Furniture:
    """Lines of a store beside the words of its blocks.

    Parameters
    ----------
    blocks
        The words of the blocks.
    lines
        The lines, as segments have them.
    subwords
        Those of the blocks' words.
    before
        Of another state: lines that are the same ones are not indexed again.

    Attributes
    ----------
    lines
        All lines.
    documents
        The number of the document of each.
    indexed
        The words of lines, by the identity of these.
    """

    def __init__(
        self,
        blocks: Sequence[_core.Bm25Segment],
        lines: Sequence[tuple[Line, ...]],
        subwords: Subwords | None,
        before: Furniture | None = None,
    ) -> None:
        import numpy as np

        known = {} if before is None else before.indexed
        self._given = [each for each in lines if each]
        self.indexed: dict[int, list[_core.Bm25Segment]] = {
            id(each): known.get(id(each)) or _indexed(each, subwords) for each in self._given
        }
        words = [part for each in self._given for part in self.indexed[id(each)]]
        self._n_blocks, self._n_all = len(blocks), len(blocks) + len(words)
        self._has_blocks = any(each.n_texts for each in blocks)
        # What occurs counts, however often, and however long the text around it is.
        self._index = _core.Bm25.of_segments([*blocks, *words], k1=0.0, b=0.0, subwords=subwords)
        self.lines: list[Line] = [line for each in self._given for line in each]
        self.documents: NDArray[np.int64] = np.array([of.document for of in self.lines], np.int64)

    def matches(
        self,
        question: str,
        rows: NDArray[np.int64] | None,
        is_among: NDArray[np.bool_] | None,
        *,
        most: int,
        is_distinct: bool,
    ) -> Matches:
        """Return the lines that have a part of a question.

        Where no block may be found, any part is enough.

        Parameters
        ----------
        question
            The question.
        rows
            The blocks that may be found; None for all.
        is_among
            For each line whether it may be found; None: all may be.
        most
            How many lines are needed.
        is_distinct
            Whether of equal lines of several documents only the first is one.
        """
        import numpy as np

        scores, known, whole = self._index.scores_in(question, self._n_blocks, self._n_all)
        if known <= 0:
            return Matches()
        shares = np.round(np.asarray(scores)[0] / known, _DIGITS).astype(np.float64)
        has_blocks = self._has_blocks if rows is None else len(rows) > 0
        is_near = shares >= _HALF if has_blocks else shares > 0
        near = np.flatnonzero(is_near if is_among is None else is_near & is_among)
        found = self._best(_plain(question), near, shares, most, is_distinct=is_distinct)
        best = found[0].share if found else 0.0
        if best < _NEARLY_ALL or best * known < _HALF * whole:
            return Matches((), found)
        of_blocks = np.asarray(self._index.scores_in(question, 0, self._n_blocks)[0]).ravel()
        of_block = (of_blocks if rows is None else of_blocks[rows]).max(initial=0.0)
        n_first = int(round(float(of_block) / known, _DIGITS) < best)
        return Matches(found[:n_first], found[n_first:])

    def _best(
        self,
        question: str,
        near: NDArray[np.int64],
        shares: NDArray[np.float64],
        most: int,
        *,
        is_distinct: bool,
    ) -> list[Ranked]:
        """Return some lines, the best first: of those that have as much that in its order."""
        import numpy as np

        n = max(most, _COMPARED)
        if is_distinct and len(near) > 1:
            # Of each text the first: later ones are overwritten.
            first = np.full(len(self.lines), -1, np.int64)
            first[self._texts[near[::-1]]] = near[::-1]
            near = first[first >= 0]
        if len(near) > n:
            least = -np.partition(-shares[near], n - 1)[n - 1]
            near = near[shares[near] >= least]
            near = near[np.lexsort((self._lengths[near], -shares[near]))[:n]]
        found = [Ranked(self.lines[row], float(shares[row])) for row in sorted(near.tolist())]
        found.sort(key=lambda each: (-each.share, *_distance(question, each.line.text)))
        return found[:most]

    @cached_property
    def _texts(self) -> NDArray[np.int64]:
        """For each line a number that equal ones have in common."""
        import numpy as np

        first: dict[str, int] = {}
        return np.array([first.setdefault(of.text, len(first)) for of in self.lines], np.int64)

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        import numpy as np

        return np.array([len(of.text) for of in self.lines], np.int64)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _distance(question: str, text: str) -> tuple[bool, int]:
    """Return what tells lines apart that have as much of a question: words in its order first."""
    own = _plain(text)
    return question not in own and own not in question, len(own)


def _indexed(lines: tuple[Line, ...], subwords: Subwords | None) -> list[_core.Bm25Segment]:
    return [
        _core.Bm25Segment([line.text for line in lines[at : at + _PART]], subwords=subwords)
        for at in range(0, len(lines), _PART)
    ]


def found_line(session: Session, of: Ranked, version: int, score: float) -> Found:
    """Return a line as a hit.

    Parameters
    ----------
    session
        The transaction.
    of
        The line, with its share of the question.
    version
        The current version of its document.
    score
        Its score beside those of blocks.

    Raises
    ------
    StoreError
        If its document was erased since.
    """
    line = of.line
    uri = uri_of(session, line.document)
    if not uri:
        raise StoreError(f"document {line.document} was erased meanwhile")
    return Found(
        "",
        uri,
        version,
        -1,
        score,
        line.text,
        line.kind,
        (),
        tuple(line.pages),
        tuple(Box._make([*box, None, None]) for box in line.boxes),
        *(line.start, line.end, line.line_start, line.line_end),
        metadata=metadata_of(session, line.document),
        why=Why(words=of.share),
    )
