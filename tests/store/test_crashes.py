"""Imports that are killed: the last whole versions are there, and a second run finishes."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import tempfile
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from chunkwright.store.database.postgres_session import PostgresSession
from chunkwright.store.database.sqlite_session import SqliteSession
from chunkwright.store.store import Store
from tests.support import postgres_server
from tests.support.mostly_slow import mostly_slow
from tests.support.stores import Held, Toy, blocks, documents, held

N_DOCUMENTS = 5
pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]
FORK = multiprocessing.get_context("fork" if hasattr(os, "fork") else None)
# What a session does to its database, each a moment at which a process may end.
STEPS = ("rows", "row", "among", "run", "insert", "delete")


def open_store(target: str) -> Store:
    return Store.open(target, embedder=Toy())


def import_all(target: str, version: int) -> None:
    with open_store(target) as store:
        report = store.add(documents(N_DOCUMENTS, version))
        assert not report.of("failed")


def every_step(act: Callable[[], None]) -> None:
    """Call a function at each step of any session of this process."""
    for session in (SqliteSession, PostgresSession):
        for name in STEPS:
            inner = getattr(session, name)

            def step(self: Any, *options: Any, _inner: Any = inner) -> Any:
                act()
                return _inner(self, *options)

            setattr(session, name, step)


def count_steps(target: str, version: int, counts: multiprocessing.SimpleQueue[int]) -> None:
    n_steps = 0

    def count() -> None:
        nonlocal n_steps
        n_steps += 1

    every_step(count)
    import_all(target, version)
    counts.put(n_steps)


def die_at_step(target: str, version: int, last: int) -> None:
    n_steps = 0

    def die() -> None:
        nonlocal n_steps
        n_steps += 1
        if n_steps == last:
            os.kill(os.getpid(), signal.SIGKILL)

    every_step(die)
    import_all(target, version)


def in_child(function: Callable[..., None], *options: Any) -> int:
    child = FORK.Process(target=function, args=options)
    child.start()
    child.join()
    assert child.exitcode is not None
    return child.exitcode


class Whole(NamedTuple):
    """What imports come to that nobody disturbs."""

    versions: list[dict[str, Any]]
    held: Held
    n_steps: list[int]


def undisturbed(target: str) -> Whole:
    versions, n_steps = [], []
    counts = FORK.SimpleQueue()
    for version in (0, 1):
        assert in_child(count_steps, target, version, counts) == 0
        n_steps.append(counts.get())
        with open_store(target) as store:
            uris = [document.uri for document in store.documents()]
            versions.append({uri: blocks(store, uri) for uri in uris})
            everything = held(store)
    return Whole(versions, everything, n_steps)


@cache
def whole(*, is_postgres: bool) -> Whole:
    if is_postgres:
        with postgres_server.empty_database() as target:
            return undisturbed(target)
    with tempfile.TemporaryDirectory() as folder:
        return undisturbed(f"{folder}/kb.db")


def whole_of(target: str) -> Whole:
    return whole(is_postgres=target.startswith("postgresql:"))


def check_killed(target: str, version: int) -> None:
    """Check that each document is whole, and that a second run makes all as it should be."""
    versions, everything, _ = whole_of(target)
    with open_store(target) as store:
        before = {uri: [found] for uri, found in versions[0].items()}
        for uri, found in versions[version].items():
            before[uri].append(found)
        uris = [document.uri for document in store.documents()]
        # The import had come so far, in its order.
        assert uris == list(versions[0])[: len(uris)]
        assert version == 0 or len(uris) == N_DOCUMENTS
        for uri in uris:
            assert blocks(store, uri) in before[uri]
    for each in range(version, 2):
        import_all(target, each)
    with open_store(target) as store:
        assert held(store) == everything


def check_step(target: str, version: int, part: float) -> None:
    """Check an import that is killed when so much of it is done."""
    for before in range(version):
        import_all(target, before)
    step = max(1, round(part * whole_of(target).n_steps[version]))
    assert in_child(die_at_step, target, version, step) == -signal.SIGKILL
    check_killed(target, version)


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("part", mostly_slow([0.35, 0.7], quick=1))
def test_a_killed_import_leaves_whole_versions(target: str, version: int, part: float) -> None:
    check_step(target, version, part)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_an_import_killed_anywhere_leaves_whole_versions(target: str, seed: int) -> None:
    check_step(target, seed % 2, random.Random(seed).random())


@pytest.mark.parametrize("n_done", [1, 3])
def test_an_import_killed_from_outside_leaves_whole_versions(target: str, n_done: int) -> None:
    import_all(target, 0)
    tellings = FORK.SimpleQueue()
    child = FORK.Process(target=_tell, args=(target, tellings))
    child.start()
    for _ in range(n_done):
        tellings.get()
    # In the midst of whatever it does next.
    child.kill()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    check_killed(target, 1)


def _tell(target: str, tellings: multiprocessing.SimpleQueue[str]) -> None:
    with open_store(target) as store:
        store.add(documents(N_DOCUMENTS, 1), progress=lambda step: tellings.put(step.name))
    signal.pause()
