"""Many texts at once: how batches gain from threads, and what Arrow in and out costs.

Wall-clock seconds, the best of several rounds, since threads are the point: it needs an idle
machine.
``python benches/many.py`` writes a Parquet file of 1 GB to ``benches/.data`` and keeps it. It
prints Markdown.
"""

from __future__ import annotations

import argparse
import gc
import time
from typing import TYPE_CHECKING, Any

from lib.contenders import TIMES
from lib.corpus import MEGABYTE, data_folder, fresh, text_of
from lib.memory import kilobytes, settle
from lib.table import (
    NOTHING,
    Table,
    at_least,
    at_most,
    duration,
    say,
    three_digits,
    times,
    versions,
)

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SPLITTER = cw.Recursive(max_tokens=512)
TEXT_CHARS = 100_000
DOCUMENT_CHARS = 10_000
ROWS_AT_ONCE = 4096  # 40 MB, as readers of large files take them
WANTED_GAIN = 1.8  # of two workers
WANTED_TIMES = 5  # what reading the file takes


def main() -> None:
    """Print both tables."""
    options = _options()
    say(
        f"{versions('pyarrow')}. By the clock, the best of {options.rounds} rounds; `Recursive` "
        "with 512 tokens. New texts have no UTF-8 form yet, which one thread makes."
    )
    _batches(options)
    if options.parquet:
        _arrow(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=float, default=20, help="MB of text in a batch")
    parser.add_argument("--parquet", type=float, default=1000, help="MB of text in the file")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


# ---------------------------------------------------------------------- batches


def _batches(options: argparse.Namespace) -> None:
    text = text_of(options.size)
    many = [text[at : at + TEXT_CHARS] for at in range(0, len(text), TEXT_CHARS)]
    table = Table(f"batch of {options.size:g} MB", "workers", "MB/s", "gain", "wanted")
    for title, texts in ((f"{len(many)} texts of 100 kB", many), ("one text", [text])):
        _scaling(f"{title}, new", texts, fresh, options, table)
        # Once Python keeps a text's UTF-8 form, nothing is left that one thread does alone.
        _scaling(f"{title}, seen before", texts, str, options, table)


def _scaling(
    title: str,
    texts: list[str],
    copy: Callable[[str], str],
    options: argparse.Namespace,
    table: Table,
) -> None:
    n_bytes = sum(len(text.encode()) for text in texts)
    best = dict.fromkeys(options.workers, float("inf"))
    for _ in range(options.rounds):
        for workers in options.workers:
            given = [copy(text) for text in texts]
            seconds, _ = _timed(lambda: SPLITTER.batch(given, workers=workers))  # noqa: B023 - called at once
            best[workers] = min(best[workers], seconds)
    for workers, seconds in best.items():
        gain = best[options.workers[0]] / seconds
        is_aim = workers == 2 and len(texts) > 1 and copy is fresh  # noqa: PLR2004
        wanted = at_least(WANTED_GAIN if is_aim else None, gain)
        speed = three_digits(n_bytes / seconds / MEGABYTE)
        table.row(
            title, workers, speed, NOTHING if workers == options.workers[0] else times(gain), wanted
        )


# ---------------------------------------------------------------------- Arrow


def _arrow(options: argparse.Namespace) -> None:
    file = _parquet(options.parquet)
    say(
        f"Parquet of {options.parquet:g} MB in texts of 10 kB, read in batches. Extra memory is "
        "the peak above what was resident before."
    )
    table = Table("work", "time", "of reading", "wanted", "extra memory (MB)")
    works: dict[str, Callable[[], int]] = {"pyarrow reads it": lambda: _read(file)}
    for workers in options.workers:
        works[f"and `.arrow`, workers={workers}"] = lambda w=workers: _cut(file, workers=w)  # type: ignore[misc]
        works[f"and `.arrow`, workers={workers}, no ids"] = (
            lambda w=workers: _cut(file, workers=w, id_column=None)  # type: ignore[misc]
        )
    best = dict.fromkeys(works, float("inf"))
    peaks = dict.fromkeys(works, 0)
    for _ in range(options.rounds):
        for title, work in works.items():
            settle()
            before = kilobytes("VmRSS")
            seconds, _ = _timed(work)
            best[title] = min(best[title], seconds)
            peaks[title] = max(peaks[title], (kilobytes("VmHWM") - before) // 1024)
    read = next(iter(best.values()))
    for title, seconds in best.items():
        is_aim = "workers=2" in title
        wanted = at_most(WANTED_TIMES if is_aim else None, seconds / read, TIMES)
        table.row(title, duration(seconds), times(seconds / read), wanted, peaks[title])


def _parquet(megabytes: float) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = data_folder() / f"many-{megabytes:g}.parquet"
    if not file.exists():
        schema = pa.schema({"id": pa.int64(), "text": pa.string()})
        unfinished = file.with_suffix(".unfinished")
        with pq.ParquetWriter(unfinished, schema) as writer:
            for batch in _documents(megabytes, schema):
                writer.write_batch(batch)
        unfinished.rename(file)
    return file


def _documents(megabytes: float, schema: Any) -> Iterator[Any]:
    import pyarrow as pa

    # Later copies of the corpora differ from the first in a character of a hundred.
    text = text_of(min(megabytes, 100))
    starts = range(0, len(text) - DOCUMENT_CHARS, DOCUMENT_CHARS)
    left, number = megabytes * MEGABYTE, 0
    while left > 0:
        shift = number * 7919 % DOCUMENT_CHARS
        texts = [text[at + shift : at + shift + DOCUMENT_CHARS] for at in starts[:ROWS_AT_ONCE]]
        left -= sum(len(text.encode()) for text in texts)
        ids = range(number, number + len(texts))
        number += len(texts)
        yield pa.record_batch([pa.array(ids), pa.array(texts)], schema=schema)


def _batches_of(file: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = pq.ParquetFile(file)
    batches = source.iter_batches(batch_size=ROWS_AT_ONCE)
    return pa.RecordBatchReader.from_batches(source.schema_arrow, batches)


def _read(file: Path) -> int:
    return sum(len(batch) for batch in _batches_of(file))


def _cut(file: Path, **options: Any) -> int:
    import pyarrow as pa

    chunks = pa.RecordBatchReader.from_stream(SPLITTER.arrow(_batches_of(file), **options))
    return sum(len(batch) for batch in chunks)


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
