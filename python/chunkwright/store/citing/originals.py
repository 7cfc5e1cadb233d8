"""Originals of stored documents: the file that a version was read from, and the hash of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chunkwright.store.model import FILE

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.model import DocumentState


class Original(NamedTuple):
    """The file that a version of a document was read from.

    Attributes
    ----------
    uri
        The address of the document.
    file
        The absolute path of the file at the import; None if it cannot be written in UTF-8.
    sha256
        The SHA-256 of its bytes, in hexadecimal digits.
    """

    uri: str
    file: str | None
    sha256: str


def original_of(session: Session, state: DocumentState, version: int) -> Original | None:
    """Return the file that a version was read from; None if that is not known.

    It is known of the current version, and of earlier ones with the same content: those that edits
    by hand have made.
    """
    if state.origin.kind != FILE or state.version is None:
        return None
    sql = "SELECT version, content_hash FROM versions WHERE document = ? AND version IN (?, ?)"
    rows = session.rows(sql, (state.id, version, state.version))
    hashes = {number: bytes(content) for number, content in rows}
    if hashes.get(version, b"") != hashes.get(state.version):
        return None
    return Original(state.uri, state.origin.file, state.source_hash)
