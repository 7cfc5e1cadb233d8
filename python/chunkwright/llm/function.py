"""Functions as language models."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from chunkwright.checks import checked_callable
from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.embed.texts import repaired
from chunkwright.errors import ModelError
from chunkwright.llm.protocol import Message, Reply, Schema

# They may be cut off in the middle.
_THOUGHT = "<think>"
_THOUGHTS = re.compile(r"\A\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)
_OPTIONS = ("schema", "max_tokens", "temperature")


@dataclass(frozen=True)
class Function:
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
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        checked_callable("llm", self.call)

    @property
    def fingerprint(self) -> str:
        """The name, if there is one."""
        return f"named:{self.name}" if self.name else ""

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        max_tokens: int,
        temperature: float,
    ) -> Reply:
        """Return what the function says.

        Raises
        ------
        ModelError
            If it raises, or returns something else than a reply.
        """
        taken: dict[str, Any] = {}
        if self._taken:
            options = {"schema": schema, "max_tokens": max_tokens, "temperature": temperature}
            taken = {name: options[name] for name in self._taken}
        asked = [{"role": each.role, "content": each.content} for each in messages]
        try:
            if self._is_async:
                said = self.call(asked, **taken)
            else:
                said = await in_thread(partial(self.call, asked, **taken))
            return _reply(await said if inspect.isawaitable(said) else said, schema)
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(f"the model failed: {type(error).__name__}: {error}") from error

    @cached_property
    def _is_async(self) -> bool:
        of_type = inspect.getattr_static(type(self.call), "__call__", None)
        return any(map(inspect.iscoroutinefunction, (self.call, of_type)))

    @cached_property
    def _taken(self) -> tuple[str, ...]:
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


def reply_of(text: str, schema: Schema | None) -> Reply:
    """Return a text as a reply, with the value of its JSON if a schema was asked for.

    Thoughts that a server leaves in front of the reply are no part of it.

    Examples
    --------
    >>> reply_of("<think>Is it? Yes.</think>Yes.", None).text
    'Yes.'
    """
    text = repaired(text)
    if _THOUGHT in text:
        text = _THOUGHTS.sub("", text)
    return Reply(text, None if schema is None else parsed(text))


def parsed(text: str) -> Any:
    r"""Return the value of the JSON in a reply; None if there is none.

    Models put a fence of Markdown around it, or words before and after.

    Examples
    --------
    >>> parsed('Here:\n```json\n{"starts": [3]}\n```')
    {'starts': [3]}
    """
    starts = (at for at in (text.find("{"), text.find("[")) if at >= 0)
    for start in sorted(starts):
        try:
            return _decoded(text, start)
        except (ValueError, RecursionError):
            continue
    return None


def _decoded(text: str, start: int) -> Any:
    value = json.JSONDecoder().raw_decode(text, start)[0]
    if "\\u" not in text:
        return value
    # An escape may stand for half of a pair.
    return json.loads(repaired(json.dumps(value, ensure_ascii=False)))
