"""OpenDocument slides (ODP) as blocks: titles, lists, texts, tables, pictures and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from chunkwright.errors import ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.opendocument.lines import SHAPES
from chunkwright.readers.office.opendocument.styles import Styles
from chunkwright.readers.office.opendocument.text import OpenText
from chunkwright.readers.office.package import attribute, child, local, opened
from chunkwright.readers.office.shape_order import Area, reading_order
from chunkwright.readers.pages import checked_pages

_FURNITURE = {"header", "footer", "date-time", "page-number"}
_LENGTH = re.compile(r"(-?[\d.]+)(cm|mm|in|pt|pc|px)?")
_POINTS = {"cm": 28.3465, "mm": 2.83465, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}


def blocks_in(
    data: bytes, *, hidden: bool, pages: str | Sequence[int] | None = None
) -> tuple[list[Block], int]:
    """Return the blocks of a presentation, and how many of them are its body: all.

    Parameters
    ----------
    data
        The file.
    hidden
        Whether slides are read that are not shown.
    pages
        The numbers of the slides that are read.

    Raises
    ------
    ReadError
        If the file is damaged or too large: names the part.
    ConfigError
        If there are no such slides.
    """
    package = opened(data)
    root = package.tree("content.xml")
    body = child(root, "body", "presentation")
    if body is None:
        raise ReadError("it has no slides")
    styles = Styles(root, package.find("styles.xml"))
    blocks: list[Block] = []
    slides = [each for each in body if local(each.tag) == "page"]
    for number in checked_pages(pages, len(slides)):
        slide = slides[number - 1]
        if hidden or not styles.is_hidden("drawing-page", attribute(slide, "style-name")):
            made = OpenText(styles, hidden=hidden, package=package)
            made.blocks += blocks
            _read_slide(made, slide)
            new = made.blocks[len(blocks) :]
            blocks += [block._replace(pages=(number,)) for block in new]
    return blocks, len(blocks)


def _read_slide(made: OpenText, slide: ET.Element) -> None:
    shapes = [
        each for each in slide if local(each.tag) in SHAPES and _class(each) not in _FURNITURE
    ]
    order = reading_order([_area(shape) for shape in shapes])
    order.sort(key=lambda at: _class(shapes[at]) != "title")
    title = None
    for at in order:
        first = len(made.blocks)
        made.read_shape(shapes[at])
        if _class(shapes[at]) == "title" and len(made.blocks) > first:
            text = on_one_line(" ".join(map(_unmarked, made.blocks[first:])))
            made.blocks[first:] = [Block("heading", text, 1)] if text else []
            title = first if text else None
    notes = child(slide, "notes")
    for frame in () if notes is None else notes:
        first = len(made.blocks)
        if _class(frame) == "notes":
            made.read_shape(frame)
        said = [block for block in made.blocks[first:] if block.text]
        made.blocks[first:] = [Block("footnote", each.text, parent=title) for each in said]


def _unmarked(block: Block) -> str:
    """Return the text of a block; a title may be an item of a list, but shows no marker."""
    return block.text.partition(" ")[2] if block.kind == "list item" else block.text


def _class(shape: ET.Element) -> str:
    """Return what a shape stands for; empty if for nothing, or if nothing stands there yet."""
    is_empty = attribute(shape, "placeholder") == "true"
    return "" if is_empty else attribute(shape, "class") or ""


def _area(shape: ET.Element) -> Area | None:
    sizes = [_points(attribute(shape, name)) for name in ("x", "y", "width", "height")]
    if any(size is None for size in sizes):
        return None
    left, top, wide, high = (size or 0.0 for size in sizes)
    return Area(left, top, left + max(wide, 0), top + max(high, 0))


def _points(length: str | None) -> float | None:
    found = _LENGTH.fullmatch(length or "")
    try:
        return float(found[1]) * _POINTS[found[2] or "pt"] if found else None
    except ValueError:
        return None
