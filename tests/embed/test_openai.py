"""Models behind OpenAI's interface, on a server of the test's own."""

from __future__ import annotations

import base64
import itertools
import json
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from werkzeug import Request, Response

from chunkwright.embed import OpenAICompatible, core_embedder
from chunkwright.errors import ConfigError, MissingExtraError, ModelError
from tests.support.given_up import wait_for_threads
from tests.support.unreachable import unreachable

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

KEY = "sk-0123456789abcdef"
_NUMBERS = itertools.count()
TEXTS = [f"text {i:03}" + "!" * (i % 7) for i in range(25)]


@pytest.fixture(scope="module", autouse=True)
def _nothing_goes_on_behind_these_tests() -> Iterator[None]:
    yield
    wait_for_threads("chunkwright-worker")


def row(text: str) -> list[float]:
    return [float(len(text)), float(ord(text[-1])), 0.5]


class Server:
    """Answers as OpenAI does, and notes what it is asked."""

    def __init__(self, server: HTTPServer) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: set[str | None] = set()
        self.answers: list[Response] = []
        self.change: Callable[[dict[str, Any]], Any] = lambda answer: answer
        self.encodes = True
        self._lock = threading.Lock()
        # The server is that of all tests, and what an earlier one gave up may still be asked.
        own = f"/{next(_NUMBERS)}/v1"
        self.url = server.url_for(own)
        asked = server.expect_request(f"{own}/embeddings", method="POST")
        asked.respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        with self._lock:
            asked = request.get_json()
            self.asked.append(asked)
            self.keys.add(request.headers.get("Authorization"))
            if self.answers:
                return self.answers.pop()
        as_base64 = self.encodes and asked.get("encoding_format") == "base64"
        rows = [
            {"object": "embedding", "index": i, "embedding": _encoded(row(text), as_base64)}
            for i, text in enumerate(asked["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        answer = {"object": "list", "data": rows, "model": asked["model"], "usage": usage}
        return Response(json.dumps(self.change(answer)), content_type="application/json")


def _encoded(numbers: list[float], as_base64: bool) -> Any:
    if not as_base64:
        return numbers
    return base64.b64encode(np.array(numbers, dtype="<f4").tobytes()).decode()


def _refusal(status: int, message: str = "no", *, after_ms: int = 1) -> Response:
    content = json.dumps({"error": {"message": message, "type": "server_error"}})
    headers = {"retry-after-ms": str(after_ms)}
    return Response(content, status, headers, content_type="application/json")


@pytest.fixture
def server(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    yield Server(httpserver)
    httpserver.clear()


def _expected(texts: list[str]) -> list[list[float]]:
    return [row(text) for text in texts]


@pytest.mark.parametrize("encodes", [True, False])
def test_vectors(server: Server, encodes: bool) -> None:
    server.encodes = encodes
    found = OpenAICompatible(server.url, "small").embed(TEXTS)
    assert found.dtype == np.float32
    assert found.tolist() == _expected(TEXTS)
    assert [asked["model"] for asked in server.asked] == ["small"]


def test_batches_and_duplicates(server: Server) -> None:
    told: list[tuple[int, int]] = []
    embedder = OpenAICompatible(
        server.url, "small", batch_size=4, progress=lambda *numbers: told.append(numbers)
    )
    found = embedder.embed([*TEXTS, *TEXTS[:3]])
    assert found.tolist() == _expected([*TEXTS, *TEXTS[:3]])
    asked = [asked["input"] for asked in server.asked]
    assert sorted(text for texts in asked for text in texts) == TEXTS
    assert max(map(len, asked)) == 4
    assert len(asked) == 7
    assert told == [(0, 25), *((n, 25) for n in (4, 8, 12, 16, 20, 24, 25))]


def test_a_request_is_not_too_large(server: Server) -> None:
    texts = ["a" * 100_000, "é" * 60_000, "b" * 100_000, "c" * 400_000, "d"]
    assert OpenAICompatible(server.url, "small", workers=1).embed(texts).tolist() == _expected(
        texts
    )
    assert [len(asked["input"]) for asked in server.asked] == [2, 1, 1, 1]


def test_surrogates_become_replacement_characters(server: Server) -> None:
    found = OpenAICompatible(server.url, "small").embed(["a \ud83d\ude80", "\ud800", "a 🚀"])
    assert found.tolist() == _expected(["a 🚀", "\ufffd", "a 🚀"])
    assert server.asked[0]["input"] == ["a 🚀", "\ufffd"]


def test_dimensions_are_asked_for(server: Server) -> None:
    OpenAICompatible(server.url, "small").embed(["a"])
    OpenAICompatible(server.url, "small", dimensions=3).embed(["a"])
    assert [asked.get("dimensions") for asked in server.asked] == [None, 3]


def test_no_text_asks_nobody(server: Server) -> None:
    assert OpenAICompatible(server.url, "small").embed([]).shape == (0, 1)
    assert not server.asked


def test_order_is_that_of_the_indices(server: Server) -> None:
    server.change = lambda answer: {**answer, "data": answer["data"][::-1]}
    assert OpenAICompatible(server.url, "small").embed(TEXTS).tolist() == _expected(TEXTS)


def test_a_server_that_gives_no_indices(server: Server) -> None:
    def without(answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "data": [{"embedding": item["embedding"]} for item in answer["data"]]}

    server.encodes = False
    server.change = without
    assert OpenAICompatible(server.url, "small").embed(TEXTS).tolist() == _expected(TEXTS)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_fails_is_repeated(server: Server, status: int) -> None:
    server.answers = [_refusal(status), _refusal(status)]
    assert OpenAICompatible(server.url, "small").embed(TEXTS).tolist() == _expected(TEXTS)
    assert len(server.asked) == 3


def test_what_fails_for_ever_is_an_error(server: Server) -> None:
    server.answers = [_refusal(500, "out of order") for _ in range(9)]
    with pytest.raises(ModelError, match=r"status 500: .*out of order") as caught:
        OpenAICompatible(server.url, "small", retries=2).embed(["a", "b"])
    assert len(server.asked) == 3
    for part in ("'small'", server.url, "failed on 2 texts"):
        assert part in str(caught.value)
    assert caught.value.__cause__ is not None


def test_a_refusal_is_not_repeated(server: Server) -> None:
    server.answers = [_refusal(404, "no such model")]
    with pytest.raises(ModelError, match=r"status 404: .*no such model"):
        OpenAICompatible(server.url, "small").embed(["a"])
    assert len(server.asked) == 1


def test_one_failure_of_many_is_an_error(server: Server) -> None:
    server.answers = [_refusal(400)]
    # Requests under way when the error comes go on after the test; retries would take seconds.
    with pytest.raises(ModelError, match="status 400"):
        OpenAICompatible(server.url, "small", batch_size=1, retries=0).embed(TEXTS)


def test_nobody_answers() -> None:
    with unreachable() as url:
        embedder = OpenAICompatible(f"{url}/v1", "small", retries=0)
        with pytest.raises(ModelError, match=rf"'small' at {url}/v1 failed on 1 text"):
            embedder.embed(["a"])


def _with_first(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    def change(answer: dict[str, Any]) -> Any:
        first, *rest = answer["data"]
        return {**answer, "data": [{**first, **changes}, *rest]}

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda answer: {**answer, "data": answer["data"][1:]}, "gave 1 vectors"),
        (lambda answer: {**answer, "data": answer["data"] * 2}, "gave 4 vectors"),
        (lambda answer: {**answer, "data": []}, "failed on 2 texts"),
        (lambda answer: {**answer, "data": None}, "failed on 2 texts"),
        (lambda _answer: [], "failed on 2 texts"),
        (lambda _answer: "text", "failed on 2 texts"),
        (lambda _answer: {}, "failed on 2 texts"),
        (_with_first(index=1), r"numbered the vectors \[1, 1\]"),
        (_with_first(index=2), r"numbered the vectors \[2, 1\]"),
        (_with_first(index=-1), r"numbered the vectors \[-1, 1\]"),
        (_with_first(index="0"), r"numbered the vectors \['0', 1\]"),
        (_with_first(index=[0]), "failed on 2 texts"),
        (_with_first(index=None), r"numbered the vectors \[None, 1\]"),
        (_with_first(embedding=[None, 1.0, 1.0]), "no numbers"),
        (_with_first(embedding=None), "failed on 2 texts"),
        (_with_first(embedding=[]), "failed on 2 texts"),
        (_with_first(embedding="no base64!"), "failed on 2 texts"),
        (_with_first(embedding=[1.0]), "row 1 has 3 values, row 0 has 1"),
        (_with_first(embedding=[1.0, float("nan"), 1.0]), "gave nan as value 1"),
        (_with_first(embedding=[1.0, 1.0, 1e300]), "gave inf as value 2"),
    ],
)
def test_odd_answers(server: Server, change: Callable[[dict[str, Any]], Any], message: str) -> None:
    server.encodes = False
    server.change = change
    with pytest.raises(ModelError, match=message) as caught:
        OpenAICompatible(server.url, "small").embed(["a", "b"])
    assert f"the model 'small' at {server.url}" in str(caught.value)


def test_an_answer_that_is_no_json(server: Server) -> None:
    # Three, as the SDK asks anew where a busy machine breaks a connection.
    server.answers = [Response("<html>", content_type="text/html") for _ in range(3)]
    with pytest.raises(ModelError, match="failed on 1 text"):
        OpenAICompatible(server.url, "small").embed(["a"])


def test_vectors_of_different_lengths(server: Server) -> None:
    server.encodes = False

    def cut(answer: dict[str, Any]) -> Any:
        (item,) = answer["data"]
        n_chars = int(item["embedding"][0])
        return {**answer, "data": [{**item, "embedding": [1.0] * n_chars}]}

    server.change = cut
    with pytest.raises(ModelError, match="different lengths"):
        OpenAICompatible(server.url, "small", batch_size=1, workers=1).embed(["a", "bb"])


def test_where_the_key_is_from(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    OpenAICompatible(server.url, "small").embed(["a"])
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    OpenAICompatible(server.url, "small").embed(["a"])
    OpenAICompatible(server.url, "small", api_key=KEY).embed(["a"])
    assert server.keys == {"Bearer none", "Bearer of-the-environment", f"Bearer {KEY}"}


@pytest.mark.parametrize("is_of_environment", [True, False])
def test_the_key_is_never_shown(
    server: Server, is_of_environment: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_of_environment:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
    embedder = OpenAICompatible(server.url, "m", api_key=None if is_of_environment else KEY)
    assert KEY not in repr(embedder)
    assert KEY not in embedder.fingerprint
    server.answers = [_refusal(401, f"Incorrect API key provided: {KEY}")]
    with pytest.raises(ModelError, match=r"status 401: .*provided: \*\*\*") as caught:
        embedder.embed(["a"])
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def test_pickled_and_equal(server: Server) -> None:
    embedder = OpenAICompatible(server.url, "small", api_key=KEY, dimensions=3)
    embedder.embed(["a"])
    again = pickle.loads(pickle.dumps(embedder))
    assert again == embedder
    assert hash(again) == hash(embedder)
    assert again.embed(TEXTS).tolist() == _expected(TEXTS)
    assert again.fingerprint != OpenAICompatible(server.url, "small").fingerprint


def test_the_core_asks_it(server: Server) -> None:
    core = core_embedder(OpenAICompatible(server.url, "small"))
    assert np.asarray(core.embed(TEXTS)).tolist() == _expected(TEXTS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": "localhost:11434"}, "base_url must be one of http or https"),
        ({"base_url": "http://"}, "base_url must be one of http or https"),
        ({"base_url": "http://[::1"}, "base_url must be one of http or https"),
        ({"base_url": 3}, "base_url must be a str that is not empty, got 3"),
        ({"model": ""}, "model must be a str that is not empty, got ''"),
        ({"model": None}, "model must be a str"),
        ({"batch_size": 0}, "batch_size must be at least 1, got 0"),
        ({"workers": True}, "workers must be an int, got True"),
        ({"retries": -1}, "retries must be at least 0, got -1"),
        ({"dimensions": 1.5}, "dimensions must be an int, got 1.5"),
        ({"progress": 3}, "progress must be callable, got 3"),
        ({"timeout": 0}, "timeout must be a positive number, got 0"),
        ({"timeout": float("nan")}, "timeout must be a positive number, got nan"),
        ({"api_key": ""}, "api_key must be a str that is not empty, got str"),
        ({"api_key": b"secret"}, "api_key must be a str that is not empty, got bytes"),
        ({"api_key": "sk-0\n"}, "api_key must be of ASCII signs without blanks"),
    ],
)
def test_odd_options(options: dict[str, Any], message: str) -> None:
    given = {"base_url": "http://localhost/v1", "model": "small", **options}
    with pytest.raises(ConfigError, match=message):
        OpenAICompatible(**given)


@pytest.mark.parametrize("secret", ["http://me:pw123@localhost/v1", "http://localhost/?key=pw123"])
def test_a_url_holds_no_secret(secret: str) -> None:
    with pytest.raises(ConfigError, match="say api_key=") as caught:
        OpenAICompatible(secret, "small")
    assert "pw123" not in str(caught.value)


def test_a_library_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"chunkwright\[openai\]"):
        core_embedder(OpenAICompatible("http://localhost/v1", "small")).embed(["a"])
