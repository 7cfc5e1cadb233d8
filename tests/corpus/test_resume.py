"""Runs that go on where another one has ended, however it did: the files are the same."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus, status
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.errors import CorpusError
from tests.corpus import children
from tests.corpus.folders import comparable, table, text
from tests.corpus.listening import Listener
from tests.corpus.runs import OPTIONS, check_whole_parts, held, run
from tests.support.stores import Toy


@pytest.mark.parametrize("options", OPTIONS)
def test_a_second_run_does_nothing(inputs: Path, tmp_path: Path, options: Any) -> None:
    first = run(inputs, tmp_path, **options)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("part-*")}
    second = run(inputs, tmp_path, **options)
    assert (second.n_made, second.n_skipped, second.n_shards) == (0, first.n_made, first.n_shards)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("part-*")} == before
    assert comparable(second.counts) == comparable(first.counts)
    assert second.made.documents == 0


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_a_run_that_is_killed_at_any_moment_is_gone_on_with(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any], options: Any
) -> None:
    n_moments = children.moments_of(inputs, tmp_path / "counted", options)
    assert n_moments > 50
    # The first ones are those of the settings, the plan, and one whole shard.
    first = [] if options else list(range(0, 8, 2)) + list(range(8, 26))
    rest = random.Random(1).sample(range(len(first), n_moments - 1), 8)
    for moment in [*first, *rest, n_moments - 1]:
        out = tmp_path / str(moment)
        code = children.ended(children.die_at, inputs, out, options, moment)
        assert code == -signal.SIGKILL
        check_whole_parts(out, whole(**options)[0])
        result = run(inputs, out, **options)
        assert result.n_made + result.n_skipped == result.n_shards
        assert held(out) == whole(**options)
        assert run(inputs, out, **options).n_made == 0


@pytest.mark.parametrize("options", OPTIONS)
def test_runs_that_are_killed_again_and_again_come_to_an_end(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any], options: Any
) -> None:
    chance, out = random.Random(2), tmp_path / "out"
    for tries in range(40):
        child = children.started(children.write, inputs, out, options)
        # Longer and longer, from what is too short for anything.
        child.join(chance.random() * (0.12 + 0.01 * tries))
        child.kill()
        child.join()
        code = child.exitcode
        child.close()
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert run(inputs, out, **options).n_shards > 2
    assert held(out) == whole(**options)


def test_a_run_that_is_interrupted_leaves_nothing_half_done(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any]
) -> None:
    class Interrupting(Listener):
        n_calls = 0

        def advance(self, counts: Any) -> None:
            del counts
            self.n_calls += 1
            if self.n_calls == 5:
                raise KeyboardInterrupt

    corpus = children.corpus_of(inputs, {})
    with pytest.raises(KeyboardInterrupt):
        corpus.write(tmp_path, progress=Interrupting())
    held(tmp_path)
    assert 0 < status(str(tmp_path)).n_done < status(str(tmp_path)).n_shards
    assert status(str(tmp_path)).running is None
    corpus.write(tmp_path)
    assert held(tmp_path) == whole()


def spoil_part(out: Path) -> str:
    path = min(out.glob("*.parquet"))
    path.unlink()
    return path.stem.removeprefix("part-")


def cut_part(out: Path) -> str:
    path = max(out.glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-9])
    return path.stem.removeprefix("part-")


def empty_part(out: Path) -> str:
    path = min(out.glob("*.parquet"))
    path.write_bytes(b"")
    return path.stem.removeprefix("part-")


def spoil_errors(out: Path) -> str:
    path = min((out / "_errors").glob("*.parquet"))
    path.unlink()
    return path.stem.removeprefix("part-")


def mark_with(data: bytes) -> Callable[[Path], str]:
    def spoil(out: Path) -> str:
        path = min((out / "_run" / "shards").iterdir())
        path.write_bytes(data)
        return path.stem

    return spoil


def remove_mark(out: Path) -> str:
    path = min((out / "_run" / "shards").iterdir())
    path.unlink()
    return path.stem


SPOILING: dict[str, Callable[[Path], str]] = {
    "part": spoil_part,
    "cut-part": cut_part,
    "empty-part": empty_part,
    "errors": spoil_errors,
    "mark": remove_mark,
    "empty-mark": mark_with(b""),
    "cut-mark": mark_with(b'{"documents": 5, "em'),
    "odd-mark": mark_with(b"[]"),
    "binary-mark": mark_with(b"\xff\xfe\0"),
}


@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING)
def test_what_was_spoiled_is_made_anew(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any], spoil: Callable[[Path], str]
) -> None:
    run(inputs, tmp_path)
    spoil(tmp_path)
    status(str(tmp_path))
    result = run(inputs, tmp_path)
    assert result.n_made == 1
    assert held(tmp_path) == whole()


@pytest.mark.parametrize("name", ["settings.json", "plan.json", "run.json"])
@pytest.mark.parametrize("is_cut_off", [True, False])
def test_a_manifest_that_is_damaged_is_named(
    inputs: Path, tmp_path: Path, name: str, is_cut_off: bool
) -> None:
    run(inputs, tmp_path)
    path = tmp_path / "_run" / name
    path.write_bytes(path.read_bytes()[:20] if is_cut_off else b"[" * 200_000)
    reads = {
        "settings.json": lambda: run(inputs, tmp_path),
        "plan.json": lambda: status(str(tmp_path)),
        "run.json": Manifest(str(tmp_path)).report,
    }
    with pytest.raises(CorpusError, match=f"{path} is damaged"):
        reads[name]()


def test_files_of_others_are_not_removed(inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "part-0.parquet").write_bytes(b"somebody's")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(CorpusError, match=r"part-0\.parquet"):
        run(inputs, tmp_path)
    (tmp_path / "part-0.parquet").unlink()
    run(inputs, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_vectors_are_the_same_after_a_run_was_killed(inputs: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"embedder": Toy()}
    run(inputs, tmp_path / "whole", **options)
    out = tmp_path / "out"
    code = children.ended(children.die_at, inputs, out, options, 60)
    assert code == -signal.SIGKILL
    assert run(inputs, out, **options).n_skipped > 0
    assert held(out) == held(tmp_path / "whole")


def test_status_says_how_far_a_run_is(inputs: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="is not the output of a run"):
        status(str(tmp_path))
    code = children.ended(children.die_at, inputs, tmp_path, {}, 60)
    assert code == -signal.SIGKILL
    half = status(str(tmp_path))
    assert 0 < half.n_done < half.n_shards
    assert 0 < half.size_done < half.size
    assert half.counts.documents > 0
    assert half.running is None
    result = run(inputs, tmp_path)
    full = status(str(tmp_path))
    assert (full.n_done, full.size_done) == (full.n_shards, full.size)
    assert comparable(full.counts) == comparable(result.counts)


@pytest.mark.slow
def test_a_row_of_200_megabytes_is_cut_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    with path.open("w") as file:
        for n in range(50):
            file.write(json.dumps({"text": text(n)}) + "\n")
        file.write(json.dumps({"text": "A long sentence of many words. " * 6_500_000}) + "\n")
        for n in range(50, 100):
            file.write(json.dumps({"text": text(n)}) + "\n")
    corpus = Corpus(path, cw.Window(max_chars=2000))
    out = tmp_path / "out"
    result = corpus.write(out)
    assert result.counts.documents == 101
    found = table(out)
    assert sum(len(each) for each in found["text"].to_pylist()) > 200_000_000
    assert corpus.write(out).n_made == 0
