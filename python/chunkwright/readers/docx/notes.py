"""Footnotes and endnotes: their texts, each where it is first referred to."""

from __future__ import annotations

from chunkwright.readers.blocks import Block
from chunkwright.readers.docx.pages import Pages
from chunkwright.readers.docx.parts.names import Node, attribute
from chunkwright.readers.docx.parts.package import Package
from chunkwright.readers.docx.parts.styles import Styles
from chunkwright.readers.docx.runs import Runs
from chunkwright.readers.docx.texts import Anchored, Texts

_PARTS = {"footnote": "footnotes", "endnote": "endnotes"}


class Notes:
    """The notes of a document, and those that blocks refer to and that are still to be written.

    Parameters
    ----------
    package
        The package.
    styles
        The styles.
    pages
        The pages.
    texts
        The reader of their texts.
    """

    def __init__(self, package: Package, styles: Styles, pages: Pages, texts: Texts) -> None:
        self._package = package
        self._styles = styles
        self._pages = pages
        self._texts = texts
        self._parts: dict[str, tuple[dict[str, Node], Runs]] = {}
        self._pending: list[tuple[str, str, int | None]] = []
        self._written: set[tuple[str, str]] = set()

    def refer(self, notes: list[tuple[str, str]], block: int | None) -> None:
        """Note the kinds and ids of the notes that a block refers to."""
        self._pending += [(kind, id_, block) for kind, id_ in notes]

    def take(self) -> list[Block]:
        """Return the notes referred to since the last call, each once in a document."""
        pending, self._pending = self._pending, []
        found = (self._block(*each) for each in pending)
        return [block for block in found if block is not None]

    def _block(self, kind: str, id_: str, parent: int | None) -> Block | None:
        notes, runs = self._part(kind)
        if id_ not in notes or (kind, id_) in self._written:
            return None
        self._written.add((kind, id_))
        lines = self._texts.lines(notes[id_], runs, Anchored())
        links = lines[0].links if len(lines) == 1 else ()
        text = "\n".join(line.text for line in lines)
        return Block("footnote", text, parent=parent, links=links) if text else None

    def _part(self, kind: str) -> tuple[dict[str, Node], Runs]:
        if kind not in self._parts:
            relations = self._package.relations(self._package.main).values()
            of_kind = (each.target for each in relations if each.type == _PARTS[kind])
            name = next(of_kind, "")
            root = self._package.part(name)
            notes = {} if root is None else {attribute(note, "w:id") or "": note for note in root}
            runs = Runs(self._styles, self._package.relations(name), self._pages)
            self._parts[kind] = notes, runs
        return self._parts[kind]
