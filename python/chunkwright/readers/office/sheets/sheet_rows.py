"""Rows of a sheet of a workbook (XLSX), and the texts that its sheets share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.package import Package, is_on
from chunkwright.readers.office.sheets.cell_formats import Formats
from chunkwright.readers.office.sheets.cells import column_of, place_of
from chunkwright.readers.office.sheets.sheet import Budget, Merged, Number, Sheet, without

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BOOLS = {"1": "TRUE", "0": "FALSE"}
_MAX_MERGED, _MAX_ROWS = 200_000, 1 << 24
_DIGITS = "0123456789"
_SURROGATES = range(0xD800, 0xE000)


class SharedTexts:
    """The texts that cells refer to by their numbers.

    Raises
    ------
    ReadError
        If their part is damaged or too large.
    """

    def __init__(self, package: Package, name: str) -> None:
        self.texts: list[str] = []
        self._pieces: list[str] = []
        self._is_text, self._is_spoken = False, False
        self._budget = Budget()
        if name in package:
            package.events(name, self._start, self._end, self._text)

    def _start(self, tag: str, _: dict[str, str]) -> None:
        if tag == "t":
            self._is_text = not self._is_spoken
        elif tag == "rPh":
            self._is_spoken = True

    def _end(self, tag: str) -> None:
        if tag == "t":
            self._is_text = False
        elif tag == "rPh":
            self._is_spoken = False
        elif tag == "si":
            text = unescaped("".join(self._pieces))
            self._pieces.clear()
            self._budget.take(1, len(text))
            self.texts.append(text)

    def _text(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)


class SheetRows:
    """The rows of a sheet under way, with what else it says of them."""

    def __init__(self, texts: Sequence[str], formats: Formats, budget: Budget) -> None:
        self._texts, self._formats, self._budget = texts, formats, budget
        self._rows: dict[int, dict[int, str]] = {}
        self._merged: list[Merged] = []
        self._hidden_rows: set[int] = set()
        self._hidden_columns: list[tuple[int, int]] = []
        self._n_frozen = 0
        self._row, self._column = -1, -1
        self._cells: dict[int, str] = {}
        self._kind, self._style = "n", ""
        self._pieces: list[str] = []
        self._is_value, self._is_spoken = False, False
        self._taken: dict[str, Callable[[dict[str, str]], None]] = {
            "row": self._take_row,
            "mergeCell": self._take_merged,
            "col": self._take_column,
            "pane": self._take_pane,
        }

    def sheet(self, package: Package, part: str, known: Sheet, *, hidden: bool) -> Sheet:
        """Read the rows of a sheet, of which the rest is known, from its part.

        Raises
        ------
        ReadError
            If it is damaged or too large.
        """
        package.events(part, self._start, self._end, self._said)
        rows = sorted(self._rows.items())
        sheet = known._replace(rows=rows, merged=self._merged, n_frozen=self._n_frozen)
        return sheet if hidden else without(sheet, self._hidden_rows, self._hidden_columns)

    def _start(self, tag: str, of: dict[str, str]) -> None:
        if tag == "c":
            place = of.get("r")
            behind = self._column + 1
            self._column = behind if place is None else column_of(place.rstrip(_DIGITS), behind)
            self._kind, self._style = of.get("t", "n"), of.get("s", "")
        elif tag == "v":
            self._is_value = True
        elif tag == "t":
            self._is_value = self._kind == "inlineStr" and not self._is_spoken
        elif tag == "rPh":
            self._is_spoken = True
        elif take := self._taken.get(tag):
            take(of)

    def _end(self, tag: str) -> None:
        if tag == "c":
            if self._pieces:
                text = self._text("".join(self._pieces))
                self._pieces.clear()
                if text:
                    self._cells[self._column] = text
        elif tag in {"v", "t"}:
            self._is_value = False
        elif tag == "rPh":
            self._is_spoken = False
        elif tag == "row" and self._cells:
            cells, self._cells = self._cells, {}
            self._budget.take(len(cells), sum(map(len, cells.values())))
            self._rows.setdefault(self._row, {}).update(cells)

    def _said(self, text: str) -> None:
        if self._is_value:
            self._pieces.append(text)

    def _text(self, said: str) -> str:
        kind = self._kind
        if kind == "n":
            return self._formats.number(said, self._style)
        if kind == "s":
            at = int(said) if said.isdecimal() else -1
            text = self._texts[at] if 0 <= at < len(self._texts) else ""
        elif kind == "b":
            return Number(_BOOLS.get(said.strip(), said))
        else:
            text = unescaped(said)
        return self._formats.text(text, self._style)

    def _take_row(self, of: dict[str, str]) -> None:
        said = of.get("r", "")
        self._row = min(int(said) - 1 if said.isdecimal() else self._row + 1, _MAX_ROWS)
        self._column = -1
        if is_on(of.get("hidden")):
            self._hidden_rows.add(self._row)

    def _take_merged(self, of: dict[str, str]) -> None:
        first, _, last = of.get("ref", "").partition(":")
        start, end = place_of(first), place_of(last)
        if start and end and len(self._merged) < _MAX_MERGED:
            rows, columns = sorted((start[0], end[0])), sorted((start[1], end[1]))
            self._merged.append(Merged(rows[0], columns[0], rows[1] + 1, columns[1] + 1))

    def _take_column(self, of: dict[str, str]) -> None:
        first, last = of.get("min", ""), of.get("max", "")
        if is_on(of.get("hidden")) and first.isdecimal() and last.isdecimal():
            self._hidden_columns.append((int(first) - 1, int(last)))

    def _take_pane(self, of: dict[str, str]) -> None:
        said = of.get("ySplit", "0").partition(".")[0]
        if of.get("state") in {"frozen", "frozenSplit"} and said.isdecimal():
            self._n_frozen = int(said)


def unescaped(text: str) -> str:
    """Return a text of a sheet on one line, its escaped letters as such."""
    if "_x" in text:
        text = _ESCAPED.sub(_letter, text)
    return on_one_line(text)


def _letter(found: re.Match[str]) -> str:
    number = int(found[1], 16)
    return found[0] if number in _SURROGATES or not number else chr(number)
