"""What is taken for a language model: names, clients of libraries, LangChain's models."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, ModelError
from chunkwright.llm import (
    AnthropicChat,
    Message,
    ModelAccessError,
    OpenAIChat,
    RefusalError,
    Request,
    Runner,
    Usage,
    as_language_model,
)
from chunkwright.llm.request import Answer, plain_text
from tests.support.unreachable import unreachable

from .providers import KEY, Provider

MESSAGES = (Message("user", "Say."),)


def one_answer(llm: Any, **options: Any) -> Answer[str]:
    (answer,) = Runner(llm, **options).ask([Request(MESSAGES, plain_text, about="a test")])
    return answer


@pytest.mark.parametrize(
    ("name", "kind", "fingerprint"),
    [
        ("gpt-4.1-mini", OpenAIChat, "openai:https://api.openai.com/v1:gpt-4.1-mini"),
        ("o3", OpenAIChat, "openai:https://api.openai.com/v1:o3"),
        ("openai:ft:x", OpenAIChat, "openai:https://api.openai.com/v1:ft:x"),
        ("claude-haiku-4-5", AnthropicChat, "anthropic:https://api.anthropic.com:claude-haiku-4-5"),
        ("anthropic:x", AnthropicChat, "anthropic:https://api.anthropic.com:x"),
    ],
)
def test_names(monkeypatch: pytest.MonkeyPatch, name: str, kind: type, fingerprint: str) -> None:
    for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    variable = f"{fingerprint.partition(':')[0].upper()}_API_KEY"
    monkeypatch.setenv(variable, KEY)
    model = as_language_model(name)
    assert isinstance(model, kind)
    assert model.fingerprint == fingerprint
    monkeypatch.delenv(variable)
    with pytest.raises(ConfigError, match=f"llm='{name}' needs a key: set .* {variable}") as caught:
        cw.Contextual("sentence", llm=name)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("name", ["", "mistral", "openai:", "openai: ", "ollama:x", "x" * 999])
def test_names_that_tell_no_provider(name: str) -> None:
    with pytest.raises(ConfigError, match="is no language model whose provider is known") as caught:
        as_language_model(name)
    assert len(str(caught.value)) < 300


def test_a_server_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert as_language_model("openai:x").fingerprint == "openai:http://localhost:8000/v1:x"


def clients(provider: Provider) -> list[Any]:
    """Return a plain and an async client of the provider's library."""
    options: dict[str, Any] = {"base_url": provider.base, "api_key": KEY, "max_retries": 0}
    if isinstance(provider.model(), OpenAIChat):
        import openai

        return [openai.OpenAI(**options), openai.AsyncOpenAI(**options)]
    import anthropic

    return [anthropic.Anthropic(**options), anthropic.AsyncAnthropic(**options)]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_client(provider: Provider, is_async: bool) -> None:
    client = clients(provider)[is_async]
    kind: Any = type(provider.model())
    provider.answers = [provider.said("Half \ud800 of a pair.")]
    model = kind.from_client(client, "m", options={"seed": 1})
    answer = one_answer(model)
    assert (answer.value, answer.outcome) == ("Half \ufffd of a pair.", "answered")
    (body,) = provider.asked
    assert (body["model"], body["seed"]) == ("m", 1)
    # Replies are the same, so the cache is.
    base = str(client.base_url)
    assert model.fingerprint == kind(base, "m", options={"seed": 1}).fingerprint
    assert KEY not in repr(model)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_client_that_fails(provider: Provider, is_async: bool) -> None:
    from werkzeug import Response

    kind: Any = type(provider.model())
    model = kind.from_client(clients(provider)[is_async], "m")
    provider.answers = [Response(f"no {KEY}", status=500), Response(f"no {KEY}", status=401)]
    answer = one_answer(model)
    assert answer.outcome == "failed"
    assert "'m'" in answer.why
    assert "status 500" in answer.why
    assert KEY not in answer.why
    with pytest.raises(ModelAccessError, match="status 401") as caught:
        one_answer(model)
    assert KEY not in str(caught.value)


def test_a_client_alone_names_no_model(provider: Provider) -> None:
    name = type(provider.model()).__name__
    for client in clients(provider):
        with pytest.raises(ConfigError, match=rf"llm={name}\.from_client\(client, '.+'\)"):
            cw.Contextual("sentence", llm=client)


@pytest.mark.parametrize("client", [3, None, object, "gpt-4o"])
def test_no_client(client: Any) -> None:
    for kind in (OpenAIChat, AnthropicChat):
        with pytest.raises(ConfigError, match="is no client: it has no base_url"):
            kind.from_client(client, "m")


def test_a_connection_that_is_refused_is_told_once() -> None:
    with unreachable() as url:
        answer = one_answer(OpenAIChat(f"{url}/v1", "m", api_key="k", retries=0))
    assert answer.why.count("Connection refused") == 1
    assert answer.problem.startswith(f"a test: the model 'm' at {url}/v1 failed on a request: ")


def test_a_chat_model_of_langchain() -> None:
    models = pytest.importorskip("langchain_core.language_models")
    messages = pytest.importorskip("langchain_core.messages")
    writer = cw.Contextual("sentence", llm=models.FakeListChatModel(responses=["Of rain."]))
    assert writer("It rains.").contextual_texts() == ["[Of rain.] It rains."]
    writer = cw.Contextual("sentence", llm=models.FakeListLLM(responses=["Of rain."]))
    assert writer("It rains.").contextual_texts() == ["[Of rain.] It rains."]
    said = [
        messages.AIMessage(
            [{"type": "text", "text": "Of "}, {"type": "image"}, "rain."],
            usage_metadata={"input_tokens": 9, "output_tokens": 2, "total_tokens": 11},
        ),
        messages.AIMessage("Of snow and", response_metadata={"finish_reason": "length"}),
        messages.AIMessage("", additional_kwargs={"refusal": "No."}),
        messages.AIMessage("", response_metadata={"stop_reason": "refusal"}),
    ]
    model = as_language_model(models.GenericFakeChatModel(messages=iter(said)), name="fake")
    assert model.fingerprint == "named:fake"

    def reply() -> Any:
        return asyncio.run(model.complete(MESSAGES, max_tokens=9, temperature=0))

    first, second = reply(), reply()
    assert (first.text, first.usage) == ("Of rain.", Usage(9, 0, 2))
    assert (second.text, second.truncated) == ("Of snow and", True)
    for why in ("refused: No.", "refused"):
        with pytest.raises(RefusalError, match=f"^{why}$"):
            reply()


class OfLangChain:
    """An object with the methods of one."""

    def __init__(self, said: Any, *, status: int | None = None) -> None:
        self._said = said
        self._status = status

    async def ainvoke(self, messages: list[dict[str, str]]) -> Any:
        assert messages == [{"role": "user", "content": "Say."}]
        if self._status is not None:
            error: Any = OSError("no")
            error.status_code = self._status
            raise error
        return self._said


def test_other_objects_of_its_kind() -> None:
    assert one_answer(OfLangChain("Fine.")).value == "Fine."
    for said in (3, None, {"content": "x"}):
        answer = one_answer(OfLangChain(said))
        assert answer.outcome == "failed"
        assert "not a message or a text" in answer.why
    assert one_answer(OfLangChain("", status=500)).why == "the model failed: OSError: no"
    with pytest.raises(ModelError, match="the model failed: OSError: no"):
        one_answer(OfLangChain("", status=401))


def test_a_late_reply_says_what_each_try_may_take() -> None:
    class Late:
        fingerprint = ""
        timeout = 0.001

        async def complete(self, *_messages: Any, **_options: Any) -> Any:
            await asyncio.sleep(600)

    answer = one_answer(Late(), timeout=0.01)
    assert answer.why == "no reply in 0.01 s: each try may take 0.001 s"
