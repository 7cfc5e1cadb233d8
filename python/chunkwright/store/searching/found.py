"""Found blocks: hits of a search with their places, and why they were found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chunkwright.chunk_view import Chunk
    from chunkwright.elements.box import Box
    from chunkwright.render.notebook import ShownText

Side = Literal["prefix", "suffix"]
"""The shadow of a block in which a question was found: before it, or behind."""


@dataclass(frozen=True)
class Why:
    """Why a block was found.

    Attributes
    ----------
    words
        Its score by words, from 0 to 1 before it is weighed; None: words did not count.
    vectors
        What its vector gave to the score, from -1 to 1: in a sum with words its cosine as
        :func:`chunkwright.retrieval.standardise` has it, or else the cosine; None: vectors did not
        count.
    cosine
        Its cosine with the question; None: vectors did not count.
    shadow
        The shadow that speaks to the question: its neighbour is a part of the hit if there was room
        for it, and no better hit has it. None if none was searched, or none did.
    shadow_score
        The score of that shadow by words, from 0 to 1.
    rank_before, score_before
        How many hits had a better place, and its score, before a reranker; None without one.
    """

    words: float | None = None
    vectors: float | None = None
    cosine: float | None = None
    shadow: Side | None = None
    shadow_score: float | None = None
    rank_before: int | None = None
    score_before: float | None = None


class Results(list["Found"]):
    """The hits of a question, best first.

    Attributes
    ----------
    is_complete
        Whether there are as many as were asked for, or no more that fit: False where the index of
        the database ended its search before.
    """

    def __init__(self, found: Iterable[Found] = (), *, is_complete: bool = True) -> None:
        super().__init__(found)
        self.is_complete = is_complete

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import texts_display

        facts = [counted(len(self), "hit")]
        return texts_display("Results", facts, [each.shown() for each in self])


@dataclass(frozen=True)
class Found:
    """A block that was found, or a page header or footer.

    Attributes
    ----------
    block
        The id of the block; empty for a page header or footer, which is in none.
    document
        The address of its document.
    version
        The version of the document.
    ordinal
        Its number in that; -1 for a page header or footer.
    score
        How well it fits; greater is better.
    text
        What was found: context and text of the block, or the part that was kept of it; with its
        neighbour where that belongs to the hit, and with what it was expanded to.
    block_type
        What it is, such as ``"heading_para"``, ``"list"``, ``"table"`` or ``"page header"``.
    headings
        Headings of its section, the outermost first.
    pages
        The pages that it is on.
    boxes
        Where it stands on these.
    start, end
        Its own text, in code points of the version's text.
    line_start, line_end
        The lines of that text, from 1.
    metadata
        Those of its document.
    why
        Why it was found.
    neighbours
        The ids of the blocks that ``text`` has beside it.
    duplicates
        The ids of blocks elsewhere that say nearly the same; they are no hits of their own.
    origin
        ``"cut"``, or ``"manual"`` for a block that was edited by hand.
    speakers
        Those whose turns it has, in the order in which they speak first.
    time_start, time_end
        When what it has of turns begins and ends, in seconds; None if no time is known. See
        :attr:`chunkwright.Chunk.time_start`.
    """

    block: str
    document: str
    version: int
    ordinal: int
    score: float
    text: str
    block_type: str
    headings: tuple[str, ...]
    pages: tuple[int, ...]
    boxes: tuple[Box, ...]
    start: int
    end: int
    line_start: int
    line_end: int
    metadata: Mapping[str, Any]
    why: Why
    neighbours: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    origin: str = "cut"
    speakers: tuple[str, ...] = ()
    time_start: float | None = None
    time_end: float | None = None

    # No fields: they would be copied, compared and written with all columns of their document.
    _block: ClassVar[_Restorable | None] = None
    _chunk: ClassVar[Chunk | None] = None

    @property
    def chunk(self) -> Chunk | None:
        """The chunk, with its document and elements; None if it was edited by hand, or is no block.

        It is read from the store when it is asked for.

        Raises
        ------
        StoreError
            If the store was closed, or the version pruned, before it was read.
        """
        if self._chunk is None and self._block is not None:
            object.__setattr__(self, "_chunk", self._block.chunk)
        return self._chunk

    def with_text(self, text: str, neighbours: tuple[str, ...] | None = None) -> Found:
        """Return the same with another text, and the blocks that this has beside its own."""
        beside = self.neighbours if neighbours is None else neighbours
        found = replace(self, text=text, neighbours=beside).with_chunk_of(self._block)
        object.__setattr__(found, "_chunk", self._chunk)
        return found

    def with_chunk_of(self, block: _Restorable | None) -> Found:
        """Return the same with the chunk of a block."""
        object.__setattr__(self, "_block", block)
        return self

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import texts_display

        return texts_display(self.document, [f"version {self.version}"], [self.shown()])

    def shown(self) -> ShownText:
        """Return what a notebook shows of it."""
        from chunkwright.render.notebook import ShownText, place_facts

        facts = [f"score {self.score:.3f}"]
        parts = (("words", self.why.words), ("vectors", self.why.vectors))
        facts += [f"{name} {value:.3f}" for name, value in parts if value is not None]
        facts += [self.document, *place_facts(self.pages, self.headings)]
        facts.append(f"lines {self.line_start}-{self.line_end}")
        return ShownText(self.text, facts, self.ordinal, self.block)

    def __getstate__(self) -> dict[str, Any]:
        # What the chunk says, and not the store that has it.
        return {**vars(self), "_block": None, "_chunk": self.chunk}


class _Restorable(Protocol):
    """What restores a chunk."""

    @property
    def chunk(self) -> Chunk | None:
        """The chunk, if there is one."""
