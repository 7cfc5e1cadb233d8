"""Filling of a search: its candidates as hits in their order, each as wide as there is room for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chunkwright.retrieval.hits import Hits
from chunkwright.store.versions import TOKENIZER
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chunkwright.retrieval.index import Index
    from chunkwright.retrieval.options import Questions
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.searching.candidates import Candidate
    from chunkwright.store.searching.found import Found

# Blocks between a figure and its table, at most.
_BETWEEN = 2
_PARTNERS = {"figure": "table", "table": "figure"}


@dataclass
class Room:
    """Room for the texts of hits.

    Attributes
    ----------
    left
        How many tokens are left; None: without limit.
    """

    left: int | None

    @classmethod
    def beside(cls, max_tokens: int | None, hits: Iterable[Found]) -> Room:
        """Return what some hits leave of a budget."""
        room = cls(max_tokens)
        for hit in hits:
            room.takes(hit)
        return room

    def takes(self, hit: Found) -> bool:
        """Take the text of a hit in, if it fits, and return whether it does."""
        if self.left is None:
            return True
        n_tokens = as_tokenizer(TOKENIZER).count(hit.text)
        fits = n_tokens <= self.left
        self.left -= n_tokens if fits else 0
        return fits


@dataclass
class Filled:
    """The hits of candidates.

    Attributes
    ----------
    room
        What they leave.
    hits
        The hits, best first.
    is_full
        Whether further candidates would be no hits.
    following
        The first candidate that does not fit; None if none was the last one.
    """

    room: Room
    hits: list[Found] = field(default_factory=list)
    is_full: bool = False
    following: Candidate | None = None


class Filling:
    """Makes hits of candidates, of which each block is one hit or a part of one.

    Parameters
    ----------
    session
        The transaction.
    hit_of
        Makes a hit of a candidate.
    composes
        Whether a figure and the table beside it on a page are one hit.
    """

    def __init__(
        self, session: Session, hit_of: Callable[[Candidate], Found], *, composes: bool
    ) -> None:
        self._session, self._hit_of, self._composes = session, hit_of, composes
        self._own: set[str] = set()
        self._beside: set[str] = set()

    def fill(self, filled: Filled, candidates: Iterable[Candidate], k: int | None) -> None:
        """Add hits while they fit: what would be too wide is narrower, and the block alone at last.

        Parameters
        ----------
        filled
            What there is already.
        candidates
            The candidates, best first.
        k
            How many hits there may be in all; None: as many as fit.
        """
        for of in candidates:
            if len(filled.hits) == k:
                break
            forms = list(self._widest(of))
            if not forms:
                continue
            hit = next(filter(filled.room.takes, self._narrower(forms, of)), None)
            if hit is not None:
                self._own.add(hit.block)
                self._beside.update(hit.neighbours)
                filled.hits.append(hit)
            elif forms[0].block not in self._beside:
                filled.following, filled.is_full = of, True
                return
        filled.is_full = len(filled.hits) == k

    def _widest(self, of: Candidate) -> Iterator[Found]:
        """Yield a candidate with all that belongs to it, and without its figure or table.

        What another hit has is not taken again; nothing, if that is the block itself.
        """
        hit = self._hit_of(of)
        shown = self._own | self._beside
        if not shown.isdisjoint(hit.neighbours):
            hit = self._hit_of(replace(of, beside=None))
        is_shown = hit.block in self._beside
        partner = _partner(self._session, hit) if self._composes and not is_shown else None
        if partner is not None and partner[0] not in shown.union(hit.neighbours):
            block, text, ordinal = partner
            parts = [text, hit.text] if ordinal < hit.ordinal else [hit.text, text]
            yield hit.with_text("\n\n".join(parts), (*hit.neighbours, block))
        if hit.neighbours or not is_shown:
            yield hit

    def _narrower(self, forms: Iterable[Found], of: Candidate) -> Iterator[Found]:
        """Yield forms of a candidate, the widest first, and the block alone at last."""
        hit = None
        for hit in forms:
            yield hit
        if hit is not None and hit.neighbours and hit.block not in self._beside:
            yield self._hit_of(replace(of, beside=None))


def _partner(session: Session, hit: Found) -> tuple[str, str, int] | None:
    """Return the nearest block of the other kind on a page of a hit: id, text and ordinal."""
    kind = _PARTNERS.get(hit.block_type)
    if kind is None or not hit.pages:
        return None
    rows = session.rows(
        "SELECT p.block, b.text, p.ordinal FROM placements p JOIN blocks b ON b.id = p.block"
        " JOIN documents d ON d.id = p.document WHERE d.uri = ? AND p.version = ?"
        " AND p.block_type = ? AND p.ordinal BETWEEN ? AND ?"
        " AND p.page_start <= ? AND p.page_end >= ?",
        (
            *(hit.document, hit.version, kind),
            *(hit.ordinal - _BETWEEN - 1, hit.ordinal + _BETWEEN + 1),
            *(hit.pages[-1], hit.pages[0]),
        ),
    )
    near = sorted(rows, key=lambda row: (abs(row[2] - hit.ordinal), row[2]))
    return None if not near else (near[0][0], near[0][1], near[0][2])


def part_of(index: Index, asked: Questions, of: Candidate, room: int) -> Candidate | None:
    """Return the run of a candidate's sentences that fits and speaks most to the question."""
    import numpy as np

    offsets, row, score = np.array([0, 1]), np.array([of.row]), np.array([of.score])
    hits = Hits(offsets, row, score)
    if of.end is not None:
        hits = replace(hits, starts=np.array([of.start]), ends=np.array([of.end]))
    (part,) = index.best_parts(hits, asked, [room], TOKENIZER)
    return replace(of, start=part[0].start, end=part[0].end, beside=None) if part else None
