"""Cells of tables, and captions of what they belong to, whatever a document was read from."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw

HTML = (
    "<figure><img alt=map src=m><figcaption>A map</figcaption></figure>"
    "<figure><figcaption>Days</figcaption><table><tr><th>a<th>b<tr><td>c<td>d</table></figure>"
    "<table><caption>Rain</caption><tr><td rowspan=2>e<td>f<tr><td>g</table>"
    "<figure><p>h</p><figcaption>No more</figcaption></figure>"
)


def captions(document: cw.Document) -> list[tuple[str, str]]:
    assert document.elements is not None
    found = []
    for each in document.elements:
        of = each.caption_of
        if of is not None:
            assert each in of.captions
            found.append((each.text, of.kind))
    return found


def table_of(document: cw.Document) -> cw.Table:
    assert document.elements is not None
    (table,) = (each.table for each in document.elements if each.kind == "table")
    assert isinstance(table, cw.Table)
    return table


def cells(document: cw.Document) -> list[tuple[int, int, int, int, str, bool]]:
    return [
        (of.row, of.column, of.rows, of.columns, document.text[of.start : of.end], of.is_header)
        for of in table_of(document).cells
    ]


def test_captions_of_pages() -> None:
    page = cw.read_html(HTML)
    assert captions(page) == [("A map", "figure"), ("Days", "table"), ("Rain", "table")]
    assert page.elements is not None
    assert [each.text for each in page.elements if each.kind == "caption"][-1] == "No more"


def test_tables_of_pages() -> None:
    page = cw.read_html(
        "é<table><thead><tr><th colspan=2>a<tbody><tr><td rowspan=2>b<td>c<tr><td></td></table>"
    )
    assert cells(page) == [
        (0, 0, 1, 2, "a", True),
        (1, 0, 2, 1, "b", False),
        (1, 1, 1, 1, "c", False),
        (2, 1, 1, 1, "", False),
    ]
    assert table_of(page)[:2] == (3, 2)


def test_tables_of_text() -> None:
    markdown = cw.read_markdown("é\n\n| a | b |\n|---|---|\n| c |  |\n")
    expected = [(0, 0, "a"), (0, 1, "b"), (1, 0, "c"), (1, 1, "")]
    assert [(row, column, said) for row, column, _, _, said, _ in cells(markdown)] == expected
    rows = cw.read_csv("a,b\nc,d\n")
    assert [cell[4] for cell in cells(rows)] == ["a", "b", "c", "d"]
    assert [cell[5] for cell in cells(rows)] == [True, True, False, False]


def docling() -> dict[str, Any]:
    def cell(row: int, column: int, text: str, **more: Any) -> dict[str, Any]:
        return {
            "start_row_offset_idx": row,
            "end_row_offset_idx": row + more.get("row_span", 1),
            "start_col_offset_idx": column,
            "end_col_offset_idx": column + more.get("col_span", 1),
            "text": text,
            "column_header": row == 0,
        } | more

    said = [cell(0, 0, "a", col_span=3), cell(1, 0, "b", row_span=2), cell(2, 1, "c")]
    body = {"$ref": "#/body"}
    return {
        "schema_name": "DoclingDocument",
        "name": "d",
        "body": {"self_ref": "#/body", "children": [{"$ref": "#/tables/0"}]},
        "texts": [{"self_ref": "#/texts/0", "parent": body, "label": "caption", "text": "Rain"}],
        "tables": [
            {
                "self_ref": "#/tables/0",
                "parent": body,
                "label": "table",
                "captions": [{"$ref": "#/texts/0"}],
                "data": {"num_rows": 4, "num_cols": 3, "table_cells": said},
            }
        ],
    }


def test_docling() -> None:
    document = cw.read_docling(docling())
    assert captions(document) == [("Rain", "table")]
    assert cells(document) == [
        (0, 0, 1, 3, "a", True),
        (1, 0, 2, 1, "b", False),
        (2, 1, 1, 1, "c", False),
    ]
    assert table_of(document)[:2] == (4, 3)


def test_unstructured() -> None:
    html = "<table><tr><td>a</td><td>b</td></tr></table>"
    document = cw.read_elements(
        [
            {"type": "Table", "text": "a b", "element_id": "t", "metadata": {"text_as_html": html}},
            {"type": "FigureCaption", "text": "Rain", "metadata": {"parent_id": "t"}},
            {"type": "FigureCaption", "text": "Sun", "metadata": {"detection_class_prob": 0.5}},
        ]
    )
    assert captions(document) == [("Rain", "table")]
    assert [cell[4] for cell in cells(document)] == ["a", "b"]
    assert document.elements is not None
    assert [each.confidence for each in document.elements] == [None, None, 0.5]
    (table, *_) = cw.read_elements([{"type": "Table", "text": "a b"}]).elements
    assert table.table is None


def test_a_chunk_keeps_them() -> None:
    import pickle

    chunks = cw.chunk(cw.read_docling(json.dumps(docling())), "basic", max_chars=500)
    ((caption, table),) = (each.elements for each in pickle.loads(pickle.dumps(list(chunks))))
    # A chunk holds its own elements, and those that these name.
    assert caption.caption_of == chunks[0].elements[1]
    assert [(each.text, each.caption_of) for each in table.captions] == [("Rain", table)]
    assert table.table == chunks[0].elements[1].table
    assert table.table is not None


GRIDS = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from(["", "", "é", "a b"]), min_size=n, max_size=n),
        min_size=1,
        max_size=4,
    )
)


def in_html(rows: list[list[str]]) -> cw.Document:
    written = "".join(f"<tr>{''.join(f'<td>{text}' for text in row)}" for row in rows)
    return cw.read_html(f"<p>x<table>{written}</table><p>y")


def in_markdown(rows: list[list[str]]) -> cw.Document:
    lines = [f"| {' | '.join(row)} |\n" for row in [["h"] * len(rows[0]), *rows]]
    lines.insert(1, f"|{'---|' * len(rows[0])}\n")
    return cw.read(f"x\n\n{''.join(lines)}\ny".encode(), name="a.md")


@given(GRIDS)
@example([["a b", ""], ["", ""]])
def test_every_cell_stands_in_its_table_and_in_order(rows: list[list[str]]) -> None:
    for document in (in_html(rows), in_markdown(rows)):
        tables = [each for each in document.elements or () if each.kind == "table"]
        for each in tables:
            at = each.start
            assert each.table is not None
            for cell in each.table.cells:
                assert at <= cell.start <= cell.end <= each.end
                at = cell.end
