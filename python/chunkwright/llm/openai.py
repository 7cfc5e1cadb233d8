"""Language models behind an HTTP interface of OpenAI's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chunkwright.errors import MissingExtraError
from chunkwright.llm.protocol import NOTHING, Message, Reply, Schema, Usage
from chunkwright.llm.served import Served, n_tokens

if TYPE_CHECKING:
    import openai

# OpenAI's own server has another name for the limit, which others do not know.
_OPENAI = "api.openai.com"


@dataclass(frozen=True)
class OpenAIChat(Served):
    """A model behind ``/chat/completions``: OpenAI's, vLLM's, Ollama's, llama.cpp's or a proxy's.

    Needs the extra ``openai``. The key is that of the environment's ``OPENAI_API_KEY`` unless one
    is given. A redirect to another server is an error. See `Served` for the options.

    Examples
    --------
    >>> from chunkwright.llm.openai import OpenAIChat
    >>> OpenAIChat("http://localhost:11434/v1", "qwen3").fingerprint
    'openai:http://localhost:11434/v1:qwen3'
    """

    _KEY = "OPENAI_API_KEY"
    _PROVIDER = "openai"

    def _ask(
        self,
        client: Any,
        messages: Sequence[Message],
        schema: Schema | None,
        limits: dict[str, Any],
    ) -> Reply:
        if urlsplit(self.base_url).hostname == _OPENAI:
            limits = {**limits, "max_completion_tokens": limits["max_tokens"]}
            del limits["max_tokens"]
        answer = client.chat.completions.create(
            model=self.model,
            messages=_alternating(messages),
            extra_body=dict(self.options),
            **limits,
            **_form(schema),
            **(_STREAMED if self.stream else {}),
        )
        parts = list(answer) if self.stream else [answer]
        said = [each for part in parts for each in (part.choices or [])[:1]]
        if not said:
            raise ValueError("it has no choices")
        ends = [each.finish_reason for each in said if each.finish_reason]
        if self.stream and not ends:
            raise ValueError("it ends in the middle")
        texts = ((each.delta if self.stream else each.message).content for each in said)
        usages = [_usage(part.usage) for part in parts if part.usage is not None]
        return Reply(
            "".join(text or "" for text in texts),
            usage=usages[-1] if usages else NOTHING,
            truncated="length" in ends,
        )

    def _connect(self) -> openai.OpenAI:
        try:
            import openai

            options = self._client_options(openai.OpenAIError)
        except ImportError as error:
            raise MissingExtraError("a model behind OpenAI's interface", "openai") from error
        return openai.OpenAI(**options)


_STREAMED: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


def _alternating(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return messages, with neighbours of one role as one: the templates of some models want it."""
    joined: list[dict[str, str]] = []
    for message in messages:
        if joined and joined[-1]["role"] == message.role:
            joined[-1]["content"] += f"\n\n{message.content}"
        else:
            joined.append(message.to_dict())
    return joined


def _form(schema: Schema | None) -> dict[str, Any]:
    if schema is None:
        return {}
    form = {"name": "reply", "schema": dict(schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _usage(usage: Any) -> Usage:
    details = getattr(usage, "prompt_tokens_details", None)
    n_input, n_cached = n_tokens(usage, "prompt_tokens"), n_tokens(details, "cached_tokens")
    return Usage(n_input, min(n_cached, n_input), n_tokens(usage, "completion_tokens"))
