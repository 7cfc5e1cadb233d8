"""Language models: the protocol, and the messages and replies that it speaks of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from chunkwright.errors import ModelError

Role: TypeAlias = Literal["system", "user", "assistant"]
Schema: TypeAlias = Mapping[str, Any]

# Code points of a refusal that a message shows.
_SHOWN = 200


class ModelAccessError(ModelError):
    """The model will answer no other request either: the key is refused, or the model unknown."""


class RefusalError(ModelError):
    """The model, or its provider, refuses to answer this request; others may be answered.

    Parameters
    ----------
    said
        The words of the refusal; empty if there are none.
    usage
        The tokens of the request and the refusal.
    """

    def __init__(self, said: str = "", usage: Usage | None = None) -> None:
        shown = " ".join(said[:_SHOWN].split())
        super().__init__(f"refused: {shown}" if shown else "refused")
        self.said = said
        self.usage: Usage = usage or NOTHING


@dataclass(frozen=True, slots=True)
class Message:
    """A message to a model, or from it.

    Parameters
    ----------
    role
        The role of the sender, such as ``"user"``.
    content
        The text.
    ends_prefix
        Whether the part that many requests share ends here, so that a provider can cache it.
    """

    role: Role
    content: str
    ends_prefix: bool = False

    def to_dict(self) -> dict[str, str]:
        """Return role and content, as the interfaces of providers take them."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of requests and replies, as the model's server counts them.

    Parameters
    ----------
    input_tokens
        Tokens of the messages, those read from the provider's cache included.
    cached_tokens
        Tokens of the messages that the provider read from its cache.
    output_tokens
        Tokens of the reply.
    written_tokens
        Tokens of the messages that the provider wrote to its cache, which have their own price.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    written_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            self.written_tokens + other.written_tokens,
        )

    def __sub__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens - other.input_tokens,
            self.cached_tokens - other.cached_tokens,
            self.output_tokens - other.output_tokens,
            self.written_tokens - other.written_tokens,
        )


NOTHING = Usage()
"""No tokens."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a model.

    Parameters
    ----------
    text
        The text of the reply.
    parsed
        The value of its JSON, if a schema was requested and it is JSON; else None.
    usage
        The tokens; zeros if they are not known.
    truncated
        Whether the reply was cut off at the limit of tokens.
    """

    text: str
    parsed: Any = None
    usage: Usage = NOTHING
    truncated: bool = False


@runtime_checkable
class LanguageModel(Protocol):
    """A language model: it answers messages."""

    @property
    def fingerprint(self) -> str:
        """Identifies the server, the model and everything that changes its replies.

        It is empty if not known; then replies are not cached.
        """

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        max_tokens: int,
        temperature: float,
    ) -> Reply:
        """Return the reply to some messages.

        Parameters
        ----------
        messages
            The conversation so far.
        schema
            The JSON Schema of the reply; None: a plain text.
        max_tokens
            The most tokens of the reply.
        temperature
            The randomness of the reply, from 0.

        Raises
        ------
        ModelError
            If there is no reply.
        """


class SupportsInvoke(Protocol):
    """A chat model of LangChain's kind."""

    def invoke(self, messages: Any, /) -> Any:
        """Return the model's message."""


LanguageModelLike: TypeAlias = (
    "str | LanguageModel | SupportsInvoke | Callable[..., Any] | Callable[..., Awaitable[Any]]"
)
