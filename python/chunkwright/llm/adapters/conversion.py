"""Conversion to language models: functions, names, and objects of other libraries."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from chunkwright.checks import checked_callable
from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.errors import ConfigError, ModelError
from chunkwright.http.server import status_of
from chunkwright.llm.adapters.adapter import LocalAdapter, reply_of
from chunkwright.llm.adapters.served import NO_ACCESS
from chunkwright.llm.protocol import (
    LanguageModel,
    LanguageModelLike,
    Message,
    ModelAccessError,
    RefusalError,
    Reply,
    Schema,
    Usage,
)

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
        return _reply_of_message(await answer if inspect.isawaitable(answer) else answer, schema)

    def _kind(self, error: Exception) -> type[ModelError]:
        return ModelAccessError if status_of(error) in NO_ACCESS else ModelError


def _reply_of_message(answer: Any, schema: Schema | None) -> Reply:
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


_OPTIONS = ("schema", "max_tokens", "temperature")


@dataclass(frozen=True)
class Function(LocalAdapter):
    """A function that answers messages, plain or ``async``.

    Parameters
    ----------
    call
        The function. It gets the messages, as a list of dicts with ``role`` and ``content``, and
        those of ``schema``, ``max_tokens`` and ``temperature`` for which it has parameters. It
        returns the text of the reply, a `Reply`, or the list or dict that a schema describes.
        Several threads call a plain function at once.
    name
        The name under which its replies are cached; empty: they are not.

    Raises
    ------
    ConfigError
        If `call` is not callable.

    Examples
    --------
    >>> import asyncio
    >>> from chunkwright.llm import Function, Message
    >>> echo = Function(lambda messages: messages[-1]["content"])
    >>> asyncio.run(echo.complete([Message("user", "Rain.")], max_tokens=9, temperature=0)).text
    'Rain.'
    """

    call: Callable[..., Any]

    def __post_init__(self) -> None:
        checked_callable("llm", self.call)

    async def _reply(
        self, messages: Sequence[Message], schema: Schema | None, limits: dict[str, Any]
    ) -> Reply:
        options = {"schema": schema, **limits}
        taken = {name: options[name] for name in self._parameters}
        asked = [message.to_dict() for message in messages]
        if self._is_async:
            answer = self.call(asked, **taken)
        else:
            answer = await in_thread(partial(self.call, asked, **taken))
        return _reply(await answer if inspect.isawaitable(answer) else answer, schema)

    @cached_property
    def _is_async(self) -> bool:
        of_type = inspect.getattr_static(type(self.call), "__call__", None)
        return any(map(inspect.iscoroutinefunction, (self.call, of_type)))

    @cached_property
    def _parameters(self) -> tuple[str, ...]:
        try:
            parameters = inspect.signature(self.call).parameters
        except (TypeError, ValueError):
            return ()
        takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        return tuple(name for name in _OPTIONS if takes_all or name in parameters)


def _reply(answer: object, schema: Schema | None) -> Reply:
    if isinstance(answer, Reply):
        return answer
    if isinstance(answer, str):
        return reply_of(answer, schema)
    if isinstance(answer, Mapping | list):
        return Reply(json.dumps(answer, ensure_ascii=False), answer)
    raise ModelError(f"the model returned {type(answer).__name__}, not a text, a Reply or JSON")


# Characters of a value that is no model, in a message.
_SHOWN = 80
_OF_LANGCHAIN = ("invoke", "ainvoke")
# The adapters that take a client of a provider's library, what tells such a client, and a model.
_OF_CLIENTS = {
    "OpenAIChat": (("chat", "completions", "create"), "gpt-4.1-mini"),
    "AnthropicChat": (("messages", "create"), "claude-haiku-4-5"),
}


def as_language_model(like: LanguageModelLike, *, name: str | None = None) -> LanguageModel:
    """Return an object as a language model.

    Parameters
    ----------
    like
        - a model
        - a function, plain or ``async``: see `chunkwright.llm.Function`
        - the name of one of OpenAI's or Anthropic's models, such as ``"gpt-4.1-mini"`` or
          ``"anthropic:claude-haiku-4-5"``; the key is that of the environment
        - a chat model of LangChain's kind: what has ``invoke`` or ``ainvoke``

        A client of the libraries openai or anthropic names no model: see
        `chunkwright.llm.OpenAIChat.from_client`.
    name
        The name under which replies of a function are cached; if its behaviour changes, change the
        name.

    Raises
    ------
    ConfigError
        If it is none of these, or a key is missing.

    Examples
    --------
    >>> from chunkwright.llm import as_language_model
    >>> as_language_model(lambda messages: "Yes.").fingerprint
    ''
    """
    if isinstance(like, type):
        raise ConfigError(f"llm must be an object, got the class {like.__name__}", option="llm")
    if isinstance(like, str):
        from chunkwright.llm.adapters.providers import named_model

        return named_model(like)
    if callable(getattr(like, "complete", None)):
        return _checked_model(like)
    _check_no_client(like)
    if any(callable(getattr(like, method, None)) for method in _OF_LANGCHAIN):
        return LangChainModel(like, name=name or "")
    if not callable(like):
        raise ConfigError(
            f"{repr(like)[:_SHOWN]} is no language model: it has no complete()", option="llm"
        )
    return Function(like, name=name or "")


def _check_no_client(like: object) -> None:
    """Refuse a client of a provider's library, which names no model."""
    for adapter, (methods, model) in _OF_CLIENTS.items():
        if _has_method(like, *methods):
            kind = type(like).__name__
            raise ConfigError(
                f"llm is a client ({kind}) and names no model: say "
                f"llm={adapter}.from_client(client, {model!r})"
            )


def _has_method(like: object, *names: str) -> bool:
    """Return whether an attribute of an attribute, and so on, can be called."""
    found: Any = like
    for name in names:
        found = getattr(found, name, None)
    return callable(found)


def _checked_model(like: Any) -> LanguageModel:
    if not isinstance(getattr(like, "fingerprint", None), str):
        raise ConfigError(
            f"{repr(like)[:_SHOWN]} is no language model: it has no fingerprint", option="llm"
        )
    model: LanguageModel = like
    return model
