"""Functions as language models."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from chunkwright.checks import checked_callable
from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.errors import ModelError
from chunkwright.llm.adapters.adapter import LocalAdapter
from chunkwright.llm.protocol import Message, Reply, Schema
from chunkwright.llm.reply_text import reply_of

_OPTIONS = ("schema", "max_tokens", "temperature")


@dataclass(frozen=True)
class Function(LocalAdapter):
    """A function that answers messages, plain or ``async``.

    Parameters
    ----------
    call
        Is given the messages, as a list of dicts with ``role`` and ``content``, and those of
        ``schema``, ``max_tokens`` and ``temperature`` that it has parameters for. It returns the
        text of the reply, a `Reply`, or what a schema describes, as a list or dict. A plain one
        is called by several threads at once.
    name
        What it is known by, so that its replies are kept; empty: they are not.

    Raises
    ------
    ConfigError
        If it cannot be called.

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
            said = self.call(asked, **taken)
        else:
            said = await in_thread(partial(self.call, asked, **taken))
        return _reply(await said if inspect.isawaitable(said) else said, schema)

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


def _reply(said: object, schema: Schema | None) -> Reply:
    if isinstance(said, Reply):
        return said
    if isinstance(said, str):
        return reply_of(said, schema)
    if isinstance(said, Mapping | list):
        return Reply(json.dumps(said, ensure_ascii=False), said)
    raise ModelError(f"the model returned {type(said).__name__}, not a text, a Reply or JSON")
