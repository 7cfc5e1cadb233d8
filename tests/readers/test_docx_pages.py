"""Pages of Word files: each element, and each part of one, names those that its text stands on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.readers.word import (
    cell,
    item,
    levels,
    numbering,
    p,
    picture,
    read,
    row,
    styled,
    t,
    table,
)
from tests.readers.word import style as made_style

BREAK = "<w:r><w:lastRenderedPageBreak/></w:r>"
PAGE = '<w:r><w:br w:type="page"/></w:r>'
LINE = "<w:r><w:br/></w:r>"
STYLES = made_style("H1", "heading 1", inner='<w:pPr><w:outlineLvl w:val="0"/></w:pPr>')
STYLES += made_style("Code", "HTML Preformatted")
WORDS = ["word", "break", "break of the author", "line"]
KINDS = ["paragraph", "heading", "item", "code", "table", "over"]
STRATEGIES: list[Any] = ["basic", "by_title", "by_page", "hierarchical", "hybrid", "structural"]


@dataclass
class Writer:
    """Writes words, none of which is there twice, and remembers the page of each."""

    page: int = 1
    pages: dict[str, int] = field(default_factory=dict)

    def runs(self, parts: list[str]) -> str:
        return "".join(map(self._run, ["word", *parts]))

    def _run(self, part: str) -> str:
        if part == "line":
            return LINE
        if part == "word":
            word = f"w{len(self.pages):03}"
            self.pages[word] = self.page
            return t(f"{word} ")
        self.page += 1
        return BREAK if part == "break" else PAGE + BREAK

    def block(self, kind: str, parts: list[str]) -> str:
        if kind in {"table", "over"}:
            return self._table(kind, parts)
        runs = self.runs(parts)
        if kind == "heading":
            return styled(runs, "H1")
        if kind == "code":
            return styled(runs, "Code")
        return item(runs, 1) if kind == "item" else p(runs)

    def _table(self, kind: str, parts: list[str]) -> str:
        """Write a table in which pages begin between two rows, or within the last cell of one."""
        rows = []
        for part in ["word", *parts]:
            begins = BREAK if part.startswith("break") else ""
            self.page += bool(begins)
            first = cell(p(begins + self.runs([])))
            rows.append(row(first, cell(p(self.runs(parts if kind == "over" else ["word"])))))
        return table(*rows)


def on(pages: dict[str, int], text: str, start: int, end: int, mark: str = "") -> tuple[int, ...]:
    """Return the pages of the words that stand, in whole or in part, between two places.

    ``mark`` is what of a text stands before a word, and may be on its page.
    """
    words = re.finditer(rf"(?:{mark})?(w\d{{3}})", text)
    return tuple(sorted({pages[of[1]] for of in words if of.start() < end and of.end() > start}))


# The number of an item and the bar before a cell.
MARKS = r"(?:\d\.|\|)\s*"
PARTS = st.lists(st.sampled_from(WORDS), max_size=8)


@given(st.lists(st.tuples(st.sampled_from(KINDS), PARTS), min_size=1, max_size=5))
def test_elements_and_their_parts_name_the_pages_of_their_words(
    blocks: list[tuple[str, list[str]]],
) -> None:
    writer = Writer()
    body = "".join(writer.block(kind, parts) for kind, parts in blocks)
    # So that pages are known.
    body += p(BREAK + t("w999"))
    writer.pages["w999"] = writer.page + 1
    document = read(body, styles=STYLES, numbering=numbering(levels(("decimal", "%1."))))
    for element in document.elements:
        expected = on(writer.pages, document.text, element.start, element.end)
        assert element.pages == expected
    for strategy in STRATEGIES:
        for size in (12, 30, 200):
            for chunk in cw.chunk(document, strategy, max_chars=size):
                expected = on(writer.pages, document.text, chunk.start, chunk.end)
                most = on(writer.pages, document.text, chunk.start, chunk.end, MARKS)
                # The line of dashes below a header has no words.
                are_named = {*expected} <= {*(chunk.pages or ())} <= {*most}
                assert not expected or are_named, (strategy, size, chunk.text)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_part_of_a_table_is_on_the_pages_of_its_rows(strategy: Any) -> None:
    rows = [
        row(f"key {i}", cell(p((BREAK if i % 3 == 2 else "") + t(f"value {i}")))) for i in range(9)
    ]
    document = read(table(*rows))
    assert document.elements[0].pages == (1, 2, 3, 4)
    pages = [c.pages for c in cw.chunk(document, strategy, max_chars=40)]
    assert max(map(len, pages)) <= 2
    assert {page for each in pages for page in each} == {1, 2, 3, 4}


def test_a_page_without_text_is_none_of_an_element() -> None:
    document = read(p(t("a") + BREAK + BREAK + t("b")))
    assert document.elements[0].pages == (1, 3)


def test_a_label_stands_on_the_page_of_its_item() -> None:
    lists = numbering(levels(("decimal", "%1.")))
    document = read(item(t("one") + BREAK + t("two"), 1), numbering=lists)
    parts = [(c.text, c.pages) for c in cw.chunk(document, "basic", max_chars=7)]
    assert parts == [("1.", (1,)), ("onetwo", (1, 2))]


class TestPages:
    def test_without_rendered_breaks_there_are_none(self) -> None:
        document = read(p(t("a") + PAGE + t("b")))
        assert document.elements[0].pages == ()

    def test_rendered_breaks(self) -> None:
        document = read(p("a") + p(t("b") + BREAK + t("c")) + p("d"))
        assert [e.pages for e in document.elements] == [(1,), (1, 2), (2,)]

    def test_a_break_of_the_author_is_rendered_once(self) -> None:
        before = p(BREAK + t("c"), "<w:pageBreakBefore/>")
        document = read(p(t("a") + PAGE) + p(BREAK + t("b")) + before)
        assert [e.pages for e in document.elements] == [(1,), (2,), (3,)]

    def test_sections(self) -> None:
        def section(kind: str) -> str:
            return f'<w:sectPr><w:type w:val="{kind}"/></w:sectPr>'

        body = p("a", section("nextPage")) + p("b", section("continuous")) + p(t("c") + BREAK)
        assert [e.pages for e in read(body + section("nextPage")).elements] == [(1,), (1,), (2,)]

    def test_a_picture_is_on_the_page_of_its_place(self) -> None:
        document = read(p(t("a")) + p(BREAK + picture("A map") + t("b") + BREAK + t("c")))
        assert [e.pages for e in document.elements] == [(1,), (2,), (2, 3)]

    def test_a_row_over_two_pages(self) -> None:
        over = cell(p(t("a") + BREAK + t("b")))
        document = read(table(row(over, over), row("c", "d")) + p("e"))
        assert [e.pages for e in document.elements] == [(1, 2), (2,)]

    def test_a_row_begins_a_page_in_its_first_cell_or_in_each(self) -> None:
        begun, own = cell(p(BREAK + t("a"))), cell(p("b"))
        for second in (own, begun):
            document = read(table(row("x", "y"), row(begun, second)) + p("e"))
            assert [e.pages for e in document.elements] == [(1, 2), (2,)]
