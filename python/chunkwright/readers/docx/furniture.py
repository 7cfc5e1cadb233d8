"""Headers and footers of pages: those of all sections, each text once."""

from __future__ import annotations

from chunkwright.readers.blocks import Block
from chunkwright.readers.docx.lines import Line
from chunkwright.readers.docx.pages import Pages
from chunkwright.readers.docx.parts.names import is_on
from chunkwright.readers.docx.parts.package import Package
from chunkwright.readers.docx.parts.sections import Section
from chunkwright.readers.docx.parts.styles import Styles
from chunkwright.readers.docx.runs import Runs
from chunkwright.readers.docx.texts import Anchored, Texts


def furniture_of(
    package: Package, sections: list[Section], styles: Styles, pages: Pages, texts: Texts
) -> list[Block]:
    """Return the headers and footers that the sections of a document show. O(n)."""
    settings = package.related(package.main, "settings")
    has_even = settings is not None and is_on(settings, "w:evenAndOddHeaders")
    relations = package.relations(package.main)
    shown = dict.fromkeys(
        (kind, relations[id_].target)
        for section in sections
        for kind, id_ in section.references(has_even=has_even)
        if id_ in relations
    )
    found: dict[tuple[str, str], Line] = {}
    for kind, name in shown:
        root = package.part(name)
        runs = Runs(styles, package.relations(name), pages)
        for line in [] if root is None else texts.lines(root, runs, Anchored()):
            found.setdefault((kind, line.text), line)
    return [Block(kind, text, links=line.links) for (kind, text), line in found.items()]
