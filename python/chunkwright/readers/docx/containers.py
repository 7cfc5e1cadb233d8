"""Blocks in a body, a cell, a note or the like: paragraphs and tables, whatever is around them."""

from __future__ import annotations

from collections.abc import Iterator

from chunkwright.readers.docx.parts.names import Node, alternative, child, is_on, name_of

_TRANSPARENT = frozenset(["w:ins", "w:moveTo", "w:customXml", "w:smartTag", "w:sdtContent"])
_BLOCKS = frozenset(["w:p", "w:tbl", "m:oMath", "m:oMathPara"])


def blocks_of(container: Node) -> Iterator[tuple[str, Node]]:
    """Give the blocks in a container with their names: ``w:p``, ``w:tbl`` or an equation. O(n)."""
    stack = list(reversed(container))
    while stack:
        node = stack.pop()
        name = name_of(node)
        if name in _BLOCKS:
            yield name, node
        elif name in _TRANSPARENT:
            stack.extend(reversed(node))
        elif name in {"w:sdt", "mc:AlternateContent"}:
            content = alternative(node) if name != "w:sdt" else content_of(node)
            stack.extend(() if content is None else reversed(content))


def content_of(control: Node) -> Node | None:
    """Return the content of a control; None if it only shows what is to be written into it."""
    is_prompt = is_on(control, "w:sdtPr", "w:showingPlcHdr")
    return None if is_prompt else child(control, "w:sdtContent")
