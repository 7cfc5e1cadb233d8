"""LlamaIndex's node parser over a strategy: places, relations, pipelines, forms of writing."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw
from chunkwright.embed import Lexical
from chunkwright.errors import ConfigError

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from llama_index.core import MockEmbedding
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode

from chunkwright.adapters.llama_index import ChunkwrightNodeParser

TEXT = "So it is. So it is. So it is. The end."


def numbered(i: int, of: BaseNode) -> str:
    return f"{of.node_id}/{i}"


def nodes(parser: ChunkwrightNodeParser, *documents: BaseNode) -> list[Any]:
    return parser.get_nodes_from_documents([*documents])  # type: ignore[list-item]


def test_places_of_equal_nodes_differ() -> None:
    parser = ChunkwrightNodeParser("sentence", max_chars=10)
    found = nodes(parser, Document(text=TEXT))
    places = [(each.start_char_idx, each.end_char_idx) for each in found]
    assert places == [(0, 9), (10, 19), (20, 29), (30, 38)]
    # LlamaIndex's own search finds 0, 1 and 2.
    window = ChunkwrightNodeParser("window", max_chars=4, overlap=2, overlap_at="any")
    assert [each.start_char_idx for each in nodes(window, Document(text="aaaaaaaa"))] == [0, 2, 4]


def test_nodes_know_their_source_and_neighbours() -> None:
    parser = ChunkwrightNodeParser("sentence", max_chars=10, id_func=numbered)
    found = nodes(parser, Document(text=TEXT, id_="a"), Document(text="One. Two two.", id_="b"))
    assert [each.node_id for each in found] == ["a/0", "a/1", "a/2", "a/3", "b/0", "b/1"]
    assert [each.ref_doc_id for each in found] == ["a"] * 4 + ["b"] * 2
    assert found[0].prev_node is None
    assert found[3].next_node is None
    assert found[3].prev_node.node_id == "a/2"
    assert found[4].next_node.node_id == "b/1"
    alone = ChunkwrightNodeParser("sentence", max_chars=10, include_prev_next_rel=False)
    assert nodes(alone, Document(text=TEXT))[0].next_node is None


def test_metadata_are_those_of_document_and_section() -> None:
    document = Document(
        text="# Rain\n\nIt rained.", metadata={"year": 1921}, excluded_embed_metadata_keys=["year"]
    )
    [node] = nodes(ChunkwrightNodeParser("hybrid"), document)
    assert node.metadata == {"year": 1921, "headings": "Rain"}
    assert "1921" not in node.get_content(metadata_mode=MetadataMode.EMBED)
    [bare] = nodes(ChunkwrightNodeParser("hybrid", include_metadata=False), document)
    assert bare.metadata == {"headings": "Rain"}


def test_nodes_are_parsed_again() -> None:
    outer = ChunkwrightNodeParser("window", max_chars=20)
    inner = ChunkwrightNodeParser("sentence", max_chars=10)
    document = Document(text=TEXT, id_="a")
    found = nodes(inner, *nodes(outer, document))
    assert [each.ref_doc_id for each in found] == ["a"] * len(found)
    assert "".join(each.text.replace(" ", "") for each in found) == TEXT.replace(" ", "")
    [node] = nodes(inner, TextNode(text="One.", id_="n"))
    assert node.source_node.node_id == "n"


def test_a_pipeline_of_llama_index_works() -> None:
    parser = ChunkwrightNodeParser(cw.Sentence(max_chars=10))
    pipeline = IngestionPipeline(transformations=[parser, MockEmbedding(embed_dim=3)])
    first = pipeline.run(documents=[Document(text=TEXT, id_="a")])
    assert [each.get_content() for each in first] == cw.Sentence(max_chars=10)(TEXT).texts()
    assert all(each.embedding for each in first)
    # The cache tells parsers apart by their options.
    again = IngestionPipeline(
        transformations=[ChunkwrightNodeParser("sentence", max_chars=20)], cache=pipeline.cache
    )
    assert len(again.run(documents=[Document(text=TEXT, id_="a")])) == 2


def test_what_no_json_holds_is_named() -> None:
    parser = ChunkwrightNodeParser("cluster", embedder=Lexical())
    with pytest.raises(ConfigError, match=r"embedder must be what JSON knows .* got Lexical"):
        parser.to_json()


def test_an_option_that_is_given_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="max_tokens=5 is given in options, too"):
        ChunkwrightNodeParser("recursive", options={"max_tokens": 9}, max_tokens=5)
