"""Filters of the texts of a store: which quotes cannot stand in a text that is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.errors import ReadError, StoreError
from chunkwright.messages.logs import skipped
from chunkwright.store.citing.quoted_texts import contents_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chunkwright.store.citing.quoted_texts import Content
    from chunkwright.store.database.protocol import Database, Row, Session

# Bytes that one transaction writes: others write between two.
_WRITTEN = 16_000_000


class QuoteFilters:
    """Filters by the hashes of contents, held in memory once they were read or made.

    They are derived, and kept beside the texts: what is missing there or damaged is made anew.
    """

    def __init__(self) -> None:
        self._held: dict[bytes, _core.QuoteFilter] = {}
        self._made: dict[bytes, _core.QuoteFilter] = {}

    def of(self, session: Session, contents: Sequence[Content]) -> list[_core.QuoteFilter]:
        """Return the filters of contents."""
        held = ((each.hash, self._held.get(each.hash)) for each in contents)
        found = {key: known for key, known in held if known is not None}
        waiting = {each.hash: each for each in contents if each.hash not in found}
        found |= _stored(session, list(waiting))
        for key, content in waiting.items():
            if key not in found:
                found[key] = self._made[key] = _core.QuoteFilter(parts_of(session, content))
        self._held |= found
        return [found[each.hash] for each in contents]

    def keep(self, contents: Iterable[Content]) -> None:
        """Forget the filters of all other contents."""
        for gone in self._held.keys() - {each.hash for each in contents}:
            self._held.pop(gone, None)
            self._made.pop(gone, None)

    def write(self, database: Database) -> None:
        """Write those that were made, so that no other process makes them; in steps.

        Where another one writes, or the store cannot be written now, the next call tries it again.
        """
        if not self._made:
            return
        try:
            database.check_writable()
            while self._made:
                for key in self._written(database):
                    self._made.pop(key, None)
        except StoreError as error:
            skipped("the writing of filters of quotes", str(error), is_expected=True)

    def _written(self, database: Database) -> list[bytes]:
        """Write some of those that were made, and return the hashes of their contents."""
        with database.writing(waits=False) as session:
            # What was erased since must not return.
            known = {each.hash for each in contents_of(session)}
            taken: list[bytes] = []
            rows: list[Row] = []
            n_bytes = 0
            for key, each in list(self._made.items()):
                taken.append(key)
                if key in known:
                    rows.append((key, _core.QuoteFilter.VERSION, each.to_bytes(key)))
                    n_bytes += len(rows[-1][2])
                if n_bytes >= _WRITTEN:
                    break
            session.delete("quote_filters", "content_hash", [row[0] for row in rows])
            session.insert("quote_filters", rows)
        return taken


def forget_filters(session: Session, document: int, versions: Sequence[int] | None = None) -> None:
    """Delete the filters of versions of a document, before these are deleted; None for all.

    One that other versions have as well is made anew by the next quote.
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
