"""Outputs of other settings: the old one is there and whole until the new one is."""

from __future__ import annotations

import random
import shutil
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus, status
from chunkwright.corpus.output.staging import NEXT, ChangedSettingsError, Staging
from chunkwright.errors import ConfigError, CorpusError
from tests.corpus import children
from tests.corpus.folders import files, marks, rows, text, write_json
from tests.corpus.listening import Listener
from tests.corpus.runs import held, run

CHANGED: dict[str, Any] = {"kind": "markdown"}
FORCED = {**CHANGED, "force": True}


def current(out: Path) -> Any:
    """Return what an output holds, without what is to take its place."""
    return parts(files(out)), marks(out)


def parts(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in found.items() if not name.startswith((NEXT, "_run"))}


def _kill_at(inputs: Path, tmp_path: Path, whole: Callable[..., Any], n: int, seed: int) -> None:
    """Kill runs that replace an output at `n` moments before the switch, and at `n` of it."""
    old, new = (parts(whole(**options)[0]) for options in ({}, CHANGED))
    run(inputs, tmp_path / "old")
    shutil.copytree(tmp_path / "old", tmp_path / "counted")
    n_moments = children.moments_of(inputs, tmp_path / "counted", FORCED)
    chance, n_switching = random.Random(seed), 0
    # Each file is moved and removed in two moments.
    n_last = 2 * (len(old) + len(new)) + 4 * status(tmp_path / "old").n_shards + 8
    some = chance.sample(range(n_moments - n_last), n)
    last = chance.sample(range(n_moments - n_last, n_moments), n)
    for moment in [*some, *last]:
        out = tmp_path / str(moment)
        shutil.copytree(tmp_path / "old", out)
        assert children.ended(children.die_at, inputs, out, FORCED, moment) == -signal.SIGKILL
        found = status(out)
        assert (found.n_done, found.running) == (found.n_shards, None)
        if Staging(str(out)).is_switching:
            n_switching += 1
            assert run(inputs, out, **CHANGED).n_made == 0
        else:
            assert current(out)[0] in (old, new)
        if found.following is not None:
            # The same command resumes, and needs no permission again.
            assert run(inputs, out, **CHANGED).n_skipped == found.following.n_done
        children.corpus_of(inputs, CHANGED).write(out, force=True)
        assert held(out) == whole(**CHANGED)
        assert not (out / NEXT).exists()
        assert status(out).following is None
    assert n_switching


def test_a_run_that_is_killed_keeps_the_old_output_until_the_new_one_is_whole(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any]
) -> None:
    _kill_at(inputs, tmp_path, whole, 2, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 14))
def test_a_run_that_is_killed_at_many_moments_keeps_the_old_output(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any], seed: int
) -> None:
    _kill_at(inputs, tmp_path, whole, 10, seed)


def test_an_output_is_left_where_the_new_one_is_interrupted(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any]
) -> None:
    class Interrupting(Listener):
        def advance(self, counts: Any) -> None:
            if counts.shards:
                raise KeyboardInterrupt

    run(inputs, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        children.corpus_of(inputs, CHANGED).write(tmp_path, force=True, progress=Interrupting())
    assert current(tmp_path) == (parts(whole()[0]), whole()[1])
    found = status(tmp_path)
    assert found.following is not None
    assert found.n_done == found.n_shards
    assert 0 < found.following.n_done < found.following.n_shards
    # The old settings are those of the output, still.
    assert run(inputs, tmp_path).n_made == 0
    with pytest.raises(ChangedSettingsError) as caught:
        run(inputs, tmp_path, n_tokens=True)
    assert all(" -> " in each for each in caught.value.changes)
    run(inputs, tmp_path, **CHANGED)
    assert held(tmp_path) == whole(**CHANGED)


def test_an_output_is_not_replaced_by_one_that_lacks_inputs(folder: Path, tmp_path: Path) -> None:
    more, out = tmp_path / "more", tmp_path / "out"
    write_json(folder / "a.jsonl", [{"text": text(1)}])
    write_json(more / "b.jsonl", [{"text": text(2)}])
    Corpus([folder, more], cw.Window(max_chars=60)).write(out)
    before = current(out)
    more.rename(tmp_path / "elsewhere")
    changed = Corpus([folder, more], cw.Window(max_chars=50))
    for _ in range(2):
        with pytest.raises(CorpusError, match="may be of inputs that cannot be read"):
            Corpus([folder, more], cw.Window(max_chars=60)).write(out)
    result = changed.write(out, force=True)
    assert (result.is_pending, current(out)) == (True, before)
    (tmp_path / "elsewhere").rename(more)
    assert not changed.write(out).is_pending
    assert len({row["document"] for row in rows(out)}) == 2


def test_an_output_elsewhere_is_replaced_as_well(folder: Path, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    for number in range(4):
        write_json(folder / f"{number}.jsonl", [{"text": text(number)}])
    out = f"memory://{tmp_path.name}/out"
    before = Corpus(folder, cw.Window(max_chars=60), shard_bytes=1).write(out)
    changed = Corpus(folder, cw.Window(max_chars=80), shard_bytes=1)
    with pytest.raises(ChangedSettingsError):
        changed.write(out)
    result = changed.write(out, force=True)
    assert (result.n_made, result.is_pending) == (before.n_made, False)
    assert status(out).following is None
    changed.write(tmp_path / "here")
    system = fsspec.filesystem("memory")
    found = [name for name in system.find(out) if "/_run/" not in name]
    wanted = {path.name: path.read_bytes() for path in (tmp_path / "here").glob("part-*")}
    assert {name.rsplit("/")[-1]: system.cat_file(name) for name in found} == wanted


class Counting:
    """Embedder that keeps what it is asked for."""

    fingerprint = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return np.array([[len(each), 1.0, each.count("e")] for each in texts])


@pytest.mark.parametrize("limits", [(60, 61), (60, 90)])
def test_vectors_of_equal_texts_are_taken_from_the_old_output(
    folder: Path, tmp_path: Path, limits: tuple[int, int]
) -> None:
    documents = [
        {"text": text(number, n_words)} for number, n_words in enumerate((3, 40, 3, 4, 90))
    ]
    write_json(folder / "a.jsonl", documents)
    out = tmp_path / "out"
    for limit in limits:
        model = Counting()
        Corpus(folder, cw.Sentence(max_chars=limit), embedder=model).write(out, force=True)
        if limit == limits[0]:
            known = {row["text"] for row in rows(out)}
    found = {row["text"] for row in rows(out)}
    assert known & found
    assert set(model.asked) - {"text"} == found - known
    Corpus(folder, cw.Sentence(max_chars=limits[1]), embedder=model).write(tmp_path / "fresh")
    for own, fresh in zip(rows(out), rows(tmp_path / "fresh"), strict=True):
        assert own["vector"] == pytest.approx(fresh["vector"], abs=1e-6)
    assert not list(tmp_path.rglob("*.sqlite"))


def test_a_run_that_has_only_begun_has_a_status(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="is not the output of a run"):
        status(tmp_path)
    write_json(tmp_path / "in/a.jsonl", [{"text": text(1)}])

    class Interrupted(cw.Window):
        @property
        def spec(self) -> Any:
            raise KeyboardInterrupt

    with pytest.raises((KeyboardInterrupt, ConfigError)):
        Corpus(tmp_path / "in", Interrupted(max_chars=60)).write(tmp_path / "out")
    found = status(tmp_path / "out")
    assert (found.n_shards, found.n_done, found.running) == (0, 0, None)
