"""LangChain over a store: the suites of langchain-tests, and what a store adds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.searching.conditions import Compare
from chunkwright.store.searching.filters import Filter
from chunkwright.store.store import Store

pytest.importorskip("langchain_tests", reason="langchain-tests is not installed")

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_tests.integration_tests import (
    RetrieversIntegrationTests,
    VectorStoreIntegrationTests,
)

from chunkwright.adapters.langchain import ChunkwrightRetriever, ChunkwrightVectorStore
from tests.support.stores import with_lines

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


def test_page_headers_are_documents(words: ChunkwrightVectorStore) -> None:
    boats = cw.Document(text="They float.", name="boats.md")
    words.store.add(with_lines(boats, [("page header", "Of boats", 3)]))
    found = words.similarity_search("of boats")[0]
    assert (found.id, found.page_content) == ("boats.md#13-21", "Of boats")
    assert (found.metadata["source"], found.metadata["pages"]) == ("boats.md", [3])
    (only, *_) = ChunkwrightRetriever(store=words.store).invoke("of boats")
    assert only == found


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
        hits = words.similarity_search("rain", k=9, filter=of)
        return sorted(str(each.metadata["year"]) for each in hits)

    assert found(None) == ["1990", "1991", "1992"]
    assert found({"year": [1990, 1992]}) == ["1990", "1992"]
    assert found({"year": Compare(">", 1990)}) == ["1991", "1992"]
    assert found(Filter(none_of=[{"metadata": {"year": 1990}}], documents=["a", "b"])) == ["1991"]
    with pytest.raises(ConfigError, match="filter must be a Filter or a dict, got list"):
        found([1])


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: value == wanted,
    "$ne": lambda value, wanted: value != wanted,
    "$gt": lambda value, wanted: value is not None and value > wanted,
    "$gte": lambda value, wanted: value is not None and value >= wanted,
    "$lt": lambda value, wanted: value is not None and value < wanted,
    "$lte": lambda value, wanted: value is not None and value <= wanted,
    "$in": lambda value, wanted: value in wanted,
    "$nin": lambda value, wanted: value not in wanted,
    "$exists": lambda value, wanted: (value is not None) == wanted,
}


def _some_filter(random: Random, depth: int) -> dict[str, Any]:
    """Return a filter of two values, with others in it."""
    if depth and random.random() < 0.6:
        operator = random.choice(["$and", "$or", "$not"])
        within = [_some_filter(random, depth - 1) for _ in range(random.randint(1, 3))]
        return {operator: within[0] if operator == "$not" else within}
    operator = random.choice([*_TESTS])
    wanted: Any = random.randint(0, 3)
    if operator in {"$in", "$nin"}:
        wanted = [wanted, random.randint(0, 3)]
    return {random.choice("ab"): {operator: bool(wanted) if operator == "$exists" else wanted}}


def _is_true(of: dict[str, Any], metadata: dict[str, int]) -> bool:
    ((name, wanted),) = of.items()
    if name == "$not":
        return not _is_true(wanted, metadata)
    if name in {"$and", "$or"}:
        return (all if name == "$and" else any)(_is_true(each, metadata) for each in wanted)
    ((operator, value),) = wanted.items()
    return _TESTS[operator](metadata.get(name), value)


def test_filters_within_filters_are_what_they_say(words: ChunkwrightVectorStore) -> None:
    random = Random(7)
    rows = [{"a": a, "b": b} for a in range(4) for b in range(4)] + [{"a": 1}, {"b": 2}]
    ids = words.add_texts(["Rain fell."] * len(rows), rows)
    for _ in range(200):
        of = _some_filter(random, 3)
        hits = words.similarity_search("rain", k=99, filter=of)
        wanted = [id_ for id_, row in zip(ids, rows, strict=True) if _is_true(of, row)]
        assert sorted(str(each.id) for each in hits) == sorted(wanted), of


@pytest.mark.parametrize(
    ("of", "message"),
    [
        ({"$xor": []}, "unknown operator '$xor': of filters there are $and, $or and $not"),
        ({"$or": {"a": 1}}, "'$or' needs a list of filters, got {'a': 1}"),
        ({"$and": [1]}, "filter must be a Filter or a dict, got int"),
        ({"a": {"$like": "x"}}, "unknown operator '$like' of 'a'"),
    ],
)
def test_filters_that_are_none_are_named(
    words: ChunkwrightVectorStore, of: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        words.similarity_search("rain", filter=of)


@pytest.mark.parametrize("has_vectors", [False, True])
def test_equal_texts_are_found_each_with_its_metadata(store: Store, has_vectors: bool) -> None:
    model = DeterministicFakeEmbedding(size=4) if has_vectors else None
    made = ChunkwrightVectorStore(store, model)
    made.add_texts(["See the annex."] * 3, [{"page": page} for page in range(3)])
    hits = made.similarity_search("annex")
    assert sorted(each.metadata["page"] for each in hits) == [0, 1, 2]


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
