"""Haystack over a store: haystack's own tests of document stores, and what a store adds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "false")
pytest.importorskip("haystack", reason="haystack-ai is not installed")

from haystack import Document, Pipeline
from haystack.dataclasses import ByteStream
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy
from haystack.errors import FilterError
from haystack.testing.document_store import DocumentStoreBaseTests

from chunkwright.adapters.haystack import ChunkwrightDocumentStore, ChunkwrightRetriever
from tests.support.stores import with_lines


@pytest.fixture
def document_store(tmp_path: Path) -> Iterator[ChunkwrightDocumentStore]:
    """An empty document store."""
    made = ChunkwrightDocumentStore(str(tmp_path / "kb.db"))
    yield made
    made.store.close()


class TestDocumentStore(DocumentStoreBaseTests):
    """Haystack's own tests."""

    @pytest.fixture
    def document_store(self, document_store: ChunkwrightDocumentStore) -> Any:
        return document_store

    @staticmethod
    def assert_documents_are_equal(received: list[Document], expected: list[Document]) -> None:
        # Vectors are kept as half floats, for searches alone.
        assert received == [replace(each, embedding=None) for each in expected]

    def test_write_documents(self, document_store: Any) -> None:
        one = Document(content="test doc")
        assert document_store.write_documents([one]) == 1
        with pytest.raises(DuplicateDocumentError):
            document_store.write_documents([one, Document(content="other")])
        assert document_store.filter_documents() == [one]


def test_documents_come_back_as_they_were(document_store: ChunkwrightDocumentStore) -> None:
    documents = [
        Document(content="Rain.", meta={"tags": ["a"], "n": 1, "pages": 2}),
        Document(content=None, blob=ByteStream(b"\x00\xff", mime_type="image/png")),
        Document(content="", meta={"empty": True}),
    ]
    assert document_store.write_documents(documents) == 3
    assert document_store.filter_documents() == documents
    of_pages = {"field": "meta.pages", "operator": "==", "value": 2}
    assert document_store.filter_documents(of_pages) == documents[:1]
    by_id = {"field": "id", "operator": "in", "value": [documents[2].id]}
    assert document_store.filter_documents(by_id) == documents[2:]


@pytest.mark.parametrize(
    "filters",
    [
        {"field": "content", "operator": "==", "value": "x"},
        {"field": "meta.x", "operator": "==", "value": ["x"]},
        {"field": "meta.x", "operator": "~", "value": 1},
        {"field": "meta.x", "operator": ">", "value": True},
        {"operator": "XOR", "conditions": []},
        ["x"],
    ],
)
def test_other_filters_are_refused(document_store: ChunkwrightDocumentStore, filters: Any) -> None:
    with pytest.raises(FilterError):
        document_store.filter_documents(filters)


@pytest.fixture
def filled(document_store: ChunkwrightDocumentStore) -> ChunkwrightDocumentStore:
    """A document store with three documents, one of which has no vector."""
    document_store.write_documents(
        [
            Document(id="rain", content="Rain fell.", embedding=[1.0, 0.0], meta={"year": 1990}),
            Document(id="sun", content="The sun shone.", embedding=[0.0, 1.0]),
            Document(id="cats", content="Cats sleep.", meta={"year": 2000}),
        ]
    )
    return document_store


def test_searches_are_by_words_by_vectors_or_by_both(filled: ChunkwrightDocumentStore) -> None:
    def ids(*arguments: Any, **more: Any) -> list[str]:
        return [each.id for each in filled.search(*arguments, **more)]

    assert ids("Do cats sleep?") == ["cats"]
    assert ids(None, [0.0, 1.0])[0] == "sun"
    assert ids("cats", [-1.0, 0.0])[0] == "cats"
    old = {"field": "meta.year", "operator": "<", "value": 1995}
    assert ids(None, [0.0, 1.0], old) == ["rain"]
    assert len(ids(None, [0.0, 1.0], top_k=2)) == 2
    with pytest.raises(ConfigError, match="a search needs query or query_embedding"):
        filled.search(None)


def test_documents_of_both_kinds_are_found(filled: ChunkwrightDocumentStore) -> None:
    filled.store.add(cw.read(b"# Boats\n\nBoats float.", name="boats.md"))
    filled.write_documents([Document(id="later", content="Snow melts.")])
    found = filled.search("boats", [-1.0, 0.0])
    assert found[0].content == "# Boats\n\nBoats float."
    assert found[0].meta["source"] == "boats.md"
    assert found[0].score is not None
    assert filled.search("snow", [-1.0, 0.0])[0].id == "later"


def test_page_headers_are_documents(filled: ChunkwrightDocumentStore) -> None:
    boats = cw.Document(text="They float.", name="boats.md")
    filled.store.add(with_lines(boats, [("page header", "Of boats", 3)]))
    found = filled.search("of boats")[0]
    assert (found.id, found.content, found.meta["pages"]) == ("boats.md#13-21", "Of boats", [3])


def test_pipelines_take_the_retriever(filled: ChunkwrightDocumentStore) -> None:
    pipeline = Pipeline()
    pipeline.add_component("find", ChunkwrightRetriever(filled, top_k=1))
    found = pipeline.run({"find": {"query": "rain"}})["find"]["documents"]
    assert [each.id for each in found] == ["rain"]
    again = Pipeline.from_dict(pipeline.to_dict(), unsafe=True)
    assert again.run({"find": {"query": "sun"}})["find"]["documents"][0].id == "sun"


def test_duplicates_are_left_or_take_the_place(filled: ChunkwrightDocumentStore) -> None:
    new = [Document(id="rain", content="No rain."), Document(id="snow", content="Snow.")]
    assert filled.write_documents(new, DuplicatePolicy.SKIP) == 1
    assert filled.search("rain")[0].content == "Rain fell."
    assert filled.write_documents(new, DuplicatePolicy.OVERWRITE) == 2
    assert filled.search("rain")[0].content == "No rain."
    assert filled.count_documents() == 4


@pytest.mark.parametrize("policy", [DuplicatePolicy.NONE, DuplicatePolicy.FAIL])
def test_a_known_id_among_others_writes_none(
    document_store: ChunkwrightDocumentStore, policy: DuplicatePolicy
) -> None:
    kept = {}
    for store in (document_store, InMemoryDocumentStore()):
        store.write_documents([Document(id="b", content="old")])
        new = [Document(id=id_, content="new") for id_ in "abc"]
        with pytest.raises(DuplicateDocumentError):
            store.write_documents(new, policy)
        kept[type(store)] = {each.id for each in store.filter_documents()}
    # Haystack's own writes what stands before it.
    assert kept == {ChunkwrightDocumentStore: {"b"}, InMemoryDocumentStore: {"a", "b"}}


def test_lists_are_filtered_by_their_items(document_store: ChunkwrightDocumentStore) -> None:
    twin = InMemoryDocumentStore()
    tags = {"a": ["x", "y"], "b": "x", "c": ["x"], "d": "y", "e": None}
    for store in (document_store, twin):
        store.write_documents([Document(id=id_, meta={"tags": of}) for id_, of in tags.items()])

    def found(store: Any, operator: str, value: Any) -> str:
        where = {"field": "meta.tags", "operator": operator, "value": value}
        return "".join(sorted(each.id for each in store.filter_documents(where)))

    for operator, value, own, others in (
        ("==", "x", "abc", "b"),
        ("in", ["x"], "abc", "b"),
        ("in", ["x", "y"], "abcd", "bd"),
        ("!=", "x", "de", "acde"),
        ("not in", ["x"], "de", "acde"),
    ):
        assert found(document_store, operator, value) == own, operator
        assert found(twin, operator, value) == others, operator
    with pytest.raises(FilterError, match="only single values"):
        found(document_store, "==", ["x"])
    assert found(twin, "==", ["x"]) == "c"
    for store in (document_store, twin):
        with pytest.raises(FilterError, match="contains"):
            found(store, "contains", "x")
