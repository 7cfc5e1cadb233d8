"""Estimates of runs: samples that are spread over the inputs, and what they add up to."""

from __future__ import annotations

import gzip
import json
import random
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.corpus.estimating import sampling
from chunkwright.corpus.estimating.sampling import Sampler
from chunkwright.corpus.inputs.splitting import Unit
from chunkwright.corpus.reading.units import file_batches
from chunkwright.errors import ConfigError
from chunkwright.io.sources import Reading
from chunkwright.llm import Prices, Runner
from chunkwright.readers import kinds
from tests.corpus.folders import errors
from tests.corpus.listening import Listener

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

pa = pytest.importorskip("pyarrow", reason="corpora are tables of Arrow")
import pyarrow.parquet as pq  # noqa: E402 - only where it is installed
from pyarrow import feather  # noqa: E402 - as above

WORDS = [f"w{i:x}ord" for i in range(3000)]
N_DIMS = 16


class Model:
    """An embedder that counts the texts that it is given."""

    fingerprint = "model of tests"

    def __init__(self) -> None:
        self.n_texts = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.n_texts += len(texts)
        seeds = [len(text) + self.n_texts + i for i, text in enumerate(texts)]
        rows = [np.random.default_rng(seed).standard_normal(N_DIMS) for seed in seeds]
        return np.array(rows, np.float32).reshape(len(texts), N_DIMS)


def texts(n: int, seed: int = 0) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(5, 400))) + "." for _ in range(n)]


def write_jsonl(path: Path, some: list[str]) -> None:
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in some))


def write_gzip(path: Path, some: list[str]) -> None:
    lines = "".join(json.dumps({"text": text}) + "\n" for text in some)
    path.write_bytes(gzip.compress(lines.encode(), compresslevel=1))


def write_zstd(path: Path, some: list[str]) -> None:
    lines = "".join(json.dumps({"text": text}) + "\n" for text in some)
    path.write_bytes(pa.compress(lines.encode(), codec="zstd", asbytes=True))


def write_parquet(path: Path, some: list[str]) -> None:
    pq.write_table(pa.table({"text": some}), path, row_group_size=500)


def write_feather(path: Path, some: list[str]) -> None:
    feather.write_feather(pa.table({"text": some}), path, chunksize=500)


def write_stream(path: Path, some: list[str]) -> None:
    table = pa.table({"text": some})
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=500)


TABLES = {
    "a.jsonl": write_jsonl,
    "b.jsonl.gz": write_gzip,
    "c.jsonl.zst": write_zstd,
    "d.parquet": write_parquet,
    "e.feather": write_feather,
    "f.arrow": write_stream,
}


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder of all formats, with a document in each of 20 files and in 20 rows of each table."""
    made = tmp_path / "in"
    made.mkdir()
    for seed, (name, write) in enumerate(TABLES.items()):
        write(made / name, texts(20, seed))
    for i, text in enumerate(texts(20, 99)):
        (made / f"{i}.md").write_text(text)
    return made


def test_of_small_inputs_it_is_what_a_run_makes(mixed: Path, tmp_path: Path) -> None:
    corpus = Corpus(mixed, cw.Recursive(max_tokens=60), shard_bytes=30_000)
    estimate = corpus.estimate()
    result = corpus.write(tmp_path / "out")
    counts = result.counts
    assert (estimate.sampled_share, estimate.deviation) == (1.0, None)
    assert (estimate.n_files, estimate.n_shards) == (26, result.n_shards)
    assert (estimate.documents, estimate.failed) == (counts.documents, 0) == (140, 0)
    assert (estimate.chunks, estimate.tokens) == (counts.chunks, counts.tokens)
    assert estimate.text_bytes == counts.text_bytes
    assert estimate.size == counts.input_bytes
    # Where shards end depends on the times of files; small ones are compressed less.
    assert estimate.output_bytes == pytest.approx(counts.output_bytes, rel=0.4)
    assert (estimate.cost, estimate.embed_seconds, estimate.model) == (None, None, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_of_a_large_table_it_is_near_what_a_run_makes(tmp_path: Path, name: str) -> None:
    some = texts(12_000)
    TABLES[name](tmp_path / name, some)
    corpus = Corpus(tmp_path / name, cw.Recursive(max_tokens=100))
    estimate = corpus.estimate()
    assert estimate.sampled_share < 0.6
    assert estimate.documents == pytest.approx(12_000, rel=0.15)
    result = corpus.write(tmp_path / "out")
    assert estimate.chunks == pytest.approx(result.counts.chunks, rel=0.15)
    assert estimate.tokens == pytest.approx(result.counts.tokens, rel=0.15)
    assert estimate.output_bytes == pytest.approx(result.counts.output_bytes, rel=0.25)


def test_of_many_files_it_is_near_what_a_run_makes(tmp_path: Path) -> None:
    made = tmp_path / "in"
    made.mkdir()
    # The later, the longer.
    for i in range(2000):
        (made / f"{i:04}.md").write_text("Words of a text. " * (i // 2))
    estimate = Corpus(made, cw.Recursive(max_tokens=100)).estimate()
    assert estimate.sampled_share < 0.6
    result = Corpus(made, cw.Recursive(max_tokens=100)).write(tmp_path / "out")
    assert estimate.chunks == pytest.approx(result.counts.chunks, rel=0.1)
    assert estimate.documents == pytest.approx(2000, rel=0.4)
    assert estimate.deviation is not None
    assert 0 < estimate.deviation < 0.2


def test_it_is_the_same_each_time_and_writes_nothing(mixed: Path, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    corpus = Corpus(mixed, "recursive", duplicates="drop", embedder=Model())
    first, second = corpus.estimate(tmp_path / "in" / "out"), corpus.estimate()
    assert (first.chunks, first.tokens) == (second.chunks, second.tokens)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}


def test_files_of_the_output_are_no_inputs(mixed: Path) -> None:
    corpus = Corpus(mixed, cw.Recursive(max_tokens=60))
    before = corpus.estimate(mixed / "out")
    corpus.write(mixed / "out")
    after = corpus.estimate(mixed / "out")
    assert (after.n_files, after.documents) == (before.n_files, before.documents)


def test_vectors_and_their_price_are_in_it(mixed: Path, tmp_path: Path) -> None:
    model = Model()
    corpus = Corpus(mixed, cw.Recursive(max_chars=200), embedder=model)
    estimate = corpus.estimate(price=10.0)
    assert model.n_texts < 300
    counts = corpus.write(tmp_path / "out").counts
    assert estimate.output_bytes == pytest.approx(counts.output_bytes, rel=0.2)
    assert estimate.embed_seconds is not None
    assert estimate.embed_seconds > 0
    plain = Corpus(mixed, cw.Recursive(max_chars=200), n_tokens=True).estimate()
    assert plain.tokens is not None
    assert estimate.tokens == pytest.approx(plain.tokens, rel=0.05)
    assert estimate.cost == pytest.approx(plain.tokens * 10e-6, rel=0.05)
    with pytest.raises(ConfigError, match="price must be"):
        corpus.estimate(price=-1)


def test_what_fails_is_counted(mixed: Path) -> None:
    with (mixed / "a.jsonl").open("a") as file:
        file.write('no JSON\n{"text": null}\n')
    (mixed / "broken.parquet").write_bytes(b"no table")
    estimate = Corpus([mixed, mixed / "nothing.md"], "recursive").estimate()
    assert (estimate.documents, estimate.failed) == (140, 4)


def test_of_nothing_it_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    (tmp_path / "b.md").write_text("")
    estimate = Corpus(tmp_path, "recursive", embedder=Model()).estimate(price=1)
    assert (estimate.chunks, estimate.tokens, estimate.cost) == (0, 0, 0)
    assert estimate.sampled_share == 1.0


def test_a_model_that_cuts_is_not_asked(mixed: Path) -> None:
    asked = []

    def model(messages: Any) -> Any:
        asked.append(messages)
        return {"starts": []}

    runner = Runner(model, prices=Prices(input=1, output=4))
    strategy = cw.LLM(max_tokens=100, llm=runner)
    estimate = Corpus(mixed, strategy, fingerprint="by hand").estimate()
    assert asked == []
    assert (estimate.documents, estimate.chunks, estimate.cut_seconds) == (140, None, None)
    documents = [
        *(text for seed in range(len(TABLES)) for text in texts(20, seed)),
        *texts(20, 99),
    ]
    expected = strategy.estimate(documents)
    assert estimate.model is not None
    assert estimate.model.n_calls == expected.n_calls
    assert estimate.model.usage == expected.usage
    assert estimate.model.cost == pytest.approx(expected.cost)
    with pytest.raises(ConfigError, match="is not known before the model that cuts"):
        Corpus(mixed, cw.Contextual(strategy, llm=runner), fingerprint="x").estimate()


@given(st.integers(1, 40), st.integers(1, 64), st.integers(0, 3))
def test_samples_stand_for_all_bytes_or_are_all_of_them(
    n_units: int, n_spots: int, seed: int
) -> None:
    draw = random.Random(seed)
    units = [
        Unit(f"{i}.jsonl", f"{i}", "jsonl", "x", draw.randint(0, 5000)) for i in range(n_units)
    ]
    sampler = Sampler(units, Reading(), None, n_spots, 100)
    spots = sampler._spots()
    total = sum(unit.size for unit in units)
    assert sum(spot.stands_for for spot in spots) == pytest.approx(total)
    assert len({(spot.first, spot.at) for spot in spots}) == len(spots)
    assert all(0 <= spot.at <= 1 for spot in spots)


@pytest.mark.parametrize("n_good", [3, 20, 60])
def test_failures_among_files_whose_bytes_are_hardly_text_are_counted(
    tmp_path: Path, n_good: int
) -> None:
    made = tmp_path / "in"
    made.mkdir()
    blank = b" " * 150_000
    for i in range(n_good):
        # Words of a mail are a small part of it, and not evenly spread.
        mail = b"From: a@example.org\nSubject: %d\n\nIt rained.\n" % i
        (made / f"{i}.eml").write_bytes(mail + blank)
    for i in range(9):
        (made / f"z{i}.eml").write_bytes(b"\0" * 100)
    corpus = Corpus(made, cw.Recursive(max_tokens=100))
    estimate, result = corpus.estimate(), corpus.write(tmp_path / "out")
    assert result.counts.failed == 9
    assert estimate.failed == result.counts.failed
    assert (estimate.documents, estimate.chunks) == (n_good, result.counts.chunks)


@pytest.fixture
def folder_of_kinds(tmp_path: Path) -> Path:
    """A folder of small notes, long tables, and RTF; some notes are damaged."""
    made = tmp_path / "in"
    made.mkdir()
    some = texts(3000)
    write_jsonl(made / "a.jsonl", some)
    write_parquet(made / "d.parquet", some)
    for i, text in enumerate(some[:900]):
        data = text.encode() if i % 9 else b"\xff\x01" + text.encode() + b"\xff"
        (made / f"{i}.txt").write_bytes(data)
    for i in range(60):
        (made / f"{i}.rtf").write_text(rf"{{\rtf1 It rained {i}.}}")
    return made


def test_failures_and_documents_are_told_by_kinds_of_files(
    folder_of_kinds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "find_spec", lambda name: name != "xberg" and find_spec(name))
    monkeypatch.setitem(sys.modules, "xberg", None)
    corpus = Corpus(folder_of_kinds, cw.Recursive(max_tokens=100))
    estimate = corpus.estimate()
    told: list[Any] = []
    result = corpus.write(tmp_path / "out", progress=Telling(told))
    assert told[0].lacking == {"office": 60}
    lacks = [row for row in errors(tmp_path / "out") if row["kind"] == "MissingExtraError"]
    assert len(lacks) == 60
    assert result.counts.failed == 160
    assert estimate.failed == pytest.approx(160, rel=0.1)
    assert estimate.documents == pytest.approx(result.counts.documents, rel=0.05)
    assert estimate.chunks == pytest.approx(result.counts.chunks, rel=0.15)


def test_rows_of_parquet_are_counted(tmp_path: Path) -> None:
    for i in range(3):
        write_parquet(tmp_path / f"{i}.parquet", texts(9_001, i))
    estimate = Corpus(tmp_path, cw.Recursive(max_tokens=100)).estimate()
    assert estimate.sampled_share < 0.9
    assert (estimate.documents, estimate.failed) == (27_003, 0)


def test_reading_counts_in_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(6):
        (tmp_path / f"{i}.md").write_text("A text.")
    clock = Clock()
    monkeypatch.setattr(sampling, "perf_counter", clock)
    monkeypatch.setattr(sampling, "file_batches", clock.slow(file_batches, 50.0))
    estimate = Corpus(tmp_path, cw.Recursive(max_tokens=100)).estimate()
    assert estimate.read_seconds is not None
    assert estimate.read_seconds >= 50
    assert estimate.seconds >= estimate.read_seconds


class Telling(Listener):
    def __init__(self, told: list[Any]) -> None:
        self.told = told

    def begin(self, beginning: Any) -> None:
        self.told.append(beginning)


class Clock:
    """A clock that what is slow puts forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def slow(self, work: Any, seconds: float) -> Any:
        def slowly(*options: Any) -> Any:
            self.now += seconds
            return work(*options)

        return slowly
