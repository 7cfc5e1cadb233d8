"""Tables read from HTML, against `unstructured`'s own reading."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright import _core

from .html_tables import broken, documents

etree = pytest.importorskip("lxml.etree")
lxml_html = pytest.importorskip("lxml.html")
peer = pytest.importorskip("unstructured.common.html_table")
chunking = pytest.importorskip("unstructured.chunking.base")


# XML has no control characters; those that are whitespace in Python would be written as U+FFFD.
CONTROL_BLANKS = dict.fromkeys([0x0B, 0x0C, *range(0x1C, 0x20)], " ")


def recovered(html: str) -> str | None:
    """What lxml makes of HTML, as compat gives it to the core."""
    try:
        tree = lxml_html.fragment_fromstring(html.translate(CONTROL_BLANKS))
        return str(etree.tostring(tree, encoding=str))
    except (etree.ParserError, ValueError):
        return None


def loses_controls(html: str) -> bool:
    """Whether lxml writes U+FFFD for control characters, over which the peer drops tables."""
    return html != html.translate(CONTROL_BLANKS) or "&#xFFFD;" in (recovered(html) or "")


def theirs(html: str) -> Any:
    """The table as the peer has it, in the form of `ours`."""
    try:
        table = peer.HtmlTable.from_html_text(html.strip())
    except (etree.ParserError, ValueError):
        return None
    rows = list(table.iter_rows())
    sections: list[Any] = []
    found = []
    leads = True
    for row in rows:
        leads = leads and row.is_header
        key = row.row_group_key
        if not any(key is section for section in sections):
            sections.append(key)
        number = next(i for i, section in enumerate(sections) if key is section)
        source = row.source_html if leads and row.source_html else row.html
        children = [child for child in row._tr if isinstance(child.tag, str)]
        parts = [peer.HtmlCell(child) for child in children]
        cells = [
            (part.text, etree.tostring(part._td, encoding=str), part.colspan, part.rowspan)
            for part in parts
        ]
        found.append((row.html, source, row.is_header, number, cells))
    return table.html, found


def ours(html: str, recover: Any) -> Any:
    """The table as the core reads it, sections numbered as they come."""
    grid = _core.TableGrid.of_html(html, recover)
    if grid is None:
        return None
    rows = grid.rows()
    numbers: dict[int, int] = {}
    for row in rows:
        numbers.setdefault(row[3], len(numbers))
    return grid.html, [(*row[:3], numbers[row[3]], row[4]) for row in rows]


def strictly(html: str) -> Any:
    """The table if it is read without help; else what `recover` would have been given."""

    def refuse(_html: str) -> None:
        raise LookupError

    try:
        return ours(html, refuse)
    except LookupError:
        return "irregular"


def check(html: str) -> None:
    """Strict reading gives the peer's table or leaves it to lxml, which gives the peer's table."""
    expected = theirs(html)
    found = strictly(html)
    if found != "irregular":
        assert found == expected
    elif loses_controls(html):
        return
    assert ours(html, recovered) == expected


@given(documents)
@example("<table><tr><td> </td><td></td>\n<td>a\x1cb\xa0 c</td></tr> x <tr> </tr><tr></tr></table>")
@example("<table><tbody><thead><tr><th>1</th></tr></thead></tbody><tr><td>2</td></tr></table>")
@example("<div><table><tr><td>1</td></tr></table> x <table/></div>")
@example("<table>\x1c<thead> </thead></table>")
@example("<table <class='c'></table>")
def test_what_documents_say_is_read_as_the_peer_reads_it(html: str) -> None:
    """Sections, spans, headers, entities, comments, markup and whitespace of all kinds."""
    check(html)


def html_of(element: object) -> Iterator[str]:
    """All HTML in a JSON document of elements."""
    if isinstance(element, list):
        for item in element:
            yield from html_of(item)
    elif isinstance(element, dict):
        for key, value in element.items():
            if key == "text_as_html" and isinstance(value, str):
                yield value
            yield from html_of(value)


def test_real_tables_need_no_help(shared: Path) -> None:
    """All tables that partitioning has made are read strictly, as the peer reads them."""
    files = sorted((shared / "data" / "unstructured-elements").glob("*.json"))
    found = {html for file in files for html in html_of(json.loads(file.read_bytes()))}
    tables = [html for html in found if "<table" in html]
    assert len(tables) > 20
    for html in tables:
        assert strictly(html) == theirs(html) is not None


def test_tables_of_libraries_need_no_help() -> None:
    """What pandas and the peer write is read strictly, as the peer reads it."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a & b": [1.5, None], "<c>": ["x\n y", "é"]})
    grouped = frame.pivot_table(index="<c>", values="a & b", aggfunc=["mean", "max"])
    for html in [
        frame.to_html(),
        frame.to_html(index=False, classes="x", justify="left"),
        grouped.to_html(),
        peer.htmlify_matrix_of_cell_texts([["a", "b & c"], ["", "d\ne"]]),
        peer.htmlify_matrix_of_spanned_cell_texts([[("a", 2, 1), ("", 1, 2)], [("b", 1, 0)], []]),
    ]:
        assert strictly(html) == theirs(html) is not None


@given(documents, st.integers(1, 3))
@example("<table><thead><tr><td rowspan='5' a='&lt;'>1</td><th rowspan=0>2</th></thead></table>", 2)
def test_headers_are_repeated_as_the_peer_repeats_them(html: str, max_rowspan: int) -> None:
    """Attributes and markup stay, cells become headers, spans are clipped."""
    expected = theirs(html)
    if expected is None or loses_controls(html):
        return
    rows = list(peer.HtmlTable.from_html_text(html.strip()).iter_rows())
    grid = _core.TableGrid.of_html(html, recovered)
    assert grid is not None
    as_header = chunking._HtmlTableSplitter._as_header_row_html
    for i, row in enumerate(itertools.takewhile(lambda row: row.is_header, rows)):
        found = grid.header_row(i, max_rowspan)
        clipped = row.html_clipped_to_rows(max_rowspan)
        assert (clipped if found is None else found) == as_header(row, max_rowspan)


@given(broken())
def test_what_is_broken_is_read_as_the_peer_reads_it(html: str) -> None:
    """What lxml repairs is left to lxml."""
    check(html)
