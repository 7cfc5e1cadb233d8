"""Elements as documents: every form they come in, what is known of each, and what is refused."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import pickle
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import chunkwright as cw
from tests.support.element_lists import Item, element, element_lists

ITEMS: list[Item] = [
    {
        "type": "Title",
        "element_id": "t",
        "text": " Of\nrain ",
        "metadata": {"category_depth": 0, "page_number": 1, "filename": "rain.pdf"},
    },
    {
        "type": "NarrativeText",
        "element_id": "n",
        "text": "It rained.",
        "metadata": {
            "parent_id": "t",
            "page_number": 1,
            "coordinates": {
                "points": [[10, 20], [10, 60], [90, 60], [90, 20]],
                "system": "PixelSpace",
                "layout_width": 100,
                "layout_height": 200,
            },
        },
    },
    {"type": "PageBreak", "element_id": "b", "text": ""},
    {
        "type": "Table",
        "element_id": "h",
        "text": "a b",
        "metadata": {"text_as_html": "<table><tr><td>a</td><td>b</td></tr></table>"},
    },
]


def encoded(items: Any, compress: Any = zlib.compress) -> str:
    return base64.b64encode(compress(json.dumps(items).encode())).decode()


def test_the_text_is_what_the_elements_say() -> None:
    document = cw.read_elements(ITEMS)
    assert document.text == "Of rain\n\nIt rained.\n\na b"
    assert document.name == "rain.pdf"
    title, narrative, page_break, table = document.elements
    assert [item.text for item in document.elements] == ["Of rain", "It rained.", "", "a b"]
    assert all(document.text[one.start : one.end] == one.text for one in document.elements)
    kinds = ["heading", "paragraph", "paragraph", "table"]
    assert [one.kind for one in document.elements] == kinds
    assert (title.pages, page_break.pages) == ((1,), ())
    assert (title.level, narrative.level) == (1, None)
    assert (title.lines, narrative.lines, table.lines) == ((1, 1), (3, 3), (5, 5))
    assert narrative.parent == title
    assert title.parent is None
    assert narrative.boxes == (cw.Box(1, 10, 20, 90, 60, 100, 200),)
    assert title.boxes == ()
    assert table.html == ITEMS[3]["metadata"]["text_as_html"]
    assert narrative.item is ITEMS[1]


@pytest.mark.parametrize("form", ["path", "str path", "text", "bytes", "bom", "zlib", "gzip"])
def test_every_form_holds_the_same(form: str, tmp_path: Path) -> None:
    text = json.dumps(ITEMS)
    file = tmp_path / "elements.json"
    file.write_text(text, "utf-8")
    source: Any = {
        "path": file,
        "str path": str(file),
        "text": f"\n {text}",
        "bytes": text.encode(),
        "bom": b"\xef\xbb\xbf" + text.encode(),
        "zlib": encoded(ITEMS),
        "gzip": encoded(ITEMS, gzip.compress),
    }[form]
    document = cw.read_elements(source)
    assert list(document.elements.items) == ITEMS
    assert document.elements == cw.read_elements(ITEMS).elements
    assert document.name == (str(file) if "path" in form else "rain.pdf")


def test_a_generator_is_read_once() -> None:
    document = cw.read_elements((item for item in ITEMS), name="rain")
    assert (len(document.elements), document.name) == (4, "rain")


@given(items=element_lists())
def test_nothing_is_lost(items: list[Item]) -> None:
    before = copy.deepcopy(items)
    document = cw.read_elements(items)
    assert list(document.elements.items) == items == before
    for own, item in zip(document.elements, items, strict=True):
        assert own.item is item
        # A blank keeps words apart, so words are the same; a table's are those of its cells, too.
        if own.kind != "table":
            assert own.text.split() == _with_characters(item["text"]).split()
    again = pickle.loads(pickle.dumps(document))
    assert again == document
    assert again.elements.texts() == document.elements.texts()


def _with_characters(text: str) -> str:
    """Make one character of two surrogates that stand for one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def test_real_elements_come_back_as_they_were(shared: Path) -> None:
    files = sorted((shared / "data" / "unstructured-elements").glob("*.json"))
    assert len(files) > 50
    for file in files:
        document = cw.read_elements(file)
        assert list(document.elements.items) == json.loads(file.read_text("utf-8"))


def test_elements_share_the_texts_of_the_headings_above_them() -> None:
    # Up to 64 an element: made anew for each, deep nesting would cost 64 texts an element.
    titles = [element("Title", f"One {i}", category_depth=i) for i in range(99)]
    made, read = cw.read_elements(titles).elements, cw.read_markdown("# *A*\n\nb\n\nc").elements
    assert made is not None
    assert read is not None
    assert made[-1].headings == tuple(f"One {i}" for i in range(98 - 64, 98))
    assert made[-1].headings[-2] is made[-2].headings[-1]
    assert read[1].headings[0] is read[2].headings[0]


def test_headings_follow_parents_then_depths() -> None:
    def item(type_: str, text: str, id_: str, **metadata: Any) -> Item:
        return {**element(type_, text, **metadata), "element_id": id_}

    document = cw.read_elements(
        [
            item("Title", "One", "1", category_depth=0),
            item("Title", "One A", "1a", category_depth=1),
            item("NarrativeText", "under one a", "x"),
            item("ListItem", "of x", "y", parent_id="x"),
            item("NarrativeText", "under one", "z", parent_id="1"),
            item("Title", "Two", "2", category_depth=0),
            item("NarrativeText", "under two", "w"),
            item("NarrativeText", "of nobody", "v", parent_id="missing"),
        ]
    )
    assert [one.headings for one in document.elements] == [
        (),
        ("One",),
        ("One", "One A"),
        ("One", "One A"),
        ("One",),
        (),
        ("Two",),
        ("Two",),
    ]


def test_circles_of_parents_are_no_headings() -> None:
    items = [
        {**element("Title", "A", parent_id="b"), "element_id": "a"},
        {**element("Title", "B", parent_id="a"), "element_id": "b"},
        {**element("Title", "C", parent_id="c"), "element_id": "c"},
    ]
    document = cw.read_elements(items)
    assert [one.headings for one in document.elements] == [(), ("A",), ()]


def test_endless_headings_are_cut_short() -> None:
    items = [
        {**element("Title", str(i), parent_id=str(i - 1)), "element_id": str(i)} for i in range(200)
    ]
    headings = cw.read_elements(items).elements[199].headings
    assert headings == tuple(str(i) for i in range(135, 199))


def test_objects_are_read_as_dicts_are() -> None:
    peer = pytest.importorskip("unstructured.documents.elements")
    objects = [
        peer.Title("A title", metadata=peer.ElementMetadata(page_number=3)),
        peer.CodeSnippet("if x:\n    y"),
    ]
    document = cw.read_elements(objects)
    assert document.text == "A title\n\nif x:\n    y"
    assert [(one.kind, one.pages) for one in document.elements] == [("heading", (3,)), ("code", ())]
    assert document.elements[1].headings == ("A title",)
    assert all(one.item is given for one, given in zip(document.elements, objects, strict=True))


def test_the_text_of_a_table_is_its_cells_and_the_words_that_none_has() -> None:
    html = "<table><tr><td>a</td><td>b<b>c</b></td></tr><tr><td>d &amp;</td></tr></table>"
    texts = {
        "a bc d &": "a bc d &",
        "d & b c a": "a bc d &",
        "Table 1 a bc d": "a bc d & Table 1",
        # Too few of its words are in the cells: those were not read.
        "another table, of which the cells say nothing": None,
        "": "",
    }
    for said, text in texts.items():
        (table,) = cw.read_elements([element("Table", said, text_as_html=html)]).elements
        assert table.text == (said if text is None else text)
        assert table.html == html
    (table,) = cw.read_elements([element("Table", "a b", text_as_html="<p>c</p>")]).elements
    assert table.text == "a b"


def test_elements_of_a_text_that_stays_as_it_is() -> None:
    text = "> # Öl\n> two\n\n* three\n"
    at = [(kind, text.index(said), said) for kind, said in [("heading", "Öl"), ("quote", "two")]]
    items = [
        {"kind": kind, "start": start, "end": start + len(said), "level": 2, "page": 7}
        for kind, start, said in at
    ]
    items[1] |= {"parent": 0, "level": None, "boxes": [cw.Box(7, 0, 0, 1, 1, None, None)]}
    elements = cw.elements_at(text, items)
    assert (elements.text, elements.texts()) == (text, ["Öl", "two"])
    heading, quote = elements
    assert (heading.kind, heading.level, heading.lines, heading.pages) == (
        "heading",
        2,
        (1, 1),
        (7,),
    )
    assert (quote.parent, quote.headings, quote.lines) == (heading, ("Öl",), (2, 2))
    assert (quote.level, quote.html, quote.boxes[0].page, quote.item) == (None, None, 7, items[1])
    assert pickle.loads(pickle.dumps(elements)) == elements
    document = cw.Document(elements=elements)
    # What stands behind an element belongs to it; what stands before the first to that.
    assert cw.chunk(document, "basic", max_chars=12).texts() == ["> # Öl\n> two", "* three"]


@pytest.mark.parametrize("items", [[], [{"kind": "paragraph", "start": 0, "end": 0}]])
def test_a_text_whose_elements_say_nothing_is_one(items: list[Item]) -> None:
    document = cw.Document(elements=cw.elements_at(" --- ***\n", items))
    for strategy in ("basic", "by_title", "by_page"):
        chunks = cw.chunk(document, strategy, max_chars=5)
        assert chunks.texts() == ["---", "***"]
        assert [one.index for chunk in chunks for one in chunk.elements] == [0, 0][: 2 * len(items)]


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([7], "elements[0] must be a mapping with 'kind', got 7"),
        ([{"kind": "code", "start": 0}], "elements[0] must be a mapping with 'end'"),
        ([{"kind": "codes", "start": 0, "end": 1}], "codes"),
        ([{"kind": 7, "start": 0, "end": 1}], "elements[0]: kind must be a str, got 7"),
        ([{"kind": "code", "start": 0, "end": 4}], "elements[0]: end must be between 0 and 3"),
        ([{"kind": "code", "start": 0, "end": "1"}], "elements[0]: end must be an int"),
        ([{"kind": "code", "start": 0, "end": 1, "page": "i"}], "elements[0]: page must be an int"),
        ([{"kind": "code", "start": 0, "end": 1, "parent": 0}], "elements[0]: parent"),
        ([{"kind": "code", "start": 2, "end": 1}], "elements[0]"),
        (
            [{"kind": "code", "start": -1, "end": 1}],
            "elements[0]: start must be between 0 and 3, got -1",
        ),
        (
            [{"kind": "code", "start": 0, "end": 2}, {"kind": "code", "start": 1, "end": 3}],
            "elements[1]",
        ),
    ],
)
def test_elements_that_do_not_stand_in_the_text(items: Any, message: str) -> None:
    with pytest.raises(cw.ConfigError, match=re.escape(message)):
        cw.elements_at("abc", items)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([element("Text", "x"), {"type": "Text", "text": None}], "elements[1]: text"),
        ([element("Text", "x"), 7], "elements[1]"),
        ([7], "elements[0]"),
        (["x"], "elements[0]"),
        ([{"type": "Text", "text": "x", "metadata": 7}], "elements[0]: metadata"),
        ({"type": "Text"}, "must be a list, a path or JSON, got dict"),
        (7, "must be a list, a path or JSON, got int"),
        ("[{]", "not JSON at line 1, column 3"),
        ("", "not JSON at line 1, column 1"),
        ('{"type": "Text"}', "must hold a list of elements, got dict"),
        (b'{"type": "Text"}', "must hold a list of elements, got dict"),
        (b"\xff[]", "not valid utf-8-sig at byte 0"),
        ("[" * 100_000, "not JSON"),
        ("/no/such/file.json", "/no/such/file.json: No such file"),
        (base64.b64encode(zlib.compress(b"[")).decode(), "holds no JSON"),
        (encoded({}), "holds no list of elements, but dict"),
        (encoded([7]), "orig_elements[0] must be a dict, got int"),
        (encoded(ITEMS)[:40], "is truncated"),
        ("eJA=", "is neither zlib nor gzip"),
        ([element("Text", "x", orig_elements="!")], "elements[0]: orig_elements is not base64"),
        (
            [element("Text", "x", orig_elements=encoded([7]))],
            "no JSON list of elements, but b'[7]'",
        ),
        (
            [element("Text", "x", orig_elements=encoded("x" * 99))],
            "elements[0]: orig_elements holds",
        ),
        ([element("Text", "x", orig_elements=7)], "orig_elements must be a str or a list, got int"),
    ],
)
def test_refused(source: Any, message: str) -> None:
    with pytest.raises(cw.ReadError) as caught:
        cw.read_elements(source)
    assert message in str(caught.value)


def test_what_is_decoded_is_capped_as_a_whole() -> None:
    chunks = [element("Text", "x", orig_elements=encoded([{}] * 100))] * 3
    size = len(json.dumps([{}] * 100))
    assert len(cw.read_elements(chunks, max_decoded_bytes=3 * size).elements) == 3
    with pytest.raises(cw.ReadError, match=r"elements\[2\]: .* than max_decoded_bytes=1199"):
        cw.read_elements(chunks, max_decoded_bytes=3 * size - 1)
    for wrong in (-1, True, 2.5):
        with pytest.raises(cw.ConfigError, match=str(wrong)):
            cw.read_elements(chunks, max_decoded_bytes=wrong)  # type: ignore[arg-type]


def test_coordinates_that_are_no_points() -> None:
    document = cw.read_elements([element("Text", "x", coordinates={"points": [[1, 2], "x"]})])
    with pytest.raises(cw.ReadError, match=r"elements\[0\]: coordinates are no points"):
        _ = document.elements[0].boxes


def test_any_strategy_takes_the_document() -> None:
    document = cw.read_elements(ITEMS)
    chunks = cw.chunk(document, "recursive", max_chars=12)
    assert chunks.texts() == ["Of rain", "It rained.", "a b"]
    assert chunks.source == document.text
