"""Passages: the chunks of one document, with what a snippet about them is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from chunkwright.contextual.sections import Sections, below, path_of, sections_of
from chunkwright.errors import ReadError

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document


@dataclass(frozen=True, slots=True)
class Passages:
    """The chunks of one document.

    Parameters
    ----------
    texts
        As they were cut.
    sections
        The headings of the section that each is from, as a path.
    paths
        The same below the title of the document.
    document
        Returns the text of the document, without page headers and footers.
    name
        What the document is called in messages.
    """

    texts: Sequence[str]
    sections: Sequence[str]
    paths: Sequence[str]
    document: Callable[[], str]
    name: str

    def __len__(self) -> int:
        return len(self.texts)


def passages_of(chunks: Chunks) -> list[Passages]:
    """Return the passages of each document that has any."""
    documents = chunks.documents
    of = [Sections(each.name, each.elements) for each in documents]
    texts, paths = chunks.texts(), sections_of(chunks, of)
    found = []
    start = 0
    for doc, rows in groupby(chunks.doc_index.tolist()):
        end = start + sum(1 for _ in rows)
        own = paths[start:end]
        below_title = [below(of[doc].title, path) for path in own]
        document = documents[doc]
        name = repr(document.name) if document.name else f"document {doc}"
        found.append(Passages(texts[start:end], own, below_title, partial(_text, document), name))
        start = end
    return found


def passages_of_rows(rows: Sequence[Mapping[str, Any]], first: int = 0) -> Passages:
    """Return the rows of one document's chunks as passages.

    Parameters
    ----------
    rows
        With ``text``; with ``headings`` and ``document``, if these are known.
    first
        The number of the first one, for errors.

    Raises
    ------
    ReadError
        For a row that has no text, or headings that are none.
    """
    texts = [_text_of(row, first + at) for at, row in enumerate(rows)]
    sections = [_section(row, first + at) for at, row in enumerate(rows)]
    title = path_of([str(rows[0].get("document") or "")]) if rows else ""
    paths = [below(title, section) for section in sections]
    name = repr(title) if title else f"the rows from {first} on"
    return Passages(texts, sections, paths, lambda: "\n\n".join(texts), name)


def passages_of_objects(chunks: Iterable[Any]) -> Passages:
    """Return chunks of one document as passages: rows, or objects with ``text``.

    Raises
    ------
    ReadError
        For one that has no text.
    """
    return passages_of_rows(
        [
            each
            if isinstance(each, Mapping)
            else {"text": getattr(each, "text", None), "headings": getattr(each, "headings", None)}
            for each in chunks
        ]
    )


def _text(document: Document) -> str:
    return document.body


def _text_of(row: Mapping[str, Any], number: int) -> str:
    text = row.get("text")
    if not isinstance(text, str):
        raise ReadError(f"row {number}: text must be a str, got {text!r}")
    return text


def _section(row: Mapping[str, Any], number: int) -> str:
    headings = row.get("headings") or ()
    if isinstance(headings, str) or not all(isinstance(each, str) for each in headings):
        raise ReadError(f"row {number}: headings must be a list of str, got {headings!r}")
    return path_of(list(headings))
