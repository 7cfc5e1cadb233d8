"""Writing of a version: its rows in all tables, in one transaction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.store.importing.drafts import block_type, stored_json, stored_text
from chunkwright.store.origins import COLUMNS
from chunkwright.store.schema import BY_NAME
from chunkwright.store.state import (
    CUT,
    LAST_ERASED,
    DocumentState,
    erased_count,
    free_key,
    item_rows,
    metadata_rows,
    next_version,
    state_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.store.content import Content
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.importing.planning import Plan, Stand
    from chunkwright.store.origins import Origin


class Version(NamedTuple):
    """A version on its way into a store.

    Attributes
    ----------
    uri
        The address of the document.
    state
        The document as it was when the version was made, by whatever address; None if the store
        did not have it.
    key
        What the ids of its blocks are derived from.
    origin
        What it was read from.
    source_hash
        The hash of its source.
    fingerprint
        What it depends on beside the source.
    content
        The document.
    confidence
        How sure its reader is of its text.
    metadata
        Its metadata.
    plan
        Its blocks.
    """

    uri: str
    state: DocumentState | None
    key: str
    origin: Origin
    source_hash: str
    fingerprint: str
    content: Content
    confidence: float | None
    metadata: Mapping[str, Any]
    plan: Plan


class ChangedError(Exception):
    """Another import has changed the document since the version was made."""


def check_unchanged(session: Session, uri: str, state: DocumentState | None) -> None:
    """Raise :class:`ChangedError` unless a document is as it was, and its address is free."""
    known = uri if state is None else state.uri
    if state_of(session, known) != state:
        raise ChangedError(uri)
    if known != uri and state_of(session, uri) is not None:
        raise ChangedError(uri)


def write_origin(session: Session, state: DocumentState, uri: str, origin: Origin) -> None:
    """Write what a document was read from, and its address, which may be another one now."""
    if (state.uri, state.origin) == (uri, origin):
        return
    key = None if state.key == uri else state.key
    values = ", ".join(f"{name} = ?" for name in ("uri", "key", *COLUMNS))
    session.run(
        f"UPDATE documents SET {values} WHERE id = ?",  # noqa: S608 - names of columns
        (uri, key, *origin, state.id),
    )


def write_version(session: Session, version: Version) -> tuple[int, int]:
    """Write a version, and make it the current one.

    Returns
    -------
    tuple
        The number of the document, and of the version.

    Raises
    ------
    ChangedError
        If the document is another one by now.
    """
    check_unchanged(session, version.uri, version.state)
    state = version.state
    of = fingerprint_id(session, version.fingerprint)
    if state is None:
        if free_key(session, version.uri) != version.key:
            raise ChangedError(version.uri)
        document = _next_document(session)
        number, revision = 1, 1
        key = None if version.key == version.uri else version.key
        row = (document, version.uri, number, version.source_hash, of, revision, key)
        session.insert("documents", [(*row, *version.origin)])
    else:
        write_origin(session, state, version.uri, version.origin)
        document, number, revision = state.id, next_version(session, state.id), state.revision + 1
        session.run(
            "UPDATE documents SET current_version = ?, source_hash = ?, fingerprint = ?,"
            " revision = ? WHERE id = ?",
            (number, version.source_hash, of, revision, document),
        )
    _write_content(session, version, document, number, of)
    _write_blocks(session, version.plan, document, number)
    rows = [_placement(document, number, i, each) for i, each in enumerate(version.plan.stands)]
    session.insert("placements", rows)
    write_metadata(session, document, version.metadata)
    return document, number


def is_written(session: Session, document: int, version: int, plan: Plan) -> bool:
    """Return whether a version has the very placements of a plan."""
    names = ", ".join(BY_NAME["placements"].column_names)
    sql = f"SELECT {names} FROM placements WHERE document = ? AND version = ? ORDER BY ordinal"  # noqa: S608
    known = session.rows(sql, (document, version))
    return known == [_placement(document, version, i, each) for i, each in enumerate(plan.stands)]


def fingerprint_id(session: Session, description: str) -> int:
    """Return the number of a fingerprint, which is written if it is new."""
    known = session.row("SELECT id FROM fingerprints WHERE description = ?", (description,))
    if known is not None:
        return int(known[0])
    row = session.row("SELECT COALESCE(max(id), 0) + 1 FROM fingerprints")
    number = 1 if row is None else int(row[0])
    session.insert("fingerprints", [(number, description)])
    return number


def write_metadata(session: Session, document: int, metadata: Mapping[str, Any]) -> None:
    """Write the metadata of a document in the place of those that it has."""
    for table in ("metadata", "metadata_items"):
        session.run(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608
    stored = {stored_text(name): _storable(value) for name, value in metadata.items()}
    session.insert("metadata", metadata_rows(document, stored))
    session.insert("metadata_items", item_rows(document, stored))


def _storable(value: Any) -> Any:
    if isinstance(value, list):
        return [_storable(each) for each in value]
    return stored_text(value) if isinstance(value, str) else value


def now() -> str:
    """Return the time in UTC, as ISO 8601 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _next_document(session: Session) -> int:
    row = session.row("SELECT COALESCE(max(id), 0) FROM documents")
    return 1 + max(0 if row is None else int(row[0]), erased_count(session, LAST_ERASED))


def _write_content(session: Session, version: Version, document: int, number: int, of: int) -> None:
    content = version.content
    same = session.row(
        "SELECT content_version FROM versions WHERE document = ? AND content_hash = ?",
        (document, content.hash),
    )
    where = number if same is None else int(same[0])
    data = content.data if same is None else None
    row = (document, number, content.hash, where, data, of, version.confidence, now())
    session.insert("versions", [row])


def _write_blocks(session: Session, plan: Plan, document: int, number: int) -> None:
    rows = [
        (
            block.id,
            document,
            block.content_hash,
            block.occurrence,
            CUT,
            None,
            0,
            stored_text(plan.stands[ordinal].draft.text),
            plan.stands[ordinal].draft.values["n_tokens"],
            number,
            number,
            None,
        )
        for block, ordinal in plan.new
    ]
    session.insert("blocks", rows)
    new = {block.id for block, _ in plan.new}
    for block in {each for stand in plan.stands for each in (stand.base, stand.block)} - new:
        session.run(
            "UPDATE blocks SET last_version = ?, superseded_by = NULL, is_stale = 0 WHERE id = ?"
            " AND (last_version <> ? OR superseded_by IS NOT NULL OR is_stale = 1)",
            (number, block, number),
        )
    blocks = {stand.base: stand.block for stand in plan.stands}
    for gone, after in plan.superseded.items():
        session.run("UPDATE blocks SET superseded_by = ? WHERE id = ?", (blocks[after], gone))
    for block in plan.stale:
        session.run("UPDATE blocks SET is_stale = 1 WHERE id = ?", (block,))


def _placement(document: int, version: int, ordinal: int, stand: Stand) -> tuple[Any, ...]:
    draft, values = stand.draft, stand.draft.values
    pages = values.get("pages") or []
    return (
        document,
        version,
        ordinal,
        stand.block,
        block_type(values),
        values.get("parent"),
        stored_json(values.get("headings") or []),
        pages[0] if pages else None,
        pages[-1] if pages else None,
        stored_json(pages),
        stored_json(values.get("boxes") or []),
        values["start"],
        values["end"],
        values["line_start"],
        values["line_end"],
        values.get("source_start"),
        values.get("source_end"),
        draft.row.json,
        _optional(values.get("prefix_shadow")),
        _optional(values.get("suffix_shadow")),
        None if draft.context is None else stored_json(draft.context),
        stand.input_hash,
        values["n_tokens"],
    )


def _optional(text: str | None) -> str | None:
    return None if text is None else stored_text(text)
