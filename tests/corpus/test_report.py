"""Reports of runs: every input row is in the output, empty, a duplicate or a failure, once."""

from __future__ import annotations

import json
from collections import Counter
from math import ceil, log2
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import __version__
from chunkwright.corpus import Corpus, Counts, Result
from chunkwright.corpus.report import STAGES
from tests.corpus.folders import documents_of, errors, rows, table, text, write_json, write_parquet
from tests.readers.pdf.damaged import good
from tests.support.stores import Toy
from tests.support.toy_embedders import dice

NAMES = ("documents", "empty", "duplicates", "failed")


def word(number: int, kind: str) -> dict[str, Any]:
    """Return a row of a kind."""
    texts = {"good": text(number), "empty": " \n", "null": None, "same": "The same."}
    return {"text": texts[kind], "id": str(number)}


KINDS = ("good", "empty", "null", "same")


@given(kinds=st.lists(st.lists(st.sampled_from(KINDS), max_size=9), min_size=1, max_size=4))
def test_each_row_is_counted_once(
    kinds: list[list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("corpus")
    numbers = iter(range(10**6))
    made = [[word(next(numbers), kind) for kind in of] for of in kinds]
    for n, of in enumerate(made):
        if n % 2:
            write_json(folder / "in" / f"{n}.jsonl", of)
        else:
            columns = {
                name: pa.array([row[name] for row in of], pa.string()) for name in ("text", "id")
            }
            write_parquet(folder / "in" / f"{n}.parquet", columns, 3)
    corpus = Corpus(
        folder / "in",
        cw.Window(max_chars=50),
        id_column="id",
        duplicates="drop",
        shard_bytes=500,
    )
    result = corpus.write(folder / "out")
    everything = Counter(kind for of in kinds for kind in of)
    n_same = max(0, everything["same"] - 1)
    counts = result.counts
    assert {name: getattr(counts, name) for name in NAMES} == {
        "documents": everything["good"] + everything["empty"] + everything["same"] - n_same,
        "empty": everything["empty"],
        "duplicates": n_same,
        "failed": everything["null"],
    }
    found, failures = rows(folder / "out"), errors(folder / "out")
    ids = documents_of(found)
    failed = [failure["document_id"] for failure in failures]
    assert len(ids) + counts.empty + counts.duplicates + len(failed) == everything.total()
    assert not set(ids) & set(failed)
    wanted = {row["id"] for of in made for row in of if row["text"] is None}
    assert set(failed) == wanted
    assert counts.chunks == len(found)


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    write_json(folder / "a.jsonl", [{"text": text(n, 10 * n)} for n in range(9)] + [{"no": 1}])
    (folder / "b.pdf").write_bytes(good())
    (folder / "c.txt").write_text(text(50))
    return folder


def report_of(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(result.folder, "_run", "run.json").read_text())
    return found


def test_the_report_adds_up_with_the_tables(inputs: Path, tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2", reason="reading of PDF")
    corpus = Corpus(inputs, cw.Recursive(max_tokens=20), embedder=Toy(), shard_bytes=2000)
    result = corpus.write(tmp_path / "out")
    report, found = report_of(result), table(tmp_path / "out")
    texts, n_tokens = found["text"].to_pylist(), found["n_tokens"].to_pylist()
    counts = report["counts"]
    assert report["chunkwright"] == __version__
    assert len(report["fingerprint"]) == 64
    assert report["fingerprint"] == corpus.plan().job.fingerprint
    assert set(report["settings"]) >= {"strategy", "readers", "embedder", "duplicates", "columns"}
    assert counts["documents"] == len(set(found["document_id"].to_pylist())) == 11
    assert counts["failed"] == len(errors(tmp_path / "out")) == 1
    assert counts["chunks"] == len(texts)
    assert counts["text_bytes"] == sum(len(each.encode()) for each in texts)
    assert counts["tokens"] == sum(n_tokens)
    sizes = Counter(str(2 ** ceil(log2(max(1, n)))) for n in n_tokens)
    assert counts["sizes"] == dict(sorted(sizes.items(), key=lambda each: int(each[0])))
    assert list(counts["sizes"]) == sorted(counts["sizes"], key=int)
    assert counts["input_bytes"] == sum(path.stat().st_size for path in inputs.iterdir())
    parts = (tmp_path / "out").glob("*.parquet")
    assert counts["output_bytes"] == sum(path.stat().st_size for path in parts)
    assert sum(counts["confidence"].values()) == 1
    assert set(counts["seconds"]) == set(STAGES)
    # Each is rounded to milliseconds, and some stages take less.
    assert sum(counts["seconds"].values()) > 0
    this_run = report["this_run"]
    assert this_run["seconds"] > 0
    assert this_run["documents_per_second"] > 0
    assert this_run["input_bytes_per_second"] > 0
    assert set(this_run["busy_share"]) == set(STAGES)
    shards = report["shards"]
    assert (shards["all"], shards["made"], shards["done_before"]) == (result.n_shards,) * 2 + (0,)


def test_a_second_report_tells_of_all_that_is_there(inputs: Path, tmp_path: Path) -> None:
    corpus = Corpus(inputs, "recursive", shard_bytes=2000)
    first = report_of(corpus.write(tmp_path / "out"))
    second = report_of(corpus.write(tmp_path / "out"))
    for name in first["counts"]:
        if name != "seconds":
            assert first["counts"][name] == second["counts"][name]
    assert second["shards"]["made"] == 0
    assert second["this_run"]["documents_per_second"] == 0


def test_reasons_of_boundaries_are_counted(inputs: Path, tmp_path: Path) -> None:
    strategy = cw.Kamradt(embedder=dice, max_tokens=20)
    result = Corpus(inputs, strategy, fingerprint="dice").write(tmp_path / "out")
    reasons = Counter(table(tmp_path / "out")["reason"].to_pylist())
    assert report_of(result)["counts"]["reasons"] == dict(reasons)
    assert len(reasons) > 1


def test_sizes_are_bytes_where_tokens_are_not_counted(inputs: Path, tmp_path: Path) -> None:
    result = Corpus(inputs, cw.Window(max_chars=64)).write(tmp_path / "out")
    counts = result.counts
    assert counts.tokens == 0
    sizes = Counter(
        str(2 ** ceil(log2(len(each.encode()))))
        for each in table(tmp_path / "out")["text"].to_pylist()
    )
    assert counts.sizes == sizes


@given(
    st.lists(st.integers(0, 99), min_size=3, max_size=3), st.lists(st.integers(0, 99), max_size=9)
)
def test_counts_add_up_and_are_read_as_they_were_written(
    numbers: list[int], lengths: list[int]
) -> None:
    documents, empty, failed = numbers
    one, other = Counts(documents=documents, empty=empty, failed=failed), Counts()
    other.add_rows(pa.table({"text": pa.array(["x" * n for n in lengths], pa.string())}))
    other.add_confidence(numbers[0] / 99)
    total = Counts.sum([one, other, other])
    assert total.documents == one.documents
    assert total.chunks == 2 * len(lengths)
    assert sum(total.sizes.values()) == 2 * len(lengths)
    assert all(int(size) & (int(size) - 1) == 0 for size in total.sizes)
    again = Counts.of_dict(json.loads(json.dumps(total.to_dict())))
    assert again.to_dict() == total.to_dict()


def test_confidence_is_counted_in_steps() -> None:
    counts = Counts()
    for confidence in (None, 0.0, 0.05, 0.1, 0.95, 1.0):
        counts.add_confidence(confidence)
    assert counts.confidence == {"0.1": 2, "0.2": 1, "1.0": 2}
