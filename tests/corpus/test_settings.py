"""Settings of runs: any that rows depend on makes all shards anew, and is told of before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.corpus import Beginning, Corpus
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.errors import ConfigError, CorpusError
from tests.contextual.models import on
from tests.corpus.folders import files, mixed, rows
from tests.corpus.listening import Listener
from tests.support.scripted_models import by_words, silent
from tests.support.stores import Toy, Words

USUAL: dict[str, Any] = {"strategy": cw.Recursive(max_tokens=12), "shard_bytes": 3000}
CHANGES: dict[str, dict[str, Any]] = {
    "limit": {"strategy": cw.Recursive(max_tokens=13)},
    "strategy": {"strategy": cw.Sentence(max_tokens=12)},
    "tokenizer": {"strategy": cw.Recursive(max_tokens=12, tokenizer="o200k_base")},
    "model": {"strategy": cw.LLM(llm=silent, max_tokens=20), "fingerprint": "silent"},
    "text_column": {"text_column": "other", "drop_columns": ["text"]},
    "id_column": {"id_column": "year"},
    "kind": {"kind": "markdown"},
    "drop_columns": {"drop_columns": ["year"]},
    "embedder": {"embedder": Toy()},
    "other embedder": {"embedder": Words(), "vector_column": "v"},
    "duplicates": {"duplicates": "drop"},
    "marks": {"duplicates": "mark"},
    "encoding": {"reading": {"encoding": "latin-1"}},
    "decoding": {"reading": {"errors": "replace"}},
    "parts of pages": {"reading": {"drop": ["nav"]}},
    "pages": {"reading": {"pages": "1-3"}},
    "fingerprint": {"fingerprint": "2"},
    "n_tokens": {"n_tokens": False},
}


class Listening(Listener):
    """Progress that keeps what a run is about to do, and looks at the output then."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.beginning: Beginning | None = None
        self.before: set[str] = set()

    def begin(self, beginning: Beginning) -> None:
        self.beginning = beginning
        self.before = {path.name for path in self.out.glob("*.parquet")}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mixed(tmp_path_factory.mktemp("inputs"), 10)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_any_option_makes_all_anew_and_says_so_before(
    inputs: Path, tmp_path: Path, change: Mapping[str, Any]
) -> None:
    first = Corpus(inputs, **USUAL).write(tmp_path / "out")
    parts = {path.name for path in (tmp_path / "out").glob("*.parquet")}
    assert first.n_made == len(parts) > 1
    listening = Listening(tmp_path / "out")
    again, before = Corpus(inputs, **{**USUAL, **change}), files(tmp_path / "out")
    with pytest.raises(CorpusError, match=r" -> .*say force=True"):
        again.write(tmp_path / "out")
    assert files(tmp_path / "out") == before
    result = again.write(tmp_path / "out", progress=listening, force=True)
    assert not result.is_pending
    assert (result.n_skipped, result.n_made) == (0, first.n_shards)
    beginning = listening.beginning
    assert beginning is not None
    assert beginning.changes
    assert all(" -> " in each for each in beginning.changes)
    assert (beginning.n_done, beginning.n_removed) == (0, first.n_shards)
    assert beginning.is_staged
    # It was told before anything was removed.
    assert listening.before == parts
    assert not parts & {path.name for path in (tmp_path / "out").glob("*.parquet")}
    Corpus(inputs, **{**USUAL, **change}).write(tmp_path / "fresh")
    assert files(tmp_path / "out") == files(tmp_path / "fresh")


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_equal_options_make_nothing_anew(
    inputs: Path, tmp_path: Path, change: Mapping[str, Any]
) -> None:
    Corpus(inputs, **{**USUAL, **change}).write(tmp_path)
    listening = Listening(tmp_path)
    again = Corpus(inputs, **{**USUAL, **change}, workers=2)
    result = again.write(tmp_path, progress=listening, max_errors=10**6)
    assert (result.n_made, result.n_skipped) == (0, result.n_shards)
    assert listening.beginning is not None
    assert not listening.beginning.changes


def test_changes_say_what_was_and_what_is(inputs: Path, tmp_path: Path) -> None:
    Corpus(inputs, **USUAL).write(tmp_path)
    listening = Listening(tmp_path)
    Corpus(inputs, **{**USUAL, "duplicates": "mark"}).write(
        tmp_path, progress=listening, force=True
    )
    assert listening.beginning is not None
    [duplicates, columns] = listening.beginning.changes
    assert duplicates == "duplicates: keep -> mark"
    assert columns.startswith("columns: ")
    assert "duplicate_of" in columns


def test_other_sizes_of_shards_make_all_anew(inputs: Path, tmp_path: Path) -> None:
    Corpus(inputs, **USUAL).write(tmp_path)
    before = rows(tmp_path)
    listening = Listening(tmp_path)
    result = Corpus(inputs, **{**USUAL, "shard_bytes": 10**6}).write(
        tmp_path, progress=listening, force=True
    )
    assert (result.n_shards, result.n_made) == (1, 1)
    assert listening.beginning is not None
    assert listening.beginning.n_removed > 1
    assert rows(tmp_path) == before


def words(text: str) -> int:
    return len(text.split())


def vectors(texts: Sequence[str]) -> Any:
    return np.ones((len(texts), 2))


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": cw.Sentence(max_tokens=9, tokenizer=words)},
        {"strategy": cw.LLM(llm=by_words)},
        {"strategy": cw.Contextual(cw.Sentence(), llm=on)},
        {"strategy": cw.Kamradt(embedder=vectors)},
        {"embedder": vectors},
    ],
)
def test_what_cannot_be_named_has_to_be_given_a_fingerprint(
    inputs: Path, tmp_path: Path, options: Mapping[str, Any]
) -> None:
    with pytest.raises(ConfigError, match="fingerprint=") as told:
        Corpus(inputs, **options).write(tmp_path)
    assert told.value.option == "fingerprint"
    assert not list(tmp_path.glob("*.parquet"))
    for fingerprint, n_made in [("1", 1), ("1", 0), ("2", 1)]:
        corpus = Corpus(inputs, **options, fingerprint=fingerprint)
        assert corpus.write(tmp_path, force=True).n_made == n_made


def test_settings_of_other_versions_are_refused(inputs: Path, tmp_path: Path) -> None:
    from chunkwright.corpus.output import manifest
    from chunkwright.errors import CorpusError

    Corpus(inputs).write(tmp_path)
    path = tmp_path / "_run" / "settings.json"
    path.write_text(path.read_text().replace(f'"version": {manifest._VERSION}', '"version": 99'))
    with pytest.raises(CorpusError, match=r"another version of chunkwright.*99"):
        Corpus(inputs).write(tmp_path)
    with pytest.raises(CorpusError, match="another version"):
        Manifest(str(tmp_path)).settings()


@pytest.mark.parametrize(
    ("own", "name", "value"),
    [
        ("text_column", "text_column", "b"),
        ("text_column", "text_column", "a"),
        ("id_column", "id_column", "b"),
        ("kind", "text_kind", "html"),
        ("drop_columns", "drop_columns", ["b"]),
    ],
)
def test_an_option_that_is_given_twice_is_refused(own: str, name: str, value: Any) -> None:
    given: dict[str, Any] = {own: "markdown" if own == "kind" else "a"}
    with pytest.raises(ConfigError, match=f"{own}=.* is given in reading, too, as {name}=") as told:
        Corpus("in", **given, reading={name: value})
    assert told.value.option == own
    assert Corpus("in", reading={"text_column": "b"})
