"""Sections of a Word file: the headers and footers of each, and whether it begins a page."""

from __future__ import annotations

from typing import NamedTuple

from chunkwright.readers.docx.parts.names import Node, attribute, full, is_on, name_of, value

_KINDS = {"w:headerReference": "page header", "w:footerReference": "page footer"}


class Section(NamedTuple):
    """A section, by its properties."""

    node: Node

    @property
    def begins_page(self) -> bool:
        """Whether it begins a page."""
        return value(self.node, "w:type") not in {"continuous", "nextColumn"}

    def references(self, *, has_even: bool) -> list[tuple[str, str]]:
        """Return the kinds and relations of its headers and footers that are shown."""
        has_first = is_on(self.node, "w:titlePg")
        shown = {"default": True, "first": has_first, "even": has_even}
        return [
            (_KINDS[name_of(each)], attribute(each, "r:id") or "")
            for each in self.node
            if name_of(each) in _KINDS and shown.get(attribute(each, "w:type") or "default")
        ]


def sections_of(root: Node) -> list[Section]:
    """Return the sections of a document, but for what they were before a tracked change."""
    return [
        Section(node)
        for node in root.iter(full("w:sectPr"))
        if name_of(node.getparent()) != "w:sectPrChange"
    ]
