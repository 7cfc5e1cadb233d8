"""Pool of connections: few stay open, each is used by one, and none is inherited."""

from __future__ import annotations

import os

import pytest

from chunkwright.errors import StoreError
from chunkwright.store.database.pool import Pool


class Connection:
    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_each_is_used_by_one_and_few_stay_open() -> None:
    pool: Pool[Connection] = Pool("kb.db")
    assert pool.take() is None
    used = [Connection() for _ in range(20)]
    for connection in used:
        pool.give_back(connection)
    assert [connection.is_closed for connection in used] == [False] * 8 + [True] * 12
    taken = [pool.take() for _ in range(8)]
    assert set(taken) == set(used[:8])
    assert pool.take() is None


def test_a_closed_pool_gives_none_and_closes_what_comes_back() -> None:
    pool: Pool[Connection] = Pool("kb.db")
    idle, used = Connection(), Connection()
    pool.give_back(idle)
    pool.close()
    pool.give_back(used)
    assert idle.is_closed
    assert used.is_closed
    with pytest.raises(StoreError, match=r"kb\.db: the store is closed"):
        pool.take()


def test_what_a_parent_opened_is_neither_used_nor_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    pool: Pool[Connection] = Pool("kb.db")
    of_parent, own = Connection(), Connection()
    pool.give_back(of_parent)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert pool.take() is None
    pool.give_back(own)
    assert pool.take() is own
    pool.close()
    assert not of_parent.is_closed
