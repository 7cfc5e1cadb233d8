"""Versions of documents as search shows them: with the words that were written by hand."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.store.citing.places import Place, headings_in, headings_of, place_in
from chunkwright.store.citing.tokens import Token, tokens_of
from chunkwright.store.drafts import BODY, Row, stored_text
from chunkwright.store.model import MANUAL
from chunkwright.store.versions import document_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.model import DocumentState

Span = tuple[int, int]


class Standing(NamedTuple):
    """A block in a version.

    Attributes
    ----------
    block
        Its id.
    base
        The id of the block that was cut there: another one where that was edited by hand.
    text
        Its text, as the store has it.
    pieces
        Its own parts of the version's text, in UTF-8 bytes.
    start, end
        Where it stands in the text of the view, in code points.
    """

    block: str
    base: str
    text: str
    pieces: list[list[int]]
    start: int
    end: int

    @property
    def is_manual(self) -> bool:
        """Whether it was written by hand."""
        return self.block != self.base


class _Written(NamedTuple):
    """Words in the place of a part of a version's text, in code points of both texts."""

    start: int
    end: int
    source_start: int
    source_end: int
    block: str


class View:
    """A version of a document, with the text of edited blocks in the place of their source.

    Parameters
    ----------
    session
        The transaction.
    state
        The document.
    version
        The number of the version.

    Attributes
    ----------
    document
        The version as it was read.
    version
        Its number.
    text
        Its body with all edits; places below are code points of it.
    blocks
        Its blocks, in order.

    Raises
    ------
    StoreError
        If there is no such version, or it cannot be read.
    """

    def __init__(self, session: Session, state: DocumentState, version: int) -> None:
        self.document: Document = document_at(session, state, version)
        self.version = version
        self._uri = state.uri
        self._data = self.document.text.encode("utf-8", "surrogatepass")
        rows = session.rows(
            "SELECT b.id, COALESCE(b.base, b.id), b.text, b.origin, p.chunk FROM placements p"
            " JOIN blocks b ON b.id = p.block WHERE p.document = ? AND p.version = ?"
            " ORDER BY p.ordinal",
            (state.id, version),
        )
        pieces = [
            [piece[1:] for piece in Row.of_json(row[4]).pieces if piece[0] == BODY] for row in rows
        ]
        chars = _chars_at(self._data, [at for own in pieces for piece in own for at in piece])
        spans = [(chars[own[0][0]], chars[own[-1][1]]) for own in pieces]
        edited = [(spans[i], row[0], row[2]) for i, row in enumerate(rows) if row[3] == MANUAL]
        self.text: str
        self.text, self._written = _with_edits(stored_text(self.document.body), edited)
        self.blocks: list[Standing] = [
            Standing(
                *(row[0], row[1], row[2], own),
                start=self._shown(start, is_end=False),
                end=self._shown(end, is_end=True),
            )
            for row, own, (start, end) in zip(rows, pieces, spans, strict=True)
        ]

    # -------------------------------------------------------------- blocks

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Numbers of blocks by their ids, and by those of the blocks that they stand for."""
        found = {each.base: number for number, each in enumerate(self.blocks)}
        return found | {each.block: number for number, each in enumerate(self.blocks)}

    @cached_property
    def _by_start(self) -> list[int]:
        return sorted(range(len(self.blocks)), key=lambda number: self.blocks[number].start)

    @cached_property
    def _starts(self) -> list[int]:
        return [self.blocks[number].start for number in self._by_start]

    def number_at(self, at: int) -> int | None:
        """Return the number of the block that a character is in; None if it is in none."""
        place = bisect_right(self._starts, at) - 1
        if place < 0:
            return None
        number = self._by_start[place]
        return number if at < self.blocks[number].end else None

    def span_of(self, standing: Standing, start: int, end: int) -> Span:
        """Return where a part of a block's text stands.

        Parameters
        ----------
        standing
            The block.
        start, end
            The part, in code points of the block's text; it may end behind that.
        """
        if standing.is_manual:
            return standing.start + start, standing.start + end
        own = "".join(self._data[a:b].decode("utf-8", "surrogatepass") for a, b in standing.pieces)
        text, length = standing.text, len(standing.text)
        inner = part_in_other_whitespace(text, stored_text(own), (start, min(end, length)))
        first = self._position(standing.pieces, inner[0], is_end=False)
        last = max(first, self._position(standing.pieces, inner[1], is_end=True))
        shown = self._shown(first, is_end=False), self._shown(last, is_end=True)
        return shown if end <= length else (shown[0], min(shown[0] + end - start, len(self.text)))

    def part_of(self, standing: Standing, at: int) -> int:
        """Return the code point of a block's text that stands at a place in the block."""
        if standing.is_manual:
            return at - standing.start
        own = self.text[standing.start : standing.end]
        return part_in_other_whitespace(own, standing.text, (at - standing.start, len(own)))[0]

    def _position(self, pieces: Sequence[Sequence[int]], offset: int, *, is_end: bool) -> int:
        """Return the code point of the version's text at an offset into some parts of it."""
        for begin, stop in pieces:
            n_chars = len(self._data[begin:stop].decode("utf-8", "surrogatepass"))
            if offset < n_chars or (is_end and offset == n_chars):
                return len(self._data[:begin].decode("utf-8", "surrogatepass")) + offset
            offset -= n_chars
        return len(self._data[: pieces[-1][1]].decode("utf-8", "surrogatepass"))

    # -------------------------------------------------------------- places

    def place(self, start: int, end: int) -> Place:
        """Return a place in the version; of words written by hand that of their source."""
        number = self.number_at(start)
        block = None if number is None else self.blocks[number].block
        span = self._source(start, is_end=False), self._source(end, is_end=True)
        text = None
        if any(start < each.end and each.start < end for each in self._written):
            text = self.text[start:end]
        return place_in(self.document, self._uri, self.version, span, block, written=text)

    def headings(self, start: int, end: int) -> tuple[str, ...]:
        """Return the headings of the section that a part begins in, the outermost first."""
        span = self._source(start, is_end=False), self._source(end, is_end=True)
        return headings_in(self.document, *span)

    def sections(self, headings: tuple[str, ...]) -> list[Span]:
        """Return the parts that stand under some headings, the outermost first; none for none."""
        elements = self.document.elements
        if elements is None or not headings:
            return []
        own = {each.index for each in elements if headings_of(self.document, each) == headings}
        firsts = sorted(number for number in own if number - 1 not in own)
        lasts = sorted(number for number in own if number + 1 not in own)
        return [
            (
                self._shown(elements[first].start, is_end=False),
                self._shown(elements[last].end, is_end=True),
            )
            for first, last in zip(firsts, lasts, strict=True)
        ]

    def source(self, start: int, end: int) -> Span:
        """Return the part of the version's own text that a part of the view stands for."""
        return self._source(start, is_end=False), self._source(end, is_end=True)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens of the text."""
        return tokens_of(self.text)

    def _source(self, at: int, *, is_end: bool) -> int:
        moved = 0
        for each in self._written:
            if at < each.start or (at == each.start and is_end):
                break
            if at < each.end or (at == each.end and is_end):
                return each.source_end if is_end else each.source_start
            moved = each.source_end - each.end
        return at + moved

    def _shown(self, at: int, *, is_end: bool) -> int:
        """Return where a place of the version's own text is; at an end of what was edited."""
        moved = 0
        for each in self._written:
            if at < each.source_start or (at == each.source_start and is_end):
                break
            if at < each.source_end or (at == each.source_end and is_end):
                return each.end if is_end else each.start
            moved = each.end - each.source_end
        return at + moved


def part_in_other_whitespace(text: str, other: str, part: Span) -> Span:
    """Return where a part of a text stands in the same text with other whitespace."""
    if text == other:
        return part
    n_before, n_within = (len("".join(text[a:b].split())) for a, b in ((0, part[0]), part))
    solid = [at for at, char in enumerate(other) if not char.isspace()]
    own = solid[n_before : n_before + n_within]
    return (own[0], own[-1] + 1) if own else (len(other), len(other))


def _chars_at(data: bytes, offsets: Sequence[int]) -> dict[int, int]:
    """Return the numbers of the code points that begin at offsets in UTF-8."""
    found, last, n_chars = {0: 0}, 0, 0
    for at in sorted(set(offsets)):
        n_chars += len(data[last:at].decode("utf-8", "surrogatepass"))
        found[at] = n_chars
        last = at
    return found


def _with_edits(body: str, edited: Sequence[tuple[Span, str, str]]) -> tuple[str, list[_Written]]:
    """Return a body with texts in the place of parts of it, and where they are."""
    parts, written = [], list[_Written]()
    last = n_chars = 0
    for (start, end), block, text in sorted(edited):
        if start < last:
            # Of another block, too.
            continue
        parts += [body[last:start], text]
        at = n_chars + start - last
        written.append(_Written(at, at + len(text), start, end, block))
        last, n_chars = end, at + len(text)
    return "".join([*parts, body[last:]]), written
