"""Adapters and runs against llama.cpp's server: a real one, with a model that says anything."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from chunkwright.errors import ModelError
from chunkwright.llm import Message, ModelAccessError, Reply, Request, Runner
from chunkwright.llm.adapters.providers import AnthropicChat, OpenAIChat
from chunkwright.llm.adapters.served import Served
from chunkwright.llm.request import member, plain_text
from tests.support.llama_server import CONTEXT_TOKENS, KEY, NO_SERVER, is_built, llama_server

pytestmark = [pytest.mark.server, pytest.mark.skipif(not is_built(), reason=NO_SERVER)]

BOOK = Message("user", "It rained. The ferry was late again. " * 25, ends_prefix=True)
NUMBER = {"type": "integer", "minimum": 0, "maximum": 99}
SCHEMA = {
    "type": "object",
    "properties": {"starts": {"type": "array", "items": NUMBER, "minItems": 1, "maxItems": 4}},
    "required": ["starts"],
    "additionalProperties": False,
}
# Random weights say bytes that are no text; this is for where that matters.
LETTERS = {"grammar": "root ::= [a-z ]+"}


@pytest.fixture(scope="module", name="url")
def _url() -> Iterator[str]:
    with llama_server(4) as url:
        yield url


def openai(url: str, **options: Any) -> OpenAIChat:
    return OpenAIChat(f"{url}/v1", "tiny", **{"api_key": KEY, "retries": 0, **options})


def anthropic(url: str, **options: Any) -> AnthropicChat:
    return AnthropicChat(url, "tiny", **{"api_key": KEY, "retries": 0, **options})


def asked(model: Served, text: str = "Where?", **options: Any) -> Reply:
    messages = [Message("system", "You cut texts."), Message("user", text)]
    options = {"max_tokens": 30, "temperature": 0.0, **options}
    return asyncio.run(model.complete(messages, **options))


def starts(reply: Reply) -> list[int]:
    found: list[int] = member(reply, "starts")
    return found


def only(n: int) -> dict[str, Any]:
    """Return the schema of one number, which a grammar makes every model say."""
    number = {"type": "integer", "enum": [n]}
    return {"type": "object", "properties": {"n": number}, "required": ["n"]}


def number(reply: Reply) -> int:
    found: int = member(reply, "n")
    return found


@pytest.mark.parametrize("kind", [openai, anthropic])
@pytest.mark.parametrize("stream", [False, True])
def test_plain_text(url: str, kind: Any, stream: bool) -> None:
    model = kind(url, stream=stream)
    reply = asked(model)
    assert reply.text
    assert reply.parsed is None
    assert 20 < reply.usage.input_tokens < 100
    assert 0 < reply.usage.output_tokens <= 30
    # At a temperature of 0, the same again.
    assert asked(model).text == reply.text


@pytest.mark.parametrize("stream", [False, True])
def test_a_schema_is_followed(url: str, stream: bool) -> None:
    for text in ("Where?", "Once more: where?"):
        reply = asked(openai(url, stream=stream), text, schema=SCHEMA, max_tokens=200)
        assert all(0 <= start <= 99 for start in starts(reply))
        assert 1 <= len(starts(reply)) <= 4


def test_a_stream_gives_the_same(url: str) -> None:
    whole, streamed = (asked(openai(url, stream=on, options=LETTERS)) for on in (False, True))
    assert whole.text == streamed.text
    assert set(whole.text) <= set("abcdefghijklmnopqrstuvwxyz ")
    assert whole.usage.output_tokens == streamed.usage.output_tokens


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("stream", [False, True])
def test_requests_at_once(url: str, concurrency: int, stream: bool, tmp_path: Path) -> None:
    requests = [
        Request((BOOK, Message("user", f"Say {i}.")), number, only(i), 150) for i in range(24)
    ]
    runner = Runner(openai(url, stream=stream), concurrency=concurrency, cache=tmp_path)
    assert [answer.value for answer in runner.ask(requests)] == list(range(24))
    assert runner.ledger.n_calls == 24
    assert runner.ledger.outcomes == Counter(answered=24)
    assert runner.ledger.usage.input_tokens > 24 * 900
    again = Runner(openai(url, stream=stream), cache=tmp_path)
    assert [answer.value for answer in again.ask(requests)] == list(range(24))
    assert (again.ledger.n_calls, again.ledger.outcomes) == (0, Counter(cached=24))


class Watched:
    """A model that notes how many requests were under way as each began, and its tokens."""

    def __init__(self, model: Served) -> None:
        self.fingerprint = model.fingerprint
        self.n_before: list[int] = []
        self.usages: list[tuple[int, int]] = []
        self._model = model
        self._now = 0

    async def complete(self, messages: Sequence[Message], **options: Any) -> Reply:
        self.n_before.append(self._now)
        self._now += 1
        reply = await self._model.complete(messages, **options)
        self._now -= 1
        self.usages.append((reply.usage.input_tokens, reply.usage.cached_tokens))
        return reply


@pytest.mark.parametrize("kind", [openai, anthropic])
def test_the_first_request_fills_the_cache_of_the_rest(kind: Any) -> None:
    parts = [Message("user", f"Part {i}.") for i in range(8)]
    with llama_server(1) as url:
        model = Watched(kind(url))
        requests = [Request((BOOK, part), plain_text, max_tokens=5) for part in parts]
        runner = Runner(model, concurrency=4)
        answers = list(runner.ask(requests))
    assert len(answers) == 8
    # Nothing was sent beside the first, nor before its end.
    assert model.n_before[:2] == [0, 0]
    assert max(model.n_before) == 3
    (_, first), *others = model.usages[:8]
    assert first == 0
    for n_input, n_cached in others:
        assert n_input > 900
        assert n_cached > 0.9 * n_input
    assert runner.ledger.usage.cached_tokens == sum(cached for _, cached in model.usages)


@pytest.mark.parametrize("kind", [openai, anthropic])
@pytest.mark.parametrize("stream", [False, True])
def test_more_than_the_context_holds(url: str, kind: Any, stream: bool) -> None:
    texts = ["Short.", "word " * CONTEXT_TOKENS, "Short again."]
    runner = Runner(kind(url, stream=stream), concurrency=1)
    requests = [Request((Message("user", text),), len_of_text, max_tokens=5) for text in texts]
    first, long, last = runner.ask(requests)
    assert (first.outcome, last.outcome) == ("answered", "answered")
    assert long.outcome == "failed"
    assert "status 400" in long.why
    assert "exceeds the available context size" in long.why
    assert runner.ledger.outcomes == Counter(answered=2, failed=1)
    with pytest.raises(ModelError, match="context size"):
        asked(kind(url, stream=stream), texts[1])


def len_of_text(reply: Reply) -> int:
    return len(reply.text)


def test_a_reply_that_is_cut(url: str) -> None:
    runner = Runner(openai(url))
    (answer,) = runner.ask([Request((BOOK,), starts, SCHEMA, max_tokens=4)])
    assert (answer.outcome, runner.ledger.n_calls) == ("invalid", 2)
    assert "cut off" in answer.why


def test_a_schema_that_is_not_looked_at(url: str) -> None:
    # The server knows no schemas in requests of this kind: replies are nonsense, and said to be.
    runner = Runner(anthropic(url))
    answers = list(runner.ask([Request((BOOK,), starts, SCHEMA, max_tokens=20)] * 3))
    assert {answer.outcome for answer in answers} == {"invalid"}
    assert runner.ledger.outcomes == Counter(invalid=3)
    assert runner.ledger.n_calls == 6


@pytest.mark.parametrize("kind", [openai, anthropic])
def test_no_access(url: str, kind: Any) -> None:
    with pytest.raises(ModelAccessError, match="status 401"):
        asked(kind(url, api_key="another"))
    with pytest.raises(ModelAccessError, match="status 404"):
        asked(kind(f"{url}/nowhere"))
