"""Tables split by rows, against `unstructured`'s own splitting."""

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core
from chunkwright.errors import ReadError

from .html_tables import documents
from .split_tables import tables

os.environ["DO_NOT_TRACK"] = "1"

etree = pytest.importorskip("lxml.etree")
lxml_html = pytest.importorskip("lxml.html")
html_table = pytest.importorskip("unstructured.common.html_table")
basic = pytest.importorskip("unstructured.chunking.basic")
elements = pytest.importorskip("unstructured.documents.elements")

Parts = tuple[bool, list[tuple[str, str | None, int]]]

CONTROL = re.compile("[\x0b\x0c\x1c-\x1f]")
CHARS = {"max_characters": 100}
windows = st.one_of(
    st.integers(50, 600).map(lambda size: {"max_characters": size}),
    st.sampled_from([50, 55, 60, 75]).map(lambda size: {"max_characters": size}),
)
token_windows = st.integers(15, 120).map(
    lambda size: {"max_tokens": size, "tokenizer": "cl100k_base"}
)


def recovered(html: str) -> str | None:
    """What lxml makes of HTML that only a lenient parser reads."""
    try:
        return str(etree.tostring(lxml_html.fragment_fromstring(html), encoding=str))
    except (etree.ParserError, ValueError):
        return None


def text_of(html: str) -> str:
    """What partitioning would say the table says."""
    try:
        return str(html_table.HtmlTable.from_html_text(html.strip()).text)
    except (etree.ParserError, ValueError):
        return "no table"


def theirs(html: str, text: str, **options: Any) -> Parts:
    """The chunks of the peer for one table."""
    table = elements.Table(text, metadata=elements.ElementMetadata(text_as_html=html))
    chunks = basic.chunk_elements([table], include_orig_elements=False, **options)
    is_whole = bool(chunks) and not isinstance(chunks[0], elements.TableChunk)
    return is_whole, [parts_of(chunk) for chunk in chunks]


def parts_of(chunk: Any) -> tuple[str, str | None, int]:
    """A chunk of the peer as a part."""
    n_header_rows = chunk.metadata.num_carried_over_header_rows or 0
    return chunk.text, chunk.metadata.text_as_html, n_header_rows


def ours(html: str, text: str | None, **options: Any) -> Parts:
    """The parts, for the options of the peer."""
    tokens = options.get("max_tokens")
    return _core.split_table(
        html,
        _core.Unit.named(options["tokenizer"] if tokens else "chars"),
        hard_max=tokens or options["max_characters"],
        text=text,
        overlap=options.get("overlap", 0),
        repeat_headers=options.get("repeat_table_headers", True),
        recover=recovered,
    )


def check(html: str, **options: Any) -> None:
    """Text, HTML and repeated header rows are the peer's."""
    text = text_of(html)
    assert ours(html, text, **options) == theirs(html, text, **options)


@given(html=tables, window=windows, repeat=st.booleans())
def test_tables_are_split_as_the_peer_splits_them(
    html: str, window: dict[str, Any], repeat: bool
) -> None:
    """Merged cells past the end, huge, or to the end of the section; headers; long cells."""
    check(html, repeat_table_headers=repeat, **window)


@pytest.mark.usefixtures("shared")
@given(html=tables, window=token_windows, repeat=st.booleans())
def test_tables_are_split_in_tokens_as_the_peer_splits_them(
    html: str, window: dict[str, Any], repeat: bool
) -> None:
    """Sizes are no longer those of the parts added up, nor greater for what is longer."""
    check(html, repeat_table_headers=repeat, **window)


@given(html=documents, window=windows)
@example(
    html="<table><tr><td>a</td> x <td rowspan='0'>b</td> y </tr> z <tr/></table>", window=CHARS
)
def test_tables_of_documents_are_split_as_the_peer_splits_them(
    html: str, window: dict[str, Any]
) -> None:
    """Whitespace, entities, attributes, markup, tables in cells, text between rows and cells."""
    if "<!--" in html or CONTROL.search(html):
        return  # the peer raises for comments in a table, and writes control characters as U+FFFD
    longer = html.replace("</table>", f"<tr><td>{'word ' * 40}</td></tr></table>")
    try:
        expected = theirs(longer, text_of(longer), **window)
    except ValueError:
        return  # the peer, for what XML has no form for
    assert ours(longer, text_of(longer), **window) == expected


@given(
    html=st.sampled_from(["", "<p>no table</p>", "<table><tr><td>a</td></tr></table>"]),
    n_words=st.integers(0, 60),
    overlap=st.integers(0, 9),
    size=st.integers(10, 49),
)
def test_text_without_rows_is_split_as_the_peer_splits_it(
    html: str, n_words: int, overlap: int, size: int
) -> None:
    """Without HTML, or where markup would take too much of the limit."""
    text = " ".join(f"word{i}" for i in range(n_words)) + "\n"
    options = {"max_characters": size, "overlap": overlap}
    assert ours(html, text, **options) == theirs(html, text, **options)


def test_what_is_repeated_from_the_chunk_before_stands_on_a_line_of_its_own() -> None:
    """Where tables are not isolated, and overlaps reach over elements."""
    text = "one two three four five six seven"
    html = f"<table><tr><td>{text}</td></tr></table>"
    table = elements.Table(text, metadata=elements.ElementMetadata(text_as_html=html))
    chunks = basic.chunk_elements(
        [elements.Text("x " * 30), table],
        max_characters=75,
        overlap=9,
        overlap_all=True,
        isolate_table=False,
    )
    *_, chunk = chunks
    prefix = chunk.text.split("\n")[0]
    assert prefix
    assert isinstance(chunk, elements.Table)
    unit = _core.Unit.named("chars")
    found = _core.split_table(html, unit, hard_max=75, text=text, prefix=prefix)
    assert found == (True, [(chunk.text, chunk.metadata.text_as_html, 0)])


def test_a_table_that_says_nothing_has_no_parts() -> None:
    """Whatever its HTML is."""
    html = f"<table>{'<tr><td>a</td></tr>' * 100}</table>"
    assert ours(html, " \n", **CHARS) == theirs(html, " \n", **CHARS) == (False, [])


def test_html_without_a_table_is_an_error_where_there_is_no_text() -> None:
    """There is nothing to split."""
    with pytest.raises(ReadError, match="no table"):
        ours("<p>x</p>", None, **CHARS)


def test_without_lxml_html_is_repaired_as_a_browser_does() -> None:
    """Tags may be left out."""
    html = f"<table><tr><th>Head<th>x{'<tr><td>word<td>word' * 30}</table>"
    unit = _core.Unit.named("chars")
    is_whole, parts = _core.split_table(html, unit, hard_max=100)
    assert not is_whole
    assert [n for _text, _html, n in parts] == [0] + [1] * (len(parts) - 1)
    assert all(text.startswith("Head x word word") for text, _html, _n in parts)


def test_cells_that_were_not_read_do_not_lose_the_text() -> None:
    """The peer emits a part without any text; here the text is split, as without HTML."""
    html = f"<table>{'<tr><td/></tr>' * 80}</table>"
    assert theirs(html, "important text", **CHARS)[1][0][0] == ""
    assert ours(html, "important text", **CHARS) == (False, [("important text", None, 0)])
    long = "important text " * 40
    other = "<table><tr><td>other</td></tr></table>"
    assert [part[0] for part in theirs(other, long, **CHARS)[1]] == ["other"]
    assert ours(other, long, **CHARS) == ours("", long, **CHARS) == theirs("", long, **CHARS)


CAPTIONED = (
    f"<table><caption>Table 1: yield</caption>{'<tr><td>a</td><td>b</td></tr>' * 40}</table>"
)


def test_words_that_no_cell_says_are_lost_as_in_the_peer() -> None:
    """The peer loses a caption when it splits a table; `cw.Basic` keeps it."""
    parts = theirs(CAPTIONED, text_of(CAPTIONED), **CHARS)
    assert "yield" not in " ".join(text for text, _html, _n in parts[1])
    assert ours(CAPTIONED, text_of(CAPTIONED), **CHARS) == parts
    metadata = {"text_as_html": CAPTIONED}
    item = {"type": "Table", "text": text_of(CAPTIONED), "metadata": metadata}
    native = cw.Basic(max_chars=CHARS["max_characters"])([item])
    assert "yield" in " ".join(native.texts())


Row = list[str]
cells = st.text(st.sampled_from("ab é👩\u200d\\|-:"), max_size=30).map(str.strip)


@st.composite
def grids(draw: st.DrawFn) -> list[Row]:
    """Rows of equal length, the first of which is not blank."""
    n_columns = draw(st.integers(1, 4))
    header = draw(
        st.lists(st.text("abc", min_size=1, max_size=9), min_size=n_columns, max_size=n_columns)
    )
    row = st.lists(cells, min_size=n_columns, max_size=n_columns)
    return [header, *draw(st.lists(row, max_size=12))]


@given(rows=grids(), n_header_rows=st.integers(0, 2), size=st.integers(1, 60))
def test_rows_are_split_with_their_header(rows: list[Row], n_header_rows: int, size: int) -> None:
    """All cells stay in their columns, and the limit holds for the part with its header."""
    parts = _core.split_rows(rows, n_header_rows, _core.Unit.named("chars"), hard_max=size)
    said: list[Row] = [[] for _ in rows[0]]
    for part, n_repeated, first, end, oversize in parts:
        text = " ".join(cell for row in part for cell in row if cell)
        assert oversize == (len(text) > size)
        assert part[:n_repeated] == rows[:n_repeated]
        assert n_repeated == 0 or first >= n_repeated == n_header_rows
        assert len(part) - n_repeated == end - first
        for row in part[n_repeated:]:
            for column, cell in zip(said, row, strict=True):
                column.append(cell)
    assert without_blanks(said) == without_blanks(
        [list(column) for column in zip(*rows, strict=True)]
    )


def without_blanks(columns: list[Row]) -> Row:
    """What each column says."""
    return ["".join(column).replace(" ", "") for column in columns]


def as_markdown(rows: list[Row]) -> str:
    """A table in Markdown."""
    lines = [
        "| " + " | ".join(cell.replace("\\", "").replace("|", r"\|") for cell in row) + " |"
        for row in rows
    ]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


@given(rows=grids(), size=st.integers(1, 90), repeat=st.booleans())
def test_parts_of_markdown_are_tables(rows: list[Row], size: int, repeat: bool) -> None:
    """Each one has a header, a row of dashes and the same columns, and is read again."""
    markdown = as_markdown(rows)
    unit = _core.Unit.named("chars")
    split: Callable[..., Any] = _core.split_markdown
    parts = split(markdown, unit, hard_max=size, repeat_headers=repeat)
    body: list[str] = []
    for text, n_repeated, first, _end, oversize in parts:
        assert oversize == (len(text) > size)
        assert split(text, unit, hard_max=10_000)[0][0] == text
        lines = text.split("\n")
        body += ([lines[0]] if first == 0 and n_repeated == 0 else []) + lines[2:]
        assert n_repeated == 0 or lines[0] == markdown.split("\n")[0]
    whole = markdown.split("\n")
    letters = str.maketrans("", "", " |")
    expected = "".join([whole[0], *whole[2:]]).translate(letters)
    assert "".join(body).translate(letters) == expected


def test_a_markdown_table_stands_alone() -> None:
    """Text around it would be lost."""
    for text in ["", "no table", "| a |\n|---|\n\ntext", "| a | b |\n|---|\n"]:
        with pytest.raises(ReadError, match="Markdown"):
            _core.split_markdown(text, _core.Unit.named("chars"), hard_max=10)


@given(
    cells=st.lists(st.text("\x0b\x0c\x1c\x1f\ue000 ab", max_size=6), min_size=2, max_size=5),
    end=st.sampled_from(["</table>", "</tabl", "", "<tr><td>c"]),
)
@example(cells=["\x1c", "many words " * 9], end="</tabl")
def test_blanks_that_xml_lacks_are_those_of_the_peer_in_damaged_tables(
    cells: list[str], end: str
) -> None:
    from chunkwright.compat.unstructured import chunk_elements

    rows = "".join(f"<tr><td>{cell}</td></tr>" for cell in [*cells[1:], "words " * 12])
    html = f"<table><tr><th>{cells[0]}</th></tr>{rows}{end}"

    def chunked(chunk: Callable[..., list[Any]]) -> list[tuple[str, str | None]]:
        table = elements.Table(text_of(html), metadata=elements.ElementMetadata(text_as_html=html))
        chunks = chunk([table], max_characters=50)
        return [(each.text, each.metadata.text_as_html) for each in chunks]

    assert chunked(chunk_elements) == chunked(basic.chunk_elements)
