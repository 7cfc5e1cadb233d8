"""Reading of a store: its documents, their blocks, texts and metadata, from rows to records."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from chunkwright.checks import checked_int
from chunkwright.errors import ConfigError, StoreError
from chunkwright.store.drafts import Row, stored_text
from chunkwright.store.model import (
    CUT,
    FILE,
    MANUAL,
    ORIGIN_COLUMNS,
    Before,
    DocumentState,
    Edited,
    FromFile,
    Known,
    Origin,
    Placed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Session

_ORIGIN = ", ".join(f"d.{name}" for name in ORIGIN_COLUMNS)
_STATE = (
    "SELECT d.id, d.uri, d.current_version, d.source_hash, d.fingerprint, d.revision,"  # noqa: S608
    f" COALESCE(d.key, d.uri), {_ORIGIN} FROM documents d"
)
_FROM_FILE = f"SELECT d.uri, d.source_hash, {_ORIGIN} FROM documents d"  # noqa: S608


def checked_uri(uri: object) -> str:
    """Return the address of a document as the store has it.

    Raises
    ------
    ConfigError
        If it is no text.
    """
    if not isinstance(uri, str):
        raise ConfigError(f"uri must be a str, got {type(uri).__name__}", option="uri")
    return stored_text(uri)


def checked_uris(uris: object) -> list[str]:
    """Return the addresses of several documents as the store has them.

    Raises
    ------
    ConfigError
        If they are none.
    """
    if isinstance(uris, bytes) or not isinstance(uris, Iterable):
        kind = type(uris).__name__
        raise ConfigError(f"uris must be a str or several, got {kind}", option="uris")
    return [checked_uri(uri) for uri in uris]


def spellings_of(uri: str) -> list[str]:
    """Return an address as it is given, and with composed and decomposed letters.

    Systems disagree on which of these the name of a file has.
    """
    return list(dict.fromkeys([uri, normalize("NFC", uri), normalize("NFD", uri)]))


def _state(row: Sequence[Any]) -> DocumentState:
    *own, kind, file, key, id_column = row
    return DocumentState._make([*own, Origin(kind, file, key, id_column)])


def state_of(session: Session, uri: str) -> DocumentState | None:
    """Return a document; None if the store has never had it."""
    row = session.row(f"{_STATE} WHERE d.uri = ?", (stored_text(uri),))
    return None if row is None else _state(row)


def state_by_spelling(session: Session, uri: str) -> DocumentState | None:
    """Return a document by its address, or by that in another spelling."""
    states = (state_of(session, each) for each in spellings_of(uri))
    return next((state for state in states if state is not None), None)


def states_of(session: Session, uris: Sequence[str]) -> dict[str, DocumentState]:
    """Return documents by their addresses, of those that the store has ever had."""
    rows = session.among(f"{_STATE} WHERE d.uri IN", list(dict.fromkeys(uris)))
    return {row[1]: _state(row) for row in rows}


def next_version(session: Session, document: int) -> int:
    """Return the number of the next version of a document: none that it has ever had."""
    sql = "SELECT max(version) FROM versions WHERE document = ?"
    of_blocks = "SELECT max(last_version) FROM blocks WHERE document = ?"
    # A block may be of a later version than all that were not pruned.
    rows = (session.row(each, (document,)) for each in (sql, of_blocks))
    return 1 + max((row[0] or 0) if row else 0 for row in rows)


def known_state(session: Session, uri: str, version: int | None) -> tuple[DocumentState, int]:
    """Return a document, and the number of a version of it: the current one for None.

    Raises
    ------
    StoreError
        If there is none.
    """
    state = state_by_spelling(session, checked_uri(uri))
    if version is not None:
        checked_int("version", version, least=1)
    if state is None:
        raise StoreError(f"the store has no document {uri!r}")
    number = state.version if version is None else version
    if number is None:
        raise StoreError(f"the document {uri!r} was removed: ask for one of its versions")
    return state, number


def known_document(session: Session, document: int) -> DocumentState:
    """Return a document by its number.

    Raises
    ------
    StoreError
        If there is none.
    """
    row = session.row(f"{_STATE} WHERE d.id = ?", (document,))
    if row is None:
        raise StoreError(f"the store has no document of number {document}")
    return _state(row)


def states(session: Session) -> dict[str, DocumentState]:
    """Return all documents by their addresses, those that were removed too."""
    return {row[1]: _state(row) for row in session.rows(_STATE)}


def known_uris(session: Session, uris: Sequence[str]) -> set[str]:
    """Return those of some addresses that the store has ever had."""
    return {uri for (uri,) in session.among("SELECT uri FROM documents WHERE uri IN", uris)}


def from_files(session: Session) -> list[FromFile]:
    """Return the documents whose files are known, rows of tables too, in order."""
    rows = session.rows(
        f"{_FROM_FILE} WHERE d.current_version IS NOT NULL AND d.file IS NOT NULL ORDER BY d.id"
    )
    return [FromFile(uri, source_hash, Origin(*rest)) for uri, source_hash, *rest in rows]


def files_with(session: Session, hashes: Sequence[str]) -> list[FromFile]:
    """Return the documents that are files with one of some hashes, in order of their addresses."""
    rows = session.among(
        f"{_FROM_FILE} WHERE d.current_version IS NOT NULL AND d.origin = ? AND d.source_hash IN",
        hashes,
        (FILE,),
    )
    found = (FromFile(uri, source_hash, Origin(*rest)) for uri, source_hash, *rest in rows)
    return sorted(found, key=lambda each: each.uri)


def free_key(session: Session, uri: str) -> str:
    """Return what the ids of a new document's blocks are derived from: its address.

    Another document that has had this address keeps the ids that were derived from it.
    """
    key = uri
    while holder := session.row("SELECT id FROM documents WHERE key = ?", (key,)):
        key = f"{uri}\n{holder[0]}"
    return key


def placed(session: Session, document: int, version: int) -> list[Placed]:
    """Return the blocks of a version, in order."""
    found = session.rows(
        "SELECT p.ordinal, b.id, c.id, c.content_hash, c.text, p.chunk, p.input_hash, p.context"
        " FROM placements p JOIN blocks b ON b.id = p.block"
        " JOIN blocks c ON c.id = COALESCE(b.base, b.id)"
        " WHERE p.document = ? AND p.version = ? ORDER BY p.ordinal",
        (document, version),
    )
    return [
        Placed(
            ordinal,
            block,
            base,
            content_hash,
            text,
            Row.of_json(row),
            input_hash,
            None if context is None else json.loads(context),
        )
        for ordinal, block, base, content_hash, text, row, input_hash, context in found
    ]


def known_blocks(session: Session, document: int) -> list[Known]:
    """Return the blocks that were ever cut from a document."""
    sql = "SELECT id, content_hash, occurrence FROM blocks WHERE document = ? AND origin = ?"
    return [Known(*row) for row in session.rows(sql, (document, CUT))]


def content_row(session: Session, document: int, version: int) -> tuple[bytes, bytes] | None:
    """Return the content of a version, and its hash."""
    row = session.row(
        "SELECT c.content, v.content_hash FROM versions v JOIN versions c"
        " ON c.document = v.document AND c.version = v.content_version"
        " WHERE v.document = ? AND v.version = ?",
        (document, version),
    )
    return None if row is None else (row[0], row[1])


def edits_of(session: Session, document: int) -> dict[str, Edited]:
    """Return the blocks that were written by hand last, by the blocks in whose places they are."""
    sql = (
        "SELECT base, id, text FROM blocks WHERE document = ? AND origin = ?"
        " AND superseded_by IS NULL ORDER BY first_version"
    )
    return {base: Edited(*rest) for base, *rest in session.rows(sql, (document, MANUAL))}


def uri_of(session: Session, document: int) -> str:
    """Return the address of a document by its number; empty if there is none."""
    row = session.row("SELECT uri FROM documents WHERE id = ?", (document,))
    return "" if row is None else str(row[0])


def before_of(session: Session, state: DocumentState | None) -> Before | None:
    """Return what a new version depends on; None if there is no document yet."""
    if state is None:
        return None
    row = session.row("SELECT description FROM fingerprints WHERE id = ?", (state.fingerprint,))
    own = None if row is None else str(row[0])
    known, edits = known_blocks(session, state.id), edits_of(session, state.id)
    if state.version is None:
        return Before([], known, edits, None, None, own)
    content, content_hash = content_row(session, state.id, state.version) or (None, None)
    stands = placed(session, state.id, state.version)
    return Before(stands, known, edits, content, content_hash, own)


def metadata_of(session: Session, document: int) -> dict[str, Any]:
    """Return the metadata of a document."""
    sql = "SELECT name, kind, text, number FROM metadata WHERE document = ? ORDER BY name"
    return {name: _value(*rest) for name, *rest in session.rows(sql, (document,))}


def metadata_of_all(session: Session, documents: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the metadata of documents by their numbers; none for those that have none."""
    sql = "SELECT document, name, kind, text, number FROM metadata WHERE document IN"
    found: dict[int, dict[str, Any]] = {}
    for document, name, *rest in sorted(session.among(sql, documents), key=lambda row: row[:2]):
        found.setdefault(document, {})[name] = _value(*rest)
    return found


def _value(kind: str, text: str | None, number: float | None) -> Any:
    if kind == "int":
        return int(text or 0)
    if kind == "bool":
        return text == "true"
    if kind == "list":
        return json.loads(text or "[]")
    return {"float": number, "str": text}.get(kind)
