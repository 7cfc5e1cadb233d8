"""Texts of a store in which quotes are looked for, and filters that tell which are not read."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.errors import ReadError, StoreError
from chunkwright.messages.logs import skipped
from chunkwright.store.content import document_of
from chunkwright.store.reading import content_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chunkwright.store.database.protocol import Database, Row, Session

# Characters of the texts that are held for the next quote, or one document.
_HELD_CHARS = 32_000_000
# Bytes of filters that one transaction writes: others write between two.
_WRITTEN = 16_000_000


class Content(NamedTuple):
    """A version of a document that has a text of its own.

    Attributes
    ----------
    document, version
        Their numbers.
    hash
        The hash of the text and its elements.
    is_current
        Whether it is that of the current version.
    """

    document: int
    version: int
    hash: bytes
    is_current: bool


class Text(NamedTuple):
    """A part of a content: its body, or its page headers and footers.

    Attributes
    ----------
    normal
        The part, normalised.
    start
        Where it begins in the text.
    """

    normal: _core.QuoteIndex
    start: int


class QuotedTexts:
    """Texts of a store, normalised, by the hashes of their contents."""

    def __init__(self) -> None:
        self._held: OrderedDict[bytes, list[Text]] = OrderedDict()
        self._n_chars = 0
        self._lock = threading.Lock()

    def of(self, session: Session, content: Content) -> list[Text]:
        """Return the texts of a content; none if it is gone."""
        with self._lock:
            if content.hash in self._held:
                self._held.move_to_end(content.hash)
                return self._held[content.hash]
        texts = _texts_of(session, content)
        with self._lock:
            if content.hash not in self._held:
                self._held[content.hash] = texts
                self._n_chars += _n_chars(texts)
            while self._n_chars > _HELD_CHARS and len(self._held) > 1:
                self._n_chars -= _n_chars(self._held.popitem(last=False)[1])
        return texts


def contents_of(session: Session) -> list[Content]:
    """Return the contents of all documents: the current ones first, the newest old ones next."""
    current = set(
        session.rows(
            "SELECT d.id, v.content_version FROM documents d JOIN versions v ON v.document = d.id"
            " AND v.version = d.current_version"
        )
    )
    rows = session.rows(
        "SELECT document, version, content_hash FROM versions WHERE version = content_version"
    )
    found = [
        Content(document, version, content_hash, is_current=(document, version) in current)
        for document, version, content_hash in rows
    ]
    return sorted(found, key=lambda each: (not each.is_current, each.document, -each.version))


def parts_of(session: Session, content: Content) -> list[str]:
    """Return the parts of a content that have any text; none if it cannot be read.

    They follow each other in the text.
    """
    row = content_row(session, content.document, content.version)
    document = None if row is None else document_of(row[0], "")
    if document is None:
        return []
    body, whole = document.body, document.text
    return [part for part in (body, whole[len(body) :]) if part]


def _texts_of(session: Session, content: Content) -> list[Text]:
    found: list[Text] = []
    start = 0
    for part in parts_of(session, content):
        found.append(Text(_core.QuoteIndex(part), start))
        start += len(part)
    return found


def _n_chars(texts: list[Text]) -> int:
    return sum(len(text.normal.text) for text in texts)


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
                found[key] = self._made[key] = _filter_of(session, content)
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


def _filter_of(session: Session, content: Content) -> _core.QuoteFilter:
    return _core.QuoteFilter(parts_of(session, content))
