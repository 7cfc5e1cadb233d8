"""Elements of a document that our readers have read, in Unstructured's form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from chunkwright.document import Document
from chunkwright.elements.element import Element
from chunkwright.elements.elements import Elements
from chunkwright.readers.kinds import LAID_OUT, MARKUPS, is_code
from chunkwright.server.dialects.unstructured.elements_json import element as made
from chunkwright.server.dialects.unstructured.html_tables import table_html, table_text

_TYPES = {
    "heading": "Title",
    "list item": "ListItem",
    "table": "Table",
    "figure": "Image",
    "caption": "FigureCaption",
    "code": "CodeSnippet",
    "formula": "Formula",
    "footnote": "Footer",
    "page header": "Header",
    "page footer": "Footer",
    "turn": "NarrativeText",
}
_PARAGRAPHS = re.compile(r"\n(?:[ \t\r\f\v]*\n)+")
_BULLET = re.compile(r"\A\s*[-*\u2022\u2023\u25aa\u25cf\u25e6]\s+(?=\S)")
# Marks in front of texts that repeat what the element's type says.
_ITEM = re.compile(r"\A(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_MARKS = {
    "markdown": {
        "list item": _ITEM,
        "quote": re.compile(r"^[ ]{0,3}>[ ]?", re.MULTILINE),
        "code": re.compile(r"\A(?:`{3,}|~{3,})[^\n]*\n|\n?(?:`{3,}|~{3,})[ \t]*\Z"),
        "footnote": re.compile(r"\A\[\^[^\]\n]*\]:[ \t]*"),
    },
    "rst": {
        "list item": re.compile(r"\A(?:[-*+]|\(?(?:#|\d{1,9}|[A-Za-z])[.)])[ \t]+"),
        "footnote": re.compile(r"\A\.\. \[[^\]\n]*\][ \t]*"),
    },
    # Unstructured's readers put marks in front of items that the files do not have.
    "docx": {"list item": _ITEM},
    "office": {"list item": _ITEM},
    "mail": {"list item": _ITEM},
    "pdf": {"list item": _BULLET},
}
# Kinds of files whose lists begin at depth 1, as in Unstructured; those of others begin at 0.
_FROM_ONE = frozenset({"html", "markdown", "rst"})
# Where fewer than one line in so many is blank, each line is a paragraph.
_LINES_PER_BLANK = 10
_LINK = re.compile(r"!?\[(.*)\]\(.*\)", re.DOTALL)
_WORDS_OF_IMAGE = re.compile(r"\A!\[(.*?)\]", re.DOTALL)


class Wanted(NamedTuple):
    """What elements are to say beside their texts.

    Attributes
    ----------
    coordinates
        Whether they say where they stand.
    page_breaks
        Whether there is an element between pages.
    tables
        Whether tables have HTML.
    first_page
        The number of the first page.
    notes
        Of slides, whether those of the speaker are wanted, in front of what a slide shows; of other
        documents None.
    languages
        The languages of the document.
    """

    coordinates: bool
    page_breaks: bool
    tables: bool
    first_page: int
    notes: bool | None
    languages: tuple[str, ...]


def elements_of(document: Document, kind: str, wanted: Wanted) -> list[dict[str, Any]]:
    """Return the elements of a document.

    Parameters
    ----------
    document
        What was read.
    kind
        The kind that it was read as.
    wanted
        What is asked for.

    Returns
    -------
    list[dict]
        The elements in reading order, page headers and footers on their pages; the parent of each
        is the heading or list item that it belongs to. Ids are still to be derived.
    """
    if document.elements is None:
        elements = [*_paragraphs(document.text, document.name)]
    else:
        elements = _Maker(document.elements, kind, wanted).all()
    for each in elements:
        if wanted.languages:
            each["metadata"]["languages"] = list(wanted.languages)
    return elements


def _paragraphs(text: str, name: str | None) -> Iterator[dict[str, Any]]:
    """Cut a plain text at blank lines, or at all if few are blank; bullets begin items of lists.

    Of source code each part between blank lines is a snippet.
    """
    text = text.removeprefix("\ufeff")
    if is_code(name):
        blocks = (block.strip("\r\n") for block in _PARAGRAPHS.split(text))
        yield from (made("CodeSnippet", block, {}) for block in blocks if block.strip())
        return
    for block in _blocks(text):
        lines = block.split("\n")
        if all(map(_BULLET.match, lines)):
            yield from (made("ListItem", _BULLET.sub("", line).strip(), {}) for line in lines)
        else:
            yield made("NarrativeText", block, {})


def _blocks(text: str) -> Iterator[str]:
    lines = text.strip().split("\n")
    n_blank = sum(not line.strip() for line in lines)
    by_line = n_blank * _LINES_PER_BLANK < len(lines)
    blocks = lines if by_line else _PARAGRAPHS.split(text)
    return (block.strip() for block in blocks if block.strip())


class _Maker:
    """Makes elements of those of a document.

    Parameters
    ----------
    elements
        Those of the document.
    kind
        The kind that it was read as.
    wanted
        What is asked for.
    """

    def __init__(self, elements: Elements, kind: str, wanted: Wanted) -> None:
        self._elements = elements
        self._text = elements.text
        self._kind = kind
        self._wanted = wanted
        self._headings = elements.core.heading_paths()
        self._made: dict[int, dict[str, Any]] = {}

    def all(self) -> list[dict[str, Any]]:
        """Return them all, those without text and picture aside."""
        elements: list[dict[str, Any]] = []
        page = None
        for element in self._in_order():
            if (row := self._element(element)) is None:
                continue
            number = row["metadata"].get("page_number")
            if self._wanted.page_breaks and None not in {page, number} and number != page:
                elements.append(made("PageBreak", "", {"page_number": page}))
            page = number if number is not None else page
            self._made[element.index] = row
            elements.append(row)
        # Unstructured has a break behind the last page of these as well.
        if self._wanted.page_breaks and page is not None and self._kind in LAID_OUT:
            elements.append(made("PageBreak", "", {"page_number": page}))
        self._set_parents()
        return elements

    def _in_order(self) -> list[Element]:
        """Return the body, with headers before and footers behind what is on their pages."""
        elements = [*self._elements]
        body, furniture = elements[: self._elements.n_body], elements[self._elements.n_body :]
        if self._wanted.notes is not None:
            body = self._with_notes(body)
        if not furniture:
            return body
        first, last = 0, max((page or 0 for page in self._elements.pages), default=0)
        rows = []
        page = first
        for element in body:
            page = max(page, element.pages[0] if element.pages else page)
            rows.append((page, 1, element))
        for element in furniture:
            is_header = element.kind == "page header"
            at = element.pages[0] if element.pages else (first if is_header else last)
            rows.append((at, 0 if is_header else 2, element))
        rows.sort(key=lambda row: row[:2])
        return [row[2] for row in rows]

    def _with_notes(self, body: list[Element]) -> list[Element]:
        """Return slides with the notes of the speaker in front of each, or without any."""
        if not self._wanted.notes:
            return [element for element in body if element.kind != "footnote"]
        return sorted(body, key=lambda each: (each.pages[:1], each.kind != "footnote"))

    def _element(self, element: Element) -> dict[str, Any] | None:
        is_note = element.kind == "footnote" and self._wanted.notes is not None
        type_ = "NarrativeText" if is_note else _TYPES.get(element.kind, "NarrativeText")
        text = self._text_of(element)
        if not text.strip() and type_ != "Image":
            return None
        metadata = {
            "category_depth": self._depth(element),
            "page_number": self._page(element),
            "coordinates": self._coordinates(element),
            "text_as_html": self._html(element),
            **self._links(element),
        }
        said = {name: value for name, value in metadata.items() if value is not None}
        return made(type_, text, said)

    def _text_of(self, element: Element) -> str:
        kind = element.kind
        if kind == "table":
            return table_text(element, self._text)
        if kind != "code" and self._kind == "html":
            return " ".join(element.text.split())
        if self._kind in MARKUPS:
            if (title := self._elements.titles.get(element.index)) is not None:
                return " ".join(title.split())
            if kind == "figure" and (words := _WORDS_OF_IMAGE.match(element.text)) is not None:
                return words[1]
        mark = _MARKS.get(self._kind, {}).get(kind)
        return element.text if mark is None else mark.sub("", element.text)

    def _html(self, element: Element) -> str | None:
        if element.kind != "table" or not self._wanted.tables:
            return None
        return table_html(element, self._text)

    def _depth(self, element: Element) -> int | None:
        if element.kind == "heading":
            return (element.level or 1) - 1
        if element.kind != "list item" or element.level is None:
            return None
        return element.level if self._kind in _FROM_ONE else element.level - 1

    def _page(self, element: Element) -> int | None:
        pages = element.pages
        return pages[0] + self._wanted.first_page - 1 if pages else None

    def _coordinates(self, element: Element) -> dict[str, Any] | None:
        boxes = element.boxes if self._wanted.coordinates else ()
        boxes = tuple(box for box in boxes if box.page == boxes[0].page)
        if not boxes or boxes[0].width is None or boxes[0].height is None:
            return None
        left, top = min(box.left for box in boxes), min(box.top for box in boxes)
        right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
        size = {"layout_width": boxes[0].width, "layout_height": boxes[0].height}
        corners = [(left, top), (left, bottom), (right, bottom), (right, top)]
        return {"points": corners, "system": "PixelSpace", **size}

    def _links(self, element: Element) -> dict[str, Any]:
        links = [link for link in element.links if not link.is_image]
        images = [link.target for link in element.links if link.is_image]
        fields: dict[str, Any] = {}
        if element.kind == "figure" and images and not images[0].startswith("data:"):
            fields["image_url"] = images[0]
        if links:
            spans = [self._text[link.start : link.end] for link in links]
            fields["link_texts"] = [_words(span) for span in spans]
            fields["link_urls"] = [link.target for link in links]
        return fields

    def _set_parents(self) -> None:
        for index, each in self._made.items():
            if index < self._elements.n_body and (parent := self._parent(index)) is not None:
                each["metadata"]["parent_id"] = parent["element_id"]

    def _parent(self, index: int) -> dict[str, Any] | None:
        above, kinds = self._elements.parents[index], self._elements.kinds
        while above >= 0:
            if kinds[above] == kinds[index] == "list item":
                return self._made.get(above)
            above = self._elements.parents[above]
        headings = self._headings.above(index)
        return self._made.get(headings[-1]) if headings else None


def _words(span: str) -> str:
    """Return the words of a link, which in Markdown stand in brackets."""
    written = _LINK.fullmatch(span)
    return span if written is None else written[1]
