"""Adapters to servers: what they send, what they understand, and what goes wrong."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug import Response

from chunkwright.errors import ConfigError, MissingExtraError, ModelError
from chunkwright.llm import Message, ModelAccessError, Reply, Usage
from chunkwright.llm.adapters.providers import AnthropicChat, OpenAIChat
from chunkwright.llm.adapters.served import Served

from .providers import KEY, Provider, anthropic_answer

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

SCHEMA = {"type": "object", "properties": {"starts": {"type": "array"}}}
MESSAGES = [
    Message("system", "You cut."),
    Message("user", "A book.", ends_prefix=True),
    Message("user", "A part."),
]


def asked(model: Served, **options: Any) -> Reply:
    options = {"max_tokens": 50, "temperature": 0.3, **options}
    return asyncio.run(model.complete(MESSAGES, **options))


@pytest.mark.parametrize("stream", [False, True])
def test_replies(provider: Provider, stream: bool) -> None:
    reply = asked(provider.model(stream=stream), schema=SCHEMA)
    assert reply == Reply('{"starts": [3]}', {"starts": [3]}, Usage(30, 20, 5))
    assert asked(provider.model(stream=stream)).parsed is None


def test_what_anthropic_puts_into_its_cache_is_counted(httpserver: HTTPServer) -> None:
    answer = anthropic_answer("Yes.")
    answer["usage"] |= {"input_tokens": 6, "cache_creation_input_tokens": 4}
    httpserver.expect_request("/v1/messages").respond_with_json(answer)
    model = AnthropicChat(httpserver.url_for("/"), "m", api_key=KEY)
    assert asked(model).usage == Usage(30, 20, 5, written_tokens=4)


def test_what_is_sent(provider: Provider) -> None:
    asked(provider.model(options={"seed": 1}), schema=SCHEMA)
    asked(provider.model())
    with_schema, plain = provider.asked
    for body in provider.asked:
        assert (body["model"], body["max_tokens"], body["temperature"]) == ("m", 50, 0.3)
    assert with_schema.pop("seed") == 1
    if isinstance(provider.model(), OpenAIChat):
        form = {"name": "reply", "schema": SCHEMA, "strict": True}
        assert with_schema.pop("response_format") == {"type": "json_schema", "json_schema": form}
        # Some models' templates want users and assistants to take turns.
        assert plain["messages"] == [
            {"role": "system", "content": "You cut."},
            {"role": "user", "content": "A book.\n\nA part."},
        ]
    else:
        form = {"format": {"type": "json_schema", "schema": SCHEMA}}
        assert with_schema.pop("output_config") == form
        assert plain["system"] == [{"type": "text", "text": "You cut."}]
        kept = {"cache_control": {"type": "ephemeral"}}
        assert [message["content"] for message in plain["messages"]] == [
            [{"type": "text", "text": "A book.", **kept}],
            [{"type": "text", "text": "A part."}],
        ]
    assert with_schema == plain


def test_a_busy_server_is_asked_again(provider: Provider) -> None:
    provider.answers = [Response("{}", status=429, headers={"retry-after-ms": "1"})]
    assert asked(provider.model()).text == provider.text
    assert len(provider.asked) == 2


@pytest.mark.parametrize("status", [400, 500])
def test_a_server_that_refuses(provider: Provider, status: int) -> None:
    body = json.dumps({"error": {"message": f"no: {KEY}"}})
    provider.answers = [Response(body, status=status, content_type="application/json")]
    with pytest.raises(
        ModelError, match=rf"the model 'm' at .* status {status}: .*\*\*\*"
    ) as caught:
        asked(provider.model(retries=0))
    assert not isinstance(caught.value, ModelAccessError)
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_no_access(provider: Provider, status: int) -> None:
    provider.answers = [Response("{}", status=status)]
    with pytest.raises(ModelAccessError, match=f"status {status}"):
        asked(provider.model())
    assert len(provider.asked) == 1


def test_a_redirect_takes_nothing_elsewhere(provider: Provider) -> None:
    elsewhere = {"Location": "http://example.invalid/v1"}
    provider.answers = [Response("", status=307, headers=elsewhere) for _ in range(9)]
    with pytest.raises(ModelError, match="redirects to another server"):
        asked(provider.model())
    assert len(provider.asked) == 1


@pytest.mark.parametrize("body", ["", "nonsense", "[]", "{}", '{"choices": [], "content": []}'])
@pytest.mark.parametrize("stream", [False, True])
def test_odd_answers(provider: Provider, body: str, stream: bool) -> None:
    kind = "text/event-stream" if stream else "application/json"
    provider.answers = [Response(body, content_type=kind) for _ in range(2)]
    answer = said(provider.model(retries=0, stream=stream))
    assert answer == "" or "the model 'm' at" in answer


def said(model: Served) -> str:
    try:
        return asked(model).text
    except ModelError as error:
        return str(error)


def test_the_key(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    model = provider.model(api_key=None)
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-the-environment")
    asked(model)
    asked(provider.model())
    values = [" ".join(headers.values()) for headers in provider.headers]
    assert "of-the-environment" in values[0]
    assert KEY in values[1]
    assert KEY not in repr(provider.model())
    assert KEY not in provider.model().fingerprint


def test_pickled_and_equal(provider: Provider) -> None:
    model = provider.model(options={"seed": 1}, stream=True)
    asked(model)
    again = pickle.loads(pickle.dumps(model))
    assert (again, hash(again)) == (model, hash(model))
    assert again.fingerprint == model.fingerprint != provider.model().fingerprint
    assert asked(again).text == provider.text


@pytest.mark.parametrize("kind", [OpenAIChat, AnthropicChat])
@pytest.mark.parametrize(
    "options",
    [
        {"base_url": "localhost"},
        {"base_url": "http://user:word@localhost"},
        {"model": ""},
        {"api_key": ""},
        {"retries": -1},
        {"timeout": -1},
        {"stream": 1},
        {"options": {"x": object()}},
    ],
)
def test_odd_options(kind: Callable[..., Served], options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        kind(**{"base_url": "http://localhost", "model": "m", **options})


@pytest.mark.parametrize("library", ["openai", "anthropic"])
def test_a_missing_library(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = OpenAIChat if library == "openai" else AnthropicChat
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(MissingExtraError, match=rf"chunkwright\[{library}\]"):
        asked(kind("http://localhost", "m"))
