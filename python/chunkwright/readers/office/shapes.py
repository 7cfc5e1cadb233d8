"""Shapes of slides and sheets (DrawingML): those that are shown, and what describes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.package import child, is_on, local

_SHAPES = {"sp", "pic", "graphicFrame", "grpSp", "AlternateContent"}
_FILE_NAME = re.compile(r"\S+\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)", re.IGNORECASE)


def shapes_in(group: ET.Element) -> Iterator[ET.Element]:
    """Yield the shapes of a group; of two ways to draw one the first."""
    for each in group:
        if local(each.tag) == "AlternateContent":
            ways = {local(way.tag): way for way in reversed(each)}
            way = ways.get("Choice", ways.get("Fallback"))
            yield from () if way is None else shapes_in(way)
        elif local(each.tag) in _SHAPES:
            yield each


def _properties(shape: ET.Element) -> ET.Element | None:
    """Return the element with the name and the description of a shape."""
    parts = (child(part, "cNvPr") for part in shape if local(part.tag).startswith("nv"))
    return next((each for each in parts if each is not None), None)


def is_hidden(shape: ET.Element) -> bool:
    """Return whether a shape is not shown."""
    properties = _properties(shape)
    return properties is not None and is_on(properties.get("hidden"))


def description_of(shape: ET.Element) -> str:
    """Return what describes a picture; a bare name of a file does not."""
    properties = _properties(shape)
    text = on_one_line("" if properties is None else properties.get("descr", ""))
    return "" if _FILE_NAME.fullmatch(text) else text
