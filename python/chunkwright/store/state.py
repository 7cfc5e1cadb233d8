"""State of a document in a store: its current version, and the blocks that it has had."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

from chunkwright.errors import ConfigError
from chunkwright.store.importing.drafts import Row as ChunkRow
from chunkwright.store.importing.drafts import stored_json, stored_text
from chunkwright.store.importing.identities import Known
from chunkwright.store.origins import COLUMNS, FILE, Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.store.database.protocol import Session

CUT, MANUAL = "cut", "manual"
"""Origins of blocks: a strategy, or an edit by hand."""

LAST_ERASED, CHANGES_ERASED = "last erased document", "changes of erased documents"
"""What the store keeps of documents that were erased: the highest number that one had, and how
often they had changed. No other document is given such a number, no other state such a count."""

# How names of notes begin among those of the store's own state.
_NOTE = "note "


class Placed(NamedTuple):
    """A block in the current version of a document.

    Attributes
    ----------
    ordinal
        Its number in the version.
    block
        The id of the block that stands there.
    base
        The id of the block that was cut there: another one where that was edited by hand.
    content_hash
        The hash of the text that was cut.
    text
        That text.
    row
        What restores the chunk.
    input_hash
        The hash of what is embedded and searched.
    context
        The chunk's context, as :class:`~chunkwright.store.importing.drafts.Draft` has it.
    """

    ordinal: int
    block: str
    base: str
    content_hash: bytes
    text: str
    row: ChunkRow
    input_hash: bytes
    context: list[Any] | None


class DocumentState(NamedTuple):
    """A document of a store.

    Attributes
    ----------
    id
        Its number.
    uri
        Its address in the store.
    version
        The current version; None if it was removed.
    source_hash
        The hash of what was read, and how.
    fingerprint
        The number of the fingerprint that the current version depends on.
    revision
        How often what is searched of it has changed.
    key
        What the ids of its blocks are derived from: the address that it had first.
    origin
        What it was read from last.
    """

    id: int
    uri: str
    version: int | None
    source_hash: str
    fingerprint: int
    revision: int
    key: str
    origin: Origin

    @classmethod
    def of(cls, row: Sequence[Any]) -> DocumentState:
        """Return the document of a row of its table."""
        *own, kind, file, key, id_column = row
        return cls._make([*own, Origin(kind, file, key, id_column)])


class FromFile(NamedTuple):
    """A document that was read from a file, or from a row of it.

    Attributes
    ----------
    uri
        Its address.
    source_hash
        The hash of the file, or of the row.
    origin
        Where it is looked for.
    """

    uri: str
    source_hash: str
    origin: Origin


_ORIGIN = ", ".join(f"d.{name}" for name in COLUMNS)
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


def spellings_of(uri: str) -> list[str]:
    """Return an address as it is given, and with composed and decomposed letters.

    Systems disagree on which of these the name of a file has.
    """
    return list(dict.fromkeys([uri, normalize("NFC", uri), normalize("NFD", uri)]))


def state_of(session: Session, uri: str) -> DocumentState | None:
    """Return a document; None if the store has never had it."""
    row = session.row(f"{_STATE} WHERE d.uri = ?", (stored_text(uri),))
    return None if row is None else DocumentState.of(row)


def state_by_spelling(session: Session, uri: str) -> DocumentState | None:
    """Return a document by its address, or by that in another spelling."""
    states = (state_of(session, each) for each in spellings_of(uri))
    return next((state for state in states if state is not None), None)


def states_of(session: Session, uris: Sequence[str]) -> dict[str, DocumentState]:
    """Return documents by their addresses, of those that the store has ever had."""
    rows = session.among(f"{_STATE} WHERE d.uri IN", list(dict.fromkeys(uris)))
    return {row[1]: DocumentState.of(row) for row in rows}


def next_version(session: Session, document: int) -> int:
    """Return the number of the next version of a document: none that it has ever had."""
    sql = "SELECT max(version) FROM versions WHERE document = ?"
    of_blocks = "SELECT max(last_version) FROM blocks WHERE document = ?"
    # A block may be of a later version than all that were not pruned.
    rows = (session.row(each, (document,)) for each in (sql, of_blocks))
    return 1 + max((row[0] or 0) if row else 0 for row in rows)


def state_of_number(session: Session, document: int) -> DocumentState | None:
    """Return a document by its number."""
    uri = uri_of(session, document)
    return state_of(session, uri) if uri else None


def states(session: Session) -> dict[str, DocumentState]:
    """Return all documents by their addresses, those that were removed too."""
    return {row[1]: DocumentState.of(row) for row in session.rows(_STATE)}


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
            ChunkRow.of_json(row),
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


def edits_of(session: Session, document: int) -> dict[str, tuple[str, str]]:
    """Return the blocks that were written by hand last: ids and texts by bases."""
    sql = (
        "SELECT base, id, text FROM blocks WHERE document = ? AND origin = ?"
        " AND superseded_by IS NULL ORDER BY first_version"
    )
    return {base: (block, text) for base, block, text in session.rows(sql, (document, MANUAL))}


def context_text(context: str | None) -> str:
    """Return the text of a stored context; empty if there is none."""
    return "" if context is None else json.loads(context)[0]


def erased_count(session: Session, name: str) -> int:
    """Return a number that erased documents left behind; 0 if there were none."""
    row = session.row("SELECT value FROM state WHERE name = ?", (name,))
    return 0 if row is None else int(row[0])


def noted(session: Session, name: str) -> str | None:
    """Return what is noted under a name; None for nothing."""
    row = session.row("SELECT value FROM state WHERE name = ?", (_NOTE + name,))
    return None if row is None else str(row[0])


def write_note(session: Session, name: str, value: str) -> None:
    """Note a value under a name, in the place of what was noted before."""
    session.run("DELETE FROM state WHERE name = ?", (_NOTE + name,))
    session.insert("state", [(_NOTE + name, value)])


def uri_of(session: Session, document: int) -> str:
    """Return the address of a document by its number; empty if there is none."""
    row = session.row("SELECT uri FROM documents WHERE id = ?", (document,))
    return "" if row is None else str(row[0])


class Before(NamedTuple):
    """What a new version of a document depends on.

    Attributes
    ----------
    placed
        The blocks of the current version; none if the document was removed.
    known
        All blocks that were ever cut from the document.
    edits
        Blocks that were written by hand: ids and texts, by the blocks in whose places they are.
    content, content_hash
        The current version as it was read, and its hash.
    fingerprint
        What it depends on beside its source.
    """

    placed: list[Placed]
    known: list[Known]
    edits: dict[str, tuple[str, str]]
    content: bytes | None
    content_hash: bytes | None
    fingerprint: str | None


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


def metadata_rows(document: int, metadata: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of the metadata of a document."""
    return [(document, name, *_kind(value)) for name, value in sorted(metadata.items())]


def item_rows(document: int, metadata: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows that metadata are filtered by: an item of a list each, or a single value."""
    return [
        (document, name, number, *_kind(each))
        for name, value in sorted(metadata.items())
        for number, each in enumerate(value if isinstance(value, list) else [value])
    ]


def _kind(value: Any) -> tuple[str, str | None, float | None]:
    """Return the type of a value, and its text or number; integers are texts, too, to be exact."""
    if value is None:
        return "none", None, None
    if isinstance(value, list):
        return "list", stored_json(value), None
    if isinstance(value, bool):
        return "bool", str(value).lower(), float(value)
    if isinstance(value, int):
        return "int", str(int(value)), float(value)
    if isinstance(value, float):
        return "float", None, value
    return "str", str(value), None


def _value(kind: str, text: str | None, number: float | None) -> Any:
    if kind == "int":
        return int(text or 0)
    if kind == "bool":
        return text == "true"
    if kind == "list":
        return json.loads(text or "[]")
    return {"float": number, "str": text}.get(kind)
