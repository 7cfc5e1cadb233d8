"""Docling's chunker over a strategy: items, headings, origin, contexts and where it is taken."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES
from chunkwright.errors import ConfigError

pytest.importorskip("docling_core", reason="docling-core is not installed")

from docling_core.types.doc import DoclingDocument, DocumentOrigin  # type: ignore[attr-defined]
from docling_core.types.doc.document import TableCell, TableData  # type: ignore[attr-defined]
from docling_core.types.doc.labels import DocItemLabel

from chunkwright.adapters.docling import ChunkwrightChunker
from chunkwright.compat.docling import BaseChunker, DocChunk
from tests import laws


@pytest.fixture
def document() -> Any:
    """A document with a list, a group of inline items, a table and a page."""
    origin = DocumentOrigin(mimetype="text/html", filename="rivers.html", binary_hash=7)
    made = DoclingDocument(name="rivers", origin=origin)
    made.add_title("Rivers")
    made.add_heading("Elbe")
    made.add_text(DocItemLabel.TEXT, "The Elbe is long. It flows north. It is deep.")
    items = made.add_list_group()
    made.add_list_item("Hamburg", parent=items)
    made.add_list_item("Dresden", parent=items)
    inline = made.add_inline_group()
    made.add_text(DocItemLabel.TEXT, "Ships", parent=inline)
    made.add_text(DocItemLabel.TEXT, "sail", parent=inline)
    cells = [
        TableCell(
            text=text,
            start_row_offset_idx=row,
            end_row_offset_idx=row + 1,
            start_col_offset_idx=0,
            end_col_offset_idx=1,
        )
        for row, text in enumerate(["km", "1094"])
    ]
    made.add_table(TableData(table_cells=cells, num_rows=2, num_cols=1))
    return made


def chunks_of(chunker: ChunkwrightChunker, document: Any) -> list[Any]:
    return [*chunker.chunk(document)]


def references(chunk: Any) -> list[str]:
    return [item.self_ref for item in chunk.meta.doc_items]


def test_chunks_have_items_headings_and_origin(document: Any) -> None:
    found = chunks_of(ChunkwrightChunker("hybrid", max_chars=40), document)
    assert [(each.text, references(each)) for each in found] == [
        ("Rivers\n\nElbe\n\nThe Elbe is long.", ["#/texts/0", "#/texts/1", "#/texts/2"]),
        ("Rivers\n\nElbe\n\nIt flows north.", ["#/texts/2"]),
        ("Rivers\n\nElbe\n\nIt is deep.", ["#/texts/2"]),
        (
            "Rivers\n\nElbe\n\n- Hamburg\n- Dresden",
            ["#/texts/3", "#/texts/4"],
        ),
        ("Rivers\n\nElbe\n\nShips sail", ["#/texts/5", "#/texts/6"]),
        ("Rivers\n\nElbe\n\n| km |\n| 1094 |", ["#/tables/0"]),
    ]
    for each in found:
        assert isinstance(each, DocChunk)
        assert each.meta.headings == ["Rivers", "Elbe"]
        assert each.meta.origin == document.origin
    assert found[1].meta.doc_items[0] is document.texts[2]


@pytest.mark.parametrize("name", sorted({*ALL_STRATEGIES} - {"json", "by_similarity"}))
def test_all_items_are_in_a_chunk(document: Any, name: str) -> None:
    found = chunks_of(ChunkwrightChunker(name, max_chars=30, **laws.needed(name)), document)
    every = {reference for each in found for reference in references(each)}
    assert every == {*(f"#/texts/{i}" for i in range(7)), "#/tables/0"}
    for each in found:
        assert DocChunk.model_validate_json(each.model_dump_json()).text == each.text


def test_a_context_repeats_no_heading(document: Any) -> None:
    chunker = ChunkwrightChunker("recursive", max_chars=40, delim=" / ")
    found = chunks_of(chunker, document)
    assert chunker.contextualize(found[0]) == found[0].text
    assert found[1].text.startswith("north.")
    assert chunker.contextualize(found[1]) == f"Rivers / Elbe / {found[1].text}"
    with_headings = ChunkwrightChunker("hybrid", max_chars=40)
    for each in chunks_of(with_headings, document):
        assert with_headings.contextualize(each) == each.text


def test_a_document_without_headings_has_none() -> None:
    made = DoclingDocument(name="plain")
    made.add_text(DocItemLabel.TEXT, "It rained.")
    [chunk] = chunks_of(ChunkwrightChunker(), made)
    assert (chunk.meta.headings, chunk.meta.origin) == (None, None)


def test_arguments_of_serializers_are_refused(document: Any) -> None:
    with pytest.raises(ConfigError, match="a document alone, got pages"):
        next(ChunkwrightChunker().chunk(document, pages={1}))


def test_models_that_hold_a_chunker_take_it(document: Any) -> None:
    class Loader(BaseModel):
        chunker: BaseChunker

    loader = Loader(chunker=ChunkwrightChunker(cw.Hierarchical(max_chars=50)))
    assert loader.chunker.model_dump() == {
        "delim": "\n",
        "strategy": "hierarchical",
        "options": {"max_chars": 50},
    }
    assert len([*loader.chunker.chunk(document)]) > 1


def test_an_option_that_is_given_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="max_tokens=5 is given in options, too"):
        ChunkwrightChunker("hybrid", options={"max_tokens": 9}, max_tokens=5)
