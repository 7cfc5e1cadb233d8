"""One splitter of tables: all strategies make the same parts of a table, each a table by itself."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import make_strategy
from tests import laws

OVER_ELEMENTS = ["basic", "by_title", "by_page", "by_similarity", "hierarchical", "hybrid"]
CELLS = st.sampled_from(["", "7", "slate", "grey stone", "one two three", "é\u0301 漢", "<&>"])


@st.composite
def merged(draw: st.DrawFn) -> tuple[str, int]:
    """Make the HTML of a table whose cells span rows and leave no gap, and count its columns."""
    n_columns, n_rows = draw(st.integers(1, 4)), draw(st.integers(2, 12))
    rows: list[str] = [""] * n_rows
    for column in range(n_columns):
        row = 0
        while row < n_rows:
            longest = 1 if column == n_columns - 1 else n_rows - row
            rowspan = draw(st.integers(1, longest))
            text = draw(CELLS).replace("&", "&amp;").replace("<", "&lt;")
            rows[row] += f'<td rowspan="{rowspan}">{text} {column}.{row}</td>'
            row += rowspan
    head = "".join(f"<th>h{i}</th>" for i in range(n_columns)) if draw(st.booleans()) else ""
    thead = f"<thead><tr>{head}</tr></thead>" if head else ""
    return f"<table>{thead}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>", n_columns


@st.composite
def markdown(draw: st.DrawFn) -> str:
    """Make a Markdown table."""
    n_columns = draw(st.integers(1, 4))
    cells = st.lists(
        CELLS.filter(lambda cell: "<" not in cell), min_size=n_columns, max_size=n_columns
    )
    rows = draw(st.lists(cells, min_size=1, max_size=9))
    lines = ["| " + " | ".join(row) + " |" for row in [["name"] * n_columns, *rows]]
    lines.insert(1, "|" + "---|" * n_columns)
    return "\n".join(lines)


@st.composite
def limits(draw: st.DrawFn) -> dict[str, Any]:
    """Make the options that a table's parts depend on."""
    unit = draw(st.sampled_from([{"max_chars": 90}, {"max_tokens": 40}]))
    (name, most), chars = next(iter(unit.items())), draw(st.booleans())
    tokenizer = "cl100k_base" if chars else len
    limit = draw(st.integers(1, most))
    options = {name: limit, "repeat_headers": draw(st.booleans()), "tokenizer": tokenizer}
    return {**options, "soft_max": draw(st.none() | st.integers(1, limit))}


def cut(strategy: str, document: cw.Document, options: dict[str, Any]) -> cw.Chunks:
    embedder = {"embedder": laws.by_first_letter} if strategy == "by_similarity" else {}
    chunks: cw.Chunks = make_strategy(strategy, {**options, **embedder})(document)
    return chunks


def parts(strategy: str, document: cw.Document, options: dict[str, Any]) -> list[tuple[Any, ...]]:
    chunks = cut(strategy, document, options)
    laws.offsets_are_exact(document.text, chunks)
    laws.bodies_cover_the_text(document.text, chunks)
    laws.limits_hold(chunks, options)
    assert set(chunks.kinds) <= {"table"}
    return [(c.text, c.start, c.end, c.n_header_rows, c.html, c.part) for c in chunks]


@given(table=merged(), options=limits())
def test_merged_cells(table: tuple[str, int], options: dict[str, Any]) -> None:
    document = cw.read_html(table[0])
    basic = parts("basic", document, options)
    for strategy in OVER_ELEMENTS[1:]:
        assert parts(strategy, document, options) == basic, strategy


@given(table=markdown(), options=limits())
def test_markdown(table: str, options: dict[str, Any]) -> None:
    document = cw.read_markdown(table)
    basic = parts("basic", document, options)
    for strategy in OVER_ELEMENTS[1:]:
        assert parts(strategy, document, options) == basic, strategy
    bare = parts("hybrid", document, {**options, "omit_header_on_overflow": True})
    for strategy in ("recursive", "balanced"):
        chunks = cut(strategy, document, options)
        assert chunks.texts() == [text for text, *_ in bare], strategy


def area(html: str) -> int:
    """Count the places that the cells of a table fill."""
    cells = re.findall(r"<t[dh]\b[^>]*>", html)

    def span(name: str, cell: str) -> int:
        found = re.search(rf'{name}="(\d+)"', cell)
        return int(found[1]) if found else 1

    return sum(span("colspan", cell) * span("rowspan", cell) for cell in cells)


@given(table=merged(), limit=st.integers(60, 200), repeat_headers=st.booleans())
def test_each_part_is_a_table_by_itself(
    table: tuple[str, int], limit: int, *, repeat_headers: bool
) -> None:
    html, n_columns = table
    document = cw.read_html(html)
    chunks = cw.chunk(document, "basic", max_chars=limit, repeat_headers=repeat_headers)
    for chunk in chunks:
        assert chunk.html is not None
        assert area(chunk.html) == n_columns * chunk.html.count("<tr>")
        # What is repeated of the cells that reach into it stands in its column.
        assert sorted(cw.read_html(chunk.html).text.split()) == sorted(chunk.text.split())


def test_rows_under_a_merged_cell_are_whole_and_repeat_it() -> None:
    rows = "".join(f"<tr><td>value {i}</td><td>k{i}</td></tr>" for i in range(1, 30))
    first = '<tr><td rowspan="30">all</td><td>value 0</td><td>k0</td></tr>'
    html = f"<table><tr><th>Group</th><th>Name</th><th>Key</th></tr>{first}{rows}</table>"
    document = cw.read_html(html)
    chunks = cw.chunk(document, "hybrid", max_chars=60)
    for chunk in chunks[1:]:
        assert chunk.text.startswith("Group Name Key\nall value ")
        (header, merged_cell, body) = chunk.pieces
        assert (header.role, merged_cell.role, body.role) == ("header", "header", "body")
        own = document.text[body.start : body.end]
        n_rows = own.count("value")
        assert n_rows == own.count(" k") >= 1
        rowspan = f'<td rowspan="{n_rows}">all</td>' if n_rows > 1 else "<td>all</td>"
        assert f"</thead><tr>{rowspan}<td>value " in (chunk.html or "")
        assert chunk.n_header_rows == 1
    # What fits is not parted, and the HTML counts for nothing.
    few = html.replace(rows, "").replace(' rowspan="30"', ' rowspan="3"')
    few = few.replace(
        "</table>", "<tr><td>v 1</td></tr><tr><td>v 2</td></tr><tr><td>b</td></tr></table>"
    )
    for strategy in OVER_ELEMENTS:
        texts = cut(strategy, cw.read_html(few), {"max_chars": 45}).texts()
        assert texts == ["Group Name Key\nall value 0 k0\nv 1\nv 2\nb"]
        bound = cut(strategy, cw.read_html(few), {"max_chars": 38}).texts()
        assert bound == ["Group Name Key\nall value 0 k0\nv 1\nv 2", "Group Name Key\nb"]


def test_what_reaches_is_left_out_where_it_takes_more_than_half() -> None:
    rows = "".join(f"<tr><td>v {i}</td></tr>" for i in range(1, 9))
    key = "a merged cell of so many words"
    document = cw.read_html(f'<table><tr><td rowspan="9">{key}</td><td>v 0</td></tr>{rows}</table>')
    chunks = cw.chunk(document, "basic", max_chars=40)
    assert [chunk.text.count("merged") for chunk in chunks] == [1] + [0] * (len(chunks) - 1)
    assert '<td rowspan="7"/>' in (chunks[1].html or "")
    assert len(chunks) == 2


@pytest.mark.cpu_seconds(60)
def test_markup_is_not_repeated_without_text() -> None:
    rows = "<tr><td>word word</td><td>word</td></tr>" * 5_000
    heads = "<tr><th>h</th>" + "<th></th>" * 5_000 + "</tr>"
    chunks = cw.chunk(cw.read_html(f"<table>{heads}{rows}</table>"), "basic", max_chars=30)
    assert {chunk.n_header_rows for chunk in chunks} == {0}
    assert sum(len(chunk.html or "") for chunk in chunks) < 1_000_000


@pytest.mark.cpu_seconds(60)
@pytest.mark.parametrize("n_columns", [3, 65, 5_000])
def test_many_rows_under_many_merged_cells(n_columns: int) -> None:
    n_rows = 20_000
    keys = "".join(f'<td rowspan="{n_rows}">k{i}</td>' for i in range(n_columns))
    rows = "<tr><td>word word</td></tr>" * (n_rows - 1)
    document = cw.read_html(f"<table><tr>{keys}<td>first</td></tr>{rows}</table>")
    chunks = cw.chunk(document, "basic", max_chars=60)
    assert sum(text.count("word") for text in chunks.texts()) == 2 * (n_rows - 1)
    assert sum(len(chunk.html or "") for chunk in chunks[::100]) < 100_000
