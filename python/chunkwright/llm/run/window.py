"""Window of requests under way: answers in order, replies kept."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Generic, TypeVar

from chunkwright.errors import ModelError
from chunkwright.llm.protocol import RefusalError, Reply
from chunkwright.llm.request import Answer, InvalidReplyError, Request
from chunkwright.llm.run.reply_cache import Replies
from chunkwright.llm.run.sender import Sender, UnpaidError

T = TypeVar("T")

# Requests that are read ahead: looked up in the cache at once, and kept in memory.
WINDOW = 512
# Replies are kept after so many, or so many seconds: what a crash may lose.
_KEPT = 1024
_SECONDS = 1.0


class RequestWindow(Generic[T]):
    """The requests that are read and not yet answered; answers are awaited on the event loop.

    Parameters
    ----------
    requests
        All requests, read as there is room.
    sender
        Sends them.
    replies
        The cache; None: nothing is kept.
    """

    def __init__(
        self, requests: Iterator[Request[T]], sender: Sender, replies: Replies | None
    ) -> None:
        self._requests = requests
        self._sender = sender
        self._replies = replies
        self._waiting: deque[asyncio.Task[Answer[T]] | Answer[T]] = deque()
        self._new: dict[bytes, Reply] = {}
        self._kept_at = monotonic()

    def read(self) -> list[Request[T]]:
        """Return the next requests, if there is room for some; the caller's thread makes them.

        So requests that are under way go on, and an interruption ends what makes the others.
        """
        n = len(self._waiting)
        return list(islice(self._requests, WINDOW - n)) if n <= WINDOW // 2 else []

    async def next_answers(self, block: Sequence[Request[T]]) -> list[Answer[T]]:
        """Return the answers that are there, one at least; none at the end.

        Parameters
        ----------
        block
            What was read.

        Raises
        ------
        ModelAccessError
            If the model will answer no other request either.
        """
        self._begin(block)
        answers: list[Answer[T]] = []
        while self._waiting:
            first = self._waiting[0]
            if isinstance(first, asyncio.Task):
                if answers and not first.done():
                    break
                first = await first
            self._waiting.popleft()
            answers.append(first)
        if self._sender.refused is not None:
            raise self._sender.refused
        self._sender.ledger.count(answers)
        if len(self._new) >= _KEPT or monotonic() - self._kept_at > _SECONDS:
            self.keep()
        return answers

    async def close(self) -> None:
        """Give up what is under way."""
        tasks = [each for each in self._waiting if isinstance(each, asyncio.Task)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def keep(self) -> None:
        """Put new replies into the cache."""
        if self._replies is not None:
            self._replies.put(self._new)
        self._new = {}
        self._kept_at = monotonic()

    def _begin(self, block: Sequence[Request[T]]) -> None:
        if self._replies is None or not block:
            self._waiting.extend(self._begun(request, b"", None) for request in block)
            return
        keys = [request.key() for request in block]
        asked = {key: request.schema for request, key in zip(block, keys, strict=True)}
        found = self._replies.get(asked)
        self._waiting.extend(map(self._begun, block, keys, map(found.get, keys)))

    def _begun(
        self, request: Request[T], key: bytes, reply: Reply | None
    ) -> asyncio.Task[Answer[T]] | Answer[T]:
        if reply is not None:
            try:
                return Answer(request.check(reply), "cached")
            except InvalidReplyError:
                pass
            except RefusalError:
                reply = None
        return asyncio.ensure_future(self._answered(request, key, reply))

    async def _answered(self, request: Request[T], key: bytes, reply: Reply | None) -> Answer[T]:
        """Return the answer to a request, which is asked once more if the first reply is wrong."""
        about = request.about
        try:
            reply = reply or await self._replied(request, key)
            try:
                return Answer(request.check(reply), "answered")
            except InvalidReplyError as error:
                request = request.repaired(reply, str(error))
            return Answer(request.check(await self._second(request)), "repaired")
        except InvalidReplyError as error:
            return Answer(None, "invalid", str(error), about)
        except RefusalError as error:
            # The model may answer another time: a later run asks it again.
            self._new.pop(request.key(), None)
            return Answer(None, "failed", str(error), about)
        except UnpaidError:
            return Answer(None, "unpaid", "the budget does not suffice", about)
        except ModelError as error:
            return Answer(None, "failed", str(error), about)

    async def _second(self, request: Request[T]) -> Reply:
        if self._replies is None:
            return await self._sender.send(request)
        key = request.key()
        found = self._replies.get({key: request.schema})
        return found[key] if found else await self._replied(request, key)

    async def _replied(self, request: Request[T], key: bytes) -> Reply:
        reply = await self._sender.send(request)
        if self._replies is not None:
            self._new[key] = reply
        return reply
