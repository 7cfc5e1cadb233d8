"""Drawings in a paragraph: the pictures, and the text boxes, each once."""

from __future__ import annotations

import re
from typing import NamedTuple

from chunkwright.readers.docx.parts.names import Node, alternative, attribute, full, name_of

# What Word writes behind a description that it made itself.
_MACHINE = re.compile(
    r" ?(?:Description automatically generated(?: with \w+ confidence)?"
    r"|AI-generated content may be incorrect)\.?$"
)


class Picture(NamedTuple):
    """A picture: what describes it, and the part of the text in a diagram if it is one."""

    text: str
    diagram: str | None = None


def drawn(node: Node) -> tuple[list[Picture], list[Node]]:
    """Return the pictures of a drawing, and the contents of its text boxes, in order. O(n)."""
    pictures: list[Picture] = []
    boxes: list[Node] = []
    stack, above = [node], ""
    while stack:
        each = stack.pop()
        name = name_of(each)
        if name == "w:txbxContent":
            boxes.append(each)
            continue
        if name == "mc:AlternateContent":
            branch = alternative(each)
            stack.extend([] if branch is None else [branch])
            continue
        if name in {"wp:docPr", "v:shape"}:
            # What describes a group describes the first picture in it.
            above = _description(each)
        elif name in {"pic:pic", "c:chart", "dgm:relIds", "v:imagedata"}:
            described = next(each.iter(full("pic:cNvPr")), each)
            pictures.append(Picture(above or _description(described), _diagram(each)))
            above = ""
            if name == "pic:pic":
                continue
        stack.extend(reversed(each))
    return pictures, boxes


def _description(node: Node) -> str:
    text = node.get("descr") or node.get("alt") or node.get("title") or ""
    return _MACHINE.sub("", " ".join(text.split()))


def _diagram(node: Node) -> str | None:
    return attribute(node, "r:dm") if name_of(node) == "dgm:relIds" else None
