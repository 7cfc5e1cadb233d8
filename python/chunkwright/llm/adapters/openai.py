"""Language models behind an HTTP interface of OpenAI's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chunkwright.errors import MissingExtraError
from chunkwright.llm.adapters.served import Served, n_tokens
from chunkwright.llm.protocol import NOTHING, Message, RefusalError, Reply, Schema, Usage

if TYPE_CHECKING:
    import openai

# OpenAI's own server has another name for the limit, which others do not know.
_OPENAI = "api.openai.com"
# Why a reply ends that the provider has refused to give.
_FILTERED = "content_filter"


@dataclass(frozen=True)
class OpenAIChat(Served):
    """A model behind ``/chat/completions``: OpenAI's, vLLM's, Ollama's, llama.cpp's or a proxy's.

    Needs the extra ``openai``. The key is that of the environment's ``OPENAI_API_KEY`` unless one
    is given. A redirect to another server is an error. See `Served` for the options.

    Examples
    --------
    >>> from chunkwright.llm import OpenAIChat
    >>> OpenAIChat("http://localhost:11434/v1", "qwen3").fingerprint
    'openai:http://localhost:11434/v1:qwen3'

    A client that the caller made is taken too:

    >>> import openai
    >>> client = openai.OpenAI(base_url="http://localhost:8000/v1", api_key="none")
    >>> OpenAIChat.from_client(client, "qwen3-8b").fingerprint
    'openai:http://localhost:8000/v1:qwen3-8b'
    """

    _KEY = "OPENAI_API_KEY"
    _PROVIDER = "openai"

    def sent(
        self,
        client: Any,
        messages: Sequence[Message],
        schema: Schema | None,
        limits: dict[str, Any],
    ) -> Any:
        """Send a request; return the answer of the library: see `Served.sent`."""
        if urlsplit(self.base_url).hostname == _OPENAI:
            limits = {**limits, "max_completion_tokens": limits["max_tokens"]}
            del limits["max_tokens"]
        return client.chat.completions.create(
            model=self.model,
            messages=_alternating(messages),
            extra_body=dict(self.options),
            **limits,
            **_form(schema),
            **(_STREAMED if self.stream else {}),
        )

    def read(self, answer: Any) -> Reply:
        """Return the reply that an answer is: see `Served.read`."""
        parts = list(answer) if self.stream else [answer]
        choices = [each for part in parts for each in (part.choices or [])[:1]]
        if not choices:
            raise ValueError("it has no choices")
        ends = [each.finish_reason for each in choices if each.finish_reason]
        if self.stream and not ends:
            raise ValueError("it ends in the middle")
        said = [each.delta if self.stream else each.message for each in choices]
        usages = [_usage(part.usage) for part in parts if part.usage is not None]
        usage = usages[-1] if usages else NOTHING
        refusal = "".join(getattr(each, "refusal", None) or "" for each in said)
        if refusal or _FILTERED in ends:
            raise RefusalError(refusal or "the provider's filter of contents cut it off", usage)
        text = "".join(each.content or "" for each in said)
        return Reply(text, usage=usage, truncated="length" in ends)

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
