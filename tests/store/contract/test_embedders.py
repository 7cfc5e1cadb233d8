"""Each kind of embedder is taken wherever a store takes one, and known by the same name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

import chunkwright as cw
from chunkwright.adapters.langchain import ChunkwrightVectorStore
from chunkwright.embed import Cached, as_embedder
from chunkwright.retrieval import Retriever
from tests.support.toy_embedders import dice

TEXTS = ["Rain fell on the mill.", "The sun shone on the hill.", "Nobody was there."]


class Ours:
    fingerprint = "dice, version 1"

    def embed(self, texts: Sequence[str]) -> Any:
        return dice(list(texts))


class Nameless:
    def embed(self, texts: Sequence[str]) -> Any:
        return dice(list(texts))


class Encodes:
    def encode(self, texts: list[str]) -> Any:
        return dice(texts)


class NamedEncodes(Encodes):
    fingerprint = "dice, version 2"


class Called:
    def __call__(self, texts: list[str]) -> Any:
        return dice(texts)


class NamedCalled(Called):
    fingerprint = "dice, version 3"


class Unhashable(Called):
    __hash__ = None  # type: ignore[assignment]


class OfLangChain(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        found: list[float] = dice([text])[0].tolist()
        return found


class OfLlamaIndex:
    model_name = "dice"

    def get_text_embedding_batch(self, texts: list[str]) -> Any:
        return dice(texts)

    def get_query_embedding(self, text: str) -> Any:
        return dice([text])[0]


def named(texts: list[str]) -> Any:
    return dice(texts)


named.fingerprint = "dice, version 4"  # type: ignore[attr-defined]


async def later(texts: list[str]) -> Any:
    return dice(texts)


KINDS: dict[str, Any] = {
    "ours": Ours(),
    "ours without a name": Nameless(),
    "encodes": Encodes(),
    "encodes, with a name": NamedEncodes(),
    "an object that is called": Called(),
    "an object that is called, with a name": NamedCalled(),
    "an object without a hash": Unhashable(),
    "of LangChain": OfLangChain(),
    "of LangChain, of pydantic": DeterministicFakeEmbedding(size=8),
    "of LlamaIndex": OfLlamaIndex(),
    "a function": dice,
    "a function with a name": named,
    "a function that is awaited": later,
    "a partial function": partial(dice),
    "kept": Cached(dice, name="dice"),
    "wrapped": as_embedder(OfLangChain()),
}


@pytest.fixture(params=KINDS.values(), ids=list(KINDS))
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    given = request.param
    return Cached(dice, folder=tmp_path, name="dice") if isinstance(given, Cached) else given


def found(store: cw.Store, **options: Any) -> list[str]:
    return [hit.text for hit in store.search("mill", 3, **options)]


def test_each_kind_is_taken_everywhere(embedder: Any, target: str) -> None:
    documents = [cw.Document(text=text, name=str(n)) for n, text in enumerate(TEXTS)]
    with cw.Store.open(target, embedder=embedder) as store:
        store.add(documents[:1])
        store.add(documents[1:2], embedder=embedder)
        assert len(found(store)) == 2
    with cw.Store.open(target) as store:
        store.add(documents[2:])
        assert store.embed(embedder) == 1
        assert store.embed(embedder) == 0
        dense = found(store, retriever=Retriever.dense(embedder))
        both = found(store, retriever=Retriever(embedder=embedder))
        assert set(dense) == set(both) == set(TEXTS)
        (model,) = store.models()
        assert model.n_dims == 8
    with cw.Store.open(target, embedder=embedder) as store:
        assert store.embed() == 0
        assert found(store) == both
        assert store.calibrate({"mill": "Rain fell on the mill"}).n_questions == 1
        assert TEXTS[0] in found(store)
        n_asked = len(store._indexes._opened)
        found(store)
        assert len(store._indexes._opened) == n_asked


def test_an_index_takes_each_kind(embedder: Any) -> None:
    index = Retriever.dense(embedder).index(cw.Recursive(max_tokens=50).batch(TEXTS))
    (hits,) = index.search(["mill"], k=3)
    assert len(hits) == 3


def test_a_store_gives_its_vectors_and_its_retriever(target: str) -> None:
    with cw.Store.open(target, embedder=Ours()) as store:
        store.add([cw.Document(text=text, name=text) for text in TEXTS])
        blocks = [block.id for text in TEXTS for block in store.blocks(text)]
        (model,) = store.models()
        vectors = store.vectors(model.fingerprint, [*blocks, "no block"])
        assert vectors.keys() == set(blocks)
        own = np.asarray(dice(TEXTS))
        units = own / np.linalg.norm(own, axis=1, keepdims=True)
        assert np.allclose(np.stack([vectors[block] for block in blocks]), units, atol=1e-3)
        assert store.vectors("another", blocks) == {}
        assert found(store, retriever=store.retriever) == found(store)
        assert target.endswith(store.name) or "postgres" in store.name


@pytest.mark.parametrize("kind", [OfLangChain(), DeterministicFakeEmbedding(size=8)])
def test_the_vector_store_and_the_store_know_a_model_by_one_name(kind: Any, target: str) -> None:
    with cw.Store.open(target) as store:
        ChunkwrightVectorStore(store, kind).add_texts(TEXTS)
        assert store.embed(kind) == 0
        assert len(store.models()) == 1


def test_fingerprints_that_are_there_are_taken() -> None:
    for like, fingerprint in (
        (NamedEncodes(), "dice, version 2"),
        (NamedCalled(), "dice, version 3"),
        (named, "dice, version 4"),
    ):
        assert as_embedder(like).fingerprint == fingerprint
    assert as_embedder(dice).fingerprint == ""


def test_models_of_one_kind_are_told_apart(tmp_path: Path) -> None:
    def scaled(by: int) -> Any:
        return lambda texts: np.roll(dice(texts), by, axis=1)

    with cw.Store.open(tmp_path / "kb.db", embedder=scaled(0)) as store:
        store.add([cw.Document(text=text, name=text) for text in TEXTS])
        assert store.embed(scaled(0)) == 0
        assert store.embed(scaled(1)) == len(TEXTS)
        assert len(store.models()) == 2
