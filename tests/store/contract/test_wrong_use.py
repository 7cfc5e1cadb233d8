"""Wrong use of a store: errors that say what is wrong, before anything is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ChunkwrightError, ConfigError, ModelError, StoreError
from chunkwright.store.store import Store
from tests.support.stores import Words, documents


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target) as store:
        yield store


@pytest.mark.parametrize(
    "address",
    [
        *(":memory:", "sqlite:///kb.db", "sqlite:////tmp/kb.db", "http://host/kb", "file:kb.db"),
        *("mysql://me:secret@host/kb", "postgresql+psycopg://me:secret@host/kb", "s3://b/kb.db"),
    ],
)
def test_addresses_of_other_kinds_are_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for is_read_only in (False, True):
        with pytest.raises(ConfigError, match="the path of a file, or an address") as caught:
            Store.open(address, read_only=is_read_only)
        assert caught.value.option == "target"
        assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="names of files have no colons there")
@pytest.mark.parametrize("name", ["a:b.db", "memory", "files.db", "c:kb.db", "filet:1"])
def test_odd_names_are_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Store.open(name).close()
    Store.open(Path(name), read_only=True).close()
    assert (tmp_path / name).is_file()


@pytest.mark.parametrize(
    "retriever",
    [
        cw.Retriever(embedder=Words(), words=False),
        cw.Retriever.dense(Words()),
        cw.Retriever(embedder=Words()),
        cw.Retriever(),
    ],
)
def test_an_empty_store_is_searched(store: Store, retriever: cw.Retriever) -> None:
    more: tuple[dict[str, Any], ...] = (
        {},
        {"k": 3},
        {"max_tokens": 50},
        {"where": {"documents": "a*"}},
        {"floor": 0.0, "gate": 1.0},
        {"expand": "section"},
    )
    for options in more:
        assert store.search("anything", retriever=retriever, **options) == []
    store.add(documents(2, 0))
    store.remove(["report-0.md", "report-1.md"])
    assert store.search("anything", retriever=retriever) == []


def given_by_address(uri: str) -> dict[str, Any]:
    return {"part": len(uri)}


def test_what_is_wrong_with_an_option_is_raised_once(store: Store) -> None:
    for metadata in ({"part": 1}, given_by_address):
        with pytest.raises(ConfigError, match="'part' is a column of chunks too") as caught:
            store.add(documents(3, 0), metadata=metadata)
        assert caught.value.option == "metadata"
    assert store.documents() == []

    def only_first(uri: str) -> dict[str, Any]:
        return {"part": 1} if uri == "report-0.md" else {}

    report = store.add(documents(3, 0), metadata=only_first)
    assert [each.outcome for each in report] == ["failed", "new", "new"]


class Failing:
    fingerprint = "failing:1"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def embed(self, texts: Sequence[str]) -> Any:
        del texts
        raise self.error


@pytest.mark.parametrize(
    ("act", "kind", "message"),
    [
        (lambda store: store.embed(), ConfigError, "opened without an embedder"),
        (lambda store: store.embed("lexical"), ConfigError, "cannot be kept"),
        (lambda store: store.embed(5), ChunkwrightError, "embedder"),
        (lambda store: store.embed(Words(), progress=5), ConfigError, "progress"),
        (lambda store: store.embed(Failing(TypeError("no"))), ModelError, "no"),
        (lambda store: store.embed(Failing(ValueError("no"))), ModelError, "no"),
    ],
)
def test_embedders_that_cannot_be_used_are_named(
    store: Store, act: Callable[[Store], object], kind: type[Exception], message: str
) -> None:
    store.add(documents(2, 0))
    with pytest.raises(kind, match=message):
        act(store)
    assert store.models() == []


def test_nothing_is_embedded_for_a_store_for_reading(store: Store, target: str) -> None:
    store.add(documents(1, 0))
    with Store.open(target, read_only=True) as reader:
        acts: list[Callable[[], object]] = [
            lambda: reader.embed(Failing(AssertionError())),
            lambda: reader.add(documents(1, 1), embedder=Failing(AssertionError())),
            lambda: reader.edit(reader.blocks("report-0.md")[0].id, "By hand."),
        ]
        for act in acts:
            with pytest.raises(StoreError, match="open for reading only"):
                act()
        assert [each.outcome for each in reader.add(documents(1, 1), dry_run=True)] == ["changed"]


def test_vectors_of_no_model_are_refused(store: Store) -> None:
    with pytest.raises(ConfigError, match="vectors need the embedder of their model") as caught:
        store.add([cw.Document(text="Rain.", id="a")], vectors={"a": [1.0, 0.0]})
    assert caught.value.option == "vectors"
    assert store.documents() == []
