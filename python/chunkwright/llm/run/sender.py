"""Sender of requests to a language model: so many at once, in time, within the budget."""

from __future__ import annotations

import asyncio
import inspect
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from functools import lru_cache
from typing import Any

from chunkwright.errors import ChunkwrightError, ModelError
from chunkwright.llm.protocol import (
    NOTHING,
    LanguageModel,
    ModelAccessError,
    RefusalError,
    Reply,
    Usage,
)
from chunkwright.llm.request import Request
from chunkwright.llm.run.ledger import Ledger
from chunkwright.llm.run.slots import Deadlines, Slots

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
    deadlines
        Give each reply its time.
    slots
        Bounds the requests of all senders that share it.

    Attributes
    ----------
    refused
        Why no request is sent any more; None while they are.
    """

    def __init__(
        self, llm: LanguageModel, ledger: Ledger, *, slots: Slots, deadlines: Deadlines
    ) -> None:
        self.ledger = ledger
        self.refused: ModelAccessError | None = None
        self._llm = llm
        # A run with many requests waits in its own queue: others get their turns in between.
        self._own_slots = asyncio.Semaphore(slots.n)
        self._slots = slots
        self._deadlines = deadlines
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
        prefix = request.prefix()
        turn = nullcontext() if prefix is None else self._in_turn(prefix)
        async with turn, self._own_slots, self._slots.one():
            if self.refused is not None:
                # Each request that is given up would make its traceback longer.
                raise self.refused.with_traceback(None)
            most = most_tokens(request) if self.ledger.budget else NOTHING
            if not self.ledger.reserve(most):
                raise UnpaidError
            used = NOTHING
            try:
                reply = await self._replied(request)
                used = (
                    reply.usage if reply.usage != NOTHING else self._counted_tokens(request, reply)
                )
            except RefusalError as error:
                used = error.usage
                raise
            finally:
                self.ledger.settle(most, used)
            return reply

    def _counted_tokens(self, request: Request[Any], reply: Reply) -> Usage:
        """Return the tokens that a server does not tell, if money or a budget depends on them."""
        if self.ledger.prices is None and self.ledger.budget is None:
            return NOTHING
        return Usage(most_tokens(request).input_tokens, 0, _n_tokens(reply.text))

    async def _replied(self, request: Request[Any]) -> Reply:
        try:
            async with self._deadlines.one():
                reply = await self._completed(request)
        except TimeoutError as error:
            raise self._counted(ModelError(self._late())) from error
        except ModelAccessError as error:
            self.refused = error
            raise
        except RefusalError:
            # The server is there, and answers.
            self._n_failures = 0
            raise
        except ModelError as error:
            raise self._counted(error) from error
        self._n_failures = 0
        return reply

    async def _completed(self, request: Request[Any]) -> Reply:
        """Return the model's reply; whatever else it does is an error of this request alone."""
        try:
            completion: Any = self._llm.complete(
                request.messages,
                schema=request.schema,
                max_tokens=request.max_tokens,
                temperature=request.temperature,
            )
            reply = await completion if inspect.isawaitable(completion) else completion
        except ChunkwrightError:
            raise
        except BaseException as error:
            # Some would end the event loop, and whoever waits for it would wait for ever.
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise ModelError(f"the model failed: {error!r}") from error
        if not isinstance(reply, Reply):
            raise ModelError(f"the model returned {type(reply).__name__}, not a Reply")
        return reply

    def _late(self) -> str:
        """Return what is wrong with a reply that is not there in time.

        A server's adapter has a limit for each try, and tries again: whoever set that one knows no
        other.
        """
        of_one: object = getattr(self._llm, "timeout", None)
        tries = ""
        if isinstance(of_one, int | float) and of_one < self._deadlines.seconds:
            tries = f": each try may take {of_one:g} s"
        return f"no reply in {self._deadlines.seconds:g} s{tries}"

    def _counted(self, error: ModelError) -> ModelError:
        self._n_failures += 1
        if self._n_failures == _MAX_FAILURES:
            said = f"{self._n_failures} requests failed one after the other: {error}"
            self.refused = ModelAccessError(said)
        return error

    @asynccontextmanager
    async def _in_turn(self, prefix: bytes) -> AsyncIterator[None]:
        """Wait for the first request with a prefix, or let the others wait for this one."""
        first = self._first.get(prefix)
        if first is not None:
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
    # What many requests have in common is counted once.
    n_input = sum(
        (_n_tokens_once if each.ends_prefix else _n_tokens)(each.content)
        for each in request.messages
    )
    return Usage(n_input, 0, request.max_tokens)


def _n_tokens(text: str) -> int:
    from chunkwright.tokens.tokenizer import count_tokens

    return count_tokens(text, _TOKENIZER)


_n_tokens_once = lru_cache(maxsize=8)(_n_tokens)
