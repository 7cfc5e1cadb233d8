"""Layouts of slides: what placeholders have from the layout and the master below it."""

from __future__ import annotations

from typing import NamedTuple
from xml.etree import ElementTree as ET

from chunkwright.errors import ReadError
from chunkwright.readers.office.package import Package, child, local
from chunkwright.readers.office.shape_order import Area

TITLES = {"title", "ctrTitle"}
_STYLES = {"title": "titleStyle", "ctrTitle": "titleStyle"}
_BODIES = {"obj", "subTitle", "body", "tbl", "chart", "dgm", "media", "clipArt", "pic"}
_NO_BODY = {"title", "ctrTitle", "dt", "ftr", "sldNum", "hdr"}


class Placeholder(NamedTuple):
    """What a shape says that it stands for: its type and its number in the layout."""

    kind: str
    number: str


class Inherited(NamedTuple):
    """What a placeholder has that it does not say itself: styles of lists, and its place."""

    styles: tuple[ET.Element, ...] = ()
    area: Area | None = None


def placeholder_of(shape: ET.Element) -> Placeholder | None:
    """Return what a shape stands for; None if for nothing."""
    for part in shape:
        found = child(part, "nvPr", "ph") if local(part.tag).startswith("nv") else None
        if found is not None:
            return Placeholder(found.get("type", "obj"), found.get("idx", "0"))
    return None


def area_of(shape: ET.Element) -> Area | None:
    """Return where a shape says that it stands."""
    for part in shape:
        name = local(part.tag)
        place = part if name == "xfrm" else None
        if name in {"spPr", "grpSpPr"}:
            place = child(part, "xfrm")
        at, size = child(place, "off"), child(place, "ext")
        if at is not None and size is not None:
            try:
                left, top = float(at.get("x", "")), float(at.get("y", ""))
                wide, high = float(size.get("cx", "")), float(size.get("cy", ""))
            except ValueError:
                return None
            return Area(left, top, left + max(wide, 0), top + max(high, 0))
    return None


class Layouts:
    """The layouts and masters of a presentation, each read once."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._read: dict[str, _Layout | None] = {}

    def inherited(self, slide: str, wanted: Placeholder) -> Inherited:
        """Return what a placeholder of a slide has from its layout and the master."""
        layout = self._below(slide, "slideLayout")
        master = None if layout is None else self._below(layout.name, "slideMaster")
        shapes = [] if layout is None else [layout.like(wanted)]
        if master is not None:
            of_layout = None if not shapes or shapes[0] is None else placeholder_of(shapes[0])
            shapes.append(master.of_kind((of_layout or wanted).kind))
        there = [shape for shape in shapes if shape is not None]
        styles = [child(shape, "txBody", "lstStyle") for shape in there]
        if master is not None:
            name = _STYLES.get(wanted.kind, "bodyStyle")
            style = name if wanted.kind not in _NO_BODY - TITLES else "otherStyle"
            styles.append(child(master.root, "txStyles", style))
        areas = (area_of(shape) for shape in there)
        area = next((each for each in areas if each is not None), None)
        return Inherited(tuple(each for each in styles if each is not None), area)

    def _below(self, name: str, kind: str) -> _Layout | None:
        relations = self._package.relations(name).values()
        target = next((each.target for each in relations if each.kind == kind), None)
        if target is None:
            return None
        if target not in self._read:
            try:
                root = self._package.find(target)
            except ReadError:
                # What slides look like is no reason not to read them.
                root = None
            self._read[target] = None if root is None else _Layout(target, root)
        return self._read[target]


class _Layout:
    """A layout or a master: its placeholders."""

    def __init__(self, name: str, root: ET.Element) -> None:
        self.name, self.root = name, root
        shapes = [each for each in root.iter() if local(each.tag) == "sp"]
        told = ((shape, placeholder_of(shape)) for shape in shapes)
        self._shapes = [(shape, what) for shape, what in told if what is not None]

    def like(self, wanted: Placeholder) -> ET.Element | None:
        """Return the placeholder of the same number, else of the same type."""
        of_index = (s for s, what in self._shapes if what.number == wanted.number != "0")
        of_type = (s for s, what in self._shapes if what.kind == wanted.kind)
        return next(of_index, None) or next(of_type, None)

    def of_kind(self, kind: str) -> ET.Element | None:
        """Return the placeholder of a master that those of a type are like."""
        wanted = "body" if kind in _BODIES else "title" if kind in TITLES else kind
        return next((s for s, what in self._shapes if what.kind == wanted), None)
