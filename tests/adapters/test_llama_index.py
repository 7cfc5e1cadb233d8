"""LlamaIndex over a store: nodes, queries by each mode, filters."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.store import Store

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core.schema import Document, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)

from chunkwright.adapters.llama_index import ChunkwrightVectorStore
from tests.support.stores import with_lines

ROWS = {
    "rain": ("Rain fell on Monday.", [1.0, 0.0], {"year": 1990, "team": "a"}, "weather"),
    "sun": ("The sun shone.", [0.0, 1.0], {"year": 1991, "tags": ["x"]}, "weather"),
    "cats": ("Cats sleep.", [0.6, 0.8], {"year": 2000, "team": "b", "text": "odd"}, "pets"),
}


def node(name: str) -> TextNode:
    text, vector, metadata, of = ROWS[name]
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=of)}
    return TextNode(id_=name, text=text, embedding=vector, metadata=metadata, relationships=source)


@pytest.fixture
def vectors(store: Store) -> ChunkwrightVectorStore:
    """A vector store with three nodes."""
    made = ChunkwrightVectorStore(store)
    assert made.add([node(name) for name in ROWS]) == [*ROWS]
    return made


def ids(vectors: ChunkwrightVectorStore, **query: Any) -> list[str]:
    query = {"query_embedding": [1.0, 0.0], "similarity_top_k": 9, **query}
    return vectors.query(VectorStoreQuery(**query)).ids or []


def test_nodes_come_back_as_they_were(vectors: ChunkwrightVectorStore) -> None:
    found = vectors.query(VectorStoreQuery(query_embedding=[1.0, 0.0], similarity_top_k=2))
    assert found.ids == ["rain", "cats"]
    assert found.similarities == pytest.approx([1.0, 0.6], abs=1e-3)
    assert found.nodes is not None
    expected = node("rain")
    expected.embedding = None
    assert found.nodes[0] == expected
    assert found.nodes[0].ref_doc_id == "weather"
    assert [each.metadata for each in vectors.get_nodes(["sun", "x"])] == [ROWS["sun"][2]]


def test_modes_are_by_vectors_by_words_or_by_both(vectors: ChunkwrightVectorStore) -> None:
    assert ids(vectors) == ["rain", "cats", "sun"]
    for mode in (VectorStoreQueryMode.TEXT_SEARCH, VectorStoreQueryMode.SPARSE):
        assert ids(vectors, mode=mode, query_str="Do cats sleep?") == ["cats"]
        assert ids(vectors, mode=mode, query_str="cats", query_embedding=None) == ["cats"]
    hybrid = VectorStoreQueryMode.HYBRID
    assert ids(vectors, mode=hybrid, query_str="the sun", query_embedding=[0.0, 1.0])[0] == "sun"
    assert len(ids(vectors, mode=hybrid, query_str="rain", hybrid_top_k=1)) == 1


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"mode": VectorStoreQueryMode.SVM}, "unknown mode 'svm'"),
        ({"query_embedding": None}, "mode 'default' needs query_embedding"),
        ({"mode": VectorStoreQueryMode.HYBRID}, "mode 'hybrid' needs query_str"),
    ],
)
def test_what_a_mode_needs_is_named(
    vectors: ChunkwrightVectorStore, query: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        ids(vectors, **query)


def only(key: str, value: Any, operator: str = "==") -> MetadataFilter:
    return MetadataFilter(key=key, value=value, operator=FilterOperator(operator))


@pytest.mark.parametrize(
    ("filters", "condition", "expected"),
    [
        ([only("year", 1990)], "and", {"rain"}),
        ([only("year", 1990, "!=")], "and", {"sun", "cats"}),
        ([only("year", 1990, ">")], "and", {"sun", "cats"}),
        ([only("year", 1991, ">="), only("year", 2000, "<")], "and", {"sun"}),
        ([only("year", 1990, "<="), only("team", "b")], "or", {"rain", "cats"}),
        ([only("year", [1990, 1991], "in")], "and", {"rain", "sun"}),
        ([only("year", [1990, 1991], "nin")], "and", {"cats"}),
        ([only("team", None, "is_empty")], "and", {"sun"}),
        ([only("team", "a"), only("year", 1991)], "not", {"cats"}),
        ([only("text", "odd")], "and", {"cats"}),
    ],
)
def test_filters_are_told_to_the_store(
    vectors: ChunkwrightVectorStore,
    filters: list[MetadataFilter],
    condition: str,
    expected: set[str],
) -> None:
    of = MetadataFilters(filters=[*filters], condition=FilterCondition(condition))
    assert set(ids(vectors, filters=of)) == expected
    assert {each.node_id for each in vectors.get_nodes(filters=of)} == expected
    nested = MetadataFilters(filters=[of, only("year", 3000, "<")])
    assert set(ids(vectors, filters=nested)) == expected


def test_other_filters_are_refused(vectors: ChunkwrightVectorStore) -> None:
    of = MetadataFilters(filters=[only("tags", "x", "text_match_insensitive")])
    with pytest.raises(ConfigError, match="stores have no filter 'text_match_insensitive' of"):
        ids(vectors, filters=of)
    for operator, value, needed in (("in", "x", "a list"), ("==", ["x"], "one value")):
        with pytest.raises(ConfigError, match=f"'{operator}' of 'tags' needs {needed}, got"):
            ids(vectors, filters=MetadataFilters(filters=[only("tags", value, operator)]))


def test_nodes_are_found_among_some(vectors: ChunkwrightVectorStore) -> None:
    assert ids(vectors, node_ids=["sun", "cats"]) == ["cats", "sun"]
    assert ids(vectors, doc_ids=["weather"]) == ["rain", "sun"]
    with pytest.raises(ConfigError, match=r"must not end with '\*', .* got 'r\*'"):
        ids(vectors, node_ids=["r*"])


def test_nodes_are_removed(vectors: ChunkwrightVectorStore) -> None:
    vectors.delete("weather")
    assert ids(vectors) == ["cats"]
    vectors.add([node("rain"), node("sun")])
    vectors.delete_nodes(["rain"])
    vectors.delete_nodes(filters=MetadataFilters(filters=[only("year", 2000)]))
    vectors.delete_nodes()
    vectors.delete_nodes([])
    assert ids(vectors) == ["sun"]
    vectors.store.add(cw.Document(text="Imported.", name="own.txt"), strategy="recursive")
    vectors.clear()
    assert [each.uri for each in vectors.store.documents()] == ["own.txt"]


def test_what_was_imported_is_found_by_words(vectors: ChunkwrightVectorStore) -> None:
    vectors.store.add(cw.read(b"# Boats\n\nBoats float.", name="boats.md"))
    hybrid = VectorStoreQueryMode.HYBRID
    query = VectorStoreQuery(query_embedding=[-1.0, 0.0], query_str="Do boats float?", mode=hybrid)
    found = vectors.query(query)
    assert found.nodes is not None
    assert found.nodes[0].get_content() == "# Boats\n\nBoats float."
    assert found.nodes[0].metadata["source"] == "boats.md"
    assert ids(vectors)[:2] == ["rain", "cats"]


def test_page_headers_are_nodes(vectors: ChunkwrightVectorStore) -> None:
    boats = cw.Document(text="They float.", name="boats.md")
    vectors.store.add(with_lines(boats, [("page header", "Of boats", 3)]))
    hybrid = VectorStoreQueryMode.HYBRID
    query = VectorStoreQuery(query_embedding=[1.0, 0.0], query_str="of boats", mode=hybrid)
    found = vectors.query(query)
    assert found.nodes is not None
    (node, *_) = found.nodes
    assert (node.node_id, node.get_content()) == ("boats.md#13-21", "Of boats")
    assert (node.metadata["source"], node.metadata["pages"]) == ("boats.md", [3])


def test_an_index_of_llama_index_works(store: Store) -> None:
    vectors = ChunkwrightVectorStore(store, embed_model_name="mock")
    index = VectorStoreIndex.from_documents(
        [Document(text=f"Text {i} of some words.", metadata={"i": i}) for i in range(5)],
        storage_context=StorageContext.from_defaults(vector_store=vectors),
        embed_model=MockEmbedding(embed_dim=3),
    )
    assert [each.fingerprint for each in store.models()] == ["mock"]
    found = index.as_retriever(similarity_top_k=2).retrieve("Text 3")
    assert len(found) == 2
    mode = VectorStoreQueryMode.TEXT_SEARCH
    by_words = index.as_retriever(similarity_top_k=1, vector_store_query_mode=mode)
    assert by_words.retrieve("Text 3")[0].metadata == {"i": 3}
    index.delete_ref_doc(found[0].node.ref_doc_id or "")
    assert len(store.documents()) == 4


def test_vectors_of_several_dimensions_are_named(vectors: ChunkwrightVectorStore) -> None:
    odd = TextNode(id_="odd", text="Odd.", embedding=[1.0, 2.0, 3.0])
    with pytest.raises(cw.ModelError, match="3"):
        vectors.add([odd])
    with pytest.raises(cw.ModelError, match="several dimensions"):
        vectors.add([odd, TextNode(id_="more", text="More.", embedding=[1.0])])
