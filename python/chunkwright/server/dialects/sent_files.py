"""Files that applications send to be read: whole, as Markdown, or in chunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.responses import Response

from chunkwright.readers.kinds import is_markdown
from chunkwright.readers.pages import unread_pages
from chunkwright.readers.read import read
from chunkwright.render.markdown import markdown_of
from chunkwright.server.answers import JSON, json_bytes, needs_ocr, warning_header
from chunkwright.server.bodies.request_documents import strategy_of
from chunkwright.server.problems import Problem
from chunkwright.server.reading_costs import reading_cost
from chunkwright.server.routes.chunk import limited
from chunkwright.server.routes.working import worked
from chunkwright.server.schemas.requests import Chunking

if TYPE_CHECKING:
    from starlette.requests import Request

    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.server.service import Service

_NO_TEXT = "No extractable text"


class Sent(NamedTuple):
    """A file that was read.

    Attributes
    ----------
    document
        What was read.
    chunks
        What it was cut into; None: it was not cut.
    name
        What the file is called.
    """

    document: Document
    chunks: Chunks | None
    name: str

    @property
    def markdown(self) -> str:
        """The document as Markdown."""
        return markdown_of(self.document, is_markdown=is_markdown(self.name))

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the answer: a warning of pages that were not read."""
        pages = unread_pages(self.document)
        return warning_header([needs_ocr(self.name, pages)] if pages else [])


def chunking_of(strategy: str, max_tokens: int) -> Chunking:
    """Return how a file is cut, by a strategy's name and its limit."""
    return Chunking(strategy=strategy, options={"max_tokens": max_tokens})


async def answered_sent(  # noqa: PLR0913, PLR0917 - a file, and how it is cut and shown
    request: Request,
    data: bytes,
    name: str,
    chunking: Chunking | None,
    at: str,
    shown: Callable[[Sent], Any],
) -> Response:
    """Read a file, cut it if that is asked for, and answer with what the application shows of it.

    Parameters
    ----------
    request
        The request.
    data
        The bytes of the file.
    name
        Its name, which may tell what it is; empty if it has none.
    chunking
        How it is cut; None: it is not.
    at
        Where the request says how it is cut.
    shown
        Makes the values of the answer's JSON.

    Raises
    ------
    Problem
        If the strategy is unknown, or the file has no text.
    ReadError, MissingExtraError
        If the file cannot be read.
    """

    def work(service: Service) -> tuple[bytes, dict[str, str]]:
        sent = _read(service, data, name, chunking, at)
        return json_bytes(shown(sent)), sent.headers

    body, headers = await worked(request, work)
    return Response(body, 200, headers, JSON)


def _read(service: Service, data: bytes, name: str, chunking: Chunking | None, at: str) -> Sent:
    strategy = None if chunking is None else strategy_of(chunking, service, at=at)
    with service.reading(reading_cost(len(data), None, name or None)):
        document = read(data, name=name or None)
    if not document.body.strip():
        # By these words Open WebUI knows that it may read the file by itself.
        where = f" in {name}" if name else ""
        raise Problem(422, "unreadable", f"{_NO_TEXT}{where}: it is empty, or needs OCR")
    chunks = None if strategy is None else limited(strategy, document, service)
    return Sent(document, chunks, name)
