"""Stores of frameworks against the frameworks' own: the same ids and scores after any writes."""

from __future__ import annotations

import asyncio
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from chunkwright.errors import ConfigError, ModelError
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.store import Store

TEXTS = ["See the annex.", "Rain fell.", "The mill by the lake.", "See the  annex."]
IDS = ["a", "b", "c", "d", "e"]
TITLES = ["lake", "mill", "tower"]
N_CASES = [pytest.param(12), pytest.param(120, marks=pytest.mark.slow)]
# Vectors are kept as half floats.
NEAR = 4e-3


def vector_of(text: str, title: str = "", weights: int = 0, size: int = 8) -> list[float]:
    """Return a vector that depends on text, metadata and the weights of a model."""
    data = sha256(f"{weights}|{title}|{text}".encode()).digest()
    return [byte / 128 - 1 for byte in data[:size]]


def check(found: list[tuple[str, float]], expected: list[tuple[str, float]]) -> None:
    """Check that ids and scores are the same, best first."""
    assert dict(found) == pytest.approx(dict(expected), abs=NEAR)
    assert len(found) == len(expected)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)


def writes(draw: random.Random) -> list[tuple[str, str, str, int]]:
    """Return ids, texts, titles and weights of what is written together: ids may be equal."""
    return [
        (draw.choice(IDS), draw.choice(TEXTS), draw.choice(TITLES), draw.randrange(2))
        for _ in range(draw.randint(1, 4))
    ]


def embedded(draw: random.Random) -> list[tuple[str, str, dict[str, str], list[float]]]:
    """Return ids, texts, metadata and vectors of what is written together."""
    return [
        (id_, text, {"title": title}, vector_of(text, title, weights))
        for id_, text, title, weights in writes(draw)
    ]


@pytest.mark.parametrize("n_cases", N_CASES)
def test_llama_index(tmp_path: Path, n_cases: int) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores import SimpleVectorStore
    from llama_index.core.vector_stores.types import VectorStoreQuery, VectorStoreQueryMode

    from chunkwright.adapters.llama_index import ChunkwrightVectorStore

    for seed in range(n_cases):
        draw = random.Random(seed)
        twin = SimpleVectorStore()
        with Store.open(tmp_path / f"{seed}.db") as store:
            own = ChunkwrightVectorStore(store)
            for _ in range(6):
                if draw.random() < 0.3:
                    gone = draw.choice(IDS)
                    twin.delete_nodes([gone])
                    own.delete_nodes([gone])
                else:
                    nodes = [
                        TextNode(id_=id_, text=text, metadata=metadata, embedding=vector)
                        for id_, text, metadata, vector in embedded(draw)
                    ]
                    twin.add(nodes)
                    own.add(nodes)
                asked = vector_of(draw.choice(TEXTS), draw.choice(TITLES))
                query = VectorStoreQuery(query_embedding=asked, similarity_top_k=9)
                found, expected = own.query(query), twin.query(query)
                check(
                    list(zip(found.ids or [], found.similarities or [], strict=True)),
                    list(zip(expected.ids or [], expected.similarities or [], strict=True)),
                )
                n_different = len({round(each, 2) for each in expected.similarities or []})
                if n_different < len(twin.data.embedding_dict):
                    # Of nodes that are equally near either may be taken first.
                    continue
                query = VectorStoreQuery(
                    query_embedding=asked, similarity_top_k=3, mode=VectorStoreQueryMode.MMR
                )
                found = own.query(query, mmr_threshold=0.4)
                expected = twin.query(query, mmr_threshold=0.4)
                assert found.similarities == pytest.approx(expected.similarities, abs=2 * NEAR)


@pytest.mark.parametrize("n_cases", N_CASES)
def test_haystack(tmp_path: Path, n_cases: int) -> None:
    pytest.importorskip("haystack", reason="haystack-ai is not installed")
    from haystack import Document
    from haystack.document_stores.errors import DuplicateDocumentError
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    from haystack.document_stores.types import DuplicatePolicy

    from chunkwright.adapters.haystack import ChunkwrightDocumentStore

    def outcome(store: Any, documents: list[Document], policy: DuplicatePolicy) -> object:
        try:
            return store.write_documents(documents, policy)
        except DuplicateDocumentError:
            return None

    for seed in range(n_cases):
        draw = random.Random(seed)
        twin = InMemoryDocumentStore(embedding_similarity_function="cosine")
        own = ChunkwrightDocumentStore(str(tmp_path / f"{seed}.db"))
        for _ in range(6):
            if draw.random() < 0.3:
                gone = [id_ for id_ in IDS if draw.random() < 0.5]
                own.delete_documents(gone)
                twin.delete_documents(gone)
            else:
                documents = [
                    Document(id=id_, content=text, meta=metadata, embedding=vector)
                    for id_, text, metadata, vector in embedded(draw)
                ]
                policy = draw.choice([*DuplicatePolicy])
                wrote = outcome(own, documents, policy)
                known = {each.id for each in twin.filter_documents()}
                ids = [each.id for each in documents]
                if policy in {DuplicatePolicy.NONE, DuplicatePolicy.FAIL} and (
                    len({*ids}) < len(ids) or known & {*ids}
                ):
                    # Haystack's own writes those before it; here none is written.
                    assert wrote is None
                else:
                    assert outcome(twin, documents, policy) is not None
                    assert wrote is not None
            asked = vector_of(draw.choice(TEXTS), draw.choice(TITLES))
            expected = twin.embedding_retrieval(asked, top_k=9)
            found = own.search(None, asked, top_k=9)
            check(
                [(each.id, each.score or 0.0) for each in found],
                [(each.id, each.score or 0.0) for each in expected],
            )
            assert {each.id: each.content for each in found} == {
                each.id: each.content for each in expected
            }
        own.store.close()


@pytest.mark.parametrize("n_cases", N_CASES)
def test_langchain(tmp_path: Path, n_cases: int) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from langchain_core.vectorstores import InMemoryVectorStore

    from chunkwright.adapters.langchain import ChunkwrightVectorStore

    model = langchain_model(0)
    for seed in range(n_cases):
        draw = random.Random(seed)
        twin = InMemoryVectorStore(model)
        with Store.open(tmp_path / f"{seed}.db") as store:
            own = ChunkwrightVectorStore(store, model, retriever=Retriever.dense(model))
            for _ in range(6):
                if draw.random() < 0.3:
                    gone = [id_ for id_ in IDS if draw.random() < 0.5]
                    twin.delete(gone)
                    own.delete(gone)
                else:
                    rows = writes(draw)
                    ids = [row[0] for row in rows]
                    metadatas: list[dict[str, Any]] = [{"title": row[2]} for row in rows]
                    twin.add_texts([row[1] for row in rows], metadatas, ids=ids)
                    own.add_texts([row[1] for row in rows], metadatas, ids=ids)
                asked = draw.choice(TEXTS)
                found = own.similarity_search_with_score(asked, 9)
                expected = twin.similarity_search_with_score(asked, 9)
                check(
                    [(each.id or "", score) for each, score in found],
                    [(each.id or "", score) for each, score in expected],
                )
                assert {each.id: (each.page_content, each.metadata) for each, _ in found} == {
                    each.id: (each.page_content, each.metadata) for each, _ in expected
                }
                vector = model.embed_query(asked)
                check(
                    [
                        (each.id or "", score)
                        for each, score in own.similarity_search_with_score_by_vector(vector, 9)
                    ],
                    [
                        (each.id or "", score)
                        for each, score in twin.similarity_search_with_score_by_vector(vector, 9)
                    ],
                )
                diverse = [
                    each.max_marginal_relevance_search(asked, 3, lambda_mult=0.4)
                    for each in (own, twin)
                ]
                # Equal texts have equal vectors: which of them comes first does not count.
                assert [each.page_content for each in diverse[0]] == [
                    each.page_content for each in diverse[1]
                ]


def langchain_model(weights: int, size: int = 8) -> Any:
    """Return a model of LangChain without a name."""
    from langchain_core.embeddings import Embeddings

    class Model(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector_of(text, "", weights, size) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return vector_of(text, "", weights, size)

    return Model()


def test_models_are_told_apart_by_what_they_embed(store: Store) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from chunkwright.adapters.langchain import ChunkwrightVectorStore

    for weights, size in ((0, 8), (1, 8), (0, 4)):
        model = langchain_model(weights, size)
        own = ChunkwrightVectorStore(store, model, retriever=Retriever.dense(model))
        own.add_texts(TEXTS[:3], ids=IDS[:3])
        ((found, score),) = own.similarity_search_with_score(TEXTS[1], 1)
        assert found.id == "b"
        assert score == pytest.approx(1.0, abs=NEAR)
    assert len(store.models()) == 3


def test_vectors_of_another_size_are_written_once_all_are_gone(store: Store) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores.types import VectorStoreQuery

    from chunkwright.adapters.llama_index import ChunkwrightVectorStore

    own = ChunkwrightVectorStore(store)
    own.add([TextNode(id_="a", text=TEXTS[0], embedding=[1.0, 0.0, 0.0])])
    larger = TextNode(id_="b", text=TEXTS[0], embedding=[0.0, 0.0, 1.0, 0.0])
    with pytest.raises(ModelError, match=r"4 dimensions.* 3"):
        own.add([larger])
    own.delete_nodes(["a"])
    own.add([larger])
    found = own.query(VectorStoreQuery(query_embedding=[0.0, 0.0, 1.0, 0.0], similarity_top_k=2))
    assert found.ids == ["b"]
    assert found.similarities == pytest.approx([1.0])
    assert [each.n_dims for each in store.models()] == [4]


def test_what_was_imported_otherwise_is_found_by_words(store: Store) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    import chunkwright as cw
    from chunkwright.adapters.langchain import ChunkwrightVectorStore

    store.add(cw.Document(text="Herons stand by the weir.", id="birds"))
    own = ChunkwrightVectorStore(store, langchain_model(0))
    assert own.similarity_search("herons", 1)[0].metadata["source"] == "birds"
    own.add_texts(TEXTS[:3], ids=IDS[:3])
    assert own.similarity_search("herons by the weir", 1)[0].metadata["source"] == "birds"
    assert own.similarity_search(TEXTS[1], 1)[0].id == "b"
    (_, by_words), *_ = own.similarity_search_with_score("Herons stand by the weir.", 1)
    store.embed(own._embedder)
    (_, by_both), *_ = own.similarity_search_with_score("Herons stand by the weir.", 1)
    assert by_both > by_words


def test_retrievers_search_by_marginal_relevance(store: Store) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from chunkwright.adapters.langchain import ChunkwrightVectorStore

    own = ChunkwrightVectorStore(store, langchain_model(0))
    own.add_texts(TEXTS[:3], [{"n": number} for number in range(3)], ids=IDS[:3])
    retriever = own.as_retriever(search_type="mmr", search_kwargs={"k": 2, "filter": {"n": 1}})
    assert [each.id for each in retriever.invoke(TEXTS[0])] == ["b"]
    found = asyncio.run(own.amax_marginal_relevance_search(TEXTS[2], 2))
    assert found[0].id == "c"
    vector = vector_of(TEXTS[1])
    found = asyncio.run(own.asimilarity_search_by_vector(vector, 1))
    assert [each.id for each in found] == ["b"]
    with pytest.raises(ConfigError, match="embedding"):
        ChunkwrightVectorStore(store).similarity_search_by_vector(vector)
