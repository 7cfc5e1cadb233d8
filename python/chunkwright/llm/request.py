"""Requests to a language model, and the answers that were checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from chunkwright.llm.protocol import Message, Reply, Schema

T = TypeVar("T")
Outcome: TypeAlias = Literal["answered", "cached", "repaired", "invalid", "failed", "unpaid"]

_AS_JSON = json.JSONEncoder(sort_keys=True).encode
# Characters of a wrong reply that the model is shown again.
_SHOWN_CHARS = 2000
# Providers refuse an empty message.
_EMPTY = "(empty)"
_REPAIR = (
    "That reply cannot be used: {why}. Answer the request above once more, in the form that it "
    "asks for, and write nothing else."
)


class InvalidReplyError(Exception):
    """A reply is not what was asked for; the message tells the model why."""


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """Messages to a model, and the check of its reply.

    Parameters
    ----------
    messages
        The conversation.
    check
        A function that returns the value of the reply, or raises `InvalidReplyError`.
    schema
        The JSON Schema of the reply; None: a plain text.
    max_tokens
        The most tokens of the reply.
    temperature
        The randomness of the reply, from 0.
    about
        The subject, such as ``"chunk 3 of 'report.md'"``, for messages only; the reply does not
        depend on it.
    """

    messages: tuple[Message, ...]
    check: Callable[[Reply], T]
    schema: Schema | None = None
    max_tokens: int = 1024
    temperature: float = 0.0
    about: str = ""

    def key(self) -> bytes:
        """Return the SHA-256 of everything that the reply depends on, except the model."""
        options = _AS_JSON([self.schema, self.max_tokens, float(self.temperature)])
        # With their lengths, texts can be joined as they are: JSON would escape them first.
        facts = (
            f"{each.role}\0{len(each.content)}\0{each.ends_prefix:d}{_shortened(each)}"
            for each in self.messages
        )
        return sha256("\0".join((options, *facts)).encode("utf-8", "surrogatepass")).digest()

    def prefix(self) -> bytes | None:
        """Return the SHA-256 of the prefix that it shares with other requests; None without one."""
        ends = [at for at, message in enumerate(self.messages) if message.ends_prefix]
        if not ends:
            return None
        shared = map(_shortened, self.messages[: ends[-1] + 1])
        return sha256("\0".join(shared).encode("utf-8", "surrogatepass")).digest()

    def repaired(self, reply: Reply, why: str) -> Request[T]:
        """Return the request to send after an invalid reply."""
        return Request(
            (
                *self.messages,
                Message("assistant", reply.text[:_SHOWN_CHARS].strip() or _EMPTY),
                Message("user", _REPAIR.format(why=why)),
            ),
            self.check,
            self.schema,
            self.max_tokens,
            self.temperature,
            self.about,
        )


def _shortened(message: Message) -> str:
    """Return the text of a message; of one that many requests have in common, a hash."""
    return _hash(message.content) if message.ends_prefix else message.content


@lru_cache(maxsize=8)
def _hash(text: str) -> str:
    # The text may be a whole document, which is asked about chunk by chunk.
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """Outcome of a request.

    Parameters
    ----------
    value
        The checked value of the reply; None if there is no valid one.
    outcome
        ``"answered"``; ``"cached"``, if nothing was sent; ``"repaired"``, if the second reply was
        good; ``"invalid"``, if it was not; ``"failed"``, if there was no reply, or a refusal;
        ``"unpaid"``, if the budget did not suffice to ask.
    why
        The problem, if there is no value.
    about
        The subject of the request, if there is no value and it is known.
    """

    value: T | None
    outcome: Outcome
    why: str = ""
    about: str = ""

    @property
    def problem(self) -> str:
        """The problem, with the subject of the request."""
        return f"{self.about}: {self.why}" if self.about else self.why


def plain_text(reply: Reply) -> str:
    """Check that a reply is a text, and return it without the blanks around it.

    Raises
    ------
    InvalidReplyError
        If it is empty.
    """
    text = reply.text.strip()
    if not text:
        raise InvalidReplyError("it is empty")
    return text


def member(reply: Reply, name: str) -> Any:
    """Return a member of the object that a reply holds.

    Raises
    ------
    InvalidReplyError
        If it is no such object.
    """
    if not isinstance(reply.parsed, dict) or name not in reply.parsed:
        if reply.truncated:
            raise InvalidReplyError("it is too long and was cut off")
        raise InvalidReplyError(f"it must be an object of JSON with {json.dumps(name)}")
    return reply.parsed[name]
