"""Filters of the texts of a store: which quotes cannot stand in a text that is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.errors import ReadError
from chunkwright.messages.logs import skipped
from chunkwright.store.citing.quoted_texts import contents_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chunkwright.store.citing.quoted_texts import Content
    from chunkwright.store.database.protocol import Database, Row, Session

# Bytes that one transaction writes: others write between two.
_WRITTEN = 16_000_000


class QuoteFilters:
    """Filters by the hashes of contents, held in memory once they were read.

    They are derived, and kept beside the texts: what is missing there or damaged is made anew.
    """

    def __init__(self) -> None:
        self._held: dict[bytes, _core.QuoteFilter] = {}

    def of(self, session: Session, contents: Sequence[Content]) -> list[_core.QuoteFilter]:
        """Return the filters of contents."""
        held = ((each.hash, self._held.get(each.hash)) for each in contents)
        found = {key: known for key, known in held if known is not None}
        waiting = {each.hash: each for each in contents if each.hash not in found}
        found |= _stored(session, list(waiting))
        for key, content in waiting.items():
            if key not in found:
                found[key] = _core.QuoteFilter(parts_of(session, content))
        self._held |= found
        return [found[each.hash] for each in contents]

    def keep(self, contents: Iterable[Content]) -> None:
        """Forget the filters of all other contents."""
        for gone in self._held.keys() - {each.hash for each in contents}:
            self._held.pop(gone, None)


def write_filters(database: Database) -> None:
    """Write the filters that are missing beside the texts, and delete those of texts that are gone.

    Parameters
    ----------
    database
        The store's.
    """
    with database.reading() as session:
        contents = {each.hash: each for each in contents_of(session)}
        sql = "SELECT content_hash, version FROM quote_filters"
        stored: dict[bytes, int] = dict(session.rows(sql))
    current = {key for key, version in stored.items() if version == _core.QuoteFilter.VERSION}
    gone = list(stored.keys() - (current & contents.keys()))
    if gone:
        with database.writing() as session:
            session.delete("quote_filters", "content_hash", gone)
    missing = [content for key, content in contents.items() if key not in current]
    for rows in _rows_of(database, missing):
        with database.writing() as session:
            # What was erased since must not return.
            known = {each.hash for each in contents_of(session)}
            written = [row for row in rows if row[0] in known]
            session.delete("quote_filters", "content_hash", [row[0] for row in written])
            session.insert("quote_filters", written)


def forget_filters(session: Session, document: int, versions: Sequence[int] | None = None) -> None:
    """Delete the filters of versions of a document, before these are deleted; None for all.

    A filter that other versions have as well is made anew by :func:`write_filters`.
    """
    sql = "SELECT content_hash, version FROM versions WHERE document = ?"
    hashes = [
        content_hash
        for content_hash, version in session.rows(sql, (document,))
        if versions is None or version in versions
    ]
    session.delete("quote_filters", "content_hash", hashes)


def _stored(session: Session, hashes: list[bytes]) -> Iterator[tuple[bytes, _core.QuoteFilter]]:
    """Yield the filters that are written, each with the hash of its content."""
    sql = "SELECT content_hash, data FROM quote_filters WHERE version = ? AND content_hash IN"
    for key, data in session.among(sql, hashes, (_core.QuoteFilter.VERSION,)):
        try:
            yield key, _core.QuoteFilter.of_bytes(data, key)
        except ReadError as error:
            skipped("a filter of quotes", f"{error}; it is made anew")


def _rows_of(database: Database, contents: Iterable[Content]) -> Iterator[list[Row]]:
    """Yield rows of filters, some at once."""
    rows: list[Row] = []
    n_bytes = 0
    for content in contents:
        with database.reading() as session:
            parts = parts_of(session, content)
        if not parts:
            # It is empty, or of a layout that a later chunkwright may read.
            continue
        data = _core.QuoteFilter(parts).to_bytes(content.hash)
        rows.append((content.hash, _core.QuoteFilter.VERSION, data))
        n_bytes += len(data)
        if n_bytes >= _WRITTEN:
            yield rows
            rows, n_bytes = [], 0
    if rows:
        yield rows
