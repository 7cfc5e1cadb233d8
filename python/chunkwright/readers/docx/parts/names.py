"""Names of XML in Word files, with the prefixes that Word itself writes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

Node: TypeAlias = Any
"""An element of lxml."""

_SCHEMAS = "http://schemas.openxmlformats.org"
NAMESPACES = {
    "a": f"{_SCHEMAS}/drawingml/2006/main",
    "c": f"{_SCHEMAS}/drawingml/2006/chart",
    "dgm": f"{_SCHEMAS}/drawingml/2006/diagram",
    "m": f"{_SCHEMAS}/officeDocument/2006/math",
    "mc": f"{_SCHEMAS}/markup-compatibility/2006",
    "pic": f"{_SCHEMAS}/drawingml/2006/picture",
    "r": f"{_SCHEMAS}/officeDocument/2006/relationships",
    "rel": f"{_SCHEMAS}/package/2006/relationships",
    "v": "urn:schemas-microsoft-com:vml",
    "w": f"{_SCHEMAS}/wordprocessingml/2006/main",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "wp": f"{_SCHEMAS}/drawingml/2006/wordprocessingDrawing",
}
"""The namespaces by prefix."""
STRICT = {
    "drawingml/main": "a",
    "drawingml/chart": "c",
    "drawingml/diagram": "dgm",
    "drawingml/picture": "pic",
    "drawingml/wordprocessingDrawing": "wp",
    "officeDocument/math": "m",
    "officeDocument/relationships": "r",
    "wordprocessingml/main": "w",
}
"""The prefixes of the namespaces of the strict variant, below ``http://purl.oclc.org/ooxml/``."""
_PREFIXES = {namespace: prefix for prefix, namespace in NAMESPACES.items()}
_OFF = frozenset({"0", "false", "off", "none"})


@lru_cache(maxsize=1 << 12)
def full(name: str) -> str:
    """Return a name such as ``w:p`` as lxml has it."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


@lru_cache(maxsize=1 << 12)
def _short(tag: str) -> str:
    namespace, _, local = tag.removeprefix("{").partition("}")
    return f"{_PREFIXES.get(namespace, '')}:{local}"


def name_of(node: Node) -> str:
    """Return the name of an element, such as ``w:p``; of other namespaces it begins with ``:``."""
    return _short(node.tag)


def child(node: Node, *path: str) -> Node | None:
    """Return the first element below another one on a path of names; None if there is none."""
    for name in path:
        node = None if node is None else node.find(full(name))
    return node


def attribute(node: Node | None, name: str = "w:val") -> str | None:
    """Return an attribute of an element, if both are there."""
    return None if node is None else node.get(full(name))


def value(node: Node, *path: str) -> str | None:
    """Return ``w:val`` of the first element on a path of names; None if there is none."""
    return attribute(child(node, *path))


def number(text: str | None, default: int = 0) -> int:
    """Return a whole number that stands in an attribute; the default if there is none."""
    digits = (text or "").strip()
    is_number = digits.removeprefix("-").isdecimal() and len(digits) < 10  # noqa: PLR2004 - 32 bits
    return int(digits) if is_number else default


def is_on(node: Node, *path: str) -> bool:
    """Return whether the switch on a path of names is there and not off."""
    return is_switched_on(child(node, *path))


def is_switched_on(switch: Node | None) -> bool:
    """Return whether a switch is there and not off."""
    return switch is not None and (attribute(switch) or "1").lower() not in _OFF


def alternative(node: Node) -> Node | None:
    """Return the branch of ``mc:AlternateContent`` to read, which has the same content in each.

    That is the first choice that holds anything known, else the fallback.
    """
    branches = [each for each in node if name_of(each) in {"mc:Choice", "mc:Fallback"}]
    known = (each for each in branches if _holds_content(each))
    return next(known, branches[0] if branches else None)


_CONTENT = tuple(
    full(name)
    for name in ("w:t", "w:txbxContent", "pic:pic", "v:imagedata", "c:chart", "dgm:relIds", "m:t")
)


def _holds_content(branch: Node) -> bool:
    return next(branch.iter(*_CONTENT), None) is not None
