"""LangChain over a store: the suites of langchain-tests, and what a store adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.retrieval import Retriever
from chunkwright.store.searching.filters import Compare, Filter
from chunkwright.store.store import Store

pytest.importorskip("langchain_tests", reason="langchain-tests is not installed")

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_tests.integration_tests import (
    RetrieversIntegrationTests,
    VectorStoreIntegrationTests,
)

from chunkwright.adapters.langchain import ChunkwrightRetriever, ChunkwrightVectorStore

WEATHER = "# Rain\n\nIt rained on Monday.\n\n## Hail\n\nNone fell.\n\n# Sun\n\nIt shone on Tuesday."


class TestVectorStore(VectorStoreIntegrationTests):
    """LangChain's own tests of vector stores."""

    @pytest.fixture
    def vectorstore(self, store: Store) -> ChunkwrightVectorStore:  # type: ignore[override]
        return ChunkwrightVectorStore(store, self.get_embeddings())


class TestRetriever(RetrieversIntegrationTests):
    """LangChain's own tests of retrievers."""

    @pytest.fixture(autouse=True)
    def _store(self, store: Store) -> None:
        store.add(cw.read(WEATHER.encode(), name="weather.md"))
        self._made = store

    @property
    def retriever_constructor(self) -> type[ChunkwrightRetriever]:
        return ChunkwrightRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"store": self._made}

    @property
    def retriever_query_example(self) -> str:
        return "When did it rain, and when did the sun shine, and was there hail?"


@pytest.fixture
def words(store: Store) -> ChunkwrightVectorStore:
    """A vector store that searches by words."""
    return ChunkwrightVectorStore(store)


def test_metadata_come_back_as_they_were(words: ChunkwrightVectorStore) -> None:
    metadata = {
        "page": 3,
        "pages": 7,
        "meta.x": 1,
        "tags": ["a", {"b": None}],
        "big": 2**70,
        "ok": True,
        "none": None,
        "odd": float("-inf"),
        "day": "2024-02-01",
    }
    words.add_texts(["Rain fell."], [metadata], ids=["1"])
    (found,) = words.get_by_ids(["1"])
    assert found.metadata == metadata
    assert list(found.metadata) == list(metadata)
    assert words.similarity_search("rain") == [
        Document(page_content="Rain fell.", metadata=metadata, id="1")
    ]
    assert words.similarity_search("rain", filter={"pages": 7, "ok": True})
    assert not words.similarity_search("rain", filter={"pages": 8})


def test_metadata_alone_may_change(words: ChunkwrightVectorStore) -> None:
    for metadata in ({"a": 1, "b": 2}, {"a": 3}, {}, {"b": ["x"]}):
        words.add_texts(["Rain fell."], [metadata], ids=["1"])
        assert words.get_by_ids(["1"])[0].metadata == metadata
        assert words.similarity_search("rain")[0].metadata == metadata
    assert len(words.store.versions("1")) == 1


def test_metadata_that_json_does_not_know_are_named(words: ChunkwrightVectorStore) -> None:
    with pytest.raises(ConfigError, match="metadata 'when' must be what JSON knows, got <object"):
        words.add_texts(["Rain."], [{"when": object()}])
    assert words.store.documents() == []


def test_texts_are_what_they_were(words: ChunkwrightVectorStore) -> None:
    texts = [
        "  Rain fell.\n",
        "",
        " \n ",
        "# Rain\n\nIt rained.\n\n" * 500,
        "Rain fell. " + "x" * 10,
    ]
    ids = words.add_texts(texts, ids=[*"abcde"])
    assert [found.page_content for found in words.get_by_ids(ids)] == texts
    found = words.similarity_search("rain", k=9)
    assert sorted(each.id or "" for each in found) == ["a", "d", "e"]
    assert {each.page_content for each in found} == {texts[0], texts[3], texts[4]}
    # A change of a text is a version of one block, whatever stayed of it.
    words.add_texts(["Rain fell. More of it."], ids=["a"])
    assert len(words.store.chunks("a")) == 1


def test_filters_are_those_of_stores(words: ChunkwrightVectorStore) -> None:
    years = [1990, 1991, 1992]
    words.add_texts(["Rain fell."] * 3, [{"year": year} for year in years], ids=["a", "b", "c"])

    def found(of: Any) -> list[str]:
        hits = words.similarity_search("rain", k=9, filter=of, skip_duplicates=False)
        return sorted(str(each.metadata["year"]) for each in hits)

    words._retriever = Retriever(skip_duplicate_text=False)
    assert found(None) == ["1990", "1991", "1992"]
    assert found({"year": [1990, 1992]}) == ["1990", "1992"]
    assert found({"year": Compare(">", 1990)}) == ["1991", "1992"]
    assert found(Filter(none_of=[{"metadata": {"year": 1990}}], documents=["a", "b"])) == ["1991"]
    with pytest.raises(ConfigError, match="filter must be a Filter or a dict, got list"):
        found([1])


def test_documents_that_were_imported_are_found(words: ChunkwrightVectorStore) -> None:
    document = cw.read(WEATHER.encode(), name="weather.md").with_metadata({"year": 1921})
    words.store.add(document)
    words.add_texts(["Snow."], ids=["snow"])
    (found,) = words.similarity_search("Was there hail?", k=1)
    assert found.page_content == "## Hail\n\nNone fell."
    assert found.id == words.store.search("hail")[0].block
    assert found.metadata == {
        "year": 1921,
        "source": "weather.md",
        "pages": [],
        "headings": ["Rain", "Hail"],
        "lines": [5, 7],
        "start": 30,
        "end": 49,
    }
    retriever = ChunkwrightRetriever(store=words.store, k=1, options={"expand": "section"})
    (wide,) = retriever.invoke("Did it rain on Monday?")
    assert wide.page_content.endswith("None fell.")
    assert retriever.invoke("rain", where={"metadata": {"year": 1922}}) == []


def test_vectors_are_known_by_the_model(store: Store) -> None:
    model = DeterministicFakeEmbedding(size=6)
    vectors = ChunkwrightVectorStore(store, model)
    vectors.add_texts(["Rain.", "Sun."])
    (known,) = store.models()
    assert known.n_dims == 6
    named = 'langchain_core.embeddings.fake.DeterministicFakeEmbedding::{"size": 6}:6-'
    assert known.fingerprint.startswith(named)
    ChunkwrightVectorStore(store, model, model="fake-6").add_texts(["Snow."])
    assert [each.fingerprint for each in store.models()][1:] == ["fake-6"]
    assert vectors.embeddings is model


def test_scores_of_relevance_are_shares(store: Store) -> None:
    vectors = ChunkwrightVectorStore(store, DeterministicFakeEmbedding(size=64))
    vectors.add_texts(["Rain fell on Monday.", "The sun.", "Snow."])
    found = vectors.similarity_search_with_relevance_scores("Rain fell on Monday.", k=3)
    assert [0 <= score <= 1 for _, score in found] == [True] * 3
    assert found[0][0].page_content == "Rain fell on Monday."
    assert found[0][1] > found[1][1] > found[2][1]
    as_retriever = vectors.as_retriever(search_kwargs={"k": 1})
    assert as_retriever.invoke("Rain fell on Monday.") == [found[0][0]]


def test_a_store_is_made_of_texts(tmp_path: Path) -> None:
    target = tmp_path / "kb.db"
    made = ChunkwrightVectorStore.from_texts(
        ["Rain.", "Sun."], DeterministicFakeEmbedding(size=4), ids=["1", "2"], target=target
    )
    assert made.delete(["1"])
    made.store.close()
    with Store.open(target) as store:
        assert [each.uri for each in store.documents()] == ["2"]
        again = ChunkwrightVectorStore(store)
        assert again.delete()
        assert store.documents() == []


@pytest.mark.parametrize(
    "arguments", [{"metadatas": [{}]}, {"ids": ["1"]}, {"ids": ["1", "2", "3"]}]
)
def test_there_is_one_for_each_text(words: ChunkwrightVectorStore, arguments: Any) -> None:
    with pytest.raises(ConfigError, match="there must be one of each, got 2 texts"):
        words.add_texts(["a", "b"], **arguments)


def test_of_equal_ids_the_last_counts(words: ChunkwrightVectorStore) -> None:
    assert words.add_texts(["Rain.", "Sun."], ids=["1", "1"]) == ["1", "1"]
    assert words.get_by_ids(["1"])[0].page_content == "Sun."


@pytest.mark.parametrize("odd", ["a*", "a\0", "a\ud800"])
def test_ids_that_stores_cannot_have_are_named(words: ChunkwrightVectorStore, odd: str) -> None:
    with pytest.raises(ConfigError, match="an id must not end with"):
        words.add_texts(["Rain."], ids=[odd])
    assert words.get_by_ids([odd]) == []
    words.add_texts(["Rain \0 fell."], [{"note\0": "\0"}], ids=["1"])
    assert words.get_by_ids(["1"])[0].page_content == "Rain \0 fell."
