"""Quotes and citations of a store: verified, made, and found again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.server.problems import Problem
from chunkwright.server.schemas.quotes import (
    CiteAnswer,
    CiteRequest,
    ResolveAnswer,
    ResolveRequest,
    VerifyAnswer,
    VerifyRequest,
)
from chunkwright.server.stored.absent import block_of, found, versions_of

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
    return VerifyAnswer.model_validate(known)


def cite(store: Store, request: CiteRequest) -> CiteAnswer:
    """Cite a block, or words of it.

    Raises
    ------
    Problem
        If there is no such block.
    ConfigError
        If no such words begin in the block, or its document was removed.
    """
    block_of(store, request.block)
    return CiteAnswer.model_validate(store.cite(request.block, request.quote, by=request.by))


def resolve(store: Store, request: ResolveRequest) -> ResolveAnswer:
    """Return where cited words stand today, or what became of them.

    Raises
    ------
    Problem
        If there is no such citation.
    """
    hint = "cite answers with their ids"
    with found(store, "citation", f"the store has no citation {request.citation!r}: {hint}"):
        return ResolveAnswer.model_validate(store.resolve(request.citation))


def read_only() -> Problem:
    """Return the problem of a request that would write to a store that is open for reading."""
    return Problem(403, "read_only", "the store is open for reading only")
