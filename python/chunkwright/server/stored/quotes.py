"""Quotes and citations of a store: verified, made, and found again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from chunkwright.server.problems import Problem
from chunkwright.server.schemas.quotes import (
    CiteAnswer,
    CiteRequest,
    DifferenceShape,
    ResolveAnswer,
    ResolveRequest,
    VerifyAnswer,
    VerifyRequest,
)
from chunkwright.server.stored.absent import found, versions_of
from chunkwright.server.stored.search import citation_of, quote_place

if TYPE_CHECKING:
    from chunkwright.store import Store


def verify(store: Store, request: VerifyRequest) -> VerifyAnswer:
    """Return whether words stand in the documents, and where.

    Raises
    ------
    Problem
        If there is no such document.
    ConfigError
        If the quote is too short.
    """
    if request.document is not None:
        versions_of(store, request.document)
    known = store.verify(request.quote, request.document, limit=request.limit)
    return VerifyAnswer(
        verdict=known.verdict,
        is_verbatim=known.is_verbatim,
        is_current=known.is_current,
        places=[quote_place(each) for each in known.places],
        nearest=None if known.nearest is None else quote_place(known.nearest),
        quoted=known.quoted,
        stands=known.stands,
    )


def cite(store: Store, request: CiteRequest) -> CiteAnswer:
    """Cite a block, or words of it.

    Raises
    ------
    Problem
        If there is no such block.
    ConfigError
        If no such words begin in the block, or its document was removed.
    """
    with found(store, "block", f"the store has no block {request.block!r}"):
        store.block(request.block)
    return citation_of(store.cite(request.block, request.quote, by=request.by))


def resolve(store: Store, request: ResolveRequest) -> ResolveAnswer:
    """Return where cited words stand today, or what became of them.

    Raises
    ------
    Problem
        If there is no such citation.
    """
    with found(store, "citation", f"the store has no citation {request.citation!r}"):
        known = store.resolve(request.citation)
    difference = known.difference
    return ResolveAnswer(
        status=known.status,
        citation=citation_of(known.citation),
        place=None if known.place is None else quote_place(known.place),
        cited=quote_place(known.cited),
        superseded_by=known.superseded_by,
        difference=None if difference is None else DifferenceShape(**asdict(difference)),
        changes=list(known.changes),
    )


def read_only() -> Problem:
    """Return the problem of a request that would write to a store that is open for reading."""
    return Problem(403, "read_only", "the store is open for reading only")
