"""Base of the adapters: one request to a model, its limits, and the error where it fails."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from chunkwright.errors import ModelError
from chunkwright.llm.protocol import Message, Reply, Schema


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
            If the model cannot be reached, fails, or answers with something else than a reply.
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
