"""Runs of the local engine that fail, in part or altogether, and what they tell meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.corpus import Beginning, Corpus, Counts, Failure
from chunkwright.embed import EmbedderLike
from chunkwright.errors import ConfigError, CorpusError, ModelError
from chunkwright.llm import ModelAccessError
from tests.corpus.folders import comparable, errors, files, mixed, rows, text, write_json
from tests.corpus.listening import Listener
from tests.support.stores import Toy


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mixed(tmp_path_factory.mktemp("inputs"))


class Picky:
    """Embedder that refuses some texts."""

    fingerprint = "picky:1"

    def embed(self, texts: Sequence[str]) -> Any:
        if any("Document 5." in each for each in texts):
            raise ValueError("not this one")
        return Toy().embed(texts)


@pytest.mark.parametrize("is_table", [True, False])
def test_a_document_that_cannot_be_embedded_is_a_failure(tmp_path: Path, is_table: bool) -> None:
    numbers = range(10)
    if is_table:
        path = write_json(tmp_path / "in.jsonl", ({"text": text(n), "id": n} for n in numbers))
    else:
        path = tmp_path / "in"
        path.mkdir()
        for n in numbers:
            (path / f"{n}.txt").write_text(text(n))
    strategy = cw.Window(max_chars=50)
    id_column = "id" if is_table else None
    out = tmp_path / "out"
    result = Corpus(path, strategy, embedder=Picky(), id_column=id_column).write(out)
    ids = ["5" if is_table else "5.txt"]
    found = rows(out)
    assert not {row["document"] for row in found} & set(ids)
    assert len({row["document"] for row in found}) == 9
    [failure] = errors(out)
    assert (failure["document"], failure["stage"], failure["kind"]) == (
        ids[0],
        "embed",
        "ModelError",
    )
    assert failure["place"] == ("in.jsonl:6" if is_table else str(path / "5.txt"))
    assert failure["unit"] == ("in.jsonl" if is_table else "5.txt")
    assert "not this one" in failure["message"]
    counts = result.counts
    assert (counts.documents, counts.failed) == (9, 1)
    assert counts.chunks == len(found) == sum(counts.sizes.values())
    assert counts.text_bytes == sum(len(row["text"].encode()) for row in found)


def fails_with(error: Exception) -> EmbedderLike:
    n_calls = 0

    def embed(texts: Sequence[str]) -> Any:
        nonlocal n_calls
        n_calls += 1
        if n_calls > 1:
            raise error
        return np.ones((len(texts), 2))

    return embed


def test_a_model_that_refuses_all_requests_ends_the_run(tmp_path: Path) -> None:
    path = write_json(tmp_path / "in.jsonl", ({"text": text(n)} for n in range(9)))
    corpus = Corpus(path, embedder=fails_with(ModelAccessError("no key")), fingerprint="1")
    with pytest.raises(ModelError, match="no key"):
        corpus.write(tmp_path / "out")
    assert not any(name.endswith((".parquet", "tmp")) for name in files(tmp_path / "out"))
    assert not running()


def refused(messages: Any) -> str:
    del messages
    raise ModelAccessError("no key")


@pytest.mark.parametrize("suffix", ["jsonl", "txt"])
@pytest.mark.parametrize(
    "strategy", [cw.LLM(llm=refused, max_tokens=20), cw.Contextual("sentence", llm=refused)]
)
def test_a_language_model_that_refuses_all_requests_ends_the_run(
    tmp_path: Path, suffix: str, strategy: Any
) -> None:
    path = write_json(tmp_path / f"in.{suffix}", ({"text": text(n)} for n in range(9)))
    with pytest.raises(ModelAccessError, match=r"^no key"):
        Corpus(path, strategy, fingerprint="1").write(tmp_path / "out")
    assert not running()


def running() -> list[str]:
    threads = [each for each in threading.enumerate() if each.name.startswith("chunkwright-corpus")]
    for thread in threads:
        thread.join(10)
    return [each.name for each in threads if each.is_alive()]


class Heard(Listener):
    """Progress that is put down."""

    def __init__(self) -> None:
        self.beginnings: list[Beginning] = []
        self.counts = Counts()
        self.failures: list[Failure] = []

    def begin(self, beginning: Beginning) -> None:
        self.beginnings.append(beginning)

    def advance(self, counts: Counts) -> None:
        self.counts.add(counts)

    def fail(self, failure: Failure) -> None:
        self.failures.append(failure)


def test_progress_hears_of_all_that_is_done(inputs: Path, tmp_path: Path) -> None:
    heard = Heard()
    (tmp_path / "bad.jsonl").write_text("no row\n")
    paths = [inputs, tmp_path / "bad.jsonl", tmp_path / "missing.jsonl"]
    result = Corpus(paths, shard_bytes=3000).write(tmp_path / "out", progress=heard)
    [beginning] = heard.beginnings
    assert beginning.n_shards == result.n_shards == result.n_made
    assert (beginning.n_done, beginning.n_removed, beginning.changes) == (0, 0, [])
    assert comparable(heard.counts) == comparable(result.counts)
    assert [failure.place for failure in heard.failures] == ["inputs", "bad.jsonl:1"]
    assert result.problems == [f"{tmp_path}/missing.jsonl: no such file or folder"]
    assert not result.is_whole


@pytest.mark.parametrize("most", [0, 2])
def test_more_failures_than_may_end_the_run_which_can_be_gone_on_with(
    tmp_path: Path, most: int
) -> None:
    inputs = tmp_path / "in"
    for n in range(30):
        bad = [{"no": "text"}] if n % 10 == 5 else []
        write_json(inputs / f"{n:02}.jsonl", [{"text": text(n)}, *bad])
    corpus = Corpus(inputs, "recursive", shard_bytes=1000)
    out = tmp_path / "out"
    with pytest.raises(CorpusError, match="max_errors") as told:
        corpus.write(out, max_errors=most)
    assert f"{most + 1} documents and inputs failed" in str(told.value)
    assert "05.jsonl:2" in str(told.value)
    assert "no field 'text'" in str(told.value)
    assert not running()
    assert not [name for name in files(out) if name.endswith("tmp")]
    result = corpus.write(out, max_errors=3)
    assert (result.counts.documents, result.counts.failed) == (30, 3)
    corpus.write(tmp_path / "whole")
    assert files(out) == files(tmp_path / "whole")


def test_errors_of_options_name_them(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A.")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"duplicates": "twice"}, "duplicates"),
        ({"shard_bytes": 0}, "shard_bytes"),
        ({"workers": 0}, "workers"),
        ({"kind": "klingon"}, "text_kind|kind"),
        ({"strategy": "klingon"}, "klingon"),
        ({"embedder": "lexical"}, "embedder|lexical"),
    ]
    for options, named in cases:
        with pytest.raises(ConfigError, match=named):
            Corpus(tmp_path, **options).write(tmp_path / "out")
    with pytest.raises(ConfigError, match="engine"):
        Corpus(tmp_path).write(tmp_path / "out", engine="klingon")
    with pytest.raises(ConfigError, match="max_errors"):
        Corpus(tmp_path).write(tmp_path / "out", max_errors=-1)


def test_no_thread_and_no_file_is_left_open(inputs: Path, tmp_path: Path) -> None:
    Corpus(inputs, shard_bytes=3000, embedder=Toy()).write(tmp_path / "out")
    assert not running()
    descriptors = Path("/proc/self/fd")
    if descriptors.exists():
        links = [str(each.readlink()) for each in descriptors.iterdir() if each.is_symlink()]
        assert not [link for link in links if link.startswith((str(inputs), str(tmp_path)))]
