"""Writing and removal of a version: its rows in all tables, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.store.citing.citations import citations_after
from chunkwright.store.drafts import block_type, named_speakers, stored_json, stored_text
from chunkwright.store.importing.report import DocumentReport
from chunkwright.store.model import CUT, ORIGIN_COLUMNS
from chunkwright.store.notes import LAST_ERASED, erased_count
from chunkwright.store.reading import (
    free_key,
    next_version,
    placed,
    state_by_spelling,
    state_of,
)
from chunkwright.store.schema import BY_NAME, now

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.store.database.protocol import Session
    from chunkwright.store.importing.planning import Incoming, Loaded, Plan, Planned, Stand
    from chunkwright.store.model import DocumentState


class ChangedError(Exception):
    """Another import has changed the document since the version was made."""


# Stands for a fingerprint that is not known: it equals none.
_UNKNOWN = "unknown"


def write_version(session: Session, planned: Planned) -> tuple[int, int]:
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
    incoming, loaded, plan = planned
    item, state = incoming.item, incoming.state
    _check_unchanged(session, incoming)
    fingerprint = _fingerprint_id(session, incoming.fingerprint)
    if state is None:
        if free_key(session, item.uri) != incoming.key:
            raise ChangedError(item.uri)
        document = _next_document(session)
        number, revision = 1, 1
        key = None if incoming.key == item.uri else incoming.key
        row = (document, item.uri, number, item.source_hash, fingerprint, revision, key)
        session.insert("documents", [(*row, *item.origin)])
    else:
        _write_origin(session, incoming, state)
        document, number, revision = state.id, next_version(session, state.id), state.revision + 1
        session.run(
            "UPDATE documents SET current_version = ?, source_hash = ?, fingerprint = ?,"
            " revision = ? WHERE id = ?",
            (number, item.source_hash, fingerprint, revision, document),
        )
    _write_content(session, loaded, document, number, fingerprint)
    _write_blocks(session, plan, document, number)
    rows = [_placement(document, number, i, each) for i, each in enumerate(plan.stands)]
    session.insert("placements", rows)
    _write_metadata(session, document, loaded.metadata)
    return document, number


def write_same(session: Session, incoming: Incoming, loaded: Loaded | None) -> None:
    """Write what is new of a document whose version stays: its address, and if it was read more.

    Raises
    ------
    ChangedError
        If the document is another one by now.
    """
    state = incoming.state
    if state is None:
        return
    _check_unchanged(session, incoming)
    _write_origin(session, incoming, state)
    if loaded is not None:
        session.run(
            "UPDATE documents SET source_hash = ?, fingerprint = ? WHERE id = ?",
            (
                incoming.item.source_hash,
                _fingerprint_id(session, incoming.fingerprint),
                state.id,
            ),
        )
        _write_metadata(session, state.id, loaded.metadata)


def is_written(session: Session, document: int, version: int, plan: Plan) -> bool:
    """Return whether a version has the very placements of a plan."""
    names = ", ".join(BY_NAME["placements"].column_names)
    sql = f"SELECT {names} FROM placements WHERE document = ? AND version = ? ORDER BY ordinal"  # noqa: S608
    known = session.rows(sql, (document, version))
    return known == [_placement(document, version, i, each) for i, each in enumerate(plan.stands)]


def _check_unchanged(session: Session, incoming: Incoming) -> None:
    """Raise :class:`ChangedError` unless a document is as it was, and its address is free."""
    uri, state = incoming.uri, incoming.state
    known = uri if state is None else state.uri
    if state_of(session, known) != state:
        raise ChangedError(uri)
    if known != uri and state_of(session, uri) is not None:
        raise ChangedError(uri)


def _write_origin(session: Session, incoming: Incoming, state: DocumentState) -> None:
    """Write what a document was read from, and its address, which may be another one now.

    The path of a source file is searched, so another one is a change of what is searched.
    """
    if not incoming.is_elsewhere:
        return
    uri = incoming.uri
    key = None if state.key == uri else state.key
    revision = state.revision + (uri != state.uri)
    values = ", ".join(f"{name} = ?" for name in ("uri", "key", "revision", *ORIGIN_COLUMNS))
    session.run(
        f"UPDATE documents SET {values} WHERE id = ?",  # noqa: S608 - names of columns
        (uri, key, revision, *incoming.item.origin, state.id),
    )


def _fingerprint_id(session: Session, fingerprint: str | None) -> int:
    """Return the number of a fingerprint, which is written if it is new."""
    description = fingerprint or _UNKNOWN
    known = session.row("SELECT id FROM fingerprints WHERE description = ?", (description,))
    if known is not None:
        return int(known[0])
    row = session.row("SELECT COALESCE(max(id), 0) + 1 FROM fingerprints")
    number = 1 if row is None else int(row[0])
    session.insert("fingerprints", [(number, description)])
    return number


def _write_metadata(session: Session, document: int, metadata: Mapping[str, Any]) -> None:
    """Write the metadata of a document in the place of those that it has.

    Filters look at a row for each item of a list, or for a single value.
    """
    for table in ("metadata", "metadata_items"):
        session.run(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608
    known = {stored_text(name): _storable(value) for name, value in metadata.items()}
    stored = sorted(known.items())
    session.insert("metadata", [(document, name, *_kind(value)) for name, value in stored])
    items = [
        (document, name, number, *_kind(each))
        for name, value in stored
        for number, each in enumerate(value if isinstance(value, list) else [value])
    ]
    session.insert("metadata_items", items)


def _storable(value: Any) -> Any:
    if isinstance(value, list):
        return [_storable(each) for each in value]
    return stored_text(value) if isinstance(value, str) else value


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


def _next_document(session: Session) -> int:
    row = session.row("SELECT COALESCE(max(id), 0) FROM documents")
    return 1 + max(0 if row is None else int(row[0]), erased_count(session, LAST_ERASED))


def _write_content(
    session: Session, loaded: Loaded, document: int, number: int, fingerprint: int
) -> None:
    content = loaded.content
    same = session.row(
        "SELECT content_version FROM versions WHERE document = ? AND content_hash = ?",
        (document, content.hash),
    )
    where = number if same is None else int(same[0])
    data = content.data if same is None else None
    confidence = loaded.document.confidence
    row = (document, number, content.hash, where, data, fingerprint, confidence, now())
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
        values.get("confidence") if stand.block == stand.base else None,
        named_speakers(values.get("speakers") or ()),
        values.get("time_start"),
        values.get("time_end"),
    )


def _optional(text: str | None) -> str | None:
    return None if text is None else stored_text(text)


def remove_current(session: Session, uri: str) -> DocumentReport:
    """Remove a document: it has no current version any more."""
    state = state_by_spelling(session, uri)
    if state is None or state.version is None:
        return DocumentReport(uri, "unchanged")
    gone = [each.base for each in placed(session, state.id, state.version)]
    session.run(
        "UPDATE documents SET current_version = NULL, revision = revision + 1 WHERE id = ?",
        (state.id,),
    )
    return DocumentReport(uri, "removed", gone=gone, **citations_after(session, state, None))
