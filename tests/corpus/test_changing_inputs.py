"""Inputs that change, vanish and come back between runs, and while one is on."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import chunkwright as cw
from chunkwright.corpus import Beginning, Corpus
from chunkwright.corpus.planning import duplicates
from chunkwright.corpus.reading import tables
from chunkwright.errors import CorpusError
from chunkwright.io.batches import ROWS
from tests.corpus import children
from tests.corpus.folders import errors, mixed, rows, text
from tests.corpus.listening import Listener
from tests.corpus.runs import OPTIONS, held, run


class Then(Listener):
    """Progress that does something when the plan is made and nothing is read."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.act = act

    def begin(self, beginning: Beginning) -> None:
        del beginning
        self.act()


@pytest.mark.parametrize("name", ["a.jsonl", "b.parquet", "page-1.md"])
@pytest.mark.parametrize("options", OPTIONS)
def test_an_input_that_vanishes_is_tried_again(
    own_inputs: Path, tmp_path: Path, whole: Callable[..., Any], name: str, options: Any
) -> None:
    out, aside = tmp_path / "out", tmp_path / "aside"
    path = own_inputs / name
    corpus = children.corpus_of(own_inputs, options)
    result = corpus.write(out, progress=Then(lambda: path.rename(aside)))
    [given_up] = result.given_up
    assert f"{path}: no such file any more" in given_up
    assert not result.is_whole
    assert result.n_made == result.n_shards - 1
    report = json.loads((out / "_run" / "run.json").read_text())
    assert report["shards"]["given_up"] == [given_up]
    aside.rename(path)
    result = corpus.write(out)
    assert (result.n_made, result.given_up) == (1, [])
    assert held(out) == whole(**options)


@pytest.mark.parametrize("name", ["a.jsonl", "b.parquet", "page-1.md"])
def test_an_input_that_changes_is_read_anew(own_inputs: Path, tmp_path: Path, name: str) -> None:
    out, path = tmp_path / "out", own_inputs / name
    other = mixed(tmp_path / "other", 5) / name

    def change() -> None:
        path.write_bytes(other.read_bytes() + (b"\n# More" if name.endswith(".md") else b""))

    corpus = children.corpus_of(own_inputs, {})
    result = corpus.write(out, progress=Then(change))
    [given_up] = result.given_up
    assert f"{path}: changed since the run was planned" in given_up
    result = corpus.write(out)
    assert 0 < result.n_made < result.n_shards
    assert result.is_whole == (result.counts.failed == 0)
    corpus.write(tmp_path / "fresh")
    assert held(out) == held(tmp_path / "fresh")


def test_a_file_that_vanishes_while_duplicates_are_looked_for_is_tried_again(
    own_inputs: Path, tmp_path: Path, whole: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, path, aside = tmp_path / "out", own_inputs / "a.jsonl", tmp_path / "aside"
    inner = duplicates.marks_of

    def vanishing(*options: Any) -> Any:
        path.rename(aside)
        return inner(*options)

    corpus = children.corpus_of(own_inputs, OPTIONS[1])
    with monkeypatch.context() as patch:
        patch.setattr("chunkwright.corpus.planning.plan.marks_of", vanishing)
        assert len(corpus.write(out).given_up) == 1
    aside.rename(path)
    assert corpus.write(out).is_whole is False
    assert held(out) == whole(**OPTIONS[1])


def test_a_parquet_file_that_is_cut_short_is_a_failure_until_it_is_whole(
    own_inputs: Path, tmp_path: Path, whole: Callable[..., Any]
) -> None:
    out, path = tmp_path / "out", own_inputs / "b.parquet"
    data, state = path.read_bytes(), path.stat()
    path.write_bytes(data[:-100])
    result = run(own_inputs, out)
    assert ("b.parquet", "read") in {(each.unit, each.stage) for each in result.failures}
    path.write_bytes(data)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    run(own_inputs, out)
    assert held(out) == whole()


def test_a_page_that_is_damaged_is_a_failure_behind_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "ROWS", ROWS._replace(n=10))
    path = tmp_path / "in.parquet"
    texts = [text(n) for n in range(40)]
    pq.write_table(pa.table({"text": texts}), path, row_group_size=10, compression="none")
    data = bytearray(path.read_bytes())
    at = pq.ParquetFile(path).metadata.row_group(2).column(0).dictionary_page_offset
    data[at : at + 40] = b"\xff" * 40
    path.write_bytes(data)
    result = Corpus(path, cw.Window(max_chars=60)).write(tmp_path / "out")
    assert result.counts.failed == 1
    assert [row["text"] for row in rows(tmp_path / "out") if row["index"] == 0] == [
        each[:60] for each in texts[:20]
    ]
    [failure] = errors(tmp_path / "out")
    assert "not readable as parquet" in failure["message"]


def test_inputs_that_are_gone_altogether_leave_the_output_as_it_is(
    own_inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run(own_inputs, out)
    before = held(out)
    own_inputs.rename(tmp_path / "unmounted")
    with pytest.raises(CorpusError, match=f"{out} is left as it is.*{own_inputs}: no such file"):
        run(own_inputs, out)
    assert held(out) == before


def test_shards_of_inputs_that_are_gone_are_removed(own_inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(own_inputs, out)
    (own_inputs / "a.jsonl").unlink()
    (own_inputs / "c.jsonl").unlink()
    run(own_inputs, out)
    run(own_inputs, tmp_path / "fresh")
    assert held(out) == held(tmp_path / "fresh")
    assert not errors(out)


def test_an_output_in_an_input_is_none_of_the_inputs(own_inputs: Path, tmp_path: Path) -> None:
    out = own_inputs / "chunks"
    first = run(own_inputs, out)
    assert run(own_inputs, out).n_made == 0
    assert run(own_inputs, out).n_shards == first.n_shards
    found = rows(out)
    shutil.rmtree(out)
    run(own_inputs, tmp_path / "beside")
    assert found == rows(tmp_path / "beside")
