"""Tables of a sheet: where each begins and ends, its title, and its header."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chunkwright.readers.blocks import Block, BlockCell, BlockTable
from chunkwright.readers.office.sheets.cells import name_of
from chunkwright.readers.office.sheets.sheet import Merged, Moment, Note, Number, Sheet

Rows = list[tuple[int, dict[int, str]]]
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_LONG, _MAX_HEADER_ROWS = 80, 4
# So many parts of a sheet may stand side by side before it is taken for one table.
_MAX_DEPTH, _MAX_GAPS = 8, 16


def blocks_of(sheet: Sheet, n_before: int) -> list[Block]:
    """Return the heading of a sheet and its tables with their titles; nothing of an empty sheet.

    Notes stand behind the table that has their cell, drawings behind the last one that begins above
    them.

    Parameters
    ----------
    sheet
        The sheet.
    n_before
        So many blocks stand before it.
    """
    if not (sheet.rows or sheet.notes or sheet.drawings):
        return []
    blocks = [Block("heading", sheet.name, 1)]
    notes, drawings = sorted(sheet.notes), deque(sheet.drawings)
    rows, noted = [note.row for note in notes], set[Note]()
    merged = {(each.row, each.column): each for each in sheet.merged}
    regions = _regions(sheet.rows, merged, 0) if sheet.rows else ()
    for region in _joined(list(regions)):
        extent = _extent(region)
        while drawings and drawings[0].row < extent.top:
            blocks += _moved(drawings.popleft().blocks, n_before + len(blocks))
        own = [*_region_blocks(region, merged, sheet.n_frozen, n_before + len(blocks))]
        number = n_before + len(blocks) + _number_of_table(own)
        near = notes[bisect_left(rows, extent.top) : bisect_right(rows, extent.bottom)]
        within = [note for note in near if extent.has(note) and note not in noted]
        noted.update(within)
        blocks += [*own, *_noted(within, number)]
    blocks += _noted([note for note in notes if note not in noted], n_before)
    for drawing in drawings:
        blocks += _moved(drawing.blocks, n_before + len(blocks))
    return blocks


def _moved(blocks: Sequence[Block], n_before: int) -> Iterator[Block]:
    """Yield blocks as they stand behind so many others."""
    for block in blocks:
        yield block if block.parent is None else block._replace(parent=block.parent + n_before)


def _number_of_table(blocks: list[Block]) -> int:
    return next((at for at, block in enumerate(blocks) if block.kind == "table"), 0)


def _noted(notes: list[Note], parent: int) -> Iterator[Block]:
    """Yield notes as footnotes that name their cells."""
    for note in notes:
        text = f"{name_of(note.row, note.column)}: {note.text}"
        yield Block("footnote", text, parent=parent)


class _Extent(NamedTuple):
    """The first and the last row and column of a part of a sheet."""

    top: int
    left: int
    bottom: int
    right: int

    def has(self, note: Note) -> bool:
        """Return whether the cell of a note is within."""
        return self.top <= note.row <= self.bottom and self.left <= note.column <= self.right


def _extent(rows: Rows) -> _Extent:
    left = min(min(cells) for _, cells in rows)
    right = max(max(cells) for _, cells in rows)
    return _Extent(rows[0][0], left, rows[-1][0], right)


def _regions(rows: Rows, merged: dict[tuple[int, int], Merged], depth: int) -> Iterator[Rows]:
    """Yield parts of a sheet that blank rows, or blank columns, stand between."""
    for band in _bands(rows, merged):
        sides = _sides(band, merged) if depth < _MAX_DEPTH else None
        if sides is None:
            yield band
        else:
            for side in sides:
                yield from _regions(side, merged, depth + 1)


def _bands(rows: Rows, merged: dict[tuple[int, int], Merged]) -> Iterator[Rows]:
    band: Rows = []
    end = 0
    for y, cells in rows:
        if band and y > end:
            yield band
            band = []
        band.append((y, cells))
        spans = (merged[y, x].end_row for x in cells if (y, x) in merged) if merged else ()
        end = max(end, y + 1, *spans)
    yield band


def _sides(band: Rows, merged: dict[tuple[int, int], Merged]) -> list[Rows] | None:
    """Return two tables side by side; None if the band is one.

    Columns that are blank stand in many tables. These are two only if each has several rows and
    columns, and they do not begin and end in the same rows.
    """
    covered = {(x, x + 1) for _, cells in band for x in cells}
    if merged:
        spans = (merged[y, x] for y, cells in band for x in cells if (y, x) in merged)
        covered |= {(span.column, span.end_column) for span in spans}
    gaps, end = [], min(covered)[0]
    for start, behind in sorted(covered):
        if start > end:
            gaps.append(start)
        end = max(end, behind)
    if len(gaps) > _MAX_GAPS:
        return None
    for gap in gaps:
        left = [(y, part) for y, row in band if (part := {x: t for x, t in row.items() if x < gap})]
        right = [
            (y, part) for y, row in band if (part := {x: t for x, t in row.items() if x >= gap})
        ]
        sizes = [_extent(side) for side in (left, right)]
        is_two = all(s.top < s.bottom and s.left < s.right for s in sizes)
        if is_two and (sizes[0].top, sizes[0].bottom) != (sizes[1].top, sizes[1].bottom):
            return [left, right]
    return None


def _joined(regions: list[Rows]) -> Iterator[Rows]:
    """Yield regions, one that goes on below a blank row together with the one above it.

    It goes on with what is in columns of the table above, and has no header of its own.
    """
    last: Rows | None = None
    for region in regions:
        if last is not None and _goes_on(last, region):
            last = last + region
            continue
        if last is not None:
            yield last
        last = region
    if last is not None:
        yield last


def _goes_on(above: Rows, below: Rows) -> bool:
    upper, lower = _extent(above), _extent(below)
    is_within = upper.left <= lower.left < lower.right <= upper.right and lower.top > upper.bottom
    first = below[0][1]
    is_headed = len(above) == 1 and len(above[0][1]) == len(first)
    goes_on = is_headed or not _is_header(first, below[1:])
    return is_within and upper.left < upper.right and len(first) > 1 and goes_on


def _region_blocks(
    region: Rows, merged: dict[tuple[int, int], Merged], n_frozen: int, n_before: int
) -> Iterator[Block]:
    extent = _extent(region)
    titles, body, notes = _parted(region, extent, merged)
    if _is_prose(body, extent):
        yield from (Block("paragraph", text) for _, cells in region for text in cells.values())
        return
    number = n_before + len(titles)
    yield from (Block("caption", text, caption_of=number) for text in titles)
    yield Block("table", table=_table(body, merged, n_frozen))
    yield from (Block("paragraph", text) for text in notes)


def _parted(
    region: Rows, extent: _Extent, merged: dict[tuple[int, int], Merged]
) -> tuple[list[str], Rows, list[str]]:
    """Return the titles of a region, the rows of its table, and the notes below it."""

    def is_across(row: tuple[int, dict[int, str]], *, merged_only: bool) -> bool:
        y, cells = row
        ((x, text), *_) = cells.items()
        span = merged.get((y, x), Merged(y, x, y + 1, x + 1))
        is_whole = span.end_column > extent.right and x == extent.left < extent.right
        is_one = span.end_column == x + 1 and not merged_only
        return (
            len(cells) == 1
            and x == extent.left
            and span.end_row == y + 1
            and (is_one or is_whole)
            and not isinstance(text, Number)
        )

    start, end = 0, len(region)
    if any(len(cells) > 1 for _, cells in region):
        while start < end and is_across(region[start], merged_only=False):
            start += 1
        while end - 1 > start and is_across(region[end - 1], merged_only=True):
            end -= 1
    titles = [text for _, cells in region[:start] for text in cells.values()]
    notes = [text for _, cells in region[end:] for text in cells.values()]
    return titles, region[start:end], notes


def _is_prose(body: Rows, extent: _Extent) -> bool:
    """Return whether a column alone holds no table: one cell, or long texts."""
    if extent.left != extent.right:
        return len(body) == 1 and len(body[0][1]) == 1
    texts = [text for _, cells in body for text in cells.values()]
    has_numbers = any(isinstance(text, Number) for text in texts[1:])
    is_long = any(len(text) > _LONG for text in texts) or texts[0].endswith((".", ":", "!", "?"))
    return len(texts) == 1 or (is_long and not has_numbers)


def _table(rows: Rows, merged: dict[tuple[int, int], Merged], n_frozen: int) -> BlockTable:
    # Rows and columns without a text are none, so that what is far apart stands together.
    columns = sorted({x for _, cells in rows for x in cells})
    lines = [y for y, _ in rows]
    place = {x: at for at, x in enumerate(columns)}
    cells = []
    for at, (y, row) in enumerate(rows):
        for x, text in sorted(row.items()):
            span = merged.get((y, x)) if merged else None
            end_row, end_column = at + 1, place[x] + 1
            if span is not None:
                end_row = max(end_row, bisect_left(lines, span.end_row))
                end_column = max(end_column, bisect_left(columns, span.end_column))
            cells.append(BlockCell(at, place[x], end_row, end_column, text))
    n_header = _n_header_rows(rows, merged, n_frozen)
    return BlockTable(len(rows), len(columns), n_header, cells)


def _n_header_rows(rows: Rows, merged: dict[tuple[int, int], Merged], n_frozen: int) -> int:
    frozen = sum(y < n_frozen for y, _ in rows[: _MAX_HEADER_ROWS + 1])
    if 0 < frozen <= _MAX_HEADER_ROWS and frozen < len(rows):
        return frozen
    if not _is_header(rows[0][1], rows[1:]):
        return 0
    n = 1
    # A header that is merged across has the names of its columns below it.
    while n < min(len(rows) - 1, _MAX_HEADER_ROWS):
        y, cells = rows[n - 1]
        spans = [merged[y, x] for x in cells if (y, x) in merged]
        is_open = any(m.end_column > m.column + 1 or m.end_row > rows[n][0] for m in spans)
        if not is_open or any(_is_amount(text) for text in rows[n][1].values()):
            break
        n += 1
    return n


def _is_header(first: dict[int, str], below: Rows) -> bool:
    """Return whether a row names columns: it has no amounts, and no dates above dates."""
    second = below[0][1] if below else {}
    has_dates = any(
        isinstance(text, Moment) and isinstance(second.get(x), Moment) for x, text in first.items()
    )
    return bool(below) and not has_dates and not any(_is_amount(each) for each in first.values())


def _is_amount(text: str) -> bool:
    return isinstance(text, Number) and not isinstance(text, Moment) and not _YEAR.fullmatch(text)
