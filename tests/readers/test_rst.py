"""reStructuredText as a document: its elements, and the chunks that strategies make of them."""

import pytest

import chunkwright as cw
from chunkwright.chunking import make_strategy

SOURCE = """\
====
Rain
====

.. A comment.

It rained::

    rain --more

Stones
------

.. list-table:: Weights
   :header-rows: 1

   * - stone
     - kg
   * - slate
     - 7
   * - chalk
     - 3

=======  ====
name     size
=======  ====
granite  20
basalt   30
marble   40
=======  ====

.. function:: weigh(stone)

   Return its `weight <weight.html>`_.

   See :ref:`stones`.
"""


def test_a_file_is_told_by_its_name() -> None:
    document = cw.read(SOURCE.encode(), name="rain.rst")
    assert document.text == SOURCE
    assert document.elements == cw.read_rst(SOURCE).elements
    assert [element.kind for element in document.elements] == [
        *("heading", "paragraph", "code", "heading", "caption", "table", "table"),
        *("list item", "paragraph"),
    ]


def test_a_text_is_told_by_two_signs_of_it() -> None:
    text = "Rain\n====\n\n.. note:: It rained.\n"
    assert cw.read(text.encode(), name="rain.txt").elements is not None
    assert cw.read(text.encode()).elements is not None
    for plain in (
        "Rain\n====\n\nIt rained.\n",
        "It rained ...\n.. and stopped\n",
        text.replace("=", " "),
    ):
        assert cw.read(plain.encode(), name="rain.txt").elements is None


def test_elements_know_their_headings_and_links() -> None:
    elements = cw.read_rst(SOURCE).elements
    assert elements is not None
    code, weigh = elements[2], elements[7]
    assert (code.headings, code.lines) == (("Rain",), (9, 9))
    assert weigh.headings == ("Rain", "Stones")
    assert [(link.target, SOURCE[link.start : link.end]) for link in weigh.links] == [
        ("weight.html", "`weight <weight.html>`_")
    ]
    assert elements[8].parent == weigh


def test_tables_have_headers_and_captions() -> None:
    elements = cw.read_rst(SOURCE).elements
    assert elements is not None
    assert elements[4].caption_of == elements[5]
    stones = ["name", "size", "granite", "20", "basalt", "30", "marble", "40"]
    for at, words in ((5, ["stone", "kg", "slate", "7", "chalk", "3"]), (6, stones)):
        table = elements[at].table
        assert table is not None
        assert {cell.row for cell in table.cells if cell.is_header} == {0}
        said = [SOURCE[cell.start : cell.end] for cell in table.cells]
        assert said == words


def test_parts_of_a_table_repeat_its_header() -> None:
    table = SOURCE[SOURCE.index("=======") : SOURCE.index(".. function")]
    for strategy in ("hybrid", "recursive"):
        chunks = cw.chunk(cw.read_rst(table), strategy, max_chars=62)
        assert len(chunks) > 1
        assert all("name     size\n=======  ====\n" in chunk.text for chunk in chunks)


SIMPLE = """\
=======  ====
name     size
=======  ====
granite  20
basalt   30
marble   40,
         45
chalk    10
=======  ====
"""
BARE = SIMPLE.replace("name     size\n=======  ====\n", "")
GRID = """\
+---------+------+
| name    | size |
+=========+======+
| granite | 20   |
+---------+------+
| basalt  | 30   |
+---------+------+
| marble  | 40   |
+---------+------+
"""


def _said(text: str) -> list[list[str]]:
    """Return what the cells of the only element of a text say, row by row: it is a table."""
    elements = cw.read_rst(text).elements
    assert elements is not None
    assert [element.kind for element in elements] == ["table"], text
    table = elements[0].table
    assert table is not None
    rows: list[list[str]] = [[] for _ in range(table.n_rows)]
    for cell in table.cells:
        rows[cell.row].append(cell.words(text))
    return rows


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("strategy", ["recursive", "balanced", "hybrid", "by_title", "structural"])
@pytest.mark.parametrize(("table", "limit"), [(SIMPLE, 90), (BARE, 66), (GRID, 160)])
def test_each_part_of_a_drawn_table_is_one(
    table: str, limit: int, strategy: str, line_end: str
) -> None:
    text = table.replace("\n", line_end)
    chunks = make_strategy(strategy, {"max_chars": limit})(cw.read_rst(text))
    assert len(chunks) > 1
    whole = _said(text)
    header = whole[:1] if whole[0] == ["name", "size"] else []
    parts = [_said(chunk.text) for chunk in chunks]
    assert all(part[: len(header)] == header for part in parts)
    assert header + [row for part in parts for row in part[len(header) :]] == whole
    assert all(len(chunk.text) <= limit for chunk in chunks)


def test_cells_say_their_words() -> None:
    assert _said(SIMPLE)[3] == ["marble", "40, 45"]
    nested = "- " + SIMPLE.strip().replace("\n", "\n  ") + "\n"
    elements = cw.read_rst(nested).elements
    assert elements is not None
    table = elements[-1].table
    assert table is not None
    assert [cell.words(nested) for cell in table.cells][6:8] == ["marble", "40, 45"]
    # Cells of listed tables stand in the text as they are.
    listed = cw.read_rst(SOURCE).elements
    assert listed is not None
    stones = listed[5].table
    assert stones is not None
    assert {cell.text for cell in stones.cells} == {None}


def test_wide_characters_take_two_columns() -> None:
    text = "======  ====\n石      重さ\n======  ====\n花崗岩  二十\n大理石  ab\n======  ====\n"
    assert _said(text) == [["石", "重さ"], ["花崗岩", "二十"], ["大理石", "ab"]]
    tabs = "======  ====\nstone\tkg\n======  ====\nslate\t7\n======  ====\n"
    assert _said(tabs) == [["stone", "kg"], ["slate", "7"]]


@pytest.mark.parametrize("strategy", ["auto", "hybrid", "by_title", "recursive", "structural"])
def test_chunks_are_places_in_the_file(strategy: str) -> None:
    chunks = make_strategy(strategy, {"max_chars": 160})(cw.read_rst(SOURCE))
    for chunk in chunks:
        if len(chunk.pieces) == 1:
            assert SOURCE[chunk.start : chunk.end] == chunk.text
    said = "".join("".join(SOURCE[c.start : c.end] for c in chunks).split())
    assert said == "".join(SOURCE.split())


def test_recursive_cuts_a_document_above_its_titles() -> None:
    text = "Rain\n====\n\nIt rained.\n\nSnow\n====\n\nIt snowed, too.\n"
    chunks = cw.chunk(cw.read_rst(text), "recursive", max_chars=40)
    assert chunks.texts() == ["Rain\n====\n\nIt rained.", "Snow\n====\n\nIt snowed, too."]


@pytest.mark.parametrize("text", ["", "\ufeff", "\ud800\n======\n", "..", "- " * 300])
def test_any_text_is_read(text: str) -> None:
    assert cw.read_rst(text).text == text


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(cw.ConfigError, match="text must be a str, got bytes"):
        cw.read_rst(b"Rain")  # type: ignore[arg-type]
    with pytest.raises(cw.ConfigError, match="name must be a str or None, got 1"):
        cw.read_rst("Rain", name=1)  # type: ignore[arg-type]
