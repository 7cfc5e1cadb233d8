"""Hostile DoclingDocuments: rendered and cut in bounded time, or refused by what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

import chunkwright as cw
from chunkwright import _core
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

STYLES = ("triplets", "markdown", "compact markdown")
N = 100_000

pytestmark = pytest.mark.cpu_seconds(60)

hostile = load()


def _node(reference: str, parent: str, children: list[str], **fields: Any) -> dict[str, Any]:
    items = [{"$ref": child} for child in children]
    return {"self_ref": reference, "parent": {"$ref": parent}, "children": items, **fields}


def _text(i: int, text: str, parent: str = "#/body", **fields: Any) -> dict[str, Any]:
    given = {"label": "text", "children": [], **fields}
    return _node(f"#/texts/{i}", parent, text=text, orig=text, prov=[], **given)


def _cell(row: int, column: int, text: str, rows: int = 1, columns: int = 1) -> dict[str, Any]:
    return {
        "text": text,
        "start_row_offset_idx": row,
        "end_row_offset_idx": row + rows,
        "start_col_offset_idx": column,
        "end_col_offset_idx": column + columns,
        "row_span": rows,
        "col_span": columns,
        "column_header": row == 0,
    }


def _table(cells: list[dict[str, Any]], rows: int, columns: int, children: Any = ()) -> Any:
    data = {"num_rows": rows, "num_cols": columns, "table_cells": cells}
    empty: dict[str, Any] = {"prov": [], "captions": [], "references": [], "footnotes": []}
    return _node("#/tables/0", "#/body", [*children], label="table", data=data, **empty)


def _group(i: int, parent: str, children: list[str], label: str = "list") -> dict[str, Any]:
    return _node(f"#/groups/{i}", parent, children, label=label, name=label)


def _document(*body: str, **lists: Any) -> str:
    """Write a document as JSON, the references of its body given."""
    root = {"self_ref": "#/body", "name": "_root_", "label": "unspecified", "content_layer": "body"}
    children = [{"$ref": reference} for reference in body]
    head = {"schema_name": "DoclingDocument", "version": "1.10.0", "name": "made"}
    return json.dumps({**head, "body": {**root, "children": children}, **lists})


def _hybrid(document: _core.DoclingDocument, style: Any, most: int = 64) -> list[str]:
    chunks, _ = document.hybrid(
        cw.Tokenizer("cl100k_base").unit,
        tables=style,
        always_emit_headings=False,
        max_tokens=most,
        repeat_table_header=True,
        merge_peers=True,
        omit_header_on_overflow=False,
        max_token_chars=None,
    )
    return chunks.texts()


def _rich_table(rows: int) -> str:
    texts = [_text(i, f"cell {i}", "#/tables/0") for i in range(3 * rows)]
    cells = [
        {**_cell(i // 3, i % 3, f"cell {i}"), "ref": {"$ref": f"#/texts/{i}"}}
        for i in range(3 * rows)
    ]
    children = [text["self_ref"] for text in texts]
    return _document("#/tables/0", texts=texts, tables=[_table(cells, rows, 3, children)])


def _numbered(n: int) -> str:
    fields = {"label": "list_item", "enumerated": True, "marker": ""}
    texts = [_text(i, f"item {i}", "#/groups/0", **fields) for i in range(n)]
    group = _group(0, "#/body", [text["self_ref"] for text in texts])
    return _document("#/groups/0", texts=texts, groups=[group])


def _plain_table(rows: int) -> str:
    cells = [_cell(i, j, f"value {i} {j}") for i in range(rows) for j in range(5)]
    return _document("#/tables/0", tables=[_table(cells, rows, 5)])


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param(_plain_table(5000), "value 4999 4", id="table"),
        pytest.param(_rich_table(2000), "cell 5999", id="rich cells"),
        pytest.param(_numbered(20_000), "item 19999", id="numbered list"),
    ],
)
def test_what_the_peer_takes_quadratic_time_for(source: str, words: str, style: Any) -> None:
    document = _core.DoclingDocument.of_json(source)
    assert words in document.hierarchical(tables=style).texts()[-1]
    found = _hybrid(document, style)
    assert len(found) > 100
    assert words.rsplit(maxsplit=1)[-1] in found[-1]


@pytest.mark.parametrize("style", STYLES)
def test_cells_over_each_other_and_beyond_the_table(style: Any) -> None:
    cells = [_cell(0, 0, "under", 2, 2), _cell(0, 1, "over", 2, 2), _cell(1, 0, "wide", 5, 5)]
    table = _table([*cells, _cell(70, 50, "beyond"), _cell(0, 0, "last")], 2, 3)
    document = _core.DoclingDocument.of_json(_document("#/tables/0", tables=[table]))
    (text,) = document.hierarchical(tables=style).texts()
    assert "wide" in text
    assert "over" in text
    assert not {"under", "beyond"} & {*text.split()}


@pytest.mark.parametrize(("rows", "columns"), [(1_000_000, 1), (1, 1_000_000), (1000, 1000)])
@pytest.mark.parametrize("is_header", [True, False])
def test_sizes_that_tables_say_and_do_not_hold(rows: int, columns: int, is_header: bool) -> None:
    """Time goes by what the cells hold, whatever rows and columns they say that they cover."""
    cells = [
        {**_cell(i % 2, i % 2, f"x{i}", rows, columns), "column_header": is_header}
        for i in range(4000)
    ]
    source = _document("#/tables/0", tables=[_table(cells, rows, columns)])
    document = cw.read_docling(source)
    assert [element.kind for element in document.elements or ()] == ["table"]
    assert all(f"x{i} " in document.text for i in range(4000))
    assert max(cw.chunk(document, "hybrid", max_tokens=64).n_tokens) <= 64


def test_a_heading_over_the_limit_keeps_the_chunk() -> None:
    heading = _text(0, "very long heading " * 50, label="section_header", level=1)
    source = _document("#/texts/0", "#/texts/1", texts=[heading, _text(1, "A short body.")])
    assert _hybrid(_core.DoclingDocument.of_json(source), "triplets") == ["A short body."]


@pytest.mark.slow
@pytest.mark.parametrize("label", ["list", "section", "inline"])
def test_groups_in_groups(label: str) -> None:
    groups = [
        _group(
            i,
            f"#/groups/{i - 1}" if i else "#/body",
            [f"#/groups/{i + 1}" if i < N - 1 else "#/texts/0"],
            label,
        )
        for i in range(N)
    ]
    texts = [_text(0, "deep", f"#/groups/{N - 1}")]
    document = _core.DoclingDocument.of_json(_document("#/groups/0", texts=texts, groups=groups))
    if label == "section":
        assert document.hierarchical().texts() == _hybrid(document, "triplets") == ["deep"]
        return
    with pytest.raises(cw.ReadError, match="#/groups/200 is nested"):
        document.hierarchical()
    with pytest.raises(cw.ReadError, match="#/groups/200 is nested"):
        _hybrid(document, "triplets")


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (
            _document(
                "#/groups/0",
                groups=[
                    _group(0, "#/body", ["#/groups/1"]),
                    _group(1, "#/groups/0", ["#/groups/0"]),
                ],
            ),
            "#/groups/1 has #/groups/0",
        ),
        (_document("#/body"), "#/body has #/body"),
        (_document("#/texts/99999999999999999999"), "#/texts/99999999999999999999"),
        (_document("#/texts/-1"), "#/texts/-1"),
        (_document("texts/0", texts=[_text(0, "x")]), "texts/0"),
        (
            _document(
                "#/tables/0",
                tables=[_table([{**_cell(0, 0, "x"), "ref": {"$ref": "#/tables/0"}}], 1, 1)],
            ),
            "#/tables/0 has #/tables/0",
        ),
        (_document("#/tables/0", tables=[_table([], 10**12, 10**12)]), "cells, which are too many"),
        ('{"schema_name":"DoclingDocument","a":' + "[" * 10 * N, "not a DoclingDocument"),
        (_plain_table(3)[:-9], "not a DoclingDocument"),
    ],
)
def test_errors_name_the_reference(source: str, named: str) -> None:
    with pytest.raises(cw.ReadError, match=named):
        _core.DoclingDocument.of_json(source)


@pytest.mark.shared
@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
def test_hostile_cases() -> None:
    cases = list(hostile.cases(kind="docling"))
    assert len(cases) > 10
    for case in cases:
        source = json.dumps(case.make(0.2))
        try:
            document = _core.DoclingDocument.of_json(source)
            for style in STYLES:
                assert _hybrid(document, style) is not None
        except cw.ReadError:
            assert case.expect != "chunks"
        else:
            assert case.expect != "error"
