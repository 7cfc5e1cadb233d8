"""Language models behind an HTTP interface of Anthropic's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkwright.errors import MissingExtraError
from chunkwright.llm.adapters.served import Served, n_tokens
from chunkwright.llm.protocol import Message, RefusalError, Reply, Schema, Usage

if TYPE_CHECKING:
    import anthropic

# Why a reply ends that the provider has refused to give.
_REFUSED = "refusal"
_KEPT = {"cache_control": {"type": "ephemeral"}}


@dataclass(frozen=True)
class AnthropicChat(Served):
    """A model behind ``/v1/messages``: Anthropic's, llama.cpp's or a proxy's.

    Needs the extra ``anthropic``. The key is that of the environment's ``ANTHROPIC_API_KEY`` unless
    one is given. A redirect to another server is an error. What a message ends as a prefix is kept
    by the provider for five minutes, if it is long enough. See `Served` for the options.

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
            **_form(schema),
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
        usage = _usage(answer.usage)
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


def _form(schema: Schema | None) -> dict[str, Any]:
    if schema is None:
        return {}
    return {"output_config": {"format": {"type": "json_schema", "schema": dict(schema)}}}


def _usage(usage: Any) -> Usage:
    n_cached = n_tokens(usage, "cache_read_input_tokens")
    n_written = n_tokens(usage, "cache_creation_input_tokens")
    n_input = n_tokens(usage, "input_tokens") + n_cached + n_written
    return Usage(n_input, n_cached, n_tokens(usage, "output_tokens"), n_written)
