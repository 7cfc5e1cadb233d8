"""Texts of cells, notes and headers: the lines of all that stands in a container."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from chunkwright.readers.docx.containers import blocks_of
from chunkwright.readers.docx.drawings import Picture
from chunkwright.readers.docx.lines import Line, Piece, joined, line_of
from chunkwright.readers.docx.paragraphs import properties_of
from chunkwright.readers.docx.parts.names import Node
from chunkwright.readers.docx.parts.numbering import Numbering
from chunkwright.readers.docx.parts.styles import Styles
from chunkwright.readers.docx.runs import Runs
from chunkwright.readers.docx.tables import cells_of, rows_of


@dataclass
class Anchored:
    """What stands in texts beside their words: pictures, and the kinds and ids of notes."""

    pictures: list[Picture] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)


class Texts:
    """A reader of the texts of containers.

    Parameters
    ----------
    styles, numbering
        Those of the document.
    """

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self._styles = styles
        self._numbering = numbering

    def lines(self, container: Node, runs: Runs, anchored: Anchored) -> list[Line]:
        """Return the texts in a container by paragraph, and by row of its tables. O(n).

        Parameters
        ----------
        container
            The cell, note or header.
        runs
            The reader of runs of its part.
        anchored
            Gets the pictures and notes in it.
        """
        lines: list[Line] = []
        for name, node in blocks_of(container):
            if name == "w:p":
                self._paragraph(node, runs, anchored, lines)
            elif name == "w:tbl":
                for row in rows_of(node):
                    cells = (self.text(cell, runs, anchored) for cell in cells_of(row))
                    lines.append(joined((cell for cell in cells if cell.text), " "))
            else:
                lines.append(line_of(marked(runs.equations(node).pieces)))
        return [line for line in lines if line.text]

    def text(self, container: Node, runs: Runs, anchored: Anchored) -> Line:
        """Return the texts in a container as one line, without line ends."""
        line = joined(self.lines(container, runs, anchored), " ")
        return line._replace(text=" ".join(line.text.split()))

    def _paragraph(self, node: Node, runs: Runs, anchored: Anchored, lines: list[Line]) -> None:
        is_ = properties_of(node, self._styles, self._numbering)
        content = runs.content(node)
        line = line_of(marked(content.pieces))
        is_gone = is_.num_id is None or (is_.is_hidden and not line.text)
        label = None if is_gone else self._numbering.label(is_.num_id or "", is_.list_level)
        if line.text:
            lines.append(line if label is None else line.behind(f"{label} "))
        anchored.pictures += content.pictures
        anchored.notes += content.notes
        for box in content.boxes:
            lines += self.lines(box, runs, anchored)


def marked(pieces: Iterable[Piece]) -> list[Piece]:
    """Return the pieces of a line, equations between dollars."""
    return [each._replace(text=f"${each.text}$") if each.is_equation else each for each in pieces]
