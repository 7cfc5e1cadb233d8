"""Verification of quotes: whether words stand in the documents of a store, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.store.citing.places import Place, place_in
from chunkwright.store.quotes import Comparison, Match, QuoteTexts, Verdict
from chunkwright.store.state import text_of, uri_of
from chunkwright.store.versions import document_at, known_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.store.database.protocol import Session

# Texts that are normalised at once: so many characters, or one text.
_CHARS_AT_ONCE = 4_000_000


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
        Of missing words the place of the longest run of them that stands somewhere; None if there
        is none.
    quoted, stands
        Of missing words the first one that differs there, and the word that stands in its place.
    is_current
        Whether all places are in current versions.
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


Version = tuple[int, int]
"""The numbers of a document and of a version of it."""


def verify(
    session: Session, quote: str, document: int | None, near: Sequence[int], limit: int
) -> Verification:
    """Look for a quote in all documents: first where it is likely, then everywhere.

    Parameters
    ----------
    session
        The transaction.
    quote
        The words.
    document
        The document that they should be from; None for any.
    near
        Documents that share words with the quote, the likeliest first.
    limit
        How many places are returned at most.

    Raises
    ------
    ConfigError
        If the quote is too short.
    """
    best: tuple[int, Verification] | None = None
    for versions in _stages(session, document, near):
        for some in _parts(session, versions):
            texts = QuoteTexts([text for _, text in some])
            expected = None
            if document is not None:
                expected = [i for i, (each, _) in enumerate(some) if each[0] == document]
            compared = texts.compare(quote, expected=expected, limit=limit)
            found = _verification(session, compared, [each for each, _ in some])
            rank = _RANKS.index(found.verdict)
            if rank == 0:
                return found
            if best is None or rank < best[0] or (rank == best[0] and _is_longer(found, best[1])):
                best = rank, found
        if best is not None and best[1].is_verbatim:
            break
    return Verification("missing", ()) if best is None else best[1]


_RANKS: tuple[Verdict, ...] = ("found", "elsewhere", "abridged", "stitched", "missing")


def _is_longer(one: Verification, other: Verification) -> bool:
    """Return whether the run that stands somewhere is longer in one than in the other."""
    lengths = [0 if each.nearest is None else len(each.nearest.text) for each in (one, other)]
    return lengths[0] > lengths[1]


def _stages(session: Session, document: int | None, near: Sequence[int]) -> Iterator[list[Version]]:
    """Yield versions that are looked at together, each once."""
    current: dict[int, int] = dict(
        session.rows(
            "SELECT id, current_version FROM documents WHERE current_version IS NOT NULL"
            " ORDER BY id"
        )
    )
    first = [each for each in (document, *near) if each is not None and each in current]
    yield [(each, current[each]) for each in dict.fromkeys(first)]
    yield [(each, version) for each, version in current.items() if each not in set(first)]
    rows = session.rows(
        "SELECT document, version FROM versions WHERE version = content_version"
        " ORDER BY document, version DESC"
    )
    old = [(row[0], row[1]) for row in rows if current.get(row[0]) != row[1]]
    yield sorted(old, key=lambda each: each[0] != document)


def _parts(session: Session, versions: Sequence[Version]) -> Iterator[list[tuple[Version, str]]]:
    """Yield the texts of versions, so many at once as memory should hold."""
    part: list[tuple[Version, str]] = []
    n_chars = 0
    for document, version in versions:
        text = text_of(session, document, version)
        part.append(((document, version), text))
        n_chars += len(text)
        if n_chars >= _CHARS_AT_ONCE:
            yield part
            part, n_chars = [], 0
    if part:
        yield part


def _verification(
    session: Session, compared: Comparison, versions: Sequence[Version]
) -> Verification:
    places = tuple(_place(session, match, versions) for match in compared.matches)
    nearest = compared.nearest
    return Verification(
        compared.verdict,
        places,
        None if nearest is None else _place(session, nearest.match, versions),
        None if nearest is None else nearest.quoted,
        None if nearest is None else nearest.stands,
        all(_is_current(session, *versions[match.text_index]) for match in compared.matches),
    )


def _is_current(session: Session, document: int, version: int) -> bool:
    sql = (
        "SELECT 1 FROM documents d JOIN versions v ON v.document = d.id"
        " AND v.version = d.current_version WHERE d.id = ? AND (v.version = ? OR"
        " v.content_version = ?)"
    )
    return session.row(sql, (document, version, version)) is not None


def _place(session: Session, match: Match, versions: Sequence[Version]) -> Place:
    document, version = versions[match.text_index]
    content = document_at(session, known_document(session, document), version)
    row = session.row(
        "SELECT block FROM placements WHERE document = ? AND version = ? AND char_start <= ?"
        " AND char_end > ? ORDER BY ordinal",
        (document, version, match.start, match.start),
    )
    block = None if row is None else row[0]
    span = match.start, match.end
    return place_in(content, uri_of(session, document), version, span, block)
