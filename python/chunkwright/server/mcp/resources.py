"""Resources of the MCP server: current documents of a store, in parts, and their blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.uri_template import UriTemplate

from chunkwright.server.mcp.arguments import checked
from chunkwright.server.mcp.rendering import rendered
from chunkwright.server.problems import Problem
from chunkwright.server.schemas.store import GetBlockRequest, GetDocumentRequest
from chunkwright.server.stored import contents
from chunkwright.server.stored.absent import absent, file_name

if TYPE_CHECKING:
    from chunkwright.server.mcp.service import AgentService
    from chunkwright.store import Store, StoredDocument

_DOCUMENT_URI = "chunkwright://document/{document}{?offset,max_tokens}"
_BLOCK_URI = "chunkwright://block/{block}"
_DOCUMENT, _BLOCK = map(UriTemplate.parse, (_DOCUMENT_URI, _BLOCK_URI))
_MIME = "text/plain"
# Resources of one page of a list, and values of one completion, which the protocol bounds.
_AT_ONCE = 100
_MOST_VALUES = 100

TEMPLATES = (
    types.ResourceTemplate(
        name="document",
        title="A document",
        uri_template=_DOCUMENT_URI,
        description="The current version of a document, from block number offset on, as much as"
        " fits into max_tokens.",
        mime_type=_MIME,
    ),
    types.ResourceTemplate(
        name="block",
        title="A block",
        uri_template=_BLOCK_URI,
        description="A block of a current version, with its section.",
        mime_type=_MIME,
    ),
)
"""Forms of the addresses that can be read."""


def listed(service: AgentService, cursor: str | None) -> types.ListResourcesResult:
    """Return a page of the documents, and the cursor of the next one.

    Parameters
    ----------
    service
        What has the store.
    cursor
        Where the page begins, as the one before said; None: the first.

    Raises
    ------
    Problem
        If the cursor is of no page.
    """
    start = _start(cursor)
    known = service.store.documents()
    end = start + _AT_ONCE
    return types.ListResourcesResult(
        resources=[_resource(each) for each in known[start:end]],
        next_cursor=str(end) if end < len(known) else None,
    )


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < _MOST_DIGITS):
        message = f"cursor {cursor[:40]!r} is of no page: take next_cursor of the page before"
        raise Problem(422, "invalid_value", message, field="cursor")
    return int(cursor)


_MOST_DIGITS = 12


def _resource(of: StoredDocument) -> types.Resource:
    return types.Resource(
        uri=_DOCUMENT.expand({"document": of.uri}),
        name=file_name(of.uri),
        title=of.uri,
        description=f"version {of.version}, {of.n_blocks} blocks",
        mime_type=_MIME,
    )


def read(service: AgentService, uri: str) -> types.ReadResourceResult:
    """Return what stands at an address: a part of a document, or a block.

    Parameters
    ----------
    service
        What has the store.
    uri
        The address, as a list has it or a template makes it.

    Raises
    ------
    Problem
        If there is no such thing in the current versions, or a number makes no sense.
    """
    if (of_document := _DOCUMENT.match(uri)) is not None:
        text = _document(service.store, of_document)
    elif (of_block := _BLOCK.match(uri)) is not None:
        text = _block(service.store, of_block)
    else:
        forms = " and ".join(each.uri_template for each in TEMPLATES)
        raise absent("uri", f"there is no resource {uri[:200]!r}: their addresses are {forms}")
    part = types.TextResourceContents(uri=uri, mime_type=_MIME, text=text)
    return types.ReadResourceResult(contents=[part])


def _document(store: Store, given: Any) -> str:
    """Return a part of the current version of a document, and the address of the next part."""
    request = checked("the address", GetDocumentRequest, given)
    answer = contents.get_document(store, request)
    if answer.next_offset is None:
        return rendered(answer)
    following = {**given, "document": answer.document, "offset": str(answer.next_offset)}
    n_left = answer.n_blocks - answer.next_offset
    more = f"{n_left} blocks more: {_DOCUMENT.expand(following)}"
    return rendered(answer.model_copy(update={"more": more}))


def _block(store: Store, given: Any) -> str:
    answer = contents.get_block(store, checked("the address", GetBlockRequest, given))
    if not answer.is_current:
        after = answer.superseded_by and _BLOCK.expand({"block": answer.superseded_by})
        instead = f": {after} took its place" if after else ""
        raise absent("uri", f"block {answer.block!r} is in no current version{instead}")
    return rendered(answer)


def completed(service: AgentService, argument: types.CompletionArgument) -> types.CompleteResult:
    """Return the addresses of documents that have what was typed so far; else none.

    Parameters
    ----------
    service
        What has the store.
    argument
        The argument of a prompt or template, and its beginning.
    """
    values: list[str] = []
    if argument.name == "document":
        typed = argument.value.casefold()
        known = (each.uri for each in service.store.documents())
        values = [uri for uri in known if typed in uri.casefold()]
    shown = values[:_MOST_VALUES]
    completion = types.Completion(
        values=shown, total=len(values), has_more=len(values) > len(shown)
    )
    return types.CompleteResult(completion=completion)
