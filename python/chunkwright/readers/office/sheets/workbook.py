"""Workbooks (XLSX) as blocks: sheet after sheet, with what Excel shows in the cells."""

from __future__ import annotations

from chunkwright.readers.blocks import Block
from chunkwright.readers.office.package import Package, child, is_on, relation_id
from chunkwright.readers.office.sheets.cell_formats import Formats
from chunkwright.readers.office.sheets.drawings import drawings_of
from chunkwright.readers.office.sheets.notes import notes_of
from chunkwright.readers.office.sheets.sheet import Budget, Sheet
from chunkwright.readers.office.sheets.sheet_rows import SharedTexts, SheetRows
from chunkwright.readers.office.sheets.sheet_tables import blocks_of


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
        If the file is damaged or too large: names the part.
    """
    package = Package(data)
    main = package.main("xl/workbook.xml")
    root, relations = package.tree(main), package.relations(main)
    properties = child(root, "workbookPr")
    from_1904 = properties is not None and is_on(properties.get("date1904"))
    by_kind = {each.kind: each.target for each in relations.values()}
    texts = SharedTexts(package, by_kind.get("sharedStrings", "")).texts
    formats = Formats(package.find(by_kind.get("styles", "")), from_1904=from_1904)
    budget, blocks = Budget(), list[Block]()
    sheets = child(root, "sheets")
    for each in () if sheets is None else sheets:
        relation = relations.get(relation_id(each))
        is_shown = each.get("state", "visible") == "visible"
        if relation is None or not (hidden or is_shown):
            continue
        sheet, refers = Sheet(each.get("name", ""), [], []), package.relations(relation.target)
        if relation.kind == "worksheet":
            rows = SheetRows(texts, formats, budget)
            notes = notes_of(package, refers.values(), budget)
            sheet = rows.sheet(package, relation.target, sheet._replace(notes=notes), hidden=hidden)
        if relation.kind in {"worksheet", "chartsheet"}:
            drawings = drawings_of(package, refers.values(), budget, hidden=hidden)
            blocks += blocks_of(sheet._replace(drawings=drawings), len(blocks))
    return blocks, len(blocks)
