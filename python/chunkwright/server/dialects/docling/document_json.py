"""DoclingDocument JSON of a document that one of our readers has read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from chunkwright.document import Document
from chunkwright.elements.element import Element
from chunkwright.readers.kinds import LAID_OUT

from .writing.page_order import in_reading_order

LANGUAGES = {
    name.lower(): name
    for name in (
        *("Bash", "C", "CSS", "Go", "Haskell", "HTML", "Java", "JavaScript", "JSON", "Kotlin"),
        *("Latex", "Lua", "Perl", "PHP", "Python", "Ruby", "Rust", "Scala", "SQL", "Swift"),
        *("TypeScript", "XML", "YAML"),
    )
} | {
    "cpp": "C++",
    "csharp": "C#",
    "js": "JavaScript",
    "py": "Python",
    "rb": "Ruby",
    "rs": "Rust",
    "sh": "Bash",
    "ts": "TypeScript",
    "yml": "YAML",
}
"""Docling's names of languages, by those that sources state."""

MIME_TYPES = {
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "elements": "application/json",
    "html": "text/html",
    "markdown": "text/markdown",
    "pdf": "application/pdf",
    "rst": "text/plain",
    "text": "text/plain",
    "tsv": "text/tab-separated-values",
}
"""Media types, by the kinds that our readers tell."""


VERSION = "1.3.0"
"""The schema that is written: an old one, since older clients read no newer one."""

_BODY = "#/body"
_FURNITURE = "#/furniture"
_LABELS = {
    "paragraph": "text",
    "quote": "text",
    "caption": "caption",
    "footnote": "footnote",
    "formula": "formula",
    "page header": "page_header",
    "page footer": "page_footer",
    "turn": "text",
}
_MARKER = re.compile(r"\s*([-*+•‣▪◦–]|\d{1,9}[.)]|\(?[A-Za-z]{1,4}[.)])[ \t]+")
_NUMBER = re.compile(r"\(?[0-9A-Za-z]+[.)]")
_FENCED = re.compile(r"\s*(`{3,}|~{3,})[^\n]*\n(?P<code>.*?)\n?\s*\1\s*", re.DOTALL)
_IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\([^)]*\)", re.DOTALL)
_QUOTED = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n\s*\n")


def document_json(document: Document, name: str, kind: str, data: bytes) -> dict[str, Any]:
    """Return a document as a DoclingDocument of JSON's values.

    Headings of level 1 are titles, others section headers; of pages, as of a PDF, all of them are
    section headers, since Docling says so of the titles that it finds on pages. Runs of list items
    are lists, nested as their levels are; tables have their cells, figures their captions. What our
    readers leave in a text, such as ``**`` in Markdown, is text here.

    Parameters
    ----------
    document
        The document.
    name
        The name of the file.
    kind
        As which it was read.
    data
        The file, of which the origin has a hash.
    """
    writer = _Writer(name, kind, data)
    if document.elements is None:
        for text in _PARAGRAPHS.split(document.text):
            if text.strip():
                writer.text("text", text.strip("\n"))
        return writer.document
    writer.elements(list(document.elements), document.elements.titles, document.text)
    return writer.document


class _Writer:
    """Builds a DoclingDocument item by item."""

    def __init__(self, name: str, kind: str, data: bytes) -> None:
        hashed = int(sha256(data).hexdigest(), 16) & 0xFFFF_FFFF_FFFF_FFFF
        self.document: dict[str, Any] = {
            "schema_name": "DoclingDocument",
            "version": VERSION,
            "name": name.rpartition(".")[0] or name,
            "origin": {
                "mimetype": MIME_TYPES.get(kind, "application/octet-stream"),
                "binary_hash": hashed,
                "filename": name,
            },
            "furniture": _root(_FURNITURE, "furniture"),
            "body": _root(_BODY, "body"),
            "groups": [],
            "texts": [],
            "pictures": [],
            "tables": [],
            "key_value_items": [],
            "form_items": [],
            "pages": {},
        }
        self._lists: list[_List] = []
        self._is_marked = kind == "markdown"
        # Docling's layout model tells titles from no other header.
        self._has_titles = kind not in LAID_OUT

    def elements(self, elements: list[Element], titles: Any, text: str) -> None:
        """Add elements in their order; captions stand with what they are of."""
        for element in in_reading_order(elements):
            if element.caption_of is not None and _is_floating(element.caption_of):
                continue
            if element.kind == "list item":
                self._list_item(element)
            elif element.kind != "list":
                # A list goes on behind the header of its next page.
                if element.in_body:
                    self._lists.clear()
                self._element(element, titles.get(element.index, element.text), text)

    def text(self, label: str, text: str, under: str = _BODY, **fields: Any) -> str:
        """Add an item that has a text; return its reference."""
        return self._add("texts", label, under, text=text, orig=text, **fields)

    def _element(self, element: Element, title: str, text: str) -> None:
        prov: dict[str, Any] = {"prov": self._prov(element)}
        if element.kind == "heading":
            level = element.level or 1
            if not self._has_titles:
                self.text("section_header", title, level=level, **prov)
            elif level == 1:
                self.text("title", title, **prov)
            else:
                self.text("section_header", title, level=level - 1, **prov)
        elif element.kind == "table" and element.table is not None:
            self._table(element, text, prov)
        elif element.kind == "figure":
            self._figure(element, prov)
        elif element.kind == "code":
            self._code(element, prov)
        else:
            is_quote = self._is_marked and element.kind == "quote"
            said = _QUOTED.sub("", element.text) if is_quote else element.text
            said = said.strip().strip("$").strip() if element.kind == "formula" else said
            layer = "body" if element.in_body else "furniture"
            under = _BODY if element.in_body or element.pages else _FURNITURE
            label = _LABELS.get(element.kind, "text")
            self.text(label, said, under, content_layer=layer, **prov)

    def _code(self, element: Element, prov: dict[str, Any]) -> None:
        fenced = _FENCED.fullmatch(element.text) if self._is_marked else None
        said = fenced["code"] if fenced is not None else element.text
        language = LANGUAGES.get((element.language or "").lower(), "unknown")
        reference = self.text("code", said, code_language=language, **_floating(), **prov)
        self._captions(element, reference)

    def _list_item(self, element: Element) -> None:
        level = element.level or 1
        found = _MARKER.match(element.text)
        marker = "" if found is None else found[1]
        text = element.text if found is None else element.text[found.end() :]
        numbered = bool(_NUMBER.fullmatch(marker))
        while self._lists and self._lists[-1].level > level:
            self._lists.pop()
        if self._lists and self._lists[-1].is_other(level, numbered=numbered):
            self._lists.pop()
        if not self._lists or self._lists[-1].level < level:
            under = self._lists[-1].last if self._lists else _BODY
            group = self._add("groups", "list", under, name="list")
            self._lists.append(_List(level, numbered, group))
        above = self._lists[-1]
        above.last = self.text(
            "list_item",
            text,
            above.group,
            enumerated=numbered,
            marker=marker or "-",
            prov=self._prov(element),
        )

    def _table(self, element: Element, text: str, prov: dict[str, Any]) -> None:
        table = element.table
        if table is None:
            raise TypeError("a table without cells is a text")
        cells = [
            {
                "text": text[cell.start : cell.end],
                "row_span": cell.rows,
                "col_span": cell.columns,
                "start_row_offset_idx": cell.row,
                "end_row_offset_idx": cell.row + cell.rows,
                "start_col_offset_idx": cell.column,
                "end_col_offset_idx": cell.column + cell.columns,
                "column_header": cell.is_header,
                "row_header": False,
                "row_section": False,
            }
            for cell in table.cells
        ]
        data = {"table_cells": cells, "num_rows": table.n_rows, "num_cols": table.n_columns}
        reference = self._add("tables", "table", _BODY, data=data, **_floating(), **prov)
        self._captions(element, reference)

    def _figure(self, element: Element, prov: dict[str, Any]) -> None:
        reference = self._add("pictures", "picture", _BODY, **_floating(), **prov)
        self._captions(element, reference)
        image = _IMAGE.fullmatch(element.text.strip()) if self._is_marked else None
        said = element.text if image is None else image["alt"]
        if said.strip():
            self._caption(said, reference, {})

    def _captions(self, element: Element, reference: str) -> None:
        for caption in element.captions:
            self._caption(caption.text, reference, {"prov": self._prov(caption)})

    def _caption(self, text: str, of: str, fields: dict[str, Any]) -> None:
        reference = self.text("caption", text, of, **fields)
        self._node(of)["captions"].append({"$ref": reference})

    def _prov(self, element: Element) -> list[dict[str, Any]]:
        return list(self._places(element))

    def _places(self, element: Element) -> Iterator[dict[str, Any]]:
        """Yield the places of an element; of a page without a box, an empty box."""
        span = [0, len(element.text)]
        boxed = set()
        for box in element.boxes:
            if box.page is None:
                continue
            boxed.add(box.page)
            if box.width is not None and box.height is not None:
                size = {"width": box.width, "height": box.height}
                page = {"size": size, "page_no": box.page}
                self.document["pages"].setdefault(str(box.page), page)
            sides = {"l": box.left, "t": box.top, "r": box.right, "b": box.bottom}
            yield _place(box.page, sides, span)
        for number in element.pages:
            if number not in boxed:
                yield _place(number, dict.fromkeys("ltrb", 0.0), span)

    def _add(self, where: str, label: str, under: str, **fields: Any) -> str:
        nodes = self.document[where]
        reference = f"#/{where}/{len(nodes)}"
        fields = {"content_layer": "body", **fields}
        node = {"self_ref": reference, "parent": {"$ref": under}, "children": [], "label": label}
        nodes.append(node | fields)
        self._node(under)["children"].append({"$ref": reference})
        return reference

    def _node(self, reference: str) -> dict[str, Any]:
        _, where, *number = reference.split("/")
        found: dict[str, Any] = self.document[where]
        return found[int(number[0])] if number else found  # type: ignore[index]


class _List:
    """A list to which items are added."""

    def __init__(self, level: int, numbered: bool, group: str) -> None:
        self.level = level
        self.numbered = numbered
        self.group = group
        self.last = group

    def is_other(self, level: int, *, numbered: bool) -> bool:
        """Return whether an item of its level begins another list, by its marker."""
        return self.level == level and self.numbered != numbered


def _root(reference: str, layer: str) -> dict[str, Any]:
    return {
        "self_ref": reference,
        "children": [],
        "content_layer": layer,
        "name": "_root_",
        "label": "unspecified",
    }


def _is_floating(element: Element) -> bool:
    """Return whether Docling's item for an element has captions of its own."""
    return element.kind in {"figure", "code"} or element.table is not None


def _floating() -> dict[str, Any]:
    return {"captions": [], "references": [], "footnotes": []}


def _place(page: int, sides: dict[str, float], span: list[int]) -> dict[str, Any]:
    return {"page_no": page, "bbox": {**sides, "coord_origin": "TOPLEFT"}, "charspan": span}
