"""Language models behind an HTTP interface of OpenAI's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chunkwright.errors import MissingExtraError
from chunkwright.llm.protocol import NOTHING, Message, Schema, Usage
from chunkwright.llm.served import Served

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
    ) -> tuple[str, Usage]:
        if urlsplit(self.base_url).hostname == _OPENAI:
            limits = {**limits, "max_completion_tokens": limits["max_tokens"]}
            del limits["max_tokens"]
        answer = client.chat.completions.create(
            model=self.model,
            messages=[message.to_dict() for message in messages],
            extra_body=dict(self.options),
            **limits,
            **_form(schema),
            **(_STREAMED if self.stream else {}),
        )
        parts = list(answer) if self.stream else [answer]
        said = (each for part in parts for each in (part.choices or [])[:1])
        texts = ((each.delta if self.stream else each.message).content for each in said)
        usages = [_usage(part.usage) for part in parts if part.usage is not None]
        return "".join(text or "" for text in texts), usages[-1] if usages else NOTHING

    def _connect(self) -> openai.OpenAI:
        try:
            import openai

            options = self._client_options(openai.OpenAIError)
        except ImportError as error:
            raise MissingExtraError("a model behind OpenAI's interface", "openai") from error
        return openai.OpenAI(**options)


_STREAMED: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


def _form(schema: Schema | None) -> dict[str, Any]:
    if schema is None:
        return {}
    form = {"name": "reply", "schema": dict(schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _usage(usage: Any) -> Usage:
    details = getattr(usage, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None)
    return Usage(usage.prompt_tokens or 0, cached or 0, usage.completion_tokens or 0)
