"""Runs over corpora: the local engine beside its parts in memory, Ray and Spark; memory, vectors.

Parquet files of documents of 1 and of 10 kB are made of the five corpora in ``benches/.data``, and
kept. Wall-clock seconds: it needs an idle machine. ``python benches/corpora.py`` prints Markdown
tables; an engine that is not installed is left out.

The first table compares a run with what it is made of: pyarrow reads the file, the strategy cuts
it in memory, pyarrow writes the rows. The second has the peak memory of a process that cuts a file
once and five times. In the third, Ray Data and Spark pass documents through, and cut them. In the
last a model of sentences embeds chunks.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.corpus import SEED, data_folder, joined, shared_folder
from lib.memory import kilobytes
from lib.table import NOTHING, Table, duration, named_version, say, times, versions

import chunkwright as cw
from chunkwright.corpus import ArrowChunker, Corpus

if TYPE_CHECKING:
    from collections.abc import Callable

STRATEGY = cw.Recursive(max_tokens=512)
SIZES = {1000: 1_000_000, 10_000: 100_000}  # bytes of a document: documents
GROUP_BYTES = 20_000_000
ENGINE_DOCUMENTS = 20_000
EMBEDDED = 300  # documents


def main() -> None:
    """Print the tables."""
    options = _parser().parse_args()
    if options.peak is not None:
        _run(options.peak)
        print(kilobytes("VmHWM") // 1024)
        return
    say(
        f"{versions('pyarrow')}. By the clock: a run beside its parts in memory, one after "
        "another, and the same run when it is done."
    )
    parts = ("pyarrow reads", "the strategy cuts", "pyarrow writes")
    table = Table("documents", *parts, "run", "of the parts", "documents/s", "run again")
    for size, n in SIZES.items():
        _compare(_documents(size, int(n * options.scale)), size, table)
    _memory(_documents(10_000, int(SIZES[10_000] * options.scale)))
    _engines(_documents(10_000, int(ENGINE_DOCUMENTS * options.scale)))
    _vectors(_documents(10_000, EMBEDDED))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the documents")
    parser.add_argument("--peak", nargs="+", help="cut these files, print the peak memory in MB")
    return parser


def _documents(size: int, n: int) -> Path:
    """Return a Parquet file of documents, which is made if it is not there."""
    import random

    import pyarrow as pa
    import pyarrow.parquet as pq

    path = data_folder() / f"documents-{size}-{n}.parquet"
    if path.exists():
        return path
    rng, text = random.Random(SEED), joined().encode("ascii", "ignore").decode()  # noqa: S311
    per_group = max(1, GROUP_BYTES // size)
    with pq.ParquetWriter(path, pa.schema([("id", pa.string()), ("text", pa.string())])) as file:
        for start in range(0, n, per_group):
            ids = [f"document-{i}" for i in range(start, min(n, start + per_group))]
            lengths = [int(size * (0.5 + rng.random())) for _ in ids]
            starts = [rng.randrange(len(text) - length) for length in lengths]
            texts = [
                f"{name} {text[a : a + length]}"
                for name, a, length in zip(ids, starts, lengths, strict=True)
            ]
            file.write_table(pa.table({"id": ids, "text": texts}))
    return path


def _out() -> Path:
    out = data_folder() / "corpus-out"
    shutil.rmtree(out, ignore_errors=True)
    return out


def _run(inputs: list[str] | Path, **options: Any) -> Any:
    files = str(inputs) if isinstance(inputs, Path) else inputs
    return Corpus(files, STRATEGY, id_column="id", **options).write(_out())


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = call()
    return time.perf_counter() - began, found


def _compare(path: Path, size: int, shown: Table) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    read, cut = (lambda: pq.read_table(path)), (lambda t: STRATEGY.arrow(t, name_column="id"))
    reading, table = _timed(read)
    cutting, rows = _timed(partial(pa.table, cut(table)))  # type: ignore[no-untyped-call]
    out = data_folder() / "rows.parquet"
    writing, _ = _timed(partial(pq.write_table, rows, out, compression="zstd"))
    table = rows = None
    running, result = _timed(lambda: _run(path))
    again, _ = _timed(lambda: Corpus(str(path), STRATEGY, id_column="id").write(result.folder))
    in_memory = reading + cutting + writing
    n = result.counts.documents
    shown.row(
        f"{n:,} of {size // 1000} kB",
        *map(duration, (reading, cutting, writing, running)),
        times(running / in_memory),
        f"{n / running:,.0f}",
        duration(again),
    )


def _memory(path: Path) -> None:
    links = []
    for number in range(5):
        link = path.with_name(f"link-{number}.parquet")
        link.unlink(missing_ok=True)
        link.symlink_to(path.name)
        links.append(str(link))
    peaks = [_peak(links[:1]), _peak(links)]
    say("Peak memory of a process that cuts a file of documents of 10 kB, and five.")
    table = Table("files", "peak memory (MB)")
    for n, peak in zip((1, 5), peaks, strict=True):
        table.row(n, peak)


def _peak(paths: list[str]) -> int:
    command = [sys.executable, __file__, "--peak", *paths]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


# ---------------------------------------------------------------------- engines


def _engines(path: Path) -> None:
    n = _rows_of(path)
    say(f"{n:,} documents of 10 kB through `ArrowChunker` in an engine, and the engine alone.")
    table = Table("engine", "start", "pass through", "and are cut", "cutting a document")
    passing, cutting = _in_python(path)
    table.row("none", NOTHING, *_cells(passing, cutting, n))
    for name, measure in (("ray", _ray), ("pyspark", _spark)):
        if find_spec(name) is not None:
            start, passing, cutting = measure(path)
            table.row(named_version(name), duration(start), *_cells(passing, cutting, n))


def _cells(passing: float, cutting: float, n: int) -> tuple[str, ...]:
    return duration(passing), duration(cutting), duration((cutting - passing) / n)


def _rows_of(path: Path) -> int:
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


def _in_python(path: Path) -> tuple[float, float]:
    import pyarrow.parquet as pq

    chunker = ArrowChunker(STRATEGY, id_column="id")

    def passed() -> int:
        return sum(batch.num_rows for batch in pq.ParquetFile(path).iter_batches(512))

    def cut() -> int:
        batches = pq.ParquetFile(path).iter_batches(512)
        return sum(batch.num_rows for batch in chunker.map_iter(batches))

    return _timed(passed)[0], _timed(cut)[0]


def _ray(path: Path) -> tuple[float, float, float]:
    import ray

    from chunkwright.corpus.ray_data import chunk_dataset

    starting, _ = _timed(lambda: ray.init(log_to_driver=False, include_dashboard=False))
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        chunker = ArrowChunker(STRATEGY, id_column="id")

        def passed() -> int:
            found = ray.data.read_parquet(str(path)).map_batches(_same, batch_format="pyarrow")
            return int(found.materialize().count())

        def cut() -> int:
            dataset = chunk_dataset(ray.data.read_parquet(str(path)), chunker)
            return int(dataset.materialize().count())

        # Actors and workers are started by the first run of each.
        passed(), cut()
        return starting, _timed(passed)[0], _timed(cut)[0]
    finally:
        ray.shutdown()


def _same(batch: Any) -> Any:
    return batch


def _spark(path: Path) -> tuple[float, float, float]:
    import os

    from pyspark.sql import SparkSession

    from chunkwright.corpus.spark_frames import chunk_frame

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[*]")
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "512")
    builder = builder.config("spark.ui.enabled", "false").config("spark.driver.memory", "4g")
    starting, session = _timed(builder.getOrCreate)
    try:
        chunker = ArrowChunker(STRATEGY, id_column="id")

        def passed() -> None:
            frame = session.read.parquet(str(path))
            _drained(frame.mapInArrow(_same_batches, frame.schema))

        def cut() -> None:
            _drained(chunk_frame(session.read.parquet(str(path)), chunker))

        passed()
        cut()
        return starting, _timed(passed)[0], _timed(cut)[0]
    finally:
        session.stop()


def _same_batches(batches: Any) -> Any:
    yield from batches


def _drained(frame: Any) -> None:
    frame.write.format("noop").mode("overwrite").save()


# ---------------------------------------------------------------------- vectors


def _vectors(path: Path) -> None:
    model = shared_folder() / "models" / "all-MiniLM-L6-v2"
    _run(path, embedder=str(model))
    report = json.loads((data_folder() / "corpus-out/_run/run.json").read_text())
    busy = report["this_run"]["busy_share"]
    say(f"With vectors of {model.name}: what share of the time each stage is busy.")
    table = Table(*busy)
    table.row(*(f"{share:.1%}" for share in busy.values()))


if __name__ == "__main__":
    main()
