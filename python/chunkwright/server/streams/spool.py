"""Spool of a stream: what waits until its client takes it, in memory and then on disk."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from threading import Condition

from chunkwright.server.problems import Problem, client_gone

_IN_MEMORY = 8 << 20
_PART = 1 << 18


class Spool:
    """Bytes from a thread to the event loop, in their order.

    Many clients send all of a request before they read any of its answer. Were the answer not kept
    meanwhile, both sides would wait for each other.

    Parameters
    ----------
    most
        Bytes that may wait.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._loop = asyncio.get_running_loop()
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - closed by close
        self._changed = Condition()
        self._is_there = asyncio.Event()
        self._begin = self._end = 0
        self._is_over = False

    def __len__(self) -> int:
        """Return how many bytes wait."""
        return self._end - self._begin

    def write(self, data: bytes | memoryview) -> int:
        """Add bytes; called by the thread.

        Raises
        ------
        Problem
            If too many bytes wait, or nobody waits for more.
        """
        with self._changed:
            if self._is_over:
                raise client_gone()
            if len(self) + len(data) > self._most:
                raise Problem(413, "too_large", f"over {self._most:,} bytes wait for the client")
            self._file.seek(self._end)
            self._file.write(data)
            self._end += len(data)
        self._wake()
        return len(data)

    def wait_until_below(self, size: int, seconds: float) -> None:
        """Wait until fewer bytes wait; called by the thread.

        Raises
        ------
        Problem
            If the client takes nothing for so long.
        """
        with self._changed:
            while len(self) > size and not self._is_over:
                before = self._begin
                if not self._changed.wait(seconds) and before == self._begin:
                    raise Problem(408, "slow_client", "the client does not take the answer")

    def finish(self) -> None:
        """Say that there is no more; called by the thread."""
        with self._changed:
            self._is_over = True
        self._wake()

    async def parts(self) -> AsyncIterator[bytes]:
        """Give the bytes as they come, until there are no more."""
        while True:
            self._is_there.clear()
            part, is_over = self._taken()
            if part:
                yield part
            elif is_over:
                return
            else:
                await self._is_there.wait()

    def close(self) -> None:
        """Drop what waits."""
        with self._changed:
            self._is_over = True
            # What a full disk has not taken is written once more, in vain.
            with suppress(OSError):
                self._file.close()
            self._changed.notify_all()

    def _taken(self) -> tuple[bytes, bool]:
        with self._changed:
            self._file.seek(self._begin)
            part = self._file.read(min(_PART, len(self)))
            self._begin += len(part)
            if self._begin == self._end and self._begin:
                # All is taken: the file need not grow for ever.
                self._file.seek(0)
                self._file.truncate()
                self._begin = self._end = 0
            self._changed.notify_all()
            return part, self._is_over

    def _wake(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._is_there.set)
        except RuntimeError:
            # The loop has ended, and nobody reads.
            return
