"""Language models behind HTTP interfaces of OpenAI's and Anthropic's kind, and their names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.llm.adapters.served import Served, n_tokens
from chunkwright.llm.protocol import NOTHING, Message, RefusalError, Reply, Schema, Usage

if TYPE_CHECKING:
    import anthropic
    import openai


# OpenAI's own server calls the limit by a name that other servers do not know.
_OPENAI = "api.openai.com"
# Reason by which a reply ends that the provider refuses to give.
_FILTERED = "content_filter"


@dataclass(frozen=True)
class OpenAIChat(Served):
    """A model behind ``/chat/completions``: OpenAI's, vLLM's, Ollama's, llama.cpp's or a proxy's.

    Needs the extra ``openai``. Without a key, that of the environment variable ``OPENAI_API_KEY``
    is used. A redirect to another server is an error. See `Served` for the options.

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
            **_openai_form(schema),
            **(_STREAMED if self.stream else {}),
        )

    def read(self, answer: Any) -> Reply:
        """Return the reply that an answer is: see `Served.read`."""
        parts = list(answer) if self.stream else [answer]
        choices = [choice for part in parts for choice in (part.choices or [])[:1]]
        if not choices:
            raise ValueError("it has no choices")
        ends = [choice.finish_reason for choice in choices if choice.finish_reason]
        if self.stream and not ends:
            raise ValueError("it ends in the middle")
        messages = [choice.delta if self.stream else choice.message for choice in choices]
        usages = [_openai_usage(part.usage) for part in parts if part.usage is not None]
        usage = usages[-1] if usages else NOTHING
        refusal = "".join(getattr(choice, "refusal", None) or "" for choice in messages)
        if refusal or _FILTERED in ends:
            raise RefusalError(refusal or "the provider's filter of contents cut it off", usage)
        text = "".join(choice.content or "" for choice in messages)
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


def _openai_form(schema: Schema | None) -> dict[str, Any]:
    if schema is None:
        return {}
    form = {"name": "reply", "schema": dict(schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _openai_usage(usage: Any) -> Usage:
    details = getattr(usage, "prompt_tokens_details", None)
    n_input, n_cached = n_tokens(usage, "prompt_tokens"), n_tokens(details, "cached_tokens")
    return Usage(n_input, min(n_cached, n_input), n_tokens(usage, "completion_tokens"))


# Reason by which a reply ends that the provider refuses to give.
_REFUSED = "refusal"
_KEPT = {"cache_control": {"type": "ephemeral"}}


@dataclass(frozen=True)
class AnthropicChat(Served):
    """A model behind ``/v1/messages``: Anthropic's, llama.cpp's or a proxy's.

    Needs the extra ``anthropic``. Without a key, that of the environment variable
    ``ANTHROPIC_API_KEY`` is used. A redirect to another server is an error. The provider caches a
    shared prefix for five minutes, if it is long enough. See `Served` for the options.

    Examples
    --------
    >>> from chunkwright.llm import AnthropicChat
    >>> AnthropicChat("https://api.anthropic.com", "claude-haiku-4-5").fingerprint
    'anthropic:https://api.anthropic.com:claude-haiku-4-5'

    A client that the caller made is taken too:

    >>> import anthropic
    >>> client = anthropic.Anthropic(api_key="none")
    >>> AnthropicChat.from_client(client, "claude-haiku-4-5").fingerprint
    'anthropic:https://api.anthropic.com:claude-haiku-4-5'
    """

    _KEY = "ANTHROPIC_API_KEY"
    _PROVIDER = "anthropic"

    def sent(
        self,
        client: Any,
        messages: Sequence[Message],
        schema: Schema | None,
        limits: dict[str, Any],
    ) -> Any:
        """Send a request; return the answer of the library: see `Served.sent`."""
        of_system = [_block(message) for message in messages if message.role == "system"]
        others = [
            {"role": message.role, "content": [_block(message)]}
            for message in messages
            if message.role != "system"
        ]
        # The library has no parameter for the temperature any more; the interface has.
        body = {"temperature": limits["temperature"], **self.options}
        create = client.messages.stream if self.stream else client.messages.create
        answer = create(
            model=self.model,
            max_tokens=limits["max_tokens"],
            messages=others,
            extra_body=body,
            **({"system": of_system} if of_system else {}),
            **_anthropic_form(schema),
        )
        if self.stream:
            with answer as events:
                return events.get_final_message()
        return answer

    def read(self, answer: Any) -> Reply:
        """Return the reply that an answer is: see `Served.read`."""
        if self.stream and not answer.stop_reason:
            raise ValueError("it ends in the middle")
        text = "".join(block.text for block in answer.content if block.type == "text")
        usage = _anthropic_usage(answer.usage)
        if answer.stop_reason == _REFUSED:
            raise RefusalError(text, usage)
        return Reply(text, usage=usage, truncated=answer.stop_reason == "max_tokens")

    def _connect(self) -> anthropic.Anthropic:
        try:
            import anthropic

            options = self._client_options(anthropic.AnthropicError)
        except ImportError as error:
            raise MissingExtraError("a model behind Anthropic's interface", "anthropic") from error
        return anthropic.Anthropic(**options)


def _block(message: Message) -> dict[str, Any]:
    return {"type": "text", "text": message.content, **(_KEPT if message.ends_prefix else {})}


def _anthropic_form(schema: Schema | None) -> dict[str, Any]:
    if schema is None:
        return {}
    return {"output_config": {"format": {"type": "json_schema", "schema": dict(schema)}}}


def _anthropic_usage(usage: Any) -> Usage:
    n_cached = n_tokens(usage, "cache_read_input_tokens")
    n_written = n_tokens(usage, "cache_creation_input_tokens")
    n_input = n_tokens(usage, "input_tokens") + n_cached + n_written
    return Usage(n_input, n_cached, n_tokens(usage, "output_tokens"), n_written)


BASE_URLS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
"""The providers behind servers, each with the address of its own."""

# How the names of their models begin.
_BEGINNINGS = {
    "openai": ("gpt-", "chatgpt-", "o1", "o3", "o4"),
    "anthropic": ("claude-",),
}


def named_model(name: str) -> Served:
    """Return the model that has a name, behind its provider's server.

    The key comes from the environment (``OPENAI_API_KEY``, ``ANTHROPIC_API_KEY``), and so does
    another address of the server (``OPENAI_BASE_URL``, ``ANTHROPIC_BASE_URL``).

    Parameters
    ----------
    name
        ``"openai:gpt-4.1-mini"`` or ``"anthropic:claude-haiku-4-5"``; of names that begin as those
        of a provider do, the provider may be left out.

    Raises
    ------
    ConfigError
        If nothing tells the provider, or its key is missing; names the variable.
    """
    provider, model = _provider_and_model(name)
    base_url = os.environ.get(f"{provider.upper()}_BASE_URL") or BASE_URLS[provider]
    key = f"{provider.upper()}_API_KEY"
    # A server of one's own may need none.
    if base_url == BASE_URLS[provider] and not os.environ.get(key):
        raise ConfigError(f"llm={name!r} needs a key: set the environment's {key}")

    kind = AnthropicChat if provider == "anthropic" else OpenAIChat
    return kind(base_url, model)


def _provider_and_model(name: str) -> tuple[str, str]:
    """Return the provider and its name of a model."""
    provider, colon, model = name.partition(":")
    if colon and provider in BASE_URLS and model.strip():
        return provider, model
    for provider, beginnings in _BEGINNINGS.items():
        if name.startswith(beginnings):
            return provider, name
    raise ConfigError(
        f"llm={name[:80]!r} is no language model whose provider is known: say 'openai:...' or "
        "'anthropic:...', or llm=OpenAIChat(base_url, model) for a model on another server"
    )
