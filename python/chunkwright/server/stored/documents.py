"""Documents of a store: the list of them, and one of them in parts that fit into a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.server.schemas.store import (
    BlockRow,
    DocumentRow,
    GetDocumentAnswer,
    GetDocumentRequest,
    ListDocumentsAnswer,
    ListDocumentsRequest,
)
from chunkwright.server.stored.absent import absent, versions_of
from chunkwright.server.stored.budget import Budget, more
from chunkwright.server.stored.search import where_of
from chunkwright.store.drafts import block_type

if TYPE_CHECKING:
    from chunkwright.store import Store, StoredDocument, StoredVersion


def list_documents(store: Store, request: ListDocumentsRequest) -> ListDocumentsAnswer:
    """Return the documents of a store, as many as fit.

    Raises
    ------
    Problem
        If the filter names a document that the store does not have.
    ConfigError
        If the filter makes no sense.
    """
    known = store.documents(where_of(store, request))
    budget = Budget(request.max_tokens)
    wanted = known[request.offset : request.offset + request.limit]
    taken = budget.fitting(
        map(_document_row, wanted), lambda row: row.model_copy(update={"metadata": {}})
    )
    end = request.offset + len(taken)
    offset = end if end < len(known) else None
    return ListDocumentsAnswer(
        documents=taken,
        n_total=len(known),
        next_offset=offset,
        more=more(len(known) - end, "documents", offset),
    )


def get_document(store: Store, request: GetDocumentRequest) -> GetDocumentAnswer:
    """Return a part of a document: its blocks in order, as many as fit.

    Raises
    ------
    Problem
        If there is no such document, or no such version of it.
    """
    version = _version(request, versions_of(store, request.document))
    rows = list(store.rows(version.uri, version.version))
    budget = Budget(request.max_tokens)

    def cut(row: BlockRow) -> BlockRow:
        return budget.cut(
            row.text, lambda text: row.model_copy(update={"text": text, "is_cut": True})
        )

    taken = budget.fitting(map(_block_row, rows[request.offset :]), cut)
    end = request.offset + len(taken)
    offset = end if end < len(rows) else None
    return GetDocumentAnswer(
        document=version.uri,
        version=version.version,
        is_current=version.is_current,
        n_blocks=len(rows),
        offset=request.offset,
        blocks=taken,
        next_offset=offset,
        more=more(len(rows) - end, "blocks", offset),
    )


def _version(request: GetDocumentRequest, versions: list[StoredVersion]) -> StoredVersion:
    """Return the version that is asked for.

    Raises
    ------
    Problem
        If the document has none of that number, or was removed.
    """
    for each in versions:
        if each.is_current if request.version is None else each.version == request.version:
            return each
    known = ", ".join(str(each.version) for each in versions)
    if request.version is None:
        raise absent("version", f"the document {request.document!r} was removed; it had {known}")
    what = f"the document {request.document!r} has no version {request.version}"
    raise absent("version", f"{what}: it has {known}")


def _document_row(of: StoredDocument) -> DocumentRow:
    return DocumentRow(
        document=of.uri, version=of.version, n_blocks=of.n_blocks, metadata=dict(of.metadata)
    )


def _block_row(row: dict[str, Any]) -> BlockRow:
    return BlockRow(
        block=row["block"],
        type=block_type(row),
        pages=row.get("pages") or [],
        headings=row.get("headings") or [],
        text=row["text"],
    )
