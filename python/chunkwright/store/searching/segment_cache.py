"""Snapshot of what a store searches: segments of one state, renewed where documents changed."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.errors import ReadError
from chunkwright.messages.logs import skipped
from chunkwright.store.searching.fields import Current
from chunkwright.store.searching.segments import Segment, segment_of, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.retrieval.steps.bm25 import Subwords
    from chunkwright.store.database.protocol import Database, Session

# A segment is made of so many blocks, and split when it has twice as many.
SEGMENT_BLOCKS = 3072

# A segment in which documents at more places changed is made anew.
_MOST_SPLICES = 8

Keyed = tuple[int, bytes]
"""A segment by the number of its first document, and the state of its documents."""


class Held(NamedTuple):
    """A segment, and the documents that it is of."""

    segment: Segment
    currents: Sequence[Current]


class Segments:
    """Segments of a store, kept in memory and written beside the blocks.

    Each covers the documents from its first one up to the next segment's. What is written is
    derived: a segment whose documents have changed, or that is damaged, is made anew of the blocks.

    Parameters
    ----------
    database
        The store's.
    subwords
        See :class:`chunkwright.Retriever`.
    """

    def __init__(self, database: Database, subwords: Subwords | None) -> None:
        self._database = database
        self._subwords = subwords
        self._held: dict[Keyed, Held] = {}
        self._unwritten: dict[Keyed, Segment] = {}

    def of(self, session: Session) -> list[Segment]:
        """Return the segments of the state that a transaction sees."""
        stored = self._stored(session)
        found: dict[Keyed, Held] = {}
        for group in _grouped(currents_of(session), sorted(stored)):
            key = group[0].document, state_of(group)
            if key in self._held:
                found[key] = self._held[key]
            elif (segment := self._loaded(session, key, stored.get(key[0]))) is not None:
                found[key] = Held(segment, group)
            elif (segment := self._spliced(session, group)) is not None:
                found[key] = Held(segment, group)
                self._unwritten[key] = segment
            else:
                found |= self._made(session, group)
        self._held = found
        self._unwritten = {key: of for key, of in self._unwritten.items() if key in found}
        return [held.segment for held in found.values()]

    def is_stale(self, session: Session) -> bool:
        """Return whether what is written is not of the state that a transaction sees."""
        stored = self._stored(session)
        groups = list(_grouped(currents_of(session), sorted(stored)))
        keys = {(group[0].document, state_of(group)) for group in groups}
        return keys != set(stored.items())

    def write(self) -> None:
        """Write the segments that were made anew, in the place of those before."""
        if not self._unwritten:
            return
        firsts = [first for first, _ in self._held]
        with self._database.writing() as session:
            self._forget_erased(session)
            sql = "SELECT first FROM word_segments WHERE subwords = ?"
            gone = {row[0] for row in session.rows(sql, (self._name,))} - set(firsts)
            for first in {*gone, *(first for first, _ in self._unwritten)}:
                sql = "DELETE FROM word_segments WHERE first = ? AND subwords = ?"
                session.run(sql, (first, self._name))
            session.insert(
                "word_segments",
                [
                    (first, self._name, state, segment.to_bytes())
                    for (first, state), segment in self._unwritten.items()
                ],
            )
        self._unwritten = {}

    def _forget_erased(self, session: Session) -> None:
        """Leave out segments with documents that were erased since: their words must not return."""
        known = {row[0] for row in session.rows("SELECT id FROM documents")}
        self._unwritten = {
            key: each
            for key, each in self._unwritten.items()
            if known.issuperset(each.documents.tolist())
        }

    @property
    def _name(self) -> str:
        return self._subwords or "none"

    def _stored(self, session: Session) -> dict[int, bytes]:
        """Return the states of the segments that are written, by their first documents."""
        sql = "SELECT first, state FROM word_segments WHERE subwords = ? ORDER BY first"
        return dict(session.rows(sql, (self._name,)))

    def _loaded(self, session: Session, key: Keyed, state: bytes | None) -> Segment | None:
        """Return a segment that was written; None if there is none of that state."""
        if state != key[1]:
            return None
        sql = "SELECT data FROM word_segments WHERE first = ? AND subwords = ?"
        row = session.row(sql, (key[0], self._name))
        try:
            return None if row is None else Segment.of_bytes(row[0])
        except ReadError as error:
            skipped(f"the index of documents from {key[0]} on", f"{error}; it is made anew")
            return None

    def _spliced(self, session: Session, group: Sequence[Current]) -> Segment | None:
        """Return a segment that is held with the documents of it that have changed.

        None: none has enough in common, or it would have too many blocks.
        """
        first, last = group[0].document, group[-1].document
        near = [
            held
            for held in self._held.values()
            if held.currents[0].document <= last and first <= held.currents[-1].document
        ]
        if not near:
            return None
        wanted = set(group)
        best = max(near, key=lambda held: len(wanted.intersection(held.currents)))
        runs = list(_changed(best.currents, group))
        if len(runs) > _MOST_SPLICES:
            return None
        segment = best.segment
        for begin, end, new in reversed(runs):
            segment = segment.spliced(begin, end, segment_of(session, new, self._subwords))
            if len(segment) > 2 * SEGMENT_BLOCKS:
                return None
        return segment

    def _made(self, session: Session, group: Sequence[Current]) -> dict[Keyed, Held]:
        """Return segments of documents that are indexed anew."""
        found = {}
        for part in _parts(session, group):
            key = part[0].document, state_of(part)
            found[key] = Held(segment_of(session, part, self._subwords), part)
        self._unwritten |= {key: held.segment for key, held in found.items()}
        return found


def _changed(
    before: Sequence[Current], now: Sequence[Current]
) -> Iterator[tuple[int, int, list[Current]]]:
    """Yield runs of documents that changed: the first, that behind the last, and those now."""
    old, new = ({each.document: each for each in side} for side in (before, now))
    begin, run = None, list[Current]()
    for document in sorted(old.keys() | new.keys()):
        if old.get(document) == new.get(document):
            if begin is not None:
                yield begin, document, run
            begin, run = None, []
            continue
        begin = document if begin is None else begin
        if document in new:
            run.append(new[document])
    if begin is not None:
        yield begin, 1 + max(*old, *new, begin), run


def currents_of(session: Session) -> list[Current]:
    """Return the current versions of all documents, in the order of their numbers."""
    rows = session.rows(
        "SELECT id, current_version, revision FROM documents"
        " WHERE current_version IS NOT NULL ORDER BY id"
    )
    return [Current(*row) for row in rows]


def _grouped(currents: Sequence[Current], firsts: Sequence[int]) -> Iterator[list[Current]]:
    """Yield documents that one segment covers together."""
    group: list[Current] = []
    at = -1
    for current in currents:
        own = bisect_right(firsts, current.document)
        if group and own != at:
            yield group
            group = []
        group.append(current)
        at = own
    if group:
        yield group


def _parts(session: Session, group: Sequence[Current]) -> Iterator[list[Current]]:
    """Yield documents in parts of some thousand blocks; one part if they are not twice as many."""
    counts: dict[int, int] = dict(
        session.among(
            "SELECT d.id, (SELECT count(*) FROM placements p WHERE p.document = d.id"
            " AND p.version = d.current_version) FROM documents d WHERE d.id IN",
            [current.document for current in group],
        )
    )
    if sum(counts.values()) <= 2 * SEGMENT_BLOCKS:
        yield list(group)
        return
    part: list[Current] = []
    n_blocks = 0
    for current in group:
        part.append(current)
        n_blocks += counts.get(current.document, 0)
        if n_blocks >= SEGMENT_BLOCKS:
            yield part
            part, n_blocks = [], 0
    if part:
        yield part
