"""Rerankers: callables, cross-encoders, servers and caches, and the second pass of a search."""

from __future__ import annotations

import json
import pickle
import re
import struct
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.processors import BertProcessing, RobertaProcessing, TemplateProcessing
from werkzeug import Request, Response

import chunkwright as cw
from chunkwright.embed.onnx.pairs import PairForm
from chunkwright.errors import ConfigError, ModelError
from chunkwright.retrieval import Hits, Retriever
from chunkwright.retrieval.rerank import (
    CachedReranker,
    CrossEncoder,
    RerankEndpoint,
    Reranker,
    as_reranker,
)
from chunkwright.retrieval.rerank import endpoint as endpoints
from tests.support.forged_cache import forge
from tests.support.made_tokenizers import made
from tests.support.memory import forget, peak
from tests.support.mostly_slow import mostly_slow
from tests.support.unreachable import unreachable

from .made_cross_encoder import score, write_cross_encoder

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

KEY = "key-0123456789"
TEXTS = ["rain falls", "rain", "snow", "rain and rain and wind", "wind", "a rain of frogs"]


def by_length(_question: str, texts: list[str]) -> list[float]:
    return [float(len(text)) for text in texts]


def plainly(**options: Any) -> Retriever:
    return Retriever(neighbour_smoothing=False, **options)


def found(question: str, k: int, **options: Any) -> list[str]:
    return [TEXTS[hit.index] for hit in plainly(**options).index(TEXTS).search(question, k)[0]]


def test_the_best_come_first() -> None:
    best = ["rain and rain and wind", "a rain of frogs"]
    assert found("rain", 2, reranker=by_length) == best
    hits = plainly(reranker=by_length).index(TEXTS).search(["rain", "unknown"], 9)
    assert [hit.score for hit in hits[0]] == [22.0, 15.0, 10.0, 4.0]
    assert hits[1] == []


def test_hits_say_what_they_were_before() -> None:
    questions = ["rain", "unknown", "frogs or rain"]
    plain = plainly().index(TEXTS).search(questions, 9)
    assert (plain.scores_before, plain.ranks_before) == (None, None)
    assert (plain[0][0].score_before, plain[0][0].rank_before) == (None, None)
    reranked = plainly(reranker=by_length, candidates=3).index(TEXTS).search(questions, 2)
    assert [len(hits) for hits in reranked] == [2, 0, 2]
    for first, hits in zip(plain, reranked, strict=True):
        for hit in hits:
            assert hit.rank_before is not None
            before = first[hit.rank_before]
            assert (before.index, before.score) == (hit.index, hit.score_before)
            assert hit.score == len(TEXTS[hit.index])
    assert pickle.loads(pickle.dumps(reranked)) == reranked != plain
    assert Hits.joined([reranked, reranked])[3] == reranked[0]
    with pytest.raises(ConfigError, match="scores_before cannot be joined"):
        Hits.joined([reranked, plain])


def test_candidates() -> None:
    plain = found("rain", 4)
    for n in range(1, 5):
        best = found("rain", 1, reranker=by_length, candidates=n)
        assert best == [max(plain[:n], key=len)]
    # More are asked for than are candidates: all are scored.
    assert found("rain", 4, reranker=by_length, candidates=1) == sorted(
        plain, key=len, reverse=True
    )


def test_equal_scores_stay_in_order() -> None:
    plain = found("rain", 4)
    assert found("rain", 4, reranker=lambda _, texts: [0] * len(texts)) == plain


def test_hits_are_trimmed_after() -> None:
    text = "It rains. The sun is far away today. Cats sleep on the roof of the old house."
    chunks = cw.chunk(text, "sentence", max_chars=1000)
    (hit,) = Retriever(reranker=by_length, trim=1.0).index(chunks).search("rains", 1)[0]
    assert hit.score == len(text)
    assert hit.rank_before == 0


def test_names() -> None:
    assert Retriever().name == "words, smoothed"
    assert Retriever(reranker=by_length).name == "words, smoothed, 50 reranked"


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0], r"shape \(1,\) for 4 texts"),
        (["a", "b", "c", "d"], "no numbers"),
        (None, r"shape \(\) for 4 texts"),
        ([1, 2, float("nan"), 3], "the score nan to text 2"),
    ],
)
def test_odd_scores(scores: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        found("rain", 4, reranker=lambda _q, _t: scores)


@pytest.mark.parametrize("like", [3, Reranker, CrossEncoder])
def test_no_reranker(like: Any) -> None:
    with pytest.raises(ConfigError, match="reranker"):
        as_reranker(like)


def test_odd_options() -> None:
    with pytest.raises(ConfigError, match="candidates"):
        Retriever(candidates=0)


@pytest.mark.parametrize("n_outputs", [1, 2])
@pytest.mark.parametrize("batch_tokens", [1, 20, 4096])
def test_a_cross_encoder(tmp_path: Path, n_outputs: int, batch_tokens: int) -> None:
    folder = write_cross_encoder(tmp_path / "model", n_outputs=n_outputs)
    model = CrossEncoder(folder, batch_tokens=batch_tokens)
    expected = [score("rain", text) for text in TEXTS]
    assert model.scores("rain", TEXTS).tolist() == expected
    assert len(model.scores("rain", [])) == 0
    again = pickle.loads(pickle.dumps(model))
    assert again.fingerprint == model.fingerprint
    assert again.scores("rain", TEXTS).tolist() == expected
    (best,) = found("rain", 1, reranker=folder)
    assert score("rain", best) == max(score("rain", text) for text in TEXTS if "rain" in text)


def test_a_cross_encoder_reads_so_many_tokens(tmp_path: Path) -> None:
    model = CrossEncoder(write_cross_encoder(tmp_path / "model", max_tokens=8))
    long = "rain " * 1000
    assert model.scores("rain", [long]) < score("rain", long)
    assert np.isfinite(model.scores(long, [long, "rain"])).all()
    assert model.fingerprint != CrossEncoder(tmp_path / "model", max_tokens=5).fingerprint


POST_PROCESSORS = {
    "none": None,
    "bert": BertProcessing(("[SEP]", 3), ("[CLS]", 2)),
    "roberta": RobertaProcessing(("[SEP]", 3), ("[CLS]", 2)),
    "two separators": TemplateProcessing(
        single="$A", pair="$A:0 [SEP]:0 [SEP]:1 $B:1 [SEP]:1", special_tokens=[("[SEP]", 3)]
    ),
    "the other way round": TemplateProcessing(
        single="$A", pair="[CLS]:1 $B:1 [SEP]:0 $A:0", special_tokens=[("[SEP]", 3), ("[CLS]", 2)]
    ),
}


@pytest.mark.parametrize(
    ("name", "max_tokens"),
    mostly_slow(product(POST_PROCESSORS, [None, 4, 5, 8, 9, 20]), quick=11),
)
def test_pairs_are_those_of_tokenizers(name: str, max_tokens: int | None) -> None:
    tokenizer = Tokenizer.from_str(made("bert").to_str())
    if POST_PROCESSORS[name] is not None:
        tokenizer.post_processor = POST_PROCESSORS[name]
    form = PairForm.read(tokenizer.encode("rain", "rain"), max_tokens)
    whole = Tokenizer.from_str(tokenizer.to_str())
    if max_tokens is not None:
        whole.enable_truncation(max_tokens)
    texts = [" ".join(["rain falls"] * n)[: 5 * n] for n in (0, 1, 2, 3, 4, 5, 9, 40)]
    for first, second in product(texts, texts):
        sides = [tokenizer.encode(each, add_special_tokens=False).ids for each in (first, second)]
        pair = form.of(*((ids[:max_tokens], len(ids)) for ids in sides))
        expected = whole.encode(first, second)
        assert pair == (expected.ids, expected.type_ids), (first, second)


def test_a_long_pair_takes_little_memory(tmp_path: Path) -> None:
    model = CrossEncoder(write_cross_encoder(tmp_path / "model", max_tokens=64))
    long = "rain falls " * 10_000
    forget()
    before = peak()
    assert np.isfinite(model.scores(long, [long] * 4)).all()
    # Megabytes; all that is cut off of both, in each combination, was gigabytes.
    assert peak() - before < 300


class Predicts:
    """A model of sentence-transformers' kind, which is a callable of something else, too."""

    def __init__(self, scores: Any = None) -> None:
        self._scores = scores

    def __call__(self, _features: Any) -> Any:
        raise AssertionError

    def predict(self, pairs: list[tuple[str, str]]) -> Any:
        if self._scores is not None:
            return self._scores
        assert all(isinstance(each, tuple) for each in pairs)
        return np.array([len(text) - len(question) for question, text in pairs], np.float32)


def test_a_model_of_sentence_transformers() -> None:
    model = as_reranker(Predicts())
    assert model.scores("rain", TEXTS).tolist() == [len(text) - 4 for text in TEXTS]
    assert model.scores("rain", []).tolist() == []
    assert found("rain", 2, reranker=Predicts()) == found("rain", 2, reranker=by_length)
    with pytest.raises(ModelError, match=r"shape \(6, 2\) for 6 texts"):
        as_reranker(Predicts(np.zeros((6, 2)))).scores("rain", TEXTS)


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000, "/"])
def test_a_name_that_is_no_model(name: str) -> None:
    with pytest.raises(ModelError) as caught:
        as_reranker(name)
    assert len(str(caught.value)) < 300


def test_a_graph_of_something_else(tmp_path: Path) -> None:
    model = CrossEncoder(write_cross_encoder(tmp_path / "model", n_outputs=3))
    with pytest.raises(ModelError, match=r"gave an array of shape \(6, 3\).*one or two numbers"):
        model.scores("rain", TEXTS)
    with pytest.raises(ModelError, match="no folder of a model"):
        CrossEncoder(tmp_path / "none")


def test_scores_are_kept(tmp_path: Path) -> None:
    asked: list[str] = []

    def model(_question: str, texts: list[str]) -> list[float]:
        asked.extend(texts)
        return by_length(_question, texts)

    cached = CachedReranker(model, folder=tmp_path, name="length")
    for question in ("rain", "rain", "wind"):
        assert cached.scores(question, [*TEXTS, TEXTS[0]]).tolist()[:2] == [10.0, 4.0]
    assert asked == TEXTS * 2
    with pytest.raises(ConfigError, match="name is needed"):
        CachedReranker(model, folder=tmp_path)


@pytest.mark.parametrize("kept", ["nan", "inf", "-inf", "short"])
def test_what_is_kept_and_is_no_score_is_asked_again(tmp_path: Path, kept: str) -> None:
    cached = CachedReranker(by_length, folder=tmp_path, name="length")
    expected = cached.scores("rain", TEXTS).tolist()
    (file,) = tmp_path.glob("*.sqlite")
    value = b"12" if kept == "short" else struct.pack("<d", float(kept))
    forge(file, [value] * len(TEXTS))
    for model in (by_length, refuse):
        cached = CachedReranker(model, folder=tmp_path, name="length")
        assert cached.scores("rain", TEXTS).tolist() == expected


def refuse(_question: str, texts: list[str]) -> list[float]:
    raise AssertionError(texts)


class RerankServer:
    """Answers as servers of rerankers do, the best first."""

    def __init__(self, server: HTTPServer) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: set[str | None] = set()
        self.answers: list[Response] = []
        self.url = server.url_for("/rerank")
        server.expect_request("/rerank", method="POST").respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        self.asked.append(request.get_json())
        self.keys.add(request.headers.get("Authorization"))
        if self.answers:
            return self.answers.pop(0)
        body = self.asked[-1]
        name = "score" if "texts" in body else "relevance_score"
        texts = body["texts"] if "texts" in body else body["documents"]
        results = [{"index": i, name: float(len(text))} for i, text in enumerate(texts)]
        results.sort(key=lambda each: -each[name])
        answer = results if "texts" in body else {"results": results}
        return Response(json.dumps(answer), content_type="application/json")


@pytest.fixture
def server(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> RerankServer:
    monkeypatch.setattr(endpoints, "_WAIT", 0.001)
    return RerankServer(httpserver)


@pytest.mark.parametrize("form", ["documents", "texts"])
def test_a_server(server: RerankServer, form: Any) -> None:
    model = RerankEndpoint(server.url, model="m", api_key=KEY, form=form, batch_size=4)
    assert model.scores("rain", TEXTS).tolist() == [len(text) for text in TEXTS]
    assert [len(body[form]) for body in server.asked] == [4, 2]
    assert {(body["query"], body["model"]) for body in server.asked} == {("rain", "m")}
    assert server.keys == {f"Bearer {KEY}"}
    assert KEY not in repr(model) + model.fingerprint
    assert pickle.loads(pickle.dumps(model)) == model
    index = plainly(reranker=model).index(TEXTS)
    firsts = [TEXTS[hits[0].index] for hits in index.search(["rain", "wind"] * 9, 1)]
    assert firsts == ["rain and rain and wind"] * 18


def test_half_of_a_surrogate_pair_is_repaired(server: RerankServer) -> None:
    scores = RerankEndpoint(server.url, retries=0).scores("\ud800", ["one \udc00", "two"])
    assert scores.tolist() == [5.0, 3.0]


def test_a_busy_server_is_asked_again(server: RerankServer) -> None:
    server.answers = [Response("", status=429), Response("", status=503)]
    assert RerankEndpoint(server.url).scores("rain", ["one"]).tolist() == [3.0]
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Response(f"no {KEY}", status=401), r"status 401: no \*\*\*"),
        (Response("[]"), "results for the texts"),
        (Response('{"results": [{"index": 7}]}'), "results for the texts"),
        (Response('{"results": [{"index": 0}]}'), "no numbers|score nan"),
        (Response('{"results": 1}'), "no list of results"),
        (Response("<html>"), "failed on 1 text"),
        (Response("", status=307, headers={"Location": "http://example.invalid/"}), "redirects"),
    ],
)
def test_odd_answers(server: RerankServer, answer: Response, message: str) -> None:
    server.answers = [answer]
    with pytest.raises(ModelError, match=message) as caught:
        RerankEndpoint(server.url, api_key=KEY).scores("rain", ["one"])
    assert KEY not in str(caught.value)


def test_no_server() -> None:
    with unreachable() as url:
        endpoint = RerankEndpoint(f"{url}/rerank", retries=0)
        with pytest.raises(ModelError, match=re.escape(f"{url}/rerank")):
            endpoint.scores("rain", ["one"])


@pytest.mark.parametrize("as_object", [False, True])
def test_a_reranker_that_fails(as_object: bool) -> None:
    def broken(*_: Any) -> Any:
        raise ConnectionError("gone")

    reranker = type("Broken", (), {"predict": broken})() if as_object else broken
    index = plainly(reranker=reranker).index(["a b", "a c"])
    with pytest.raises(ModelError, match=r"the reranker failed on 2 texts: ConnectionError"):
        index.search("a", 1)
