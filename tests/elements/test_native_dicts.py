"""Chunks of the native strategies as dicts of Unstructured's form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

import chunkwright as cw
from chunkwright.compat.unstructured import chunks_to_dicts
from tests import laws
from tests.support.element_lists import Item, element, element_lists, table_html
from tests.support.originals import decoded

PARAGRAPHS = [element("NarrativeText", text) for text in ("Alpha.", "Beta.", "Gamma.", "Delta.")]
ROWS = [["Name", "Weight"], *([f"stone {i}", str(i)] for i in range(20))]
TABLE = element(
    "Table", " ".join(" ".join(row) for row in ROWS), text_as_html=table_html(ROWS, 1), own=[1]
)


def _with_characters(text: str) -> str:
    # JSON makes one character of two surrogates that stand for one.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@given(items=element_lists(), options=laws.element_options())
def test_each_chunk_is_a_dict(items: list[Item], options: Item) -> None:
    chunks = cw.ByTitle(**options)(items, name="made.json")
    rows = chunks_to_dicts(chunks)
    json.dumps(rows, allow_nan=False)
    assert [row["text"] for row in rows] == chunks.texts()
    assert [row["element_id"] for row in rows] == chunks.ids
    for row, chunk in zip(rows, chunks, strict=True):
        is_table = row["type"] != "CompositeElement"
        if is_table:
            assert chunk.kind == "table"
            assert row["metadata"].get("text_as_html") == chunk.html
        originals = decoded(row["metadata"]["orig_elements"])
        of_table = [one for one in chunk.elements if one.kind == "table" and one.text.strip()]
        made_of = of_table if is_table else chunk.elements
        given = [_with_characters(one.item["text"]) for one in made_of]
        assert [one["text"] for one in originals] == given
    for row in chunks_to_dicts(chunks, originals=False):
        assert "orig_elements" not in row["metadata"]


def test_texts_tables_and_parts_of_tables() -> None:
    small = element("Table", "a b", text_as_html=table_html([["a", "b"]]))
    chunks = cw.Basic(max_chars=120)([*PARAGRAPHS, small, TABLE], name="stones")
    text, table, *parts = chunks_to_dicts(chunks)
    assert (text["type"], table["type"]) == ("CompositeElement", "Table")
    assert {part["type"] for part in parts} == {"TableChunk"}
    assert len(parts) > 2
    metadata = [part["metadata"] for part in parts]
    assert {one["table_id"] for one in metadata} == {chunks[2].table_id}
    assert [one["chunk_index"] for one in metadata] == list(range(len(parts)))
    assert [one["num_carried_over_header_rows"] for one in metadata] == [0] + [1] * (len(parts) - 1)
    assert all(decoded(one["orig_elements"]) == [TABLE] for one in metadata)
    assert all(one["own"] == [1] for one in metadata)


def test_slices_and_batches() -> None:
    splitter = cw.Basic(max_chars=120)
    alone = [chunks_to_dicts(splitter(items)) for items in (PARAGRAPHS, [TABLE])]
    batch = splitter.batch([PARAGRAPHS, [], [TABLE]])
    rows = chunks_to_dicts(batch)
    assert rows == alone[0] + alone[1]
    assert chunks_to_dicts(batch[2:]) == rows[2:]
    assert chunks_to_dicts(batch[::-1]) == rows[::-1]
    assert chunks_to_dicts(batch[:0]) == []


def test_they_are_read_as_elements_again() -> None:
    chunks = cw.Basic(max_chars=15)([*PARAGRAPHS, element("PageBreak", "")])
    again = cw.read_elements(chunks_to_dicts(chunks))
    assert again.elements is not None
    assert again.elements.texts() == [" ".join(text.split()) for text in chunks.texts()]


def test_objects_are_written_as_their_dicts() -> None:
    peer = pytest.importorskip("unstructured.documents.elements")
    objects = [peer.NarrativeText(one["text"], element_id="") for one in PARAGRAPHS]
    rows = chunks_to_dicts(cw.Basic(max_chars=15)(objects))
    assert [row["text"] for row in rows] == cw.Basic(max_chars=15)(PARAGRAPHS).texts()
    assert [one["text"] for one in decoded(rows[0]["metadata"]["orig_elements"])] == [
        "Alpha.",
        "Beta.",
    ]


@pytest.mark.parametrize(
    "metadata", [{"coordinates": 3}, {"languages": 3}, {"link_urls": 3}, {"filename": 3}]
)
def test_metadata_that_dicts_cannot_be_made_of(metadata: Item) -> None:
    chunks = cw.Basic(max_chars=9)([element("Text", text, **metadata) for text in "ab"], name="n")
    assert chunks.texts() == ["a\n\nb"]
    with pytest.raises(cw.ReadError, match=r"^n: the metadata of elements is not what"):
        chunks_to_dicts(chunks)


def test_other_chunks_are_refused() -> None:
    message = "must be made of Unstructured's elements"
    with pytest.raises(cw.ConfigError, match=message):
        chunks_to_dicts(cw.chunk("One.", max_chars=9))
    elements = cw.elements_at("One.", [{"kind": "paragraph", "start": 0, "end": 4}])
    with pytest.raises(cw.ConfigError, match=message):
        chunks_to_dicts(cw.Basic(max_chars=9)(cw.Document(elements=elements)))


def test_strategies_over_text_know_their_elements_too() -> None:
    chunks = cw.chunk(cw.read_elements(PARAGRAPHS), "recursive", max_chars=15)
    first, *_ = chunks_to_dicts(chunks)
    assert (first["type"], first["text"]) == ("CompositeElement", chunks[0].text)
    assert decoded(first["metadata"]["orig_elements"]) == PARAGRAPHS[:2]


def test_real_elements(shared: Path) -> None:
    for file in sorted((shared / "data" / "unstructured-elements").rglob("*.json"))[::9]:
        chunks = cw.ByTitle(max_tokens=128)(cw.read_elements(file))
        rows = chunks_to_dicts(chunks)
        assert [(row["element_id"], row["text"]) for row in rows] == [
            (chunk.id, chunk.text) for chunk in chunks
        ]
