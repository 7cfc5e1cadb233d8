"""Verification of quotes: whether words stand in the documents or edits of a store, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.store.citing.places import Place, place_in
from chunkwright.store.citing.quoted_texts import contents_of
from chunkwright.store.citing.views import View
from chunkwright.store.model import MANUAL
from chunkwright.store.quotes import QuoteTexts
from chunkwright.store.reading import known_document, uri_of
from chunkwright.store.versions import document_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chunkwright.store.citing.quoted_texts import Content, QuotedTexts, QuoteFilters, Text
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.quotes import Verdict


@dataclass(frozen=True)
class Verification:
    """What became of a quote.

    Attributes
    ----------
    verdict
        ``"found"``: the words stand as one run in the document that was asked for, or in any.
        ``"elsewhere"``: they stand in another document only. ``"abridged"``: parts of them do, in
        their order, and an ellipsis says so. ``"stitched"``: they are put together of runs from
        different places, and do not say so. ``"missing"``: they stand nowhere.
    places
        Where the words stand, or their parts.
    nearest
        Of missing words the place of a long run of them, the longest one of the documents that may
        have such; None if there is none.
    quoted, stands
        Of missing words the first one that differs there, and the word that stands in its place.
    is_current
        Whether all places are in current versions: not of documents that were removed.
    """

    verdict: Verdict
    places: tuple[Place, ...]
    nearest: Place | None = None
    quoted: str | None = None
    stands: str | None = None
    is_current: bool = True

    @property
    def is_verbatim(self) -> bool:
        """Whether the words stand somewhere as one run."""
        return self.verdict in {"found", "elsewhere"}


class Asked(NamedTuple):
    """A question after a quote.

    Attributes
    ----------
    quote
        The words.
    document
        The document that they should be from; None for any.
    near
        Documents that share words with the quote, the likeliest first.
    limit
        How many places are returned at most.
    """

    quote: str
    document: int | None
    near: Sequence[int]
    limit: int


class Searched(NamedTuple):
    """What a quote is looked for in.

    Attributes
    ----------
    session
        The transaction.
    texts
        The store's texts.
    filters
        The filters of these.
    """

    session: Session
    texts: QuotedTexts
    filters: QuoteFilters


def verify(searched: Searched, asked: Asked) -> Verification:
    """Look for a quote in all documents: in current versions first, then in old ones.

    Parameters
    ----------
    searched
        The texts.
    asked
        The question.

    Raises
    ------
    ConfigError
        If the quote is too short.
    """
    contents = contents_of(searched.session)
    searched.filters.keep(contents)
    own = _in_order(contents, asked)
    current = [content for content in own if content.is_current]
    n_near = max(1, sum(content.document in _likely(asked) for content in current))
    found = _compared(searched, current, asked, n_near)
    if found.is_verbatim or len(own) == len(current):
        return found
    older = _compared(searched, own, asked, 0 if found.nearest is not None else 1)
    is_better = _RANKS.index(older.verdict) < _RANKS.index(found.verdict)
    return older if is_better or found.nearest is None else found


_RANKS: tuple[Verdict, ...] = ("found", "elsewhere", "abridged", "stitched", "missing")
# Documents whose single words make a nearest place, where no longer part stands anywhere.
_LIKELY = 5


def _likely(asked: Asked) -> list[int]:
    first = [] if asked.document is None else [asked.document]
    return [*first, *asked.near][:_LIKELY]


def _in_order(contents: list[Content], asked: Asked) -> list[Content]:
    """Return contents as they are looked at: current ones first, of these the likely ones."""
    first = [] if asked.document is None else [asked.document]
    ranks = {document: i for i, document in enumerate(dict.fromkeys([*first, *asked.near]))}
    return sorted(
        contents, key=lambda each: (not each.is_current, ranks.get(each.document, len(ranks)))
    )


def _compared(
    searched: Searched, contents: list[Content], asked: Asked, n_near: int
) -> Verification:
    """Return what became of a quote in contents; only those are read that may have parts of it."""
    session, texts, _ = searched
    filters = searched.filters.of(session, contents)
    opened: dict[int, list[Text]] = {}
    while True:
        slots = [
            (each, [text.normal for text in opened[i]] if i in opened else None)
            for i, each in enumerate(filters)
        ]
        needs, verdict, places, nearest = _core.compare_quote(
            slots, asked.quote, asked.limit, n_near
        )
        if not needs:
            break
        opened |= {i: texts.of(session, contents[i]) for i in needs}

    def place(at: tuple[int, int], span: tuple[int, int]) -> Place:
        slot, number = at
        start = opened[slot][number].start
        return _place(session, contents[slot], (start + span[0], start + span[1]))

    of = [contents[slot] for (slot, _), _ in places]
    is_elsewhere = asked.document is not None and all(
        content.document != asked.document for content in of
    )
    found = Verification(
        "elsewhere" if verdict == "found" and is_elsewhere else verdict,
        tuple(place(*each) for each in places),
        is_current=all(content.is_current for content in of),
    )
    if nearest is None:
        return found
    at, span, quoted, stands = nearest
    text = opened[at[0]][at[1]].normal.text
    return replace(
        found,
        nearest=place(at, span),
        quoted=asked.quote[slice(*quoted)],
        stands=text[slice(*stands)],
    )


def _place(session: Session, content: Content, span: tuple[int, int]) -> Place:
    document, version = content.document, content.version
    whole = document_at(session, known_document(session, document), version)
    row = session.row(
        "SELECT block FROM placements WHERE document = ? AND version = ? AND char_start <= ?"
        " AND char_end > ? ORDER BY ordinal",
        (document, version, span[0], span[0]),
    )
    block = None if row is None else row[0]
    return place_in(whole, uri_of(session, document), version, span, block)


def with_edits(
    session: Session, of: Verification, quote: str, document: int | None, limit: int
) -> Verification:
    """Return a verification that knows of edits by hand, too.

    Words of a current edit are found, and words of its source say what they were edited as.

    Parameters
    ----------
    session
        The transaction.
    of
        What became of the quote by the sources alone.
    quote
        The words.
    document
        The document that they should be from; None for any.
    limit
        How many places are returned at most.
    """
    of = replace(of, places=tuple(_as_source(session, of.places)))
    own: list[Place] = []
    others: list[Place] = []
    for number, place in _edited_places(session, quote, limit):
        (own if document in {None, number} else others).append(place)
    if not own and (not others or of.verdict == "found"):
        return of
    known = of.places if of.is_verbatim else ()
    return replace(
        of,
        verdict="found" if own else "elsewhere",
        places=(*own, *others, *known)[:limit],
        nearest=None,
        quoted=None,
        stands=None,
        is_current=of.is_current if known else True,
    )


def _as_source(session: Session, places: Iterable[Place]) -> Iterable[Place]:
    """Yield places of sources, those of edited blocks with the block that was cut there."""
    sql = (
        "SELECT COALESCE(b.base, b.id), e.id FROM blocks b JOIN blocks e"
        " ON e.base = COALESCE(b.base, b.id) AND e.origin = ? AND e.superseded_by IS NULL"
        " JOIN placements p ON p.block = e.id JOIN documents d"
        " ON d.id = p.document AND d.current_version = p.version WHERE b.id = ?"
    )
    for place in places:
        row = session.row(sql, (MANUAL, place.block))
        yield place if row is None else replace(place, block=row[0], edited_as=row[1])


def _edited_places(session: Session, quote: str, limit: int) -> Iterable[tuple[int, Place]]:
    """Yield where a quote stands in current edits, each with the number of the document."""
    rows = session.rows(
        "SELECT d.id, d.current_version, b.id, b.text FROM blocks b"
        " JOIN documents d ON d.id = b.document JOIN placements p ON p.block = b.id"
        " AND p.document = d.id AND p.version = d.current_version"
        # All of them have a base, and of these there is an index.
        " WHERE b.base > '' AND b.origin = ? ORDER BY d.id, p.ordinal",
        (MANUAL,),
    )
    if not rows:
        return
    views: dict[int, View] = {}
    for match in QuoteTexts([row[3] for row in rows]).find(quote, limit=limit):
        document, version, block, _ = rows[match.text_index]
        if document not in views:
            views[document] = View(session, known_document(session, document), version)
        view = views[document]
        start = view.blocks[view.numbers[block]].start
        yield document, view.place(start + match.start, start + match.end)
