"""Queries whose call is ended from outside: they end, too, and the store goes on."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from threading import Event
from typing import Any

from chunkwright.concurrency.background import in_background
from chunkwright.errors import StoreError
from chunkwright.store.database.sqlite import SqliteDatabase

# For what hangs, on the busiest of machines.
PATIENCE = 60.0
# One that takes minutes, in both databases.
LONG = (
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000000000)"
    " SELECT count(*) FROM r"
)


def opened(target: str) -> Any:
    if not target.startswith("postgresql:"):
        return SqliteDatabase(Path(target))
    from chunkwright.store.database.postgres import PostgresDatabase

    return PostgresDatabase(target)


def test_a_query_ends_with_its_call(target: str) -> None:
    database = opened(target)
    begun, ended = Event(), list[Any]()

    def call() -> None:
        try:
            with database.reading() as session:
                begun.set()
                session.rows(LONG)
        except StoreError as error:
            ended.append(error)

    async def leave() -> None:
        waited = asyncio.ensure_future(in_background(call))
        await asyncio.to_thread(begun.wait, PATIENCE)
        # It is sent, and may not have begun.
        await asyncio.sleep(0.2)
        waited.cancel()
        deadline = time.monotonic() + PATIENCE
        while not ended and time.monotonic() < deadline:  # noqa: ASYNC110 - of a thread
            await asyncio.sleep(0.01)

    asyncio.run(leave())
    assert len(ended) == 1
    with database.reading() as session:
        assert session.rows("SELECT 1") == [(1,)]
    database.close()
