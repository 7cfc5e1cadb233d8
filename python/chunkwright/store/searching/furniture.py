"""Page headers and footers: lines that are in no block, found by their words alone.

A reader may take a line of the body for one, and nobody would find it. How much of a question a
line has is the share of the question's words that stand in it, each by its rarity in blocks and
lines together: what is in no block is what the line was looked for by.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import _core
from chunkwright.elements.box import Box
from chunkwright.errors import ReadError, StoreError
from chunkwright.store.content import document_of
from chunkwright.store.importing.drafts import stored_text
from chunkwright.store.searching.found import Found, Why
from chunkwright.store.state import content_row, metadata_of, uri_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.elements.elements import Element
    from chunkwright.retrieval.steps.bm25 import Subwords
    from chunkwright.store.database.protocol import Session

# A line with so much of a question, and half of its words, is the first hit where no block has as
# much. It is one line: a number of hits loses the last one, a budget what it takes.
_NEARLY_ALL = 0.9
# One with so much is a hit behind the blocks.
_HALF = 0.5
# Shares have so many digits: they are sums of 32 bits, and equal ones are to be equal.
_DIGITS = 4
_WORD = re.compile(r"\w+")
# Lines are indexed in parts of so many.
_PART = 32_768


class Line(NamedTuple):
    """A page header or footer of the current version of a document.

    Attributes
    ----------
    document
        The number of the document.
    kind
        The kind of its element, such as ``"page header"``.
    text
        Its text.
    start, end
        Where it stands first, in code points of the version's text.
    line_start, line_end
        The lines of that text.
    pages
        All pages that it is on.
    boxes
        Where it stands on these: page, left, top, right and bottom.
    """

    document: int
    kind: str
    text: str
    start: int
    end: int
    line_start: int
    line_end: int
    pages: list[int]
    boxes: list[list[Any]]


_TYPES = (int, str, str, int, int, int, int, list, list)


def lines_of(session: Session, document: int, version: int) -> list[Line]:
    """Return the page headers and footers of a version, equal ones as one."""
    content = content_row(session, document, version)
    read = None if content is None else document_of(content[0], "")
    elements = None if read is None else read.elements
    if elements is None:
        return []
    found: dict[tuple[str, str], Line] = {}
    for element in elements[elements.n_body :]:
        text = stored_text(element.text)
        if not text.strip():
            continue
        kind, start, end, lines = element.kind, element.start, element.end, element.lines
        new = Line(document, kind, text, start, end, lines[0], lines[1], [], [])
        line = found.setdefault((kind, text), new)
        line.pages.extend(page for page in element.pages if page not in line.pages[-2:])
        line.boxes.extend(list(box[:5]) for box in _boxes(element))
    return [line._replace(pages=sorted(set(line.pages))) for line in found.values()]


def _boxes(element: Element) -> tuple[Box, ...]:
    try:
        return element.boxes
    except ReadError:
        # A box that its source gives in a form that is not known costs the line nothing.
        return ()


def to_bytes(lines: Iterable[Line]) -> bytes:
    """Return lines as bytes."""
    return json.dumps([*lines], ensure_ascii=False).encode()


def of_bytes(data: bytes) -> tuple[Line, ...]:
    """Return the lines that :func:`to_bytes` wrote.

    Raises
    ------
    ReadError
        If the bytes are no lines.
    """
    try:
        lines = tuple(Line(*row) for row in json.loads(data))
    except (TypeError, ValueError, RecursionError):
        raise ReadError("the lines of a segment are damaged") from None
    if not all(tuple(map(type, line)) == _TYPES for line in lines):
        raise ReadError("the lines of a segment are no lines")
    return lines


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
        self.lines = [line for each in self._given for line in each]
        self.documents: NDArray[np.int64] = np.array([of.document for of in self.lines], np.int64)

    def matches(
        self,
        question: str,
        rows: NDArray[np.int64] | None,
        is_among: NDArray[np.bool_] | None,
        *,
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
        is_distinct
            Whether of equal lines of several documents only the first is one.
        """
        import numpy as np

        scores, bound = self._index.scores_in(question, self._n_blocks, self._n_all)
        if bound <= 0:
            return Matches()
        shares = np.round(np.asarray(scores)[0] / bound, _DIGITS).astype(np.float64)
        if is_among is not None:
            shares = np.where(is_among, shares, 0.0)
        has_blocks = self._has_blocks if rows is None else len(rows) > 0
        near = np.flatnonzero(shares >= _HALF if has_blocks else shares > 0)
        found = [Ranked(self.lines[row], float(shares[row])) for row in near.tolist()]
        asked = _plain(question)
        found.sort(key=lambda each: (-each.share, *_distance(asked, each.line.text)))
        if is_distinct:
            found = list({each.line.text: each for each in reversed(found)}.values())[::-1]
        is_near = bool(found) and found[0].share >= _NEARLY_ALL
        if not is_near or not _has_half(found[0].line.text, asked):
            return Matches((), found)
        of_blocks = np.asarray(self._index.scores_in(question, 0, self._n_blocks)[0]).ravel()
        most = (of_blocks if rows is None else of_blocks[rows]).max(initial=0.0)
        n_first = int(round(float(most) / bound, _DIGITS) < found[0].share)
        return Matches(found[:n_first], found[n_first:])


def _has_half(text: str, question: str) -> bool:
    """Return whether a text has half of the words of a question, or is in it or around it.

    Shares do not count the words that stand nowhere: in a question of another language, most.
    """
    words, own = (set(_WORD.findall(_plain(each))) for each in (question, text))
    return not _distance(question, text)[0] or 2 * len(words & own) >= len(words)


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
