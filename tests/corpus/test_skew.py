"""Inputs of very different sizes: nothing stalls, and memory is bounded."""

from __future__ import annotations

import json
import multiprocessing
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.corpus.pipeline.items import ByteQueue, ClosedError
from tests.corpus.folders import rows, table, text, write_json
from tests.support.memory import MEGABYTE, peak

_FRESH = multiprocessing.get_context("spawn")
LONG = "A long sentence of many words that goes on. "


def test_a_queue_is_bounded_by_bytes() -> None:
    queue: ByteQueue[int] = ByteQueue(100)
    seen: list[int] = []

    def take() -> None:
        while (item := queue.get()) >= 0:
            seen.append(item)

    for number in (60, 40):
        queue.put(number, number)
    putting = threading.Thread(target=queue.put, args=(1, 1))
    putting.start()
    putting.join(0.2)
    # There is no room for one byte more.
    assert putting.is_alive()
    taking = threading.Thread(target=take)
    taking.start()
    putting.join()
    # What is larger than all of the queue passes all the same.
    queue.put(500, 500)
    queue.put(2, 2)
    queue.put(-1)
    taking.join()
    assert seen == [60, 40, 1, 500, 2]


def test_a_queue_that_is_closed_tells_why_to_all_who_wait() -> None:
    queue: ByteQueue[int] = ByteQueue(1)
    told: list[BaseException | None] = []

    def wait() -> None:
        try:
            queue.get()
        except ClosedError as error:
            told.append(error.__cause__)

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    why = ValueError("why")
    queue.close(why)
    queue.close(KeyError("later"))
    for thread in threads:
        thread.join()
    assert told == [why] * 3
    with pytest.raises(ClosedError):
        queue.put(1)


def skewed(folder: Path, megabytes: int, n_small: int) -> Path:
    """Make a file with one large document among small ones, as JSON lines and as Parquet."""
    large = LONG * (megabytes * MEGABYTE // len(LONG))
    texts = [text(n) for n in range(n_small)]
    texts.insert(n_small // 2, large)
    write_json(folder / "a.jsonl", ({"text": each} for each in texts))
    pq.write_table(pa.table({"text": texts[::-1]}), folder / "b.parquet")
    return folder


def test_a_large_document_among_small_ones_is_one_of_them(tmp_path: Path) -> None:
    folder = skewed(tmp_path / "in", 12, 200)
    result = Corpus(folder, cw.Window(max_chars=1000)).write(tmp_path / "out")
    assert result.counts.documents == 402
    found = table(tmp_path / "out")
    assert result.counts.chunks == found.num_rows
    per_document = {
        row["values"]: row["counts"] for row in found["document"].value_counts().to_pylist()
    }
    assert max(per_document.values()) == 2 * -(-(12 * MEGABYTE // len(LONG) * len(LONG)) // 1000)


def write_and_measure(inputs: Path, out: Path, found: Any) -> None:
    """Cut a corpus, and tell how much memory that took beyond what was there before."""
    import pyarrow.parquet  # noqa: F401 - takes memory of its own

    corpus = Corpus(inputs, cw.Window(max_chars=1000), workers=2)
    before = peak()
    corpus.write(out)
    found.put(peak() - before)


def used(inputs: Path, out: Path) -> int:
    """Return the megabytes that a run takes in a process of its own."""
    found = _FRESH.SimpleQueue()
    child = _FRESH.Process(target=write_and_measure, args=(inputs, out, found))
    child.start()
    child.join()
    assert child.exitcode == 0
    megabytes: int = found.get()
    return megabytes


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_files(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    megabytes = []
    for n_files in (24, 96):
        for number in range(n_files):
            rows_ = ({"text": LONG * 50 + str(n)} for n in range(4000))
            if not (folder / f"{number}.jsonl").exists():
                write_json(folder / f"{number}.jsonl", rows_)
        megabytes.append(used(folder, tmp_path / str(n_files)))
    assert megabytes[0] < 700
    assert megabytes[1] < megabytes[0] * 1.3 + 50


@pytest.mark.slow
def test_memory_is_some_times_that_of_the_largest_document(tmp_path: Path) -> None:
    folder = skewed(tmp_path / "in", 60, 20_000)
    assert used(folder, tmp_path / "out") < 15 * 60


def many_rows(n_rows: int) -> Iterator[dict[str, Any]]:
    return ({"no": "text"} for _ in range(n_rows))


@pytest.mark.slow
def test_memory_does_not_grow_with_what_fails(tmp_path: Path) -> None:
    megabytes = []
    for n_files in (10, 40):
        for number in range(n_files):
            write_json(tmp_path / f"in-{n_files}" / f"{number}.jsonl", many_rows(20_000))
        megabytes.append(used(tmp_path / f"in-{n_files}", tmp_path / str(n_files)))
    assert megabytes[1] < megabytes[0] * 2 + 100
    assert len(rows(tmp_path / "40")) == 0
    report = json.loads((tmp_path / "40" / "_run" / "run.json").read_text())
    assert report["counts"]["failed"] == 800_000
