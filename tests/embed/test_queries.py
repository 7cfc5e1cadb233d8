"""Models that tell queries from passages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chunkwright.embed import Cached, OpenAICompatible, as_embedder, core_embedders
from chunkwright.retrieval import Retriever


def _rows(texts: Sequence[str], first: float) -> Any:
    return np.array([[first, float(len(text)), 1.0] for text in texts], np.float32)


class TwoPrompts:
    fingerprint = "two prompts"

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked.append(("passages", list(texts)))
        return _rows(texts, 0.0)

    def embed_queries(self, texts: Sequence[str]) -> Any:
        self.asked.append(("queries", list(texts)))
        return _rows(texts, 1.0)


class LangChains:
    def embed_documents(self, texts: list[str]) -> Any:
        return _rows(texts, 0.0)

    def embed_query(self, text: str) -> Any:
        return _rows([text], 1.0)[0].tolist()


class SentenceTransformers:
    def encode(self, texts: list[str]) -> Any:
        raise AssertionError(texts)

    def encode_document(self, texts: list[str]) -> Any:
        return _rows(texts, 0.0)

    def encode_query(self, texts: list[str]) -> Any:
        return _rows(texts, 1.0)


def test_questions_are_queries_and_chunks_are_passages() -> None:
    embedder = TwoPrompts()
    index = Retriever(embedder=embedder, words=False).index(["one text", "another one"])
    index.search(["who?", "what?"], k=1)
    index.scores("why?")
    assert embedder.asked == [
        ("passages", ["one text", "another one"]),
        ("queries", ["who?", "what?"]),
        ("queries", ["why?"]),
    ]


def test_trimmed_pieces_are_passages() -> None:
    embedder = TwoPrompts()
    index = Retriever(embedder=embedder, trim=0.4).index(["One text. " * 40, "Another one."])
    index.search("which?", k=1)
    assert [kind for kind, texts in embedder.asked if texts != ["which?"]] == ["passages"] * 2


def test_other_libraries_have_methods_for_both() -> None:
    for other in (LangChains(), SentenceTransformers(), TwoPrompts()):
        passages, queries = core_embedders(other)
        assert np.asarray(passages.embed(["abc"])).tolist() == [[0, 3, 1]]
        assert np.asarray(queries.embed(["abc", "d"])).tolist() == [[1, 3, 1], [1, 1, 1]]
        assert as_embedder(other).embed(["abc"]).tolist() == [[0, 3, 1]]


def test_one_that_tells_nothing_apart_is_asked_in_one_way() -> None:
    passages, queries = core_embedders(lambda texts: _rows(texts, 0.5))
    assert passages is queries
    lexical = core_embedders("lexical")
    assert lexical[0] is lexical[1]


def test_the_cache_keeps_queries_apart(tmp_path: Path) -> None:
    inner = TwoPrompts()
    embedder = Cached(inner, folder=tmp_path)
    for _ in range(2):
        assert embedder.embed(["same"]).tolist() == [[0, 4, 1]]
        assert embedder.embed_queries(["same"]).tolist() == [[1, 4, 1]]
    assert inner.asked == [("passages", ["same"]), ("queries", ["same"])]


def test_the_cache_keeps_no_queries_apart_that_are_alike(tmp_path: Path) -> None:
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return _rows(texts, 0.0)

    embedder = Cached(embed, name="alike", folder=tmp_path)
    assert embedder.embed(["same"]).tolist() == embedder.embed_queries(["same"]).tolist()
    assert asked == [["same"]]


def test_prompts_of_a_server_are_part_of_the_fingerprint() -> None:
    plain = OpenAICompatible("http://localhost:1/v1", "m")
    prompted = OpenAICompatible("http://localhost:1/v1", "m", query_prompt="query: ")
    assert plain.fingerprint != prompted.fingerprint
