"""Sender of requests to a language model: so many at once, in time, within the budget."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from chunkwright.errors import ModelError
from chunkwright.llm.ledger import Ledger
from chunkwright.llm.protocol import NOTHING, LanguageModel, ModelAccessError, Reply, Usage
from chunkwright.llm.request import Request

# A server that fails so many requests one after the other will fail the rest.
_MAX_FAILURES = 20
# Prefixes whose first request is remembered.
_PREFIXES = 1024
_TOKENIZER = "cl100k_base"


class UnpaidError(Exception):
    """A request was not sent, since the budget does not suffice."""


class Sender:
    """Sends requests, all of them on one event loop.

    The first of several requests with one prefix goes before the others, which can then be served
    from the provider's cache.

    Parameters
    ----------
    llm
        The model.
    ledger
        Counts what is sent, and holds the budget.
    concurrency
        Requests under way at once, at most.
    timeout
        Seconds that a reply may take.

    Attributes
    ----------
    refused
        Why no request is sent any more; None while they are.
    """

    def __init__(
        self, llm: LanguageModel, ledger: Ledger, *, concurrency: int, timeout: float
    ) -> None:
        self.ledger = ledger
        self.refused: ModelAccessError | None = None
        self._llm = llm
        self._slots = asyncio.Semaphore(concurrency)
        self._timeout = timeout
        self._first: OrderedDict[bytes, asyncio.Event] = OrderedDict()
        self._n_failures = 0

    async def send(self, request: Request[Any]) -> Reply:
        """Return the model's reply.

        Raises
        ------
        UnpaidError
            If the budget does not suffice.
        ModelError
            If there is no reply.
        ModelAccessError
            If there will be none to other requests either.
        """
        async with self._in_turn(request.prefix()), self._slots:
            if self.refused is not None:
                raise self.refused
            most = most_tokens(request) if self.ledger.budget else NOTHING
            if not self.ledger.reserve(most):
                raise UnpaidError
            used = NOTHING
            try:
                reply = await self._replied(request)
                used = reply.usage
            finally:
                self.ledger.settle(most, used)
            return reply

    async def _replied(self, request: Request[Any]) -> Reply:
        try:
            async with asyncio.timeout(self._timeout):
                reply = await self._llm.complete(
                    request.messages,
                    schema=request.schema,
                    max_tokens=request.max_tokens,
                    temperature=request.temperature,
                )
        except TimeoutError as error:
            raise self._counted(ModelError(f"no reply in {self._timeout:g} s")) from error
        except ModelAccessError as error:
            self.refused = error
            raise
        except ModelError as error:
            raise self._counted(error) from error
        self._n_failures = 0
        return reply

    def _counted(self, error: ModelError) -> ModelError:
        self._n_failures += 1
        if self._n_failures == _MAX_FAILURES:
            said = f"{self._n_failures} requests failed one after the other: {error}"
            self.refused = ModelAccessError(said)
        return error

    @asynccontextmanager
    async def _in_turn(self, prefix: bytes | None) -> AsyncIterator[None]:
        """Wait for the first request with a prefix, or let the others wait for this one."""
        first = None if prefix is None else self._first.get(prefix)
        if prefix is None:
            yield
        elif first is not None:
            await first.wait()
            yield
        else:
            self._first[prefix] = begun = asyncio.Event()
            if len(self._first) > _PREFIXES:
                self._first.popitem(last=False)
            try:
                yield
            finally:
                begun.set()


def most_tokens(request: Request[Any]) -> Usage:
    """Return the tokens of a request, as cl100k_base counts them, and of the longest reply."""
    from chunkwright.tokenizer import count_tokens

    n_input = sum(count_tokens(each.content, _TOKENIZER) for each in request.messages)
    return Usage(n_input, 0, request.max_tokens)
