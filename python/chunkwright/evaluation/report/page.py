"""Parts of a page: tables, and texts with marks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from chunkwright.evaluation.report.markup import clipped, element, escaped, named, percent

if TYPE_CHECKING:
    from chunkwright.evaluation.report.marked import Part
    from chunkwright.evaluation.report.tables import Cell, Column, Table
    from chunkwright.evaluation.report.worst import Case, Passage

# Code points of a name in a table.
MOST_NAME = 80


def table(content: Table) -> str:
    """Write a table: two rows of headers where its columns have groups, names at the left."""
    starts = _group_starts(content.columns)
    head = "".join(_heads(content.columns, starts))
    rows = "".join(_row(content, i, starts) for i in range(len(content.names)))
    caption = element("caption", escaped(content.title), hidden="")
    body = element("table", caption, element("thead", head), element("tbody", rows))
    return element("div", body, class_="scroll", tabindex="0")


def _group_starts(columns: tuple[Column, ...]) -> set[int]:
    return {i for i, column in enumerate(columns) if i and column.group != columns[i - 1].group}


def _heads(columns: tuple[Column, ...], starts: set[int]) -> Iterator[str]:
    if any(column.group for column in columns):
        corner = element("th", "run", scope="col", rowspan=2)
        yield element("tr", corner, *_groups(columns, starts))
        yield element("tr", *(_title(c, i in starts) for i, c in enumerate(columns) if c.group))
    else:
        corner = element("th", "run", scope="col")
        yield element("tr", corner, *(_title(column, starts=False) for column in columns))


def _groups(columns: tuple[Column, ...], starts: set[int]) -> Iterator[str]:
    for group, members in groupby(enumerate(columns), key=lambda pair: pair[1].group):
        found = list(members)
        kind = "group" if found[0][0] in starts else None
        if group:
            yield element("th", named(group), scope="colgroup", colspan=len(found), class_=kind)
            continue
        for i, column in found:
            yield _title(column, starts=i in starts, rowspan=2)


def _title(column: Column, starts: bool, rowspan: int | None = None) -> str:
    about = column.about or None
    kind = "group" if starts else None
    shown = named(clipped(column.title, MOST_NAME))
    return element("th", shown, scope="col", title=about, class_=kind, rowspan=rowspan)


def _row(content: Table, row: int, starts: set[int]) -> str:
    name = content.names[row]
    title = name if len(name) > MOST_NAME else None
    head = element("th", named(clipped(name, MOST_NAME)), scope="row", title=title)
    cells = (_cell(column.cells[row], i in starts) for i, column in enumerate(content.columns))
    return element("tr", head, *cells)


def _cell(cell: Cell, starts: bool) -> str:
    kinds = " ".join(kind for kind in (cell.kind, "group" if starts else "") if kind)
    note = element("span", escaped(cell.note), class_="note") if cell.note else ""
    return element("td", escaped(cell.text), note, class_=kinds or None)


def case(content: Case, metric: str) -> str:
    """Write a question that a run did badly on: its excerpts, and what was found."""
    against = "" if content.base is None else f", the baseline {percent(content.base)} %"
    about = f"{metric} {percent(content.score)} %{against} · {content.corpus}"
    hits = [_passage(hit, "passage") for hit in content.hits] or [element("p", "nothing")]
    return element(
        "article",
        element("h3", escaped(content.text), dir="auto"),
        element("p", named(about)),
        *(_passage(excerpt, "passage excerpt") for excerpt in content.excerpts),
        element("p", "found:"),
        *hits,
        element("p", escaped(content.more)) if content.more else "",
    )


def _passage(passage: Passage, kind: str) -> str:
    text = element("span", *map(_part, passage.parts), dir="auto")
    return element("div", element("small", named(passage.about)), text, class_=kind)


def _part(part: Part) -> str:
    if part.text is None:
        return element("span", f" … {part.left_out:,} characters … ", class_="left-out")
    return element("mark", escaped(part.text)) if part.is_marked else escaped(part.text)
