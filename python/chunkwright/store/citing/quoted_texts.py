"""Texts of a store in which quotes are looked for: their filters are held, and some texts."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.store.content import document_of
from chunkwright.store.state import content_row

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session

# Characters of the texts that are held for the next quote, or one document.
_HELD_CHARS = 32_000_000


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
    """Texts of a store, normalised: the filters of all, and the texts of those asked for last.

    Both are derived, and known by the hashes of their contents: what has changed is read anew.
    """

    def __init__(self) -> None:
        self._filters: dict[bytes, _core.QuoteFilter] = {}
        self._held: OrderedDict[bytes, list[Text]] = OrderedDict()
        self._n_chars = 0
        self._lock = threading.Lock()

    def filters(self, session: Session, contents: list[Content]) -> list[_core.QuoteFilter]:
        """Return what each of the contents may have."""
        found = []
        for content in contents:
            known = self._filters.get(content.hash)
            if known is None:
                texts = self.texts(session, content)
                known = _core.QuoteFilter([text.normal for text in texts])
                self._filters[content.hash] = known
            found.append(known)
        return found

    def forget(self, contents: list[Content]) -> None:
        """Forget the filters of all other contents."""
        hashes = {content.hash for content in contents}
        for gone in set(self._filters) - hashes:
            self._filters.pop(gone, None)

    def texts(self, session: Session, content: Content) -> list[Text]:
        """Return the texts of a content; none if it is gone."""
        with self._lock:
            if content.hash in self._held:
                self._held.move_to_end(content.hash)
                return self._held[content.hash]
        texts = _texts(session, content)
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


def _texts(session: Session, content: Content) -> list[Text]:
    row = content_row(session, content.document, content.version)
    document = None if row is None else document_of(row[0], "")
    if document is None:
        return []
    body, whole = document.body, document.text
    parts = [(body, 0), (whole[len(body) :], len(body))]
    return [Text(_core.QuoteIndex(text), start) for text, start in parts if text]


def _n_chars(texts: list[Text]) -> int:
    return sum(len(text.normal.text) for text in texts)
