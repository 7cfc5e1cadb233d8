"""DoclingDocuments as documents: kinds, headings, lists, tables, places, and what is wrong."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from typing import Annotated, Any

import pytest

import chunkwright as cw
from tests.support.docling_maker import BODY, Maker, cell, place, refs


def elements(maker: Maker) -> cw.Elements:
    read: cw.Elements | None = cw.read_docling(maker.document).elements
    assert read is not None
    return read


def said(maker: Maker) -> list[tuple[str, str]]:
    """Return what the elements are and say; those without text are left out."""
    read = elements(maker)
    return [(one.kind, one.text) for one in read if one.text]


# ---------------------------------------------------------------------- texts


def test_labels_are_kinds() -> None:
    maker = Maker()
    kinds = {
        "title": ("heading", "a"),
        "section_header": ("heading", "a"),
        "text": ("paragraph", "a"),
        "paragraph": ("paragraph", "a"),
        "reference": ("paragraph", "a"),
        "handwritten_text": ("paragraph", "a"),
        "checkbox_selected": ("paragraph", "[x] a"),
        "checkbox_unselected": ("paragraph", "[ ] a"),
        "caption": ("caption", "a"),
        "code": ("code", "a"),
        "formula": ("formula", "$$a$$"),
        "footnote": ("footnote", "a"),
        "page_header": ("page header", "a"),
        "page_footer": ("page footer", "a"),
        "list_item": ("list item", "- a"),
    }
    for label in kinds:
        maker.text("a\n", label)
    assert said(maker) == list(kinds.values())
    document = cw.read_docling(maker.document)
    assert document.text == "\n\n".join(text for _, text in kinds.values())


def test_headings_have_levels() -> None:
    maker = Maker()
    for label, level, text in (
        ("title", None, "Rain"),
        ("text", None, "one"),
        ("section_header", 1, "Cold\nrain"),
        ("section_header", 3, "Sleet"),
        ("text", None, "two"),
        ("section_header", 1, "Warm rain"),
        ("section_header", 1, " "),
        ("text", None, "three"),
    ):
        fields: dict[str, Any] = {"level": level} if level else {}
        maker.text(text, label, **fields)
    read = elements(maker)
    assert [one.level for one in read] == [1, None, 2, 4, None, 2, None]
    assert [one.headings for one in read if one.kind == "paragraph"] == [
        ("Rain",),
        ("Rain", "Cold rain", "Sleet"),
        ("Rain", "Warm rain"),
    ]


def test_headings_of_inline_pieces_say_all_of_them() -> None:
    maker = Maker()
    heading = maker.heading("")
    run = maker.group("inline", heading)
    maker.text("The", under=run)
    maker.text("rain", under=run, formatting={"bold": True})
    maker.text("fall()", "code", under=run)
    maker.text("below", under=heading)
    assert said(maker) == [("heading", "The rain `fall()`"), ("paragraph", "below")]
    assert elements(maker)[1].headings == ("The rain `fall()`",)


def test_headings_that_are_links_say_their_words() -> None:
    maker = Maker()
    maker.heading("Rain", hyperlink="https://a.b/rain")
    maker.text("below")
    assert said(maker)[0] == ("heading", "[Rain](https://a.b/rain)")
    assert elements(maker)[1].headings == ("Rain",)


def test_headings_within_lists_pictures_and_cells_begin_no_section() -> None:
    maker = Maker()
    maker.heading("Top")
    items = maker.group("list")
    maker.heading("listed", under=items)
    item = maker.item("item", items)
    maker.heading("in the item", under=item)
    picture = maker.picture()
    maker.heading("pictured", under=picture)
    inner = maker.heading("in the cell")
    maker.document["body"]["children"].pop()
    table = maker.cells([cell(0, 0, "x", ref={"$ref": inner}), cell(0, 1, "y")], 1, 2)
    maker.node(inner)["parent"] = {"$ref": table}
    maker.text("after")
    assert [one.kind for one in elements(maker)].count("heading") == 1
    assert elements(maker)[-1].headings == ("Top",)
    text = cw.read_docling(maker.document).text
    assert text.endswith(
        "    listed\n- item\n    in the item\n\npictured\n\n| in the cell | y |\n\nafter"
    )


def test_inline_pieces_are_one_paragraph() -> None:
    maker = Maker()
    run = maker.group("inline")
    for text, label, fields in (
        ("Install with", "text", {}),
        ("pip install `x`", "code", {}),
        (", and see (", "text", {}),
        ("the page", "text", {"hyperlink": "https://a.b/c"}),
        (").", "text", {}),
        ("a^2", "formula", {}),
        ("old", "text", {"formatting": {"strikethrough": True}}),
        ("both", "text", {"formatting": {"bold": True, "italic": True}}),
    ):
        maker.text(text, label, run, **fields)
    expected = (
        "Install with `` pip install `x` ``, and see ([the page](https://a.b/c)). $a^2$ ~~old~~ "
        "***both***"
    )
    assert said(maker) == [("paragraph", expected)]
    (chunk,) = cw.Hybrid(max_tokens=64)(cw.read_docling(maker.document))
    assert chunk.text == expected


def test_blocks_in_a_run_stand_behind_it() -> None:
    maker = Maker()
    run = maker.group("inline")
    maker.text("See", under=run)
    maker.picture(run, captions=[])
    inner = maker.group("list", run)
    maker.item("item", inner)
    maker.text("x = 1\ny = 2", "code", run)
    maker.text("here.", under=run)
    assert [kind for kind, _ in said(maker)] == ["paragraph", "list item", "code"]
    assert said(maker)[0] == ("paragraph", "See here.")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("https://a.b/", "[rain](https://a.b/)"),
        ("report (1).md", "[rain](<report (1).md>)"),
        ("#part", "[rain](#part)"),
        ("mailto:a@b.org", "[rain](mailto:a@b.org)"),
        ("javascript:alert(1)", "rain"),
        ("data:text/html;base64,AAAA", "rain"),
        ("rain", "rain"),
    ],
)
def test_links_keep_their_targets(target: str, expected: str) -> None:
    maker = Maker()
    maker.text("rain", hyperlink=target)
    assert said(maker) == [("paragraph", expected)]


def test_code_keeps_its_lines_and_language() -> None:
    maker = Maker()
    code = "    if x:\n\n        y()"
    maker.text(f"\n{code}\n", "code", code_language="Python")
    maker.text("z", "code", code_language="unknown")
    read = elements(maker)
    assert (read[0].text, read[0].language) == (code, "Python")
    assert (read[1].text, read[1].language) == ("z", None)


def test_formulas_that_were_not_decoded_keep_what_was_there() -> None:
    maker = Maker()
    maker.add("texts", "formula", text="", orig="E = m c 2")
    assert said(maker) == [("formula", "E = m c 2")]


# ---------------------------------------------------------------------- lists


def test_lists_keep_markers_and_nesting() -> None:
    maker = Maker()
    outer = maker.group("list")
    first = maker.item("one", outer, enumerated=True)
    inner = maker.group("list", first)
    maker.item("round", inner, "•")
    maker.item("(a) said", inner, "(a)")
    maker.item("plus", inner, "+")
    second = maker.item("", outer, enumerated=True)
    run = maker.group("inline", second)
    maker.text("two", under=run)
    maker.text("x", "code", run)
    maker.text("more of two", under=second)
    maker.item("three", outer, "iv)", enumerated=True)
    maker.item("four", outer, "-", enumerated=True)
    maker.text("after")
    document = cw.read_docling(maker.document)
    assert document.text == (
        "1. one\n    - round\n    (a) said\n    + plus\n2. two `x`\n    more of two\niv) three\n"
        "4. four\n\nafter"
    )
    read = document.elements
    assert read is not None
    assert [(one.kind, one.level) for one in read][:4] == [
        ("list", 1),
        ("list item", 1),
        ("list", 2),
        ("list item", 2),
    ]
    parents = [one.parent.index if one.parent else None for one in read]
    assert parents == [None, 0, 1, 2, 2, 2, 0, 6, 0, 0, None]
    (chunk,) = cw.Hybrid(max_tokens=64)(document)
    assert "\n    - round\n" in chunk.text


def test_items_without_a_list_are_one() -> None:
    maker = Maker()
    maker.item("a", BODY)
    maker.item("b", BODY)
    maker.text("c")
    assert cw.read_docling(maker.document).text == "- a\n- b\n\nc"


# ---------------------------------------------------------------------- tables


def test_tables_are_rows_of_cells() -> None:
    maker = Maker()
    maker.table([["stone", "kg"], ["slate\nrock", "7"], ["", ""], ["a|b", ""]])
    document = cw.read_docling(maker.document)
    assert document.text == "| stone | kg |\n| - | - |\n| slate rock | 7 |\n| a|b |  |"
    chunks = cw.Hybrid(max_chars=53)(document)
    assert chunks.texts() == [
        "| stone | kg |\n| - | - |\n| slate rock | 7 |",
        "| stone | kg |\n| - | - |\n| a|b |  |",
    ]
    assert chunks[1].piece_texts()[0] == ("header", "| stone | kg |\n| - | - |\n")


def test_tables_without_a_header_have_none() -> None:
    maker = Maker()
    maker.table([["a", "b"], ["c", "d"]], n_header_rows=0)
    assert said(maker) == [("table", "| a | b |\n| c | d |")]
    maker = Maker()
    maker.table([["a", "b"]], n_header_rows=1)
    assert said(maker) == [("table", "| a | b |")]
    maker = Maker()
    maker.table([])
    assert [one.kind for one in elements(maker)] == ["table"]


def test_cells_that_span_stand_once() -> None:
    maker = Maker()
    cells = [
        cell(0, 0, "a", cols=2, column_header=True),
        cell(0, 2, "b", rows=2, column_header=True),
        cell(1, 0, "c", column_header=True),
        cell(1, 1, "d", column_header=True),
        cell(2, 0, "key", rows=2),
        cell(2, 1, "1"),
        cell(3, 1, "2"),
        cell(3, 2, "3"),
        cell(4, 0, "last"),
    ]
    maker.cells(cells, 5, 3)
    document = cw.read_docling(maker.document)
    header = "| a |  | b |\n| c | d |  |\n| - | - | - |\n"
    assert document.text == header + "| key | 1 |  |\n|  | 2 | 3 |\n| last |  |  |"
    bodies = [chunk.piece_texts()[-1][1] for chunk in cw.Hybrid(max_chars=80)(document)]
    assert bodies == [header + "| key | 1 |  |\n|  | 2 | 3 |", "| last |  |  |"]


def test_cells_over_one_another_or_outside_are_not_lost() -> None:
    maker = Maker()
    cells = [
        cell(0, 0, "below", cols=2),
        cell(0, 0, "above", cols=2),
        cell(0, 1, "within"),
        cell(1, 7, "right"),
        cell(9, 0, "under"),
        cell(10**18, 10**18, "far"),
    ]
    maker.cells(cells, 2, 2)
    text = cw.read_docling(maker.document).text
    assert text == "| below | above | within |  |\n|  |  | right |\n| under |  | far |"


def test_what_stands_in_a_cell_stands_there_once() -> None:
    maker = Maker()
    table = maker.table([["what", "how"]], 1)
    group = maker.group("unspecified", table)
    maker.text("first", under=group)
    items = maker.group("list", group)
    maker.item("one", items, enumerated=True)
    maker.item("two", items, enumerated=True)
    empty = maker.group("unspecified", table)
    inner = maker.add(
        "tables",
        "table",
        group,
        data={"table_cells": [cell(0, 0, "deep")], "num_rows": 1, "num_cols": 1},
    )
    assert inner == "#/tables/1"
    data = maker.node(table)["data"]
    data["table_cells"] += [
        cell(1, 0, "first one two deep", ref={"$ref": group}),
        cell(1, 1, "plain", ref={"$ref": empty}),
    ]
    data["num_rows"] = 2
    expected = "| what | how |\n| - | - |\n| first 1. one 2. two deep | plain |"
    assert said(maker) == [("table", expected)]


def test_captions_stand_before_and_footnotes_behind() -> None:
    maker = Maker()
    caption = maker.text("Table 1", "caption")
    note = maker.text("a note", "footnote")
    maker.text("before")
    table = maker.table([["a"], ["1"]], captions=refs(caption), footnotes=refs(note))
    maker.text("after")
    assert [text for _, text in said(maker)] == [
        "before",
        "Table 1",
        "| a |\n| - |\n| 1 |",
        "a note",
        "after",
    ]
    read = elements(maker)
    assert [one.kind for one in read][1:4] == ["caption", "table", "footnote"]
    assert read[2].parent == read[1]
    assert read[3].parent == read[2]
    assert read[2].item == table
    chunks = cw.Hierarchical(max_tokens=64)(cw.read_docling(maker.document))
    assert chunks[1].text == "Table 1\n\n| a |\n| - |\n| 1 |\n\na note"


# ---------------------------------------------------------------------- pictures, forms


def test_pictures_keep_their_texts() -> None:
    maker = Maker()
    caption = maker.text("Figure 1", "caption")
    chart = {"table_cells": [cell(0, 0, "2019"), cell(0, 1, "7")], "num_rows": 1, "num_cols": 2}
    meta = {
        "description": {"text": "A drawing of rain."},
        "molecule": {"smi": "O"},
        "tabular_chart": {"chart_data": chart},
    }
    picture = maker.picture(captions=refs(caption), meta=meta, image={"uri": "x" * 100})
    maker.text("label one", under=picture)
    maker.text("label two", under=picture)
    maker.picture()
    assert said(maker) == [
        ("caption", "Figure 1"),
        ("figure", "A drawing of rain.\nO"),
        ("table", "| 2019 | 7 |"),
        ("paragraph", "label one"),
        ("paragraph", "label two"),
    ]
    assert cw.read_docling(maker.document).text.endswith("label one\nlabel two")
    assert [one.kind for one in elements(maker)][-1] == "figure"


def test_keys_and_values_are_lines() -> None:
    maker = Maker()
    known = maker.text("known")
    graph = {
        "cells": [
            {"label": "key", "cell_id": 1, "text": "Name", "orig": ""},
            {"label": "value", "cell_id": 2, "text": "Anna", "orig": ""},
            {"label": "key", "cell_id": 3, "text": "Town:", "orig": ""},
            {"label": "value", "cell_id": 4, "text": "Bonn", "orig": ""},
            {"label": "value", "cell_id": 5, "text": "Köln", "orig": ""},
            {"label": "value", "cell_id": 6, "text": "alone", "orig": ""},
            {"label": "key", "cell_id": 7, "text": "known", "item_ref": {"$ref": known}},
        ],
        "links": [
            {"label": "to_value", "source_cell_id": 1, "target_cell_id": 2},
            {"label": "to_value", "source_cell_id": 3, "target_cell_id": 4},
            {"label": "to_key", "source_cell_id": 5, "target_cell_id": 3},
            {"label": "to_value", "source_cell_id": 1, "target_cell_id": 99},
        ],
    }
    maker.add("key_value_items", "key_value_region", graph=graph)
    expected = "Name: Anna\nTown: Bonn, Köln\nalone"
    assert said(maker) == [("paragraph", "known"), ("paragraph", expected)]


def test_fields_are_paragraphs() -> None:
    maker = Maker()
    region = maker.add("field_regions", "field_region")
    maker.text("Form", "field_heading", region)
    for key, value in (("Name", "Anna"), ("Town:", "Bonn")):
        field = maker.add("field_items", "field_item", region)
        maker.text(key, "field_key", field)
        maker.text(value, "field_value", field)
    boxes = maker.add("field_items", "field_item", region)
    maker.text("Yes", "checkbox_selected", maker.text("", "field_value", boxes))
    assert [text for _, text in said(maker)] == ["Form", "Name: Anna", "Town: Bonn", "[x] Yes"]


# ---------------------------------------------------------------------- layers, places


def test_other_layers_are_left_out_but_not_what_they_hold_of_the_body() -> None:
    maker = Maker()
    maker.text("running title", "page_header", content_layer="furniture")
    group = maker.group("list", content_layer="invisible")
    maker.item("item", group)
    caption = maker.text("of a hidden table", "caption")
    maker.table([["hidden"]], content_layer="background", captions=refs(caption))
    maker.text("notes", content_layer="notes")
    maker.text("word")
    assert said(maker) == [
        ("list item", "- item"),
        ("caption", "of a hidden table"),
        ("paragraph", "word"),
    ]


def test_captions_of_one_another_are_not_lost() -> None:
    maker = Maker()
    first, second = maker.picture(), maker.picture()
    caption = maker.text("mine", "caption", first)
    maker.node(first)["captions"] = refs(second, caption, BODY)
    maker.node(second)["captions"] = refs(first, caption)
    maker.text("end")
    assert sorted(text for _, text in said(maker)) == ["end", "mine"]
    assert [one.kind for one in elements(maker)].count("figure") == 2


def test_elements_have_pages_boxes_and_references() -> None:
    maker = Maker(pages={"1": {"size": {"width": 100, "height": 200}, "page_no": 1}})
    maker.text(
        "both",
        prov=[place(1, 1, 190, 9, 150, coord_origin="BOTTOMLEFT"), place(2, 1, 2, 3, 4)],
    )
    run = maker.group("inline")
    maker.text("a", under=run, prov=[place(2, 5, 6, 7, 8)])
    maker.text("b", under=run)
    document = cw.read_docling(maker.document)
    both, pieces = elements(maker)
    assert both.pages == (1, 2)
    assert both.boxes == (
        cw.Box(1, 1.0, 10.0, 9.0, 50.0, 100.0, 200.0),
        cw.Box(2, 1.0, 2.0, 3.0, 4.0, None, None),
    )
    assert (pieces.pages, len(pieces.boxes)) == ((2,), 1)
    assert [both.item, pieces.item] == ["#/texts/0", "#/groups/0"]
    (chunk,) = cw.Hybrid(max_tokens=64)(document)
    assert chunk.pages == (1, 2)
    assert len(chunk.boxes) == 3


def test_documents_are_pickled_and_named() -> None:
    maker = Maker()
    maker.heading("Rain")
    maker.table([["a"], ["1"]], prov=[place(3, 1, 2, 3, 4)])
    document = cw.read_docling(maker.document)
    again = pickle.loads(pickle.dumps(document))
    assert again == document
    assert again.elements[1].boxes == document.elements[1].boxes
    assert (document.name, cw.read_docling(maker.document, name="x").name) == ("made", "x")


def test_json_of_every_form_is_the_same_document() -> None:
    maker = Maker()
    maker.text("Größe 𝄞")
    data = json.dumps(maker.document, ensure_ascii=False)
    document = cw.read_docling(maker.document)
    for source in (data, "\ufeff" + data, data.encode(), b"\xef\xbb\xbf" + data.encode()):
        assert cw.read_docling(source) == document


# ---------------------------------------------------------------------- quirks of Docling's


def test_headings_alone_are_a_chunk() -> None:
    maker = Maker()
    maker.text("Rain", "title")
    maker.heading("Sun")
    assert cw.Hybrid(max_tokens=64)(cw.read_docling(maker.document)).texts() == ["Rain\n\nSun"]


def test_large_tables_have_no_junk_header_and_keep_cells_whole() -> None:
    maker = Maker()
    rows = [[f"item {i}", f"x|y{i} value", "word " * (i % 3)] for i in range(60)]
    maker.heading("Table of things")
    caption = maker.text("All things", "caption")
    maker.table([["name", "pair", "words"], *rows], captions=refs(caption))
    document = cw.read_docling(maker.document)
    for strategy in (cw.Hybrid(max_tokens=64, merge_peers=False), cw.Hierarchical(max_tokens=64)):
        chunks = strategy(document)
        assert len(chunks) > 10
        assert all(chunk.text.strip() for chunk in chunks)
        lines = [line for chunk in chunks for line in chunk.text.splitlines()]
        cells = [" ".join(text.split()) for row in rows for text in row if text]
        assert [line for line in lines if line.startswith("| item")] == [
            line for line in document.text.splitlines() if line.startswith("| item")
        ]
        assert all(any(one in line for line in lines) for one in cells)
        assert all("| name | pair | words |\n| - | - | - |\n| item" in c.text for c in chunks)


def test_tables_of_one_column_keep_their_header() -> None:
    maker = Maker()
    maker.table([["Country"], ["Italy"], ["Peru"]])
    (chunk,) = cw.Hybrid(max_tokens=64)(cw.read_docling(maker.document))
    assert chunk.text == "| Country |\n| - |\n| Italy |\n| Peru |"


# ---------------------------------------------------------------------- what is wrong


def broken(change: Any) -> dict[str, Any]:
    maker = Maker()
    maker.text("one")
    maker.group("section")
    maker.text("two", under="#/groups/0")
    document = copy.deepcopy(maker.document)
    change(document)
    return document


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(version="2.0.0"), r"version \"2\.0\.0\""),
        (lambda d: d.update(version="1.11.0"), r"version \"1\.11\.0\""),
        (lambda d: d.update(schema_name="Other"), r"schema is \"Other\""),
        (lambda d: d["body"].update(children=refs("#/texts/9")), '#/body refers to "#/texts/9"'),
        (lambda d: d["groups"][0].update(children=refs("#/groups/0")), "#/groups/0 has #/groups/0"),
        (lambda d: d["groups"][0].update(children=refs("#/body")), "#/groups/0 has #/body"),
        (lambda d: d["texts"][0].update(label="odd"), '#/texts/0 has the label "odd"'),
        (lambda d: d["texts"][0].update(text=None), "#/texts/0 has no text"),
        (lambda d: d["texts"][0].update(text=float("nan")), "no JSON"),
        (lambda d: d["texts"][0].update(text=object()), "no JSON: a object"),
        (lambda d: d["texts"][0].update(level=1.5), "1.5"),
        (lambda d: d.update(texts=d), "no JSON"),
    ],
)
def test_wrong_documents_are_refused(change: Any, message: str) -> None:
    with pytest.raises(cw.ReadError, match=message):
        cw.read_docling(broken(change))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "not a JSON object"),
        ("[]", "not a JSON object"),
        ("{", "EOF"),
        ('{"name": "a", "name": "b"}', "duplicate field `name`"),
        ("\ud800", "not a JSON object"),
        (b"\xff{}", "not a JSON object"),
        (b'{"name": "\xff"}', "invalid unicode"),
        ('{"name": "a", "body": ' + "[" * 100_000, "not a DoclingDocument"),
        ('{"name": "a", "other": ' + '{"a":' * 100_000, "not a DoclingDocument"),
        ('{"name": "a", "body": {"self_ref": "#/body", "meta": ' + "[" * 300, "DoclingDocument"),
    ],
)
def test_wrong_json_is_refused(source: str | bytes, message: str) -> None:
    with pytest.raises(cw.ReadError, match=message):
        cw.read_docling(source)


def test_lone_surrogates_of_objects_are_replaced() -> None:
    docling = pytest.importorskip("docling_core.types.doc")
    document = docling.DoclingDocument(name="rivers")
    document.add_text(docling.DocItemLabel.TEXT, "a \ud800 b")
    assert cw.read_docling(document).text == "a \ufffd b"


def test_lone_surrogates_are_replaced() -> None:
    maker = Maker()
    maker.text("a \ud800 b \ud83d\ude80 \udc00")
    escaped = json.dumps(maker.document)
    assert "\\ud800" in escaped
    plain = json.dumps(maker.document, ensure_ascii=False)
    for source in (maker.document, plain, escaped, escaped.encode()):
        assert cw.read_docling(source).text == "a \ufffd b \U0001f680 \ufffd"


@pytest.mark.parametrize("source", [None, 1, ["a"], object()])
def test_other_sources_are_refused(source: Any) -> None:
    with pytest.raises(cw.ConfigError, match="source must be JSON, a dict or a DoclingDocument"):
        cw.read_docling(source)


def test_the_name_is_text() -> None:
    with pytest.raises(cw.ConfigError, match="name must be a str or None, got 1"):
        cw.read_docling("{}", name=1)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- large documents


@pytest.mark.cpu_seconds(30)
def test_large_documents_take_linear_time() -> None:
    maker = Maker()
    maker.table([[f"row {i} {j}" for j in range(5)] for i in range(1000)])
    items = maker.group("list")
    for i in range(2000):
        maker.item(f"item {i}", items, enumerated=True)
    table = maker.table([], 0)
    cells = [
        cell(i, j, "x", ref={"$ref": maker.text(f"rich {i} {j}", under=table)})
        for i in range(800)
        for j in range(3)
    ]
    maker.node(table)["data"] = {"table_cells": cells, "num_rows": 800, "num_cols": 3}
    under = BODY
    for _ in range(20_000):
        under = maker.group("list", under)
    maker.item("deep", under)
    text = cw.read_docling(maker.document).text
    assert "| row 999 0 | row 999 1 |" in text
    assert "2000. item 1999" in text
    assert "| rich 799 0 | rich 799 1 | rich 799 2 |" in text
    assert text.endswith("- deep")


@pytest.mark.cpu_seconds(30)
def test_captions_and_cells_nest_without_end() -> None:
    maker = Maker()
    pictures = [maker.picture() for _ in range(20_000)]
    for picture, caption in itertools.pairwise(pictures):
        maker.node(picture)["captions"] = refs(caption)
    under = BODY
    for _ in range(5_000):
        data = {"table_cells": [], "num_rows": 1, "num_cols": 1}
        table = maker.add("tables", "table", under, data=data)
        if under != BODY:
            maker.node(under)["data"]["table_cells"] = [cell(0, 0, "", ref={"$ref": table})]
        under = table
    maker.node(under)["data"]["table_cells"] = [cell(0, 0, "core")]
    assert [text for _, text in said(maker)] == ["| core |"]


@pytest.mark.cpu_seconds(20)
def test_an_item_may_be_on_many_pages() -> None:
    box = {"l": 0, "t": 1, "r": 1, "b": 0, "coord_origin": "BOTTOMLEFT"}
    places = [{"page_no": i, "bbox": box, "charspan": [0, 1]} for i in range(1, 150_001)]
    text = {
        "self_ref": "#/texts/0",
        "parent": {"$ref": "#/body"},
        "children": [],
        "label": "text",
        "prov": places,
        "orig": "a",
        "text": "a",
        "content_layer": "body",
    }
    body = {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}], "label": "unspecified"}
    document = {
        "schema_name": "DoclingDocument",
        "version": "1.7.0",
        "name": "long",
        "body": {**body, "name": "_root_", "content_layer": "body"},
        "texts": [text],
    }
    (element,) = cw.read_docling(document).elements or []
    assert element.pages == tuple(range(1, 150_001))


@pytest.mark.parametrize("is_late", [False, True])
def test_ctrl_c_in_a_serializer_is_no_failure(is_late: bool) -> None:
    pydantic = pytest.importorskip("pydantic")
    calls = itertools.count()

    def interrupted(_: str) -> str:
        # pydantic makes a ValueError of either.
        if is_late and next(calls) == 0:
            raise ValueError("no JSON")
        raise KeyboardInterrupt

    text = Annotated[str, pydantic.PlainSerializer(interrupted)]
    model = pydantic.create_model("Model", schema_name=(str, "DoclingDocument"), name=(text, "a"))
    with pytest.raises(KeyboardInterrupt):
        cw.read_docling(model())
