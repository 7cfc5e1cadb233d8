"""Chunks of a request's document: cut within the limits of the service, and told as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.render.viewing.data import document_row, spec_row
from chunkwright.retrieval.shadows import shadows
from chunkwright.server.bodies.documents import document_of
from chunkwright.server.bodies.strategies import strategy_of
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from chunkwright.chunking.registry import AnyStrategy
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.server.schemas.requests import ChunkRequest
    from chunkwright.server.service import Service


class Cut(NamedTuple):
    """A document, the strategy that cut it, and its chunks."""

    document: Document
    strategy: AnyStrategy
    chunks: Chunks

    @property
    def about(self) -> dict[str, Any]:
        """What an answer says of them."""
        return {"document": document_row(self.document), "chunking": spec_row(self.strategy)}


def cut(asked: ChunkRequest, service: Service) -> Cut:
    """Cut the document of a request as it asks.

    Raises
    ------
    Problem
        If the strategy, the document or the number of chunks is not to be.
    """
    strategy = strategy_of(asked.chunking, service)
    document = document_of(asked, service)
    chunks = limited(strategy(document), service)
    if asked.shadows is not None:
        chunks = shadows(chunks, tokens=asked.shadows.tokens, chars=asked.shadows.chars)
    return Cut(document, strategy, chunks)


def limited(chunks: Chunks, service: Service) -> Chunks:
    """Return chunks, unless there are more than the service answers.

    Raises
    ------
    Problem
        If there are.
    """
    most = service.settings.max_chunks
    if len(chunks) > most:
        message = f"the document has {len(chunks):,} chunks, and an answer at most {most:,}"
        raise Problem(413, "too_many_chunks", message, field="chunking")
    service.metrics.chunks(len(chunks))
    return chunks
