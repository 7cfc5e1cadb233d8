"""Versions of documents as they are read from a store: documents, chunks, and what is known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError, ReadError, StoreError
from chunkwright.rows import OF_BLOCKS, OF_CODE
from chunkwright.store.content import document_of
from chunkwright.store.database.damage import DamageError
from chunkwright.store.drafts import Row as ChunkRow
from chunkwright.store.drafts import stored_text
from chunkwright.store.reading import (
    content_row,
    metadata_of,
    metadata_of_all,
    state_by_spelling,
)
from chunkwright.store.restored import StoredStrategy, restored, with_contexts
from chunkwright.tokens.tokenizer import as_tokenizer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.store.database.protocol import Row, Session, VectorTable
    from chunkwright.store.model import DocumentState

# Of chunks whose tokenizer has no name.
TOKENIZER = "cl100k_base"


@dataclass(frozen=True)
class StoredVersion:
    """A version of a document.

    Attributes
    ----------
    uri
        The address of the document.
    version
        Its number, from 1.
    created_at
        The time of the import, in UTC and ISO 8601.
    n_blocks
        The number of blocks.
    confidence
        The reader's confidence in the text, from 0 to 1; None if it states none.
    fingerprint
        What the blocks depend on besides the source, as JSON.
    is_current
        Whether searches use this version.
    """

    uri: str
    version: int
    created_at: str
    n_blocks: int
    confidence: float | None
    fingerprint: str
    is_current: bool


@dataclass(frozen=True)
class StoredBlock:
    """A block of a store.

    Attributes
    ----------
    id
        Its id.
    document
        The address of its document.
    text
        Its own text, without repeated headings, headers and overlap, and without a context.
    n_tokens
        The tokens of its chunk.
    first_version, last_version
        The first and the last version that has it.
    is_current
        Whether the current version has it.
    origin
        ``"cut"``, or ``"manual"`` for one that was written by hand.
    base
        The original block of one with the origin ``"manual"``.
    is_stale
        Whether it was written by hand for a text that has changed since.
    superseded_by
        The block that replaced it; None if it is not gone, or was not replaced.
    """

    id: str
    document: str
    text: str
    n_tokens: int
    first_version: int
    last_version: int
    is_current: bool
    origin: str
    base: str | None
    is_stale: bool
    superseded_by: str | None


@dataclass(frozen=True)
class StoredDocument:
    """A document of a store.

    Attributes
    ----------
    uri
        Its address.
    version
        Its current version.
    n_blocks
        The number of blocks in that version.
    metadata
        Its metadata.
    """

    uri: str
    version: int
    n_blocks: int
    metadata: Mapping[str, Any]


def documents_of(session: Session, condition: tuple[str, Sequence[object]]) -> list[StoredDocument]:
    """Return the documents of a store for which a condition is true, without those removed."""
    sql, parameters = condition
    rows = session.rows(
        "SELECT d.id, d.uri, d.current_version, (SELECT count(*) FROM placements p"  # noqa: S608
        " WHERE p.document = d.id AND p.version = d.current_version) FROM documents d"
        f" WHERE d.current_version IS NOT NULL AND ({sql or '1 = 1'}) ORDER BY d.id",
        parameters,
    )
    metadata = metadata_of_all(session, [row[0] for row in rows])
    return [
        StoredDocument(uri, version, n_blocks, metadata.get(number, {}))
        for number, uri, version, n_blocks in rows
    ]


def versions_of(session: Session, uri: str) -> list[StoredVersion]:
    """Return the versions of a document, the oldest first."""
    state = state_by_spelling(session, uri)
    uri = uri if state is None else state.uri
    rows = session.rows(
        "SELECT v.version, v.created_at, (SELECT count(*) FROM placements p WHERE"
        " p.document = v.document AND p.version = v.version), v.confidence, f.description,"
        " d.current_version FROM versions v JOIN documents d ON d.id = v.document"
        " JOIN fingerprints f ON f.id = v.fingerprint WHERE d.uri = ? ORDER BY v.version",
        (stored_text(uri),),
    )
    return [
        StoredVersion(uri, version, made_at, n_blocks, confidence, described, version == current)
        for version, made_at, n_blocks, confidence, described, current in rows
    ]


_BLOCK = (
    "SELECT b.id, d.uri, b.text, b.n_tokens, b.first_version, b.last_version,"
    " (SELECT count(*) FROM placements c WHERE c.document = d.id"
    " AND c.version = d.current_version AND c.block = b.id), b.origin, b.base, b.is_stale,"
    " b.superseded_by FROM blocks b JOIN documents d ON d.id = b.document"
)


def block_of(session: Session, block: str) -> StoredBlock:
    """Return a block.

    Raises
    ------
    StoreError
        If there is none.
    """
    row = session.row(f"{_BLOCK} WHERE b.id = ?", (block,))
    if row is None:
        raise StoreError(f"the store has no block {block!r}")
    return _block(row)


def blocks_at(session: Session, state: DocumentState, version: int) -> list[StoredBlock]:
    """Return the blocks of a version, in order.

    Raises
    ------
    StoreError
        If there is no such version.
    """
    document_at(session, state, version)
    rows = session.rows(
        f"{_BLOCK} JOIN placements p ON p.block = b.id WHERE p.document = ? AND p.version = ?"
        " ORDER BY p.ordinal",
        (state.id, version),
    )
    return [_block(row) for row in rows]


def _block(row: Row) -> StoredBlock:
    block, uri, text, n_tokens, first, last, n_places, origin, base, is_stale, after = row
    return StoredBlock(
        *(block, uri, text, n_tokens, first, last, n_places > 0, origin, base),
        is_stale=bool(is_stale),
        superseded_by=after,
    )


@dataclass(frozen=True)
class StoredModel:
    """A model whose vectors a store has.

    Attributes
    ----------
    fingerprint
        The fingerprint of the model.
    n_dims
        The number of dimensions of its vectors.
    n_vectors
        The number of vectors.
    """

    fingerprint: str
    n_dims: int
    n_vectors: int


def models_of(session: Session, vectors: VectorTable) -> list[StoredModel]:
    """Return the models whose vectors a store has, in the order of their first use."""
    rows = session.rows("SELECT id, fingerprint, n_dims FROM models ORDER BY id")
    return [StoredModel(name, n_dims, vectors.count(session, n)) for n, name, n_dims in rows]


def document_at(session: Session, state: DocumentState, version: int) -> Document:
    """Return a version of a document as it was read.

    Raises
    ------
    StoreError
        If there is none, or it cannot be read.
    """
    content = content_row(session, state.id, version)
    if content is None or content[0] is None:
        raise StoreError(f"the document {state.uri!r} has no version {version}")
    found = document_of(content[0], state.uri, metadata_of(session, state.id))
    if found is None:
        raise DamageError(f"version {version} of {state.uri!r} is damaged")
    return found


def chunks_at(session: Session, state: DocumentState, version: int) -> Chunks:
    """Return the chunks of a version, with their contexts and shadows.

    Raises
    ------
    StoreError
        If there is none, or it cannot be read.
    """
    document = document_at(session, state, version)
    rows = session.rows(
        "SELECT p.chunk, p.context, p.prefix_shadow, p.suffix_shadow, p.block_type, f.description"
        " FROM placements p JOIN versions v ON v.document = p.document AND v.version = p.version"
        " JOIN fingerprints f ON f.id = v.fingerprint"
        " WHERE p.document = ? AND p.version = ? ORDER BY p.ordinal",
        (state.id, version),
    )
    described = json.loads(rows[0][5]) if rows and rows[0][5].startswith("{") else {}
    tokenizer = as_tokenizer(described.get("tokenizer") or TOKENIZER)
    try:
        stored = [ChunkRow.of_json(row[0]) for row in rows]
        of_blocks = OF_BLOCKS if document.elements is not None else ()
        columns = (*of_blocks, *(OF_CODE if any(each.subject for each in stored) else ()))
        chunks = restored(
            document,
            stored,
            StoredStrategy({}, columns),
            tokenizer,
            sizes_are_tokens=False,
        )
    except (ConfigError, ReadError) as error:
        raise DamageError(f"version {version} of {state.uri!r}: {error}") from error
    contexts = [json.loads(row[1]) for row in rows if row[1] is not None]
    shadows = [(row[2], row[3]) for row in rows]
    has_shadows = any(of != (None, None) for of in shadows)
    return with_contexts(
        chunks,
        contexts if len(contexts) == len(rows) and contexts else None,
        shadows if has_shadows else None,
    )
