"""Texts of a store in which quotes are looked for; those asked for last are held."""

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
