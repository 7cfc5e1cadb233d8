"""Chat models of LangChain's kind as language models."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.errors import ModelError
from chunkwright.http.server import status_of
from chunkwright.llm.adapters.adapter import LocalAdapter
from chunkwright.llm.adapters.served import NO_ACCESS
from chunkwright.llm.protocol import (
    Message,
    ModelAccessError,
    RefusalError,
    Reply,
    Schema,
    Usage,
)
from chunkwright.llm.reply_text import reply_of

# Why a reply ends, in the words of several providers.
_ENDS = ("finish_reason", "stop_reason", "done_reason")
_TRUNCATED = frozenset({"length", "max_tokens", "MAX_TOKENS"})
_REFUSED = frozenset({"content_filter", "refusal", "SAFETY"})


@dataclass(frozen=True)
class LangChainModel(LocalAdapter):
    """An object of LangChain's kind that answers messages: a chat model, a model of texts, a chain.

    Its limit of tokens, its temperature and its retries are those that it was made with. What asks
    for JSON says so in its words alone.

    Parameters
    ----------
    model
        Has ``invoke``, or else ``ainvoke``, which take a list of dicts with ``role`` and
        ``content`` and return a message or a text. ``invoke`` is called by several threads at once,
        since the ``async`` clients of such models are bound to one event loop.
    name
        What it is known by, so that its replies are kept; empty: they are not.
    """

    model: Any

    async def _reply(
        self, messages: Sequence[Message], schema: Schema | None, limits: dict[str, Any]
    ) -> Reply:
        del limits
        asked = [message.to_dict() for message in messages]
        call = getattr(self.model, "invoke", None) or self.model.ainvoke
        answer = await in_thread(lambda: call(asked))
        return _reply(await answer if inspect.isawaitable(answer) else answer, schema)

    def _kind(self, error: Exception) -> type[ModelError]:
        return ModelAccessError if status_of(error) in NO_ACCESS else ModelError


def _reply(answer: Any, schema: Schema | None) -> Reply:
    text = _text(answer if isinstance(answer, str) else getattr(answer, "content", None))
    if text is None:
        raise ModelError(f"the model returned {type(answer).__name__}, not a message or a text")
    usage = _usage(getattr(answer, "usage_metadata", None))
    of_response = _mapping(getattr(answer, "response_metadata", None))
    ends = {end for name in _ENDS if isinstance(end := of_response.get(name), str)}
    refusal = _mapping(getattr(answer, "additional_kwargs", None)).get("refusal")
    if refusal or ends & _REFUSED:
        raise RefusalError(refusal if isinstance(refusal, str) else text, usage)
    read = reply_of(text, schema)
    return Reply(read.text, read.parsed, usage, bool(ends & _TRUNCATED))


def _text(content: object) -> str | None:
    """Return the text of a message's content, which may be a list of blocks; None if it is none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = (
        each if isinstance(each, str) else each.get("text", "")
        for each in content
        if isinstance(each, str | Mapping)
    )
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: object) -> Usage:
    counts = _mapping(usage)
    details = _mapping(counts.get("input_token_details"))
    return Usage(
        _count(counts, "input_tokens"),
        _count(details, "cache_read"),
        _count(counts, "output_tokens"),
        _count(details, "cache_creation"),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(counts: Mapping[str, Any], name: str) -> int:
    count = counts.get(name)
    return count if type(count) is int and count >= 0 else 0
