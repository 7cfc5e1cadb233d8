"""Base of the adapters: one request to a model, its limits, its error, the text of its reply."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from chunkwright.embed.texts import repaired
from chunkwright.errors import ModelError
from chunkwright.llm.protocol import Message, Reply, Schema

# Thoughts may be cut off in the middle.
_THOUGHT = "<think>"
_THOUGHTS = re.compile(r"\A\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


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


class Adapter(ABC):
    """A language model made of a function, a server or an object of another library."""

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        max_tokens: int,
        temperature: float,
    ) -> Reply:
        """Return the model's reply.

        Raises
        ------
        ModelError
            If the model cannot be reached, fails, or returns something other than a reply.
        ModelAccessError
            If its server refuses the key, or does not know the model.
        RefusalError
            If it refuses.
        MissingExtraError
            If the provider's library is not installed.
        """
        limits = {"max_tokens": max_tokens, "temperature": temperature}
        try:
            return await self._reply(messages, schema, limits)
        except Exception as error:  # noqa: BLE001 - raised again as what it is to the caller
            self._raise(error)

    @abstractmethod
    async def _reply(
        self, messages: Sequence[Message], schema: Schema | None, limits: dict[str, Any]
    ) -> Reply:
        """Return the model's reply; errors are those of the model's library.

        Parameters
        ----------
        messages, schema
            The request.
        limits
            ``max_tokens`` and ``temperature``.
        """

    @abstractmethod
    def _raise(self, error: Exception) -> NoReturn:
        """Raise what an error of the model's library is to the caller."""


@dataclass(frozen=True)
class LocalAdapter(Adapter):
    """A model that the caller has as an object: it has no name but the caller's.

    Parameters
    ----------
    name
        What it is known by, so that its replies are kept; empty: they are not.
    """

    name: str = field(default="", kw_only=True)

    def _kind(self, error: Exception) -> type[ModelError]:
        """Return the class of error that an error of the object is to the caller."""
        del error
        return ModelError

    @property
    def fingerprint(self) -> str:
        """The name, if there is one."""
        return f"named:{self.name}" if self.name else ""

    def _raise(self, error: Exception) -> NoReturn:
        if isinstance(error, ModelError):
            raise error
        kind = self._kind(error)
        raise kind(f"the model failed: {type(error).__name__}: {error}") from error
