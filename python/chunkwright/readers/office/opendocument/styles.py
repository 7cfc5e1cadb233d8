"""Styles of OpenDocument files: what is hidden, what names a role, and how lists are numbered."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from chunkwright.readers.office.lists import numeral
from chunkwright.readers.office.package import attribute, child, local

# What styles are called, those of LibreOffice in any language, and what their paragraphs are.
_ROLES = {
    "title": "title",
    "caption": "caption",
    "illustration": "caption",
    "table": "caption",
    "drawing": "caption",
    "figure": "caption",
    "preformatted text": "code",
    "source code": "code",
    "quotations": "quote",
}
_MAX_CHAIN, _MAX_LEVELS, _MAX_DIGITS = 20, 10, 8


class Styles:
    """The styles of a document.

    Parameters
    ----------
    roots
        The parts that have some: the content, and the styles.
    """

    def __init__(self, *roots: ET.Element | None) -> None:
        self._styles: dict[tuple[str, str], ET.Element] = {}
        self._lists: dict[str, ET.Element] = {}
        self.outline: ET.Element | None = None
        for style in _styles_in(roots):
            name, kind = attribute(style, "name") or "", local(style.tag)
            if kind == "style":
                self._styles.setdefault((attribute(style, "family") or "", name), style)
            elif kind == "list-style":
                self._lists.setdefault(name, style)
            elif kind == "outline-style" and self.outline is None:
                self.outline = style

    def is_hidden(self, family: str, name: str | None) -> bool:
        """Return whether text, a slide or a sheet of a style is not shown."""
        for style in self._chain(family, name):
            for properties in style:
                display = attribute(properties, "display")
                if family in {"text", "paragraph", "table"} and display is not None:
                    return display in {"none", "false"}
                if attribute(properties, "visibility") == "hidden":
                    return True
        return False

    def role(self, name: str | None) -> str | None:
        """Return what paragraphs of a style are: title, caption, code, quote; None if nothing."""
        for style in self._chain("paragraph", name):
            said = attribute(style, "display-name") or attribute(style, "name") or ""
            said = said.replace("_20_", " ").lower()
            if said in _ROLES:
                return _ROLES[said]
        return None

    def list_of(self, name: str | None) -> str | None:
        """Return the style of lists that a style of paragraphs has."""
        found = (attribute(style, "list-style-name") for style in self._chain("paragraph", name))
        return next((each for each in found if each is not None), None)

    def list_level(self, name: str | None, level: int) -> ET.Element | None:
        """Return what a style of lists says of a level, from 1."""
        return level_of(self._lists.get(name or ""), level)

    def _chain(self, family: str, name: str | None) -> Iterator[ET.Element]:
        """Yield a style and those that it is based on."""
        for _ in range(_MAX_CHAIN):
            style = self._styles.get((family, name or ""))
            if style is None:
                return
            yield style
            name = attribute(style, "parent-style-name")


def level_of(style: ET.Element | None, level: int) -> ET.Element | None:
    """Return what a style of lists, or of headings, says of a level."""
    levels = () if style is None else style
    found = (each for each in levels if attribute(each, "level") == str(level))
    return next(found, None)


class Numbers:
    """Numbers of items, or of headings, under way: one for each level."""

    def __init__(self) -> None:
        self._counts = [0] * (_MAX_LEVELS + 1)
        self._forms = ["1"] * (_MAX_LEVELS + 1)

    def marker(self, level: int, said: ET.Element | None, start: str | None = None) -> str | None:
        """Count one more at a level, and return its number; None if the level has no numbers.

        Parameters
        ----------
        level
            The level, from 1.
        said
            What a style says of it.
        start
            The number that it has, if it is stated.
        """
        level = min(level, _MAX_LEVELS)
        form = None if said is None else attribute(said, "num-format")
        if said is None or not form:
            return None
        first = attribute(said, "start-value") or "1"
        counted = self._counts[level] + 1 if self._counts[level] else _number(first, 1)
        self._counts[level] = _number(start, counted)
        self._counts[level + 1 :] = [0] * (_MAX_LEVELS - level)
        shown = _number(attribute(said, "display-levels"), 1)
        self._forms[level] = form
        levels = range(max(1, level - shown + 1), level + 1)
        text = ".".join(numeral(max(self._counts[at], 1), self._forms[at]) for at in levels)
        front, back = attribute(said, "num-prefix") or "", attribute(said, "num-suffix") or ""
        return f"{front}{text}{back}".strip()


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) <= _MAX_DIGITS else default


def _styles_in(roots: tuple[ET.Element | None, ...]) -> Iterator[ET.Element]:
    for root in roots:
        for name in ("automatic-styles", "styles"):
            found = child(root, name)
            yield from () if found is None else found
