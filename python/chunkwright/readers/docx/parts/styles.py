"""Styles of a Word file: what paragraphs of a style are, by its name and by what it is based on."""

from __future__ import annotations

import re
from typing import NamedTuple

from chunkwright.readers.docx.parts.names import (
    Node,
    attribute,
    child,
    full,
    is_on,
    is_switched_on,
    number,
    value,
)

# Word writes the names of its own styles in English, whatever language it speaks.
_HEADING = re.compile(r"heading ?([1-9])")
_LEVELED = re.compile(r"list (?:bullet|number|continue)(?: ([2-5]))?")
_CODE = re.compile(
    r"(?:source ?)?code(?: ?(?:block|listing|sample|text))?|(?:html )?preformatted(?: text)?"
    r"|macro(?: text)?|(?:program ?)?listing|verbatim"
)
_KINDS = {
    "caption": "caption",
    "quote": "quote",
    "intense quote": "quote",
    "block text": "quote",
    "list continue": "continued",
    "list paragraph": "continued",
}
BODY_LEVEL = 9
"""The outline level of what is no heading; those of headings are 0 to 8."""


class Style(NamedTuple):
    """What a paragraph of a style is, if it does not say so itself.

    Attributes
    ----------
    kind
        ``"title"``, ``"code"``, ``"caption"``, ``"quote"``, ``"continued"`` (of an item of a list),
        or empty.
    outline
        The outline level from 0; None if the style has none.
    num_id, list_level
        The numbering, and the level in it from 0; None if they are not stated.
    depth
        How deep a list of it is nested, from 0.
    is_hidden
        Whether it is hidden text; None if neither the style nor any that it is based on says so.
    """

    kind: str = ""
    outline: int | None = None
    num_id: str | None = None
    list_level: int | None = None
    depth: int = 0
    is_hidden: bool | None = None


class Styles:
    """The styles of a document by their ids.

    Parameters
    ----------
    root
        The part of styles; None if there is none.
    """

    def __init__(self, root: Node | None) -> None:
        nodes = [] if root is None else list(root.iter(full("w:style")))
        self._nodes = {attribute(node, "w:styleId") or "": node for node in nodes}
        self._styles: dict[str, Style] = {}
        defaults = (
            attribute(node, "w:styleId")
            for node in nodes
            if attribute(node, "w:type") == "paragraph"
            and (attribute(node, "w:default") or "0") in {"1", "true", "on"}
        )
        self._default = next(defaults, None) or ""
        self._is_hidden = root is not None and is_on(
            root, "w:docDefaults", "w:rPrDefault", "w:rPr", "w:vanish"
        )

    def of(self, style_id: str | None) -> Style:
        """Return the style of an id, or that of paragraphs that name none."""
        style_id = self._default if style_id is None else style_id
        chain: list[str] = []
        above: str | None = style_id
        while above is not None and above not in self._styles:
            # A style that is based on itself, however far around, ends there.
            self._styles[above] = Style()
            chain.append(above)
            node = self._nodes.get(above)
            above = None if node is None else value(node, "w:basedOn")
        style = Style() if above is None else self._styles[above]
        for each in reversed(chain):
            style = self._styles[each] = _derived(self._nodes.get(each), each, style)
        return style

    def hides(self, properties: Node | None, style_id: str | None) -> bool:
        """Return whether the text of a run, or the mark of a paragraph, is hidden.

        What the run says itself counts. Else it is hidden if the defaults of the document say so,
        or if one of the styles of the paragraph and of the run does, but not both: a style toggles.

        Parameters
        ----------
        properties
            The ``w:rPr`` of the run or the mark; None if it has none.
        style_id
            The style of the paragraph; None if it names none.
        """
        own = None if properties is None else child(properties, "w:vanish")
        if own is not None:
            return is_switched_on(own)
        of_run = None if properties is None else value(properties, "w:rStyle")
        by_run = of_run is not None and bool(self.of(of_run).is_hidden)
        return self._is_hidden or by_run != bool(self.of(style_id).is_hidden)


def _derived(node: Node | None, style_id: str, base: Style) -> Style:
    if node is None:
        # Some programs name a style that they do not write.
        return _named(style_id.lower(), Style())
    name = (value(node, "w:name") or style_id).partition(",")[0].strip().lower()
    style = _named(name, base)
    outline = value(node, "w:pPr", "w:outlineLvl")
    if outline is not None and name != "toc heading":
        style = style._replace(outline=number(outline, BODY_LEVEL))
    numbers = child(node, "w:pPr", "w:numPr")
    if numbers is not None:
        level = value(numbers, "w:ilvl")
        style = style._replace(
            num_id=value(numbers, "w:numId") or style.num_id,
            list_level=style.list_level if level is None else number(level),
        )
    hidden = child(node, "w:rPr", "w:vanish")
    return style if hidden is None else style._replace(is_hidden=is_switched_on(hidden))


def _named(name: str, base: Style) -> Style:
    """Return what the name of a style says, over what it is based on."""
    if heading := _HEADING.fullmatch(name):
        return base._replace(kind="", outline=int(heading[1]) - 1)
    if name == "toc heading":
        return base._replace(kind="", outline=0)
    if name == "title":
        return base._replace(kind="title")
    if name == "subtitle":
        return base._replace(kind="", outline=None)
    if leveled := _LEVELED.fullmatch(name):
        kind = "continued" if name.startswith("list continue") else ""
        return base._replace(kind=kind, depth=int(leveled[1] or 1) - 1)
    kind = "code" if _CODE.fullmatch(name) else _KINDS.get(name, base.kind)
    return base._replace(kind=kind)
