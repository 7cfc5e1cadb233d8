"""Elements as documents: every form they come in, what is known of each, and what is refused."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import pickle
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
    assert [item.type for item in document.elements] == [item["type"] for item in ITEMS]
    assert (title.page, page_break.page) == (1, None)
    assert (title.depth, narrative.depth) == (0, None)
    assert narrative.parent == title
    assert title.parent is None
    assert narrative.box == cw.Box(1, 10, 20, 90, 60, 100, 200)
    assert title.box is None
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
    assert document.to_dicts() == ITEMS
    assert document.elements == cw.read_elements(ITEMS).elements
    assert document.name == (str(file) if "path" in form else "rain.pdf")


def test_a_generator_is_read_once() -> None:
    document = cw.read_elements((item for item in ITEMS), name="rain")
    assert (len(document.elements), document.name) == (4, "rain")


@given(items=element_lists())
def test_nothing_is_lost(items: list[Item]) -> None:
    before = copy.deepcopy(items)
    document = cw.read_elements(items)
    assert document.to_dicts() == items == before
    for own, item in zip(document.elements, items, strict=True):
        # A blank keeps words apart, so words are the same.
        assert own.text.split() == item["text"].split()
    again = pickle.loads(pickle.dumps(document))
    assert again == document
    assert again.elements.texts() == document.elements.texts()


def test_real_elements_come_back_as_they_were(shared: Path) -> None:
    files = sorted((shared / "data" / "unstructured-elements").glob("*.json"))
    assert len(files) > 50
    for file in files:
        document = cw.read_elements(file)
        assert document.to_dicts() == json.loads(file.read_text("utf-8"))


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
    assert [(one.type, one.page) for one in document.elements] == [
        ("Title", 3),
        ("CodeSnippet", None),
    ]
    assert document.elements[1].headings == ("A title",)
    assert [item["text"] for item in document.to_dicts()] == ["A title", "if x:\n    y"]
    assert objects[0]._element_id is None or document.to_dicts()[0]["element_id"]


def test_originals_are_decoded_when_they_are_asked_for() -> None:
    chunk = element("CompositeElement", "It rained.", orig_elements=encoded(ITEMS[:2]))
    document = cw.read_elements([chunk])
    assert document.elements[0].originals == ITEMS[:2]
    assert cw.read_elements(ITEMS).elements[0].originals == []
    for empty in ("[]", " [ ] ", "[{}]"):
        payload = base64.b64encode(zlib.compress(empty.encode())).decode()
        (one,) = cw.read_elements([element("Text", "x", orig_elements=payload)]).elements
        assert one.originals == json.loads(empty)
    broken = base64.b64encode(zlib.compress(b"[{,}]")).decode()
    (one,) = cw.read_elements([element("Text", "x", orig_elements=broken)]).elements
    with pytest.raises(cw.ReadError, match=r"elements\[0\]: orig_elements holds no JSON"):
        _ = one.originals


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
        (encoded(ITEMS)[:40], "is cut off"),
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
    with pytest.raises(cw.ReadError, match=r"elements\[2\]: .* over max_decoded_bytes=1199"):
        cw.read_elements(chunks, max_decoded_bytes=3 * size - 1)
    for wrong in (-1, True, 2.5):
        with pytest.raises(cw.ConfigError, match=str(wrong)):
            cw.read_elements(chunks, max_decoded_bytes=wrong)  # type: ignore[arg-type]


def test_coordinates_that_are_no_points() -> None:
    document = cw.read_elements([element("Text", "x", coordinates={"points": [[1, 2], "x"]})])
    with pytest.raises(cw.ReadError, match=r"elements\[0\]: coordinates are no points"):
        _ = document.elements[0].box


def test_any_strategy_takes_the_document() -> None:
    document = cw.read_elements(ITEMS)
    chunks = cw.chunk(document, "recursive", max_chars=12)
    assert chunks.texts() == ["Of rain\n\nIt", "rained.\n\na b"]
    assert chunks.source == document.text
