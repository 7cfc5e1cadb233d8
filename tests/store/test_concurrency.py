"""Writers and readers of a store at once: a reader sees whole versions, and nothing is lost."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.synchronize import Event

import pytest

import chunkwright as cw
from chunkwright.store.store import Store
from tests.support.stores import Toy, blocks, documents

N_DOCUMENTS = 3
N_TIMES = 4
N_READERS = 10
FORK = multiprocessing.get_context("fork" if hasattr(os, "fork") else None)
pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]
STRATEGY = cw.Sentence(max_tokens=30)


def open_store(target: str) -> Store:
    return Store.open(target, embedder=Toy())


def write(target: str, first: int) -> None:
    """Import versions in turn, cut afresh: so a text has the same blocks whatever was before."""
    with open_store(target) as store:
        for version in range(first, first + N_TIMES):
            report = store.add(documents(N_DOCUMENTS, version % 3), strategy=STRATEGY, resync=False)
            assert not report.of("failed")


def texts_of(version: int) -> list[list[str]]:
    chunks = STRATEGY.batch(documents(N_DOCUMENTS, version))
    found: list[list[str]] = [[] for _ in range(N_DOCUMENTS)]
    for chunk in chunks:
        found[chunk.doc_index].append(chunk.text)
    return found


def read(store: Store, ended: Event) -> int:
    """Read until the writers have ended; each document is one of its versions, and whole."""
    whole = [texts_of(version) for version in range(3)]
    n_reads = 0
    is_last = False
    while not is_last:
        is_last = ended.is_set()
        for number in range(N_DOCUMENTS):
            uri = f"report-{number}.md"
            chunks = store.chunks(uri)
            assert [chunk.text for chunk in chunks] in [each[number] for each in whole]
            _, found = blocks(store, uri)
            assert [text for _, text in found] in [each[number] for each in whole]
        n_reads += 1
    return n_reads


@pytest.mark.slow
def test_readers_see_whole_versions_while_two_write(target: str) -> None:
    with open_store(target) as store:
        store.add(documents(N_DOCUMENTS, 0), strategy=STRATEGY)
    ended = FORK.Event()
    writers = [FORK.Process(target=write, args=(target, first)) for first in (1, 2)]
    for writer in writers:
        writer.start()
    try:
        with open_store(target) as store, ThreadPoolExecutor(N_READERS) as pool:
            reads = [pool.submit(read, store, ended) for _ in range(N_READERS)]
            for writer in writers:
                writer.join()
            ended.set()
            assert all(each.result() >= 1 for each in reads)
    finally:
        ended.set()
        for writer in writers:
            writer.kill()
    assert [writer.exitcode for writer in writers] == [0, 0]
