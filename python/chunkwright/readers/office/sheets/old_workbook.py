"""Workbooks of before 2007 (XLS) as blocks, by the library xlrd, which is written in Python."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.readers.blocks import Block
from chunkwright.readers.compound import MAGIC
from chunkwright.readers.office import foreign
from chunkwright.readers.office.line import on_one_line
from chunkwright.readers.office.sheets.cell_formats import number_shown
from chunkwright.readers.office.sheets.sheet import Budget, Merged, Note, Number, Sheet, without
from chunkwright.readers.office.sheets.sheet_tables import blocks_of

_MAX_BYTES = 1 << 28
# Of Excel 97 and of Excel 5.
_STREAMS = ("Workbook", "Book")


def blocks_in(data: bytes, *, hidden: bool) -> tuple[list[Block], int]:
    """Return the blocks of a workbook, and how many of them are its body: all.

    Parameters
    ----------
    data
        The file.
    hidden
        Whether sheets, rows and columns are read that are not shown.

    Raises
    ------
    ReadError
        If the file is damaged, encrypted or too large.
    MissingExtraError
        If xlrd or olefile is not installed.
    """
    try:
        import olefile
        import xlrd
    except ImportError as error:
        raise MissingExtraError("reading XLS files", "office") from error
    if len(data) > _MAX_BYTES:
        raise ReadError(f"it is too large: workbooks have at most {_MAX_BYTES:,} bytes")
    try:
        book = _Book(xlrd, _opened(xlrd, _stream(olefile, data)), hidden=hidden)
    except ReadError as error:
        # What xlrd takes for damage xberg may pass over, but it shows less of it.
        if find_spec("xberg") is None or "encrypted" in str(error.__cause__):
            raise
        return foreign.blocks_in(data, "application/vnd.ms-excel")
    blocks: list[Block] = []
    for sheet in book.sheets():
        blocks += blocks_of(sheet, len(blocks))
    return blocks, len(blocks)


def _stream(olefile: ModuleType, data: bytes) -> bytes:
    """Return the stream of a workbook: xlrd follows circles of damaged compound files for ever."""
    if not data.startswith(MAGIC):
        return data
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            for name in _STREAMS:
                if file.exists(name):
                    stream: bytes = file.openstream(name).read()
                    return stream
    except Exception as error:  # it raises whatever damage leads to
        raise ReadError(f"it is damaged: {str(error) or type(error).__name__}") from error
    raise ReadError("it is damaged: it has no workbook")


def _opened(xlrd: ModuleType, data: bytes) -> Any:
    options = {
        "file_contents": data,
        "logfile": io.StringIO(),
        "ragged_rows": True,
        "ignore_workbook_corruption": True,
    }
    try:
        try:
            return xlrd.open_workbook(**options, formatting_info=True)
        except xlrd.XLRDError:
            raise
        except Exception:  # noqa: BLE001 - damaged styles are no reason to read nothing
            return xlrd.open_workbook(**options)
    except Exception as error:  # it raises whatever damage leads to
        raise ReadError(
            f"it is damaged or encrypted: {str(error) or type(error).__name__}"
        ) from error


class _Book:
    """A workbook that xlrd has opened."""

    def __init__(self, xlrd: ModuleType, book: Any, *, hidden: bool) -> None:
        self._xlrd, self._book, self._hidden = xlrd, book, hidden
        self._budget = Budget()

    def sheets(self) -> Iterator[Sheet]:
        """Yield the sheets that are read."""
        for each in self._book.sheets():
            if self._hidden or not each.visibility:
                yield self._sheet(each)

    def _sheet(self, of: Any) -> Sheet:
        sheet = Sheet(of.name, [], [], of.horz_split_pos if of.panes_are_frozen else 0)
        for y in range(of.nrows):
            cells = {}
            for x, (kind, value) in enumerate(zip(of.row_types(y), of.row_values(y), strict=True)):
                text = self._text(of, (y, x), kind, value)
                if text:
                    cells[x] = text
            if cells:
                self._budget.take(len(cells), sum(map(len, cells.values())))
                sheet.rows.append((y, cells))
        merged = ((top, left, bottom, right) for top, bottom, left, right in of.merged_cells)
        sheet.merged.extend(Merged(*each) for each in merged)
        sheet = sheet._replace(notes=self._notes(of))
        if self._hidden:
            return sheet
        rows = {y for y, info in of.rowinfo_map.items() if info.hidden}
        columns = ((x, x + 1) for x, info in of.colinfo_map.items() if info.hidden)
        return without(sheet, rows, columns)

    def _notes(self, sheet: Any) -> list[Note]:
        """Return what is remarked on cells."""
        found = [
            Note(y, x, "\n".join(filter(None, map(on_one_line, note.text.splitlines()))))
            for (y, x), note in sorted(sheet.cell_note_map.items())
        ]
        self._budget.take(len(found), sum(len(note.text) for note in found))
        return [note for note in found if note.text]

    def _text(self, sheet: Any, at: tuple[int, int], kind: int, value: Any) -> str:
        xlrd = self._xlrd
        if kind == xlrd.XL_CELL_TEXT:
            return on_one_line(value)
        if kind in {xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE}:
            code = self._code(sheet, at, is_date=kind == xlrd.XL_CELL_DATE)
            return number_shown(value, code, from_1904=bool(self._book.datemode))
        if kind == xlrd.XL_CELL_BOOLEAN:
            return Number("TRUE" if value else "FALSE")
        if kind == xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(value, "#ERROR!"))
        return ""

    def _code(self, sheet: Any, at: tuple[int, int], *, is_date: bool) -> str:
        """Return the format of a cell; empty if it shows the number as it is."""
        try:
            style = self._book.xf_list[sheet.cell_xf_index(*at)]
            code = str(self._book.format_map[style.format_key].format_str)
        except (LookupError, self._xlrd.XLRDError, TypeError, AttributeError):
            code = "yyyy-mm-dd" if is_date else ""
        return "" if code.lower() == "general" else code
