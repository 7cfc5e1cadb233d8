"""Many texts at once: how batches gain from threads, and what Arrow in and out costs.

Wall-clock seconds, the best of several rounds, since threads are the point: it needs an idle
machine.
``python benches/many.py`` writes a Parquet file of 1 GB to ``benches/.data`` and keeps it.
"""

from __future__ import annotations

import argparse
import gc
import time
from typing import TYPE_CHECKING, Any

from lib.corpus import MEGABYTE, data_folder, fresh, text_of
from lib.memory import kilobytes, settle

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
    print(f"{'batch':34}{'workers':>8}{'MB/s':>8}{'gain':>8}")
    for title, texts in ((f"{len(many)} texts of 100 kB", many), ("one text", [text])):
        _scaling(f"{title}, new", texts, fresh, options)
        # Once Python keeps a text's UTF-8 form, nothing is left that one thread does alone.
        _scaling(f"{title}, seen before", texts, str, options)


def _scaling(
    title: str, texts: list[str], copy: Callable[[str], str], options: argparse.Namespace
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
        wanted = f"  wanted {WANTED_GAIN}" if workers == 2 else ""  # noqa: PLR2004
        print(f"{title:34}{workers:8}{n_bytes / seconds / MEGABYTE:8.0f}{gain:8.2f}{wanted}")


# ---------------------------------------------------------------------- Arrow


def _arrow(options: argparse.Namespace) -> None:
    file = _parquet(options.parquet)
    print(f"\n{'Parquet of 10 kB texts':34}{'seconds':>8}{'times':>8}{'extra MB':>9}")
    works: dict[str, Callable[[], int]] = {"pyarrow reads it": lambda: _read(file)}
    for workers in options.workers:
        works[f"and .arrow, {workers} workers"] = lambda w=workers: _cut(file, workers=w)  # type: ignore[misc]
        works[f"and .arrow, {workers} workers, no ids"] = (
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
        wanted = f"  wanted {WANTED_TIMES} at most" if "2 workers" in title else ""
        print(f"{title:34}{seconds:8.2f}{seconds / read:8.2f}{peaks[title]:9}{wanted}")


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
