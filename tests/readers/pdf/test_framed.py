"""Tables between lines across the page that are as wide as each other, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.pdf.drawing import Sheets
from tests.readers.pdf.test_table_looks import fill, put, rows, rule

XS = (80, 190, 290, 390)
NAMES = ("Alder", "Birch", "Cedar", "Damson", "Elm", "Fir", "Gorse", "Hazel")


def lines(sheets: Sheets, *ys: float) -> None:
    for y in ys:
        rule(sheets, 72, y, 450, y)


def n_tables(sheets: Sheets) -> int:
    return sum(element.kind == "table" for element in sheets.read().elements)


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[str, ...]]:
    n_rows, n_columns = draw(st.integers(3, 8)), draw(st.integers(2, 4))
    number = st.integers(10, 99999).map("{:,}".format)
    header = ("Tree", "North", "South", "West")[:n_columns]
    body = [(NAMES[i], *(draw(number) for _ in range(1, n_columns))) for i in range(n_rows)]
    return [header, *body]


@settings(max_examples=20, deadline=None)
@given(table=tables(), step=st.integers(13, 30), is_each=st.booleans())
def test_lines_above_and_below_a_header_and_at_the_end_hold_a_table(
    table: list[tuple[str, ...]], step: int, is_each: bool
) -> None:
    sheets = Sheets()
    put(sheets, table, XS, 150, step)
    ends = [150 + step * (i + 0.5) - 4 for i in range(-1, len(table))]
    lines(sheets, *(ends if is_each else (ends[0], ends[1], ends[-1])))
    assert rows(sheets.read()) == [list(row) for row in table]


@settings(max_examples=20, deadline=None)
@given(table=tables(), step=st.integers(13, 30))
def test_stripes_hold_a_table(table: list[tuple[str, ...]], step: int) -> None:
    sheets = Sheets()
    for i in range(0, len(table), 2):
        middle = 147 + step * i
        fill(sheets, (72, middle - step / 2, 450, middle + step / 2))
    put(sheets, table, XS, 150, step)
    assert rows(sheets.read()) == [list(row) for row in table]


def test_lines_around_the_head_of_a_page_hold_no_table() -> None:
    sheets = Sheets()
    lines(sheets, 48, 52, 110)
    put(sheets, [("Proposed Rules", "", "The Register")], (80, 190, 390), 65, 15)
    put(sheets, [("", "Volume 85"), ("", "Thursday, August 6")], (80, 390), 80, 15)
    assert n_tables(sheets) == 0


def test_lines_around_an_algorithm_hold_no_table() -> None:
    sheets = Sheets()
    lines(sheets, 100, 118, 210)
    sheets.line(80, 112, "Algorithm 2 Check the sets")
    steps = ["begin", "read all", "sort them", "write all", "end"]
    put(sheets, [(f"{i}:", of) for i, of in enumerate(steps, 1)], (80, 100), 132, 15)
    assert n_tables(sheets) == 0


@pytest.mark.parametrize("n", [1, 2])
def test_lines_at_both_ends_of_a_page_hold_no_table(n: int) -> None:
    sheets = Sheets()
    lines(sheets, *(40, 800)[:n])
    for i in range(20):
        for x in (80, 280):
            sheets.line(x, 80 + 13 * i, "The harbor was quiet when ships came.")
    assert n_tables(sheets) == 0
