"""Tables of Markdown in HTML or drawn as grids, and pipe tables with several header rows."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import make_strategy
from tests import laws

HEADER = "<table><tr><th>Region</th><th>Revenue</th></tr>"
ROWS = [f"<tr><td>Region number {i}</td><td>{i}000</td></tr>" for i in range(8)]
HTML = f"# R\n\n{HEADER}{''.join(ROWS)}</table>\n"

PIPES = "| Year | 2023 | 2024 |\n| | Q1 | Q1 |\n|---|---|---|\n"
BODY = [f"| r{i} | {i} | {i} |" for i in range(6)]

GRID_HEAD = (
    "+-------+-----------+\n| stone | weight,   |\n|       | in *kg*   |\n+=======+===========+\n"
)
GRID_ROWS = [
    f"| s{i}    | {i}         |\n|       | or more   |\n+-------+-----------+\n" for i in range(4)
]
GRID = GRID_HEAD + "".join(GRID_ROWS)

#: Strategies that cut tables between their rows.
EACH = pytest.mark.parametrize(
    "strategy",
    [
        *("recursive", "sentence", "balanced"),
        *("cluster", "kamradt", "kamradt_modified", "discontinuity"),
        *("basic", "by_title", "structural", "hierarchical", "hybrid"),
    ],
)


def cut(text: str, strategy: str, **options: Any) -> cw.Chunks:
    chunks: cw.Chunks = make_strategy(strategy, options)(cw.read_markdown(text))
    return chunks


def tables(text: str) -> list[cw.Table]:
    return [each.table for each in cw.read_markdown(text).elements if each.table is not None]


@EACH
def test_a_table_in_html_is_cut_between_rows_under_its_header(strategy: str) -> None:
    texts = cut(HTML, strategy, max_chars=190).texts()
    parts = [text for text in texts if "<td>" in text]
    assert len(parts) > 2
    for text in parts:
        assert text.count("<th>Region</th><th>Revenue</th>") == 1
        assert text.endswith("</tr></table>")
        assert text.count("<td>") == text.count("</td>") == 2 * text.count("Region number")
    assert [row for text in parts for row in re.findall(r"<tr><td>.*?</tr>", text)] == ROWS


@EACH
@pytest.mark.parametrize("limit", [60, 80, 120, 300])
def test_no_part_is_cut_inside_a_tag_or_a_cell_that_fits(strategy: str, limit: int) -> None:
    for text in cut(HTML, strategy, max_chars=limit).texts():
        assert re.sub(r"<[^<>]*>", "", text).count("<") == 0
        assert text.count("<td>") == text.count("</td>"), text


def test_html_is_a_table_with_cells_that_stand_in_the_source() -> None:
    text = (
        "<html><body><table border=1>\n<thead><tr><th rowspan=2>a</th>"
        "<th colspan='2'>b &amp; c</th></tr>"
        "<tr><th>d</th>\n\n<th><b>e</b></th></tr></thead>\n"
        "<tr><td>1<td>2<td></tr></table></body></html>\n\nAfter."
    )
    document = cw.read_markdown(text)
    assert [each.kind for each in document.elements] == ["table", "paragraph"]
    (table,) = tables(text)
    assert (table.n_rows, table.n_columns) == (3, 3)
    said = [(cell.row, cell.column, cell.words(text), cell.is_header) for cell in table.cells]
    assert said == [
        (0, 0, "a", True),
        (0, 1, "b & c", True),
        (1, 1, "d", True),
        (1, 2, "e", True),
        (2, 0, "1", False),
        (2, 1, "2", False),
        (2, 2, "", False),
    ]
    assert [text[cell.start : cell.end] for cell in table.cells][1:4] == [
        "b &amp; c",
        "d",
        "<b>e</b>",
    ]
    assert (table.cells[0].rows, table.cells[1].columns) == (2, 2)


@pytest.mark.parametrize(
    ("text", "n_tables"),
    [
        ("- item\n\n  <table><tr><td>a</td></tr></table>\n- more\n", 1),
        ("> <table>\n> <tr><td>a</td></tr>\n> </table>\n", 1),
        ("<div>\n<table><tr><td>a</td></tr></table>\n</div>\n", 1),
        ("<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>\n", 1),
        ("<table><tr><td>never closed\n\n<table><tr><td>a</td></tr></table>\n", 2),
        ("<TABLE><TR><TD>a</TD></TR></TABLE>\n\n<table><tr><td>b</td></tr></table>\n", 2),
        ("```html\n<table><tr><td>a</td></tr></table>\n```\n", 0),
        ("<table></table>\n\n<tablet><tr><td>a</td></tr></tablet>\n", 0),
        ("See `<table>` and </table>.\n", 0),
    ],
)
def test_tables_are_told_from_what_looks_like_one(text: str, n_tables: int) -> None:
    assert len(tables(text)) == n_tables


@EACH
def test_header_rows_above_the_first_are_repeated_with_it(strategy: str) -> None:
    texts = cut(PIPES + "\n".join(BODY), strategy, max_chars=120).texts()
    assert len(texts) > 1
    assert all(text.startswith(PIPES) for text in texts)
    assert [line for text in texts for line in text[len(PIPES) :].split("\n")] == BODY


def test_header_rows_have_cells_and_leave_the_text_above_alone() -> None:
    text = f"Sums:\n{PIPES}{BODY[0]}\n\nMore.\n"
    document = cw.read_markdown(text)
    assert [each.kind for each in document.elements] == ["paragraph", "table", "paragraph"]
    assert document.elements[0].text == "Sums:"
    (table,) = tables(text)
    assert [cell.words(text) for cell in table.cells if cell.row == 1] == ["", "Q1", "Q1"]
    assert [cell.row for cell in table.cells if cell.is_header][-1] == 1
    # Other numbers of columns, and lines that do not touch the table, are none of it.
    for other in ["| a | b |\n", "a | b | c\n", "| a | b | c |\n\n"]:
        (table,) = tables(other + PIPES.split("\n", 1)[1] + BODY[0])
        assert table.n_rows == 2


def test_a_grid_table_has_the_words_of_all_lines_of_a_cell() -> None:
    (table,) = tables(f"Stones:\n\n{GRID}\nThe end.")
    text = f"Stones:\n\n{GRID}\nThe end."
    assert (table.n_rows, table.n_columns) == (5, 2)
    assert [cell.words(text) for cell in table.cells][:4] == [
        "stone",
        "weight, in *kg*",
        "s0",
        "0 or more",
    ]
    assert [text[cell.start : cell.end] for cell in table.cells][1] == "weight,"
    assert [cell.is_header for cell in table.cells][1:3] == [True, False]


@EACH
def test_parts_of_a_grid_table_are_grid_tables(strategy: str) -> None:
    texts = cut(GRID, strategy, max_chars=180).texts()
    assert len(texts) > 1
    for text in texts:
        assert text.startswith(GRID_HEAD)
        assert len(tables(text)) == 1


def test_a_grid_table_without_a_header_opens_each_part() -> None:
    rows = [f"| {i} | a |\n+---+---+\n" for i in range(6)]
    texts = cut("+---+---+\n" + "".join(rows), "hybrid", max_chars=50).texts()
    assert len(texts) > 1
    assert all(len(tables(text)) == 1 for text in texts)


CELLS = st.sampled_from(["", "a", "two words", "é", "a&amp;b", "<b>x</b>", "1<br>2", "long " * 9])


@st.composite
def html_tables(draw: st.DrawFn) -> str:
    """Draw a table with sections, spans, attributes, and tags that are left open."""
    rows = draw(st.lists(st.lists(CELLS, min_size=1, max_size=3), min_size=1, max_size=5))
    close = draw(st.sampled_from(["</td>", "", "\n</td>"]))
    tag = draw(st.sampled_from(["<td>", '<td class="x">', "<td rowspan=2>", "<TD colspan=2>"]))
    feed = draw(st.sampled_from(["", "\n", "\n\n"]))
    head = draw(st.sampled_from(["", "<thead><tr><th>h</th></tr></thead>", "<tr><th>h</th></tr>"]))
    body = feed.join(
        "<tr>" + "".join(f"{tag}{cell}{close}" for cell in row) + "</tr>" for row in rows
    )
    return f"<table>{head}{feed}{body}{draw(st.sampled_from(['</table>', '']))}"


@EACH
@given(
    parts=st.lists(
        st.one_of(html_tables(), st.just(GRID), st.just(PIPES + BODY[0]), st.just("Text.")),
        max_size=4,
    ),
    limit=st.sampled_from([12, 40, 80, 200]),
)
def test_nothing_is_lost_and_all_fits(strategy: str, parts: list[str], limit: int) -> None:
    text = "\n\n".join(parts)
    chunks = cut(text, strategy, max_chars=limit)
    laws.bodies_cover_the_text(text, chunks)
    laws.offsets_are_exact(text, chunks)
    laws.limits_hold(chunks, {"max_chars": limit})


@pytest.mark.parametrize(
    "part",
    [
        "<table><tr><td>a",
        "<table>",
        "</table>",
        "<table><tr><td>a</td></tr></table>\n",
        "+-+\n",
        "| a | b |\n",
    ],
)
def test_hostile_repetitions_are_read(part: str) -> None:
    assert cw.read_markdown(part * 3000).elements
