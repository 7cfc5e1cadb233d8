"""Properties of a paragraph: what it is, by its own properties and by its style."""

from __future__ import annotations

from typing import NamedTuple

from chunkwright.readers.docx.parts.names import (
    Node,
    attribute,
    child,
    is_switched_on,
    name_of,
    number,
    value,
)
from chunkwright.readers.docx.parts.numbering import Numbering
from chunkwright.readers.docx.parts.styles import BODY_LEVEL, Style, Styles

# So says a paragraph that takes back the numbering of its style.
_NO_LIST = "0"


class Properties(NamedTuple):
    """What a paragraph is.

    Attributes
    ----------
    kind
        As of a style; ``"heading"`` if it has an outline level.
    level
        The level of a heading from 1.
    num_id, list_level
        Its numbering, and the level in it from 0; None if it has none.
    depth
        How deep its list is nested, from 0.
    begins_page
        Whether it begins a page.
    runs_on
        Whether the next paragraph goes on in its line: its end is deleted, or it is an initial.
    is_hidden
        Whether its end is hidden, so that it takes no place if all of its text is hidden, too.
    ends_section
        Whether a section ends with it.
    """

    kind: str = ""
    level: int = 0
    num_id: str | None = None
    list_level: int = 0
    depth: int = 0
    begins_page: bool = False
    runs_on: bool = False
    is_hidden: bool = False
    ends_section: bool = False


def properties_of(paragraph: Node, styles: Styles, numbering: Numbering) -> Properties:
    """Return what a paragraph is. O(n) in its own properties."""
    properties = child(paragraph, "w:pPr")
    own = {} if properties is None else {name_of(each): each for each in properties}
    style_id = attribute(own.get("w:pStyle"))
    style = styles.of(style_id)
    stated = attribute(own.get("w:outlineLvl"))
    outline = style.outline if stated is None else number(stated, BODY_LEVEL)
    is_heading = outline is not None and 0 <= outline < BODY_LEVEL and style.kind != "title"
    num_id, at = _numbering(own.get("w:numPr"), style, style_id, numbering)
    return Properties(
        kind="heading" if is_heading else style.kind,
        level=(outline or 0) + 1 if is_heading else 0,
        num_id=num_id,
        list_level=at,
        depth=max(at, style.depth),
        begins_page=is_switched_on(own.get("w:pageBreakBefore")),
        runs_on=_runs_on(own),
        is_hidden=styles.hides(own.get("w:rPr"), style_id),
        ends_section="w:sectPr" in own,
    )


def _runs_on(own: dict[str, Node]) -> bool:
    mark = own.get("w:rPr")
    is_deleted = mark is not None and child(mark, "w:del") is not None
    return is_deleted or attribute(own.get("w:framePr"), "w:dropCap") in {"drop", "margin"}


def _numbering(
    numbers: Node | None, style: Style, style_id: str | None, numbering: Numbering
) -> tuple[str | None, int]:
    num_id, level = style.num_id, None
    if numbers is not None:
        num_id = value(numbers, "w:numId") or num_id
        level = value(numbers, "w:ilvl")
    if num_id in {None, _NO_LIST}:
        return None, 0
    if level is not None:
        return num_id, number(level)
    by_style = numbering.level_of(num_id or "", style_id)
    return num_id, by_style if by_style is not None else style.list_level or 0
