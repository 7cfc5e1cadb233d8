"""Contents of the pages over a store: documents with versions, blocks, doubtful pages, edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.errors import EditedBlockError
from chunkwright.render.viewing.data import view_of
from chunkwright.server.problems import Problem
from chunkwright.server.schemas.stored_pages import (
    CitationRow,
    EditAnswer,
    EditRequest,
    PageDoubt,
    ReviewAnswer,
    ShownBlock,
    StoredAnswer,
    StoredDocumentAnswer,
    StoredRow,
    VersionRow,
)
from chunkwright.server.stored.absent import found, version_of, versions_of
from chunkwright.server.stored.changes import change_rows

if TYPE_CHECKING:
    from chunkwright.document import Document
    from chunkwright.server.settings import Settings
    from chunkwright.store import Store, StoredVersion

# A page that was read less surely is to be looked at.
SURE = 0.9
# So many citations of a document are resolved for its page.
_MOST_CITATIONS = 200


def list_stored(
    store: Store, contains: str, offset: int, limit: int, *, may_edit: bool
) -> StoredAnswer:
    """Return documents whose address has some letters, with their versions."""
    known = [each for each in store.documents() if contains.casefold() in each.uri.casefold()]
    rows = [_row(store.versions(each.uri)) for each in known[offset : offset + limit]]
    end = offset + len(rows)
    return StoredAnswer(
        documents=[row for row in rows if row is not None],
        n_total=len(known),
        next_offset=end if end < len(known) else None,
        may_edit=may_edit,
    )


def _row(versions: list[StoredVersion]) -> StoredRow | None:
    """Return what is listed of a document; None if it was removed meanwhile."""
    now = next((each for each in versions if each.is_current), None)
    if now is None:
        return None
    return StoredRow(
        document=now.uri,
        version=now.version,
        n_versions=len(versions),
        n_blocks=now.n_blocks,
        created_at=now.created_at,
        confidence=now.confidence,
    )


def stored_document(
    store: Store, document: str, version: int | None, since: int | None, settings: Settings
) -> StoredDocumentAnswer:
    """Return a version of a document, and what changed since an earlier one.

    Raises
    ------
    Problem
        If there is no such document, or no such version of it.
    """
    versions = versions_of(store, document)
    shown = version_of(versions, version)
    if since is not None:
        version_of(versions, since, field="since")
    chunks = store.chunks(document, shown.version)
    changes = None
    if since is not None and shown.is_current:
        changes = change_rows(store, document, since)
    edited = {each.block: each.text for each in store.edits() if each.document == shown.uri}
    return StoredDocumentAnswer(
        document=shown.uri,
        version=shown.version,
        versions=[VersionRow.model_validate(each) for each in versions],
        view=view_of(chunks, with_texts=False, changes=changes),
        blocks=[
            ShownBlock.model_validate(
                {"block": each.id, "origin": each.origin, "written": edited.get(each.id)}
            )
            for each in store.blocks(document, shown.version)
        ],
        citations=_citations(store, shown.uri),
        doubts=_doubts(chunks.documents[0], shown),
        may_edit=settings.allow_edits,
        has_originals=settings.originals is not None,
    )


def _citations(store: Store, document: str) -> list[CitationRow]:
    rows = []
    for each in store.citations(document)[:_MOST_CITATIONS]:
        now = store.resolve(each)
        rows.append(
            CitationRow(
                citation=each.id,
                quote=each.quote,
                by=each.cited_by,
                version=each.version,
                status=now.status,
                changes=list(now.changes),
            )
        )
    return rows


def review(store: Store, offset: int, limit: int) -> ReviewAnswer:
    """Return the pages of some documents that were not read, or not surely.

    Documents count, not pages: those that were read surely are not opened.
    """
    known = store.documents()
    pages: list[PageDoubt] = []
    for each in known[offset : offset + limit]:
        now = next((of for of in store.versions(each.uri) if of.is_current), None)
        if now is not None and now.confidence is not None and now.confidence < 1:
            pages += _doubts(store.document(now.uri, now.version), now)
    end = offset + limit
    return ReviewAnswer(pages=pages, next_offset=end if end < len(known) else None)


def _doubts(document: Document, version: StoredVersion) -> list[PageDoubt]:
    return [
        PageDoubt(
            document=version.uri,
            version=version.version,
            page=page.number,
            confidence=page.confidence,
            needs_ocr=page.needs_ocr,
        )
        for page in document.pages
        if page.needs_ocr or (page.confidence is not None and page.confidence < SURE)
    ]


def edit(store: Store, request: EditRequest, *, may_edit: bool) -> EditAnswer:
    """Write a text in the place of a block.

    Raises
    ------
    Problem
        If the service does not allow it, if no current version has the block, or if somebody has
        edited it meanwhile.
    """
    if not may_edit:
        message = "blocks are not edited over this service: start it with --allow-edits"
        raise Problem(403, "read_only", message)
    with found(store, "block", f"no current version has the block {request.block!r}"):
        try:
            made: Any = store.edit(request.block, request.text)
        except EditedBlockError as error:
            raise Problem(409, "edited", str(error), field="block") from error
    return EditAnswer.model_validate(made)
