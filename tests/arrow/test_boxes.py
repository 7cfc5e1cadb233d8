"""Boxes in rows: a column of every strategy that cuts elements, in every form that chunks have."""

import copy
import json
import math
import pickle
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.io.outputs import opened
from chunkwright.io.rows import names_of
from chunkwright.readers.blocks import Block, BlockCell, BlockTable, Box, document_of
from chunkwright.retrieval import Index, Retriever
from tests.support.boxes import FIELDS, boxes_of
from tests.support.mostly_slow import mostly_slow

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

OPTIONS: dict[str, Any] = {"by_similarity": {"embedder": "lexical"}}
STRATEGIES = sorted({*cw.chunking.ALL_STRATEGIES} - {"llm", "json"})
TYPE = pa.list_(
    pa.struct(
        [
            pa.field("page", pa.int64()),
            *(pa.field(edge, pa.float64(), nullable=False) for edge in FIELDS[1:]),
        ]
    )
)


def box(page: int | None, top: float) -> Box:
    return Box(page, (72.5, top, 500, top + 12), 595, 842)


def document() -> cw.Document:
    """Two pages: a paragraph and a table that go on over the page break, and one without boxes."""
    words = " ".join(f"word{i}" for i in range(40))
    cells = [BlockCell(row, 0, row + 1, 1, f"stone {row}") for row in range(9)]
    blocks = [
        Block("heading", "Rain", level=1, pages=(1,), boxes=(box(1, 40),)),
        Block("paragraph", "Nobody knows where this stands."),
        Block("paragraph", f"{words}.", pages=(1, 2), boxes=(box(1, 700), box(2, 40))),
        Block("list"),
        Block("list item", "- one", parent=3, pages=(2,), boxes=(box(2, 80), box(2, 80))),
        Block("list item", "- two", parent=3, pages=(2,), boxes=(box(None, 94),)),
        Block("table", pages=(2,), boxes=(box(2, 110),), table=BlockTable(9, 1, 1, cells)),
        Block("page footer", "2", pages=(2,), boxes=(box(2, 800),)),
    ]
    return document_of(blocks, name="rain", n_body=len(blocks) - 1)


def cut(name: str, max_chars: int) -> cw.Chunks:
    strategy: Any = cw.chunking.ALL_STRATEGIES[name]
    chunks: cw.Chunks = strategy(max_chars=max_chars, **OPTIONS.get(name, {}))(document())
    return chunks


def written(chunks: cw.Chunks, path: Path, name: str, format_: str) -> list[dict[str, Any]]:
    out = path / f"rows.{format_}"
    with opened(out, format_, names_of(name, has_elements=True)) as writer:
        writer.write(chunks, 0)
    if format_ == "jsonl":
        return [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    table = pq.read_table(out) if format_ == "parquet" else pa.ipc.open_file(out).read_all()
    assert table.schema.field("boxes").type == TYPE
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


@pytest.mark.parametrize(
    ("name", "max_chars"), mostly_slow(product(STRATEGIES, [30, 90, 2000]), quick=19)
)
def test_every_form_has_the_boxes_of_the_elements(
    name: str, max_chars: int, tmp_path: Path
) -> None:
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    chunks = cut(name, max_chars)
    boxes = [boxes_of(chunk) for chunk in chunks]
    # Those of all elements, in reading order; nothing of the page's footer.
    assert any(boxes)
    tops = [each["top"] for of in boxes for each in of or ()]
    assert {*tops} == {40, 700, 80, 94, 110}
    table = chunks.to_arrow()
    assert table.schema.field("boxes").type == TYPE
    assert table.schema.field("boxes").nullable
    for rows in (
        table.to_pylist(),
        chunks.to_dicts(),
        chunks.to_polars().to_dicts(),
        [dict(chunk) for chunk in chunks],
        [dict(chunk) for chunk in pickle.loads(pickle.dumps(chunks))],
        [dict(pickle.loads(pickle.dumps(chunk))) for chunk in chunks],
        [dict(copy.deepcopy(chunk)) for chunk in chunks],
        *(written(chunks, tmp_path, name, format_) for format_ in ("jsonl", "parquet", "arrow")),
    ):
        assert [row["boxes"] for row in rows] == boxes
        assert [*rows[0]].index("boxes") == [*rows[0]].index("pages") + 1
    frame = chunks.to_pandas()["boxes"]
    assert [None if of is None or of is pd.NA else of for of in frame] == boxes
    assert pl.DataFrame(chunks).schema["boxes"] == pl.List(
        pl.Struct({field: pl.Int64 if field == "page" else pl.Float64 for field in FIELDS})
    )
    detached = pickle.loads(pickle.dumps(chunks[0]))
    assert (detached.boxes, detached["boxes"]) == (chunks[0].boxes, boxes[0])


@pytest.mark.parametrize("name", STRATEGIES)
def test_columns_of_documents_have_them_too(name: str) -> None:
    place = {"l": 0, "t": 9, "r": 9.5, "b": 0, "coord_origin": "TOPLEFT"}
    prov = [{"page_no": page, "bbox": place, "charspan": [0, 1]} for page in (1, 2)]
    texts = [
        {
            "self_ref": f"#/texts/{i}",
            "parent": {"$ref": "#/body"},
            "label": "text",
            "text": "One two. Three four. Five six.",
            "prov": prov[:i],
        }
        for i in range(3)
    ]
    body = {"self_ref": "#/body", "children": [{"$ref": each["self_ref"]} for each in texts]}
    source = json.dumps(
        {"schema_name": "DoclingDocument", "name": "", "body": body, "texts": texts}
    )
    strategy: Any = cw.chunking.ALL_STRATEGIES[name](max_chars=12, **OPTIONS.get(name, {}))
    batch = pa.record_batch({"text": [source, source]})
    column = pa.record_batch(strategy.arrow(batch, kind="docling"))["boxes"]
    chunks = strategy(cw.read(source.encode()))
    assert column.type == chunks.to_arrow()["boxes"].type == TYPE
    assert column.to_pylist() == 2 * [boxes_of(chunk) for chunk in chunks]
    assert {each["page"] for of in column.to_pylist() for each in of or ()} == {1, 2}


def test_a_part_of_an_element_has_the_boxes_of_all_of_it() -> None:
    parts = [chunk for chunk in cut("basic", 60) if "word" in chunk.text]
    assert len(parts) > 2
    assert {json.dumps(part["boxes"]) for part in parts} == {json.dumps(parts[0]["boxes"])}
    assert [of["page"] for of in parts[0]["boxes"]] == [1, 2]


def test_no_element_with_a_box_is_null() -> None:
    (chunk,) = cw.Basic(max_chars=40)(document_of([Block("paragraph", "Rain.", pages=(1,))]))
    assert (chunk.boxes, chunk["boxes"]) == ((), None)
    batch = cw.Basic(max_chars=40).batch([cw.read(b"# A\n\nb", kind="markdown"), document()])
    assert batch.to_dicts()[0]["boxes"] is None
    assert batch.to_arrow()["boxes"].null_count == sum(not each.boxes for each in batch)
    with_texts = cw.Recursive(max_chars=40).batch([document(), cw.Document(text="One.")])
    assert with_texts.to_dicts()[-1]["boxes"] is None
    assert "boxes" not in cw.chunk("One.", max_chars=40).to_dicts()[0]


def test_hits_of_an_index_have_them(tmp_path: Path) -> None:
    chunks = cut("basic", 60)
    made = Retriever().index(chunks)
    made.save(tmp_path / "index")
    for index in (
        made,
        pickle.loads(pickle.dumps(made)),
        Index.load(tmp_path / "index", chunks=chunks),
    ):
        (hits,) = index.search(["rain"], 1)
        found: Any = hits[0].chunk
        assert found["boxes"] == chunks[0]["boxes"] == boxes_of(chunks[0])
    # Without the chunks there are no elements, so no pages either.
    (hits,) = Index.load(tmp_path / "index").search(["rain"], 1)
    bare: Any = hits[0].chunk
    assert (bare["pages"], bare["boxes"]) == ([], None)


def test_the_caller_may_change_a_row() -> None:
    chunk = cut("basic", 2000)[0]
    row, boxes = dict(chunk), boxes_of(chunk)
    row["boxes"][0]["page"] = 7
    chunk["boxes"][0].clear()
    assert chunk["boxes"] == dict(chunk)["boxes"] == boxes


def test_what_json_cannot_say_is_none() -> None:
    odd = Block("paragraph", "x", boxes=(Box(1, (math.nan, 0, math.inf, 1)),))
    (row,) = cw.Basic(max_chars=9)(document_of([odd])).to_dicts()
    (of,) = json.loads(json.dumps(row["boxes"], allow_nan=False))
    assert (of["left"], of["top"], of["right"], of["bottom"]) == (None, 0, None, 1)
