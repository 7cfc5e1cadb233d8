"""Work of a stream: a thread reads documents and writes rows, while the client sends and takes."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Iterator
from io import RawIOBase
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.responses import Response

from chunkwright.concurrency.background import in_background
from chunkwright.concurrency.breaking import Breaker
from chunkwright.concurrency.loop_thread import waited
from chunkwright.server.problems import Problem, busy, client_gone, problem_of
from chunkwright.server.streams.spool import Spool

if TYPE_CHECKING:
    from chunkwright.chunking.registry import AnyStrategy
    from chunkwright.server.guard.requests import Receive, Scope, Send
    from chunkwright.server.service import Service


class Pieces(RawIOBase):
    """A file of bytes that come piece by piece."""

    _rest = memoryview(b"")

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: memoryview | bytearray) -> int:  # type: ignore[override]
        """Fill a buffer with what is there; wait for the next piece if nothing is."""
        while not self._rest:
            if (piece := self._next()) is None:
                return 0
            self._rest = memoryview(piece)
        n = min(len(buffer), len(self._rest))
        buffer[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n

    @abstractmethod
    def _next(self) -> bytes | None:
        """Return the next piece, which may be empty; None at the end."""


class Feed(Pieces):
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
        self.is_over: bool = False

    def _next(self) -> bytes | None:
        if self.is_over:
            return None
        return waited(asyncio.run_coroutine_threadsafe(self._message(), self._loop))

    async def _message(self) -> bytes:
        try:
            async with asyncio.timeout(self._seconds):
                message = await self._receive()
        except TimeoutError:
            raise Problem(408, "slow_body", "the stream did not go on in time") from None
        if message["type"] == "http.disconnect":
            raise client_gone()
        self.is_over = not message.get("more_body", False)
        self._noted()
        part: bytes = message.get("body", b"")
        return part


# Once a client has sent all, so many bytes may wait for it before the work does.
_WAITING = 32 << 20
_GLANCE = 1.0


class Columns(NamedTuple):
    """Columns of the tables of a stream.

    Attributes
    ----------
    text
        That of the texts.
    id
        That of the documents' ids; None: ids are derived from the texts.
    kind
        What the texts are read as; None: they are plain.
    """

    text: str
    id: str | None
    kind: str | None


class Stream:
    """A stream of documents in and of chunks out.

    Parameters
    ----------
    service
        The service.
    strategy
        What cuts.
    receive
        Gives the messages of the request.
    """

    def __init__(self, service: Service, strategy: AnyStrategy, receive: Receive) -> None:
        settings = service.settings
        self.service = service
        self.strategy = strategy
        self.receive = receive
        self.feed: Feed = Feed(receive, settings.body_timeout, self._note)
        self.spool: Spool = Spool(settings.max_output)
        self.breaker: Breaker = Breaker()
        self._noted = monotonic()

    def _note(self) -> None:
        self._noted = monotonic()

    def fill(self, parts: Callable[[], Iterator[bytes]]) -> None:
        """Write what an iterator yields; called by the thread."""
        try:
            self.breaker.run(lambda: self._write(parts()))
        finally:
            self.spool.finish()

    def _write(self, parts: Iterator[bytes]) -> None:
        for part in parts:
            self._note()
            if self.feed.is_over:
                self.spool.wait_until_below(_WAITING, self.service.settings.body_timeout)
            self._note()
            self.spool.write(part)

    async def over(self) -> None:
        """Return when there is no use in going on: no progress for too long, or no client.

        Raises
        ------
        Problem
            Always: says which.
        """
        gone: asyncio.Future[Any] | None = None
        try:
            while gone is None or not gone.done():
                await asyncio.sleep(_GLANCE)
                seconds = self.service.settings.timeout
                if monotonic() - self._noted > max(seconds, self.service.settings.body_timeout):
                    message = f"the work made no progress in {seconds:g} seconds"
                    raise Problem(504, "timeout", message)
                if gone is None and self.feed.is_over:
                    gone = asyncio.ensure_future(self.receive())
        finally:
            if gone is not None:
                gone.cancel()
        raise client_gone()


class StreamAnswer(Response):
    """An answer that begins when the first rows are there, and grows with what the client sends.

    Parameters
    ----------
    stream
        The stream.
    parts
        Yields the answer, in a thread.
    last
        Makes the last words of an answer that has begun and cannot go on; None: the connection is
        broken off, which is what the form has for it.
    media_type
        The form of the answer.
    """

    def __init__(
        self,
        stream: Stream,
        parts: Callable[[], Iterator[bytes]],
        last: Callable[[Problem], bytes] | None,
        media_type: str,
    ) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self._stream = stream
        self._parts = parts
        self._last = last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer.

        Raises
        ------
        Problem
            If there is one before the answer has begun.
        """
        del scope, receive
        service = self._stream.service
        if service.n_streams >= service.settings.most_streams:
            raise busy("the service is busy: too many streams run")
        service.n_streams += 1
        stream = self._stream
        filling = in_background(lambda: stream.fill(self._parts), stream.breaker)
        work = asyncio.ensure_future(filling)
        over = asyncio.ensure_future(self._stream.over())
        over.add_done_callback(lambda _: work.cancel())
        try:
            await self._sent(send, work, over)
        finally:
            for each in (work, over):
                each.cancel()
            await asyncio.wait([work, over])
            service.n_streams -= 1
            self._stream.spool.close()

    async def _sent(
        self, send: Send, work: asyncio.Future[None], over: asyncio.Future[None]
    ) -> None:
        has_begun = False
        async for part in self._stream.spool.parts():
            if not has_begun:
                await self._begin(send)
                has_begun = True
            await send({"type": "http.response.body", "body": part, "more_body": True})
        try:
            await work
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and not over.done():
                raise
            problem = problem_of(over.exception() or error if over.done() else error)
            if not has_begun or self._last is None:
                raise problem from error
            last = self._last(problem)
            await send({"type": "http.response.body", "body": last, "more_body": True})
        if not has_begun:
            await self._begin(send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _begin(self, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
