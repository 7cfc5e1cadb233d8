"""Many runs: that what is done is kept, taken, and done again when it has to be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import Dataset, Evaluation, Plan, Run
from chunkwright.evaluation.run import cache as run_cache
from chunkwright.evaluation.run.stored_runs import evaluate_all, key_of
from chunkwright.files.disk_cache import stored_files
from chunkwright.retrieval import Retriever

from .made import TEXTS, dataset

DATA = dataset()
CUTOFFS = (1, "min", "20t")
DEFAULTS = {"cutoffs": CUTOFFS}


class Splitter:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def split_text(self, text: str) -> list[str]:
        self.calls += 1
        return text.split(". ")


def assert_same(a: Evaluation, b: Evaluation) -> None:
    assert (a.name, a.chunker, a.retriever, a.placement) == (
        *(b.name, b.chunker, b.retriever, b.placement),
    )
    assert a.cutoffs == b.cutoffs
    assert list(a.scores) == list(b.scores)
    assert all(np.array_equal(a.scores[name], b.scores[name]) for name in a.scores)
    assert a.hits == b.hits
    assert a.chunks.texts == b.chunks.texts
    for name in ("corpora", "starts", "ends", "n_tokens", "cut_from"):
        ours, theirs = getattr(a.chunks, name), getattr(b.chunks, name)
        assert ours.dtype == theirs.dtype == np.int64
        assert ours.tolist() == theirs.tolist()
    assert a.holding.tolist() == b.holding.tolist()
    assert dict(a.seconds) == dict(b.seconds)
    assert a.summary() == b.summary()


def once(folder: Path, run: Run, data: Dataset = DATA, **options: Any) -> Evaluation:
    (found,) = evaluate_all([run], data, **{"cutoffs": CUTOFFS, **options}, cache=folder)
    return found


def test_what_is_kept_is_what_was_found(tmp_path: Path) -> None:
    surrogate = dataset(
        {"odd": "A lone \ud800 stands. It is odd."}, [("What?", "odd", "It is odd")]
    )
    for data in (DATA, surrogate):
        run = Run(name="sentences", chunker=cw.Sentence(sentences=1))
        assert_same(once(tmp_path, run, data), once(tmp_path, run, data))
    files = stored_files(tmp_path / "runs", "runs")
    assert {file.name for file in files} == {DATA.fingerprint, surrogate.fingerprint}
    assert [file.entries for file in files] == [1, 1]
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_a_run_that_is_kept_is_not_done_again(tmp_path: Path) -> None:
    splitter = Splitter()
    run = Run(name="split", chunker=splitter, described={"by": "full stops"})
    once(tmp_path, run)
    done = splitter.calls
    assert done == len(TEXTS)
    again = Run(name="renamed", chunker=splitter, described={"by": "full stops"})
    assert once(tmp_path, again).name == "renamed"
    assert splitter.calls == done
    once(tmp_path, again, fresh=True)
    assert splitter.calls == 2 * done


def test_of_what_nothing_is_known_nothing_is_kept(tmp_path: Path) -> None:
    once(tmp_path, Run(name="split", chunker=Splitter()))
    plain = Retriever(embedder=lambda texts: np.ones((len(texts), 2)))
    once(tmp_path, Run(name="s", chunker=cw.Sentence(sentences=1), retriever=plain))
    assert not list(tmp_path.iterdir())


def test_the_key_is_of_all_that_matters() -> None:
    def key(data: Dataset = DATA, how: Mapping[str, Any] = DEFAULTS, **options: Any) -> str | None:
        given = {"name": "x", "chunker": cw.Sentence(sentences=1), **options}
        run = Run(**given)
        return key_of(run, Plan(dataset=data, runs=(run,), **how))

    keys = [
        key(),
        key(chunker=cw.Sentence(sentences=2)),
        key(chunker=cw.Recursive(max_tokens=20)),
        key(retriever=Retriever(word_weight=0.5)),
        key(retriever=Retriever(subwords=None)),
        key(retriever=Retriever(subwords="4-grams")),
        key(retriever=Retriever.dense("lexical")),
        key(placement="first_occurrence"),
        key(described={"x": 1}),
        key(how={"cutoffs": (1,)}),
        key(how=DEFAULTS | {"tokenizer": "o200k_base"}),
        key(dataset(asked=[("Else?", "cats", "mice")])),
    ]
    assert None not in keys
    assert len(set(keys)) == len(keys)
    assert key(name="y") == key()
    assert key(how={"cutoffs": ("1", "min", "20t")}) == key()
    own = cw.Tokenizer("o200k_base")
    assert key(how=DEFAULTS | {"tokenizer": own}) not in {None, key()}
    # What a callable counts is not known.
    assert key(how=DEFAULTS | {"tokenizer": len}) is None


def test_a_folder_that_cannot_be_written_costs_a_warning(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    run = Run(name="sentences", chunker=cw.Sentence(sentences=1))
    with pytest.warns(RuntimeWarning, match="sentences: the cache .*taken.* cannot be used"):
        found = once(taken, run)
    assert found.scores["recall@1"].tolist() == once(tmp_path, run).scores["recall@1"].tolist()


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"SQLite format 3\0",
        lambda _: b"no cache at all",
        lambda whole: whole[: len(whole) // 2],
    ],
    ids=["cut", "other", "truncated"],
)
def test_a_damaged_file_is_done_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    run = Run(name="sentences", chunker=cw.Sentence(sentences=1))
    first = once(tmp_path, run)
    (file,) = (tmp_path / "runs").iterdir()
    file.write_bytes(damage(file.read_bytes()))
    said: list[str] = []
    again = once(tmp_path, run, tell=said.append)
    assert again.scores["recall@1"].tolist() == first.scores["recall@1"].tolist()
    assert len(said) == 1
    assert f"sentences: the cache {str(file)!r} is set aside as '{file.name}.damaged'" in said[0]
    once(tmp_path, run, tell=said.append)
    assert len(said) == 1


def test_another_version_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(name="sentences", chunker=cw.Sentence(sentences=1), described={"sentences": 1})
    with monkeypatch.context() as patch:
        patch.setattr(run_cache, "_version", lambda: "0.0.1")
        once(tmp_path, run)
    said: list[str] = []
    once(tmp_path, run, tell=said.append)
    assert said == ["sentences: was done by chunkwright '0.0.1', is done again"]
    once(tmp_path, run, tell=said.append)
    assert len(said) == 1


def test_who_is_interrupted_goes_on(tmp_path: Path) -> None:
    first = Splitter()

    def stopped(text: str) -> list[str]:
        raise KeyboardInterrupt(text)

    runs = [
        Run(name="first", chunker=first, described={"n": 1}),
        Run(name="second", chunker=stopped, described={"n": 2}),
    ]
    with pytest.raises(KeyboardInterrupt):
        evaluate_all(runs, DATA, cutoffs=CUTOFFS, cache=tmp_path)
    second = Run(name="second", chunker=Splitter(), described={"n": 2})
    found = evaluate_all([runs[0], second], DATA, cutoffs=CUTOFFS, cache=tmp_path)
    assert [each.name for each in found] == ["first", "second"]
    assert first.calls == len(TEXTS)


def test_progress_is_told_of_what_is_done(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []

    def tell(step: str, n_done: int, n_all: int) -> None:
        told.append((step, n_done, n_all))

    run = Run(name="sentences", chunker=cw.Sentence(sentences=1))
    once(tmp_path, run, progress=tell)
    assert ("chunking", len(TEXTS), len(TEXTS)) in told
    told.clear()
    once(tmp_path, run, progress=tell)
    assert told == []


def test_two_runs_of_one_name() -> None:
    run = Run(name="same", chunker=cw.Sentence(sentences=1))
    with pytest.raises(ConfigError, match="two runs are called 'same'"):
        evaluate_all([run, run], DATA)
