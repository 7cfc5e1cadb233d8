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
