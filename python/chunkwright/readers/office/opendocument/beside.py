"""Notes and drawings of an OpenDocument spreadsheet: what stands beside the texts of its cells."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from chunkwright.readers.blocks import Block
from chunkwright.readers.office.opendocument.lines import SHAPES, Lines
from chunkwright.readers.office.opendocument.text import OpenText
from chunkwright.readers.office.package import local
from chunkwright.readers.office.sheets.sheet import Budget, Drawing, Note


class Beside:
    """What stands beside the texts of the cells of a sheet, under way.

    Parameters
    ----------
    lines
        Reads the lines of notes.
    text
        Reads drawings.
    budget
        What the sheets may still say.

    Attributes
    ----------
    notes
        What is remarked on cells.
    drawings
        What is drawn, and says something.
    """

    def __init__(self, lines: Lines, text: OpenText, budget: Budget) -> None:
        self._lines, self._text = lines, text
        self.budget: Budget = budget
        self.notes: list[Note] = []
        self.drawings: list[Drawing] = []

    def take(self, elements: Iterable[ET.Element], row: int, column: int) -> None:
        """Take the notes and drawings among the elements of a cell, or of a sheet."""
        for each in elements:
            if local(each.tag) == "annotation":
                lines = [self._lines.of(line).line.text for line in each if _is_line(line)]
                text = "\n".join(filter(None, lines))
                self.budget.take(1, len(text))
                if text:
                    self.notes.append(Note(row, column, text))
            elif local(each.tag) in SHAPES:
                self._draw(each, row, column)

    def _draw(self, shape: ET.Element, row: int, column: int) -> None:
        self._text.blocks.clear()
        self._text.read_shape(shape)
        # What a chart shows is in cells; a picture that nothing describes says nothing.
        blocks = [each for each in self._text.blocks if not _is_chart_or_mute(each)]
        self.budget.take(len(blocks), sum(len(block.text) for block in blocks))
        if blocks:
            self.drawings.append(Drawing(row, column, blocks))


def _is_line(element: ET.Element) -> bool:
    return local(element.tag) in {"p", "h"}


def _is_chart_or_mute(block: Block) -> bool:
    is_mute = block.kind == "figure" and not block.text
    return is_mute or (block.kind == "table" and block.parent is not None)
