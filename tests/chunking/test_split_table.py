"""One table split by itself: every part a table of the same form, with the header, nothing lost."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.element_lists import table_html

CELLS = st.text(st.sampled_from("ab é漢."), max_size=15)
LIMITS = st.one_of(
    st.builds(lambda n: {"max_chars": n}, st.integers(1, 120)),
    st.builds(lambda n: {"max_tokens": n}, st.integers(1, 40)),
)
MARKDOWN = "| stone | kg |\n|:--|--:|\n| slate | 7 |\n| chalk | 3 |\n| flint | 5 |\n"


@st.composite
def grids(draw: st.DrawFn) -> list[list[str]]:
    n_columns = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(CELLS, min_size=n_columns, max_size=n_columns), min_size=1))


def size(text: str, limit: dict[str, Any]) -> int:
    return len(text) if "max_chars" in limit else cw.count_tokens(text)


def letters(texts: Any) -> str:
    return "".join("".join(texts).split())


@given(rows=grids(), limit=LIMITS, n_header_rows=st.integers(0, 2), repeats=st.booleans())
def test_rows(
    rows: list[list[str]], limit: dict[str, Any], n_header_rows: int, *, repeats: bool
) -> None:
    parts = cw.split_table(rows, **limit, n_header_rows=n_header_rows, repeat_headers=repeats)
    n_columns = len(rows[0])
    own: list[str] = []
    for part in parts:
        assert part.rows is not None
        assert len(part.table) == part.n_header_rows + len(part.rows)
        assert all(len(row) == n_columns for row in part.table)
        assert part.table[: part.n_header_rows] == rows[: part.n_header_rows]
        assert part.n_header_rows in ({0, min(n_header_rows, len(rows))} if repeats else {0})
        assert (size(part.text, limit) > next(iter(limit.values()))) == part.oversize
        assert not part.oversize or len(letters(part.text)) <= 2
        own += [cell for row in part.table[part.n_header_rows :] for cell in row]
    assert letters(own) == letters(cell for row in rows for cell in row)
    assert [part.rows.start for part in parts if part.rows] == sorted(
        part.rows.start for part in parts if part.rows
    )


@given(rows=grids(), limit=LIMITS, repeats=st.booleans())
def test_markdown(rows: list[list[str]], limit: dict[str, Any], *, repeats: bool) -> None:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    parts = cw.split_table("\n".join(lines), **limit, repeat_headers=repeats)
    own: list[str] = []
    for part in parts:
        header, delimiter, *body = part.table.split("\n")
        assert delimiter == lines[1]
        assert part.text == part.table
        assert part.n_header_rows in ({0, 1} if repeats else {0})
        assert (size(part.text, limit) > next(iter(limit.values()))) == part.oversize
        if part.n_header_rows:
            assert cells(header) == cells(lines[0])
        else:
            own += cells(header)
        own += [cell for line in body for cell in cells(line)]
        assert {len(cells(line)) for line in [header, *body]} == {len(rows[0])}
    assert letters(own) == letters(cell for row in rows for cell in row)


def cells(line: str) -> list[str]:
    assert line.startswith("|")
    assert line.endswith("|")
    return [cell.strip() for cell in line[1:-1].split("|")]


@given(rows=grids(), limit=LIMITS, n_header_rows=st.integers(0, 2), repeats=st.booleans())
def test_html(
    rows: list[list[str]], limit: dict[str, Any], n_header_rows: int, *, repeats: bool
) -> None:
    html = table_html(rows, n_header_rows)
    parts = cw.split_table(html, **limit, repeat_headers=repeats)
    for part in parts:
        assert part.table.startswith("<table>")
        assert part.table.endswith("</table>")
        # The text is what the cells say.
        said = unescape(re.sub(r"<[^>]*>", " ", part.table))
        assert letters(said) == letters(part.text)
        assert (size(part.text, limit) > next(iter(limit.values()))) == part.oversize
        assert part.rows is None
    said_before = iter(letters(part.text for part in parts))
    assert all(letter in said_before for letter in letters(cell for row in rows for cell in row))


def test_the_header_is_repeated() -> None:
    parts = cw.split_table(MARKDOWN, max_chars=50)
    assert [part.table for part in parts] == [
        f"| stone | kg |\n|:--|--:|\n| {row} |" for row in ("slate | 7", "chalk | 3", "flint | 5")
    ]
    assert [part.n_header_rows for part in parts] == [0, 1, 1]
    assert [part.rows for part in parts] == [range(2), range(2, 3), range(3, 4)]
    html = table_html([["stone", "kg"], *([f"stone {i}", f"{i} kg"] for i in range(9))], 1)
    first, *others = cw.split_table(html, max_chars=60)
    assert first.n_header_rows == 0
    for part in others:
        assert part.table.startswith("<table><thead><tr><th>stone</th><th>kg</th></tr></thead><tr>")
        assert part.text.startswith("stone kg stone ")
    assert not any(
        "<thead>" in p.table for p in cw.split_table(html, max_chars=60, repeat_headers=False)
    )


def test_what_fits_is_one_part() -> None:
    assert [part.table for part in cw.split_table(MARKDOWN, max_chars=100)] == [MARKDOWN.strip()]
    rows = [["a", "b"], ["", "c"]]
    assert [part.table for part in cw.split_table(rows, max_tokens=100)] == [rows]
    assert cw.split_table([], max_chars=5) == []


def test_a_wide_row_does_not_make_quadratic_space() -> None:
    row = [f"c{i}" for i in range(10_000)]
    (part,) = cw.split_table([row], max_chars=5, n_header_rows=0)
    assert (part.table, part.oversize) == ([row], True)
    assert len(cw.split_table([row[:16]], max_chars=1, n_header_rows=0)) > 1
    # Nor does a header that says nothing.
    parts = cw.split_table([[""] * 10_000, *(["word"] for _ in range(9))], max_chars=5)
    assert [part.n_header_rows for part in parts] == [0] * 9


def test_what_cannot_be_smaller_fits_without_the_header() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    first, second = cw.split_table([["h"], [family]], max_chars=5)
    assert (first.text, second.text, second.oversize) == ("h", family, False)
    assert second.n_header_rows == 0


@pytest.mark.parametrize("table", [[["\ud800 a"]], "| \ud800 a |\n|-|"])
def test_a_surrogate_is_measured_as_what_replaces_it(table: Any) -> None:
    seen: list[str] = []

    def count(text: str) -> int:
        seen.append(text)
        return len(text)

    cw.split_table(table, max_tokens=4, tokenizer=count)
    assert any("\ufffd" in text for text in seen)
    assert not any("\ue000" <= char <= "\uf8ff" for text in seen for char in text)


def test_markdown_may_speak_of_html() -> None:
    table = "| tag | what |\n|---|---|\n| <table> | rows |"
    (part,) = cw.split_table(table, max_chars=100)
    assert part.table == table
    (part,) = cw.split_table("<table><tr><td>a|b</td></tr></table>", max_chars=100)
    assert part.text == "a|b"


def test_merged_rows_stay_together() -> None:
    row = '<tr><td rowspan="2">{0}</td><td>{0} one</td></tr><tr><td>{0} two</td></tr>'
    html = f"<table>{''.join(row.format(name) for name in ('alpha', 'beta', 'gamma'))}</table>"
    parts = cw.split_table(html, max_chars=50)
    assert [part.text for part in parts] == [
        "alpha alpha one alpha two beta beta one beta two",
        "gamma gamma one gamma two",
    ]


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<table><tr><td>x<td>y</table>", ["x y"]),
        ("<p>before</p><TABLE><tr><td>x</td></tr>", ["x"]),
        ("<table></table>", []),
        ("<table><tr><td>&lt;b&gt; &amp; c</td></tr></table>", ["<b> & c"]),
        ("<table><tr><td>" + "word " * 30 + "</td></tr></table>", ["word " * 5 + "word"] * 5),
    ],
)
def test_html_as_browsers_read_it(html: str, texts: list[str]) -> None:
    parts = cw.split_table(html, max_chars=30)
    assert [part.text for part in parts] == texts
    assert all(part.table.startswith("<table><tr><td>") for part in parts)


@pytest.mark.parametrize(
    ("table", "options", "error", "message"),
    [
        ("no table", {}, cw.ReadError, "no Markdown table"),
        ("", {}, cw.ReadError, "no Markdown table"),
        ("<table></table><table></table>", {}, cw.ReadError, "or more than a table"),
        (7, {}, cw.ConfigError, "table must be a str or a list of rows, got int"),
        (b"|a|", {}, cw.ConfigError, "got bytes"),
        (["ab"], {}, cw.ConfigError, r"rows\[0\] must be a list of str, got 'ab'"),
        ([["a"], 7], {}, cw.ConfigError, r"rows\[1\] must be a list of str, got 7"),
        ([["a", None]], {}, cw.ConfigError, r"rows\[0\]\[1\] must be a str, got None"),
        (MARKDOWN, {"max_tokens": 5}, cw.ConfigError, "exactly one of max_tokens and max_chars"),
        (MARKDOWN, {"max_chars": 0}, cw.ConfigError, "max_chars must be at least 1"),
        (MARKDOWN, {"repeat_headers": "no"}, cw.ConfigError, "repeat_headers must be True or"),
        ([["a"]], {"n_header_rows": -1}, cw.ConfigError, "n_header_rows must be at least 0"),
    ],
)
def test_refused(table: Any, options: dict[str, Any], error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        cw.split_table(table, **{"max_chars": 50, **options})
