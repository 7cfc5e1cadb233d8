"""Feed of a stream: the body of a request, as a file that another thread reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from io import RawIOBase
from typing import TYPE_CHECKING

from chunkwright.concurrency.loop_thread import WAITING
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from chunkwright.server.work.pool import Receive


class Feed(RawIOBase):
    """The body of a request as it comes; a thread that reads it waits for its client.

    Parameters
    ----------
    receive
        Gives the messages of the request.
    seconds
        Within which each part of the body has to come.
    noted
        Is called when a part has come.

    Raises
    ------
    Problem
        When it is read: if a part does not come in time (408), or the client has gone.
    """

    def __init__(self, receive: Receive, seconds: float, noted: Callable[[], None]) -> None:
        super().__init__()
        self._receive = receive
        self._seconds = seconds
        self._noted = noted
        self._loop = asyncio.get_running_loop()
        self._rest = memoryview(b"")
        self.is_over: bool = False

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: memoryview | bytearray) -> int:  # type: ignore[override]
        """Fill a buffer with what is there; wait if nothing is."""
        while not self._rest:
            if self.is_over:
                return 0
            self._rest = memoryview(self._next())
        n = min(len(buffer), len(self._rest))
        buffer[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n

    def _next(self) -> bytes:
        waited = asyncio.run_coroutine_threadsafe(self._message(), self._loop)
        if (waiting := WAITING.get()) is not None:
            waiting.add(waited)
        try:
            return waited.result()
        finally:
            if waiting is not None:
                waiting.discard(waited)

    async def _message(self) -> bytes:
        try:
            async with asyncio.timeout(self._seconds):
                message = await self._receive()
        except TimeoutError:
            raise Problem(408, "slow_body", "the stream did not go on in time") from None
        if message["type"] == "http.disconnect":
            raise Problem(499, "client_gone", "the client has gone")
        self.is_over = not message.get("more_body", False)
        self._noted()
        part: bytes = message.get("body", b"")
        return part
