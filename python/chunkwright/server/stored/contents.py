"""Documents and blocks of a store, with what stands around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.errors import ConfigError
from chunkwright.retrieval.expansion import expand
from chunkwright.server.schemas.store import (
    BlockRow,
    DocumentRow,
    GetBlockAnswer,
    GetBlockRequest,
    GetDocumentAnswer,
    GetDocumentRequest,
    ListDocumentsAnswer,
    ListDocumentsRequest,
)
from chunkwright.server.stored.absent import block_of, version_of, versions_of
from chunkwright.server.stored.budget import AnswerBudget, left_out
from chunkwright.server.stored.search import where_of
from chunkwright.store.drafts import block_type

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.retrieval.expansion import Scope
    from chunkwright.store import Store, StoredBlock, StoredDocument


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
    budget = AnswerBudget(request.max_tokens)
    wanted = known[request.offset : request.offset + request.limit]
    taken = budget.fitting(
        map(_document_row, wanted), lambda row: row.model_copy(update={"metadata": {}})
    )
    around = left_out("documents", request.offset + len(taken), len(known))
    return ListDocumentsAnswer(documents=taken, n_total=len(known), **around)


def get_document(store: Store, request: GetDocumentRequest) -> GetDocumentAnswer:
    """Return a part of a document: its blocks in order, as many as fit.

    Raises
    ------
    Problem
        If there is no such document, or no such version of it.
    """
    version = version_of(versions_of(store, request.document), request.version)
    rows = list(store.rows(version.uri, version.version))
    taken = fitting_blocks(map(block_row, rows[request.offset :]), request.max_tokens)
    return GetDocumentAnswer(
        document=version.uri,
        version=version.version,
        is_current=version.is_current,
        n_blocks=len(rows),
        offset=request.offset,
        blocks=taken,
        **left_out("blocks", request.offset + len(taken), len(rows)),
    )


def fitting_blocks(rows: Iterable[BlockRow], max_tokens: int) -> list[BlockRow]:
    """Return as many blocks as fit; the first one is cut if it is too large."""
    budget = AnswerBudget(max_tokens)

    def cut(row: BlockRow) -> BlockRow:
        return budget.cut(
            row.text, lambda text: row.model_copy(update={"text": text, "is_cut": True})
        )

    return budget.fitting(rows, cut)


def _document_row(of: StoredDocument) -> DocumentRow:
    return DocumentRow(
        document=of.uri, version=of.version, n_blocks=of.n_blocks, metadata=dict(of.metadata)
    )


def block_row(row: dict[str, Any]) -> BlockRow:
    """Return a row of :meth:`chunkwright.Store.rows` as answers have it."""
    return BlockRow.model_validate({**_with_lists(row), "type": block_type(row)})


def _with_lists(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its lists, which are empty where the document has no such thing."""
    return {**row, "pages": row.get("pages") or [], "headings": row.get("headings") or []}


_MORE = "The text was cut, to fit: ask again with more max_tokens."


class _Standing(NamedTuple):
    """Where a block stands in a version: its row, those beside it, and its chunk."""

    row: Mapping[str, Any]
    previous: str | None
    next: str | None
    chunk: Chunk


def get_block(store: Store, request: GetBlockRequest) -> GetBlockAnswer:
    """Return a block, of whatever version, and what stands around it there.

    Raises
    ------
    Problem
        If there is no such block.
    """
    block = block_of(store, request.block)
    standing = _standing(store, block)
    answer = _answer(block, standing)
    budget = AnswerBudget(request.max_tokens)
    if not budget.takes(answer):
        changed = {"is_cut": True, "more": _MORE}
        return budget.cut(
            block.text, lambda text: answer.model_copy(update={**changed, "text": text})
        )
    # A block that was written by hand stands in no text that could be around it.
    if standing is None or request.expand is None or block.origin != "cut":
        return answer
    return _around(answer, standing.chunk, request.expand, budget)


def _standing(store: Store, block: StoredBlock) -> _Standing | None:
    """Return where a block stands; None if no version that is kept has it."""
    versions = {each.version: each for each in store.versions(block.document)}
    number = block.last_version
    if block.is_current:
        number = next(each.version for each in versions.values() if each.is_current)
    if number not in versions:
        return None
    rows = list(store.rows(block.document, number))
    ids = [row["block"] for row in rows]
    if block.id not in ids:
        return None
    at = ids.index(block.id)
    chunk = store.chunks(block.document, number)[at]
    previous = ids[at - 1] if at else None
    return _Standing(rows[at], previous, ids[at + 1] if at + 1 < len(ids) else None, chunk)


def _answer(block: StoredBlock, standing: _Standing | None) -> GetBlockAnswer:
    around = {
        "place": None if standing is None else _with_lists(standing.row),
        "previous": None if standing is None else standing.previous,
        "next": None if standing is None else standing.next,
    }
    empty = {"before": "", "behind": "", "is_cut": False, "more": None}
    return GetBlockAnswer.model_validate({**asdict(block), "block": block.id, **around, **empty})


def _around(
    answer: GetBlockAnswer, chunk: Chunk, to: Scope, budget: AnswerBudget
) -> GetBlockAnswer:
    """Return the answer with what stands around the block, as far as the budget goes."""

    def wider(tokens: int) -> list[GetBlockAnswer]:
        before, behind = _sides(_expanded(chunk, to, chunk.n_tokens + tokens))
        return [answer.model_copy(update={"before": before, "behind": behind})]

    return budget.widened([answer], wider)[0]


def _expanded(chunk: Chunk, to: Scope, most: int) -> Chunk:
    most = max(1, most)
    try:
        return expand(chunk, to=to, max_tokens=most)
    except ConfigError:
        # A text without elements has no sections: its neighbours are what there is.
        return expand(chunk, to="neighbours", max_tokens=most)


def _sides(chunk: Chunk) -> tuple[str, str]:
    """Return what an expanded chunk has before and behind its own text."""
    pieces = chunk.piece_texts()
    own = [i for i, (role, _) in enumerate(pieces) if role == "body"]
    sides = (pieces[: own[0]], pieces[own[-1] + 1 :]) if own else ([], [])
    before, behind = ("".join(text for role, text in side if role == "overlap") for side in sides)
    return before, behind
