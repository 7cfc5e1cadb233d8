"""Answers of ``async`` embedders, awaited on an event loop that all of them share."""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from chunkwright.concurrency.loop_thread import LoopThread


def awaited(found: Any) -> Any:
    """Return what an embedder gave; of an ``async`` one, once it is there.

    All run on one loop, which is never the caller's: clients that an ``async`` function keeps are
    bound to the loop that they were first used on.
    """
    return _loop().call(_result(found)) if inspect.isawaitable(found) else found


async def _result(found: Awaitable[Any]) -> Any:
    return await found


@cache
def _loop() -> LoopThread:
    from chunkwright.concurrency.loop_thread import LoopThread

    return LoopThread()
