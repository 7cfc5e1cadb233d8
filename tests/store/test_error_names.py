"""Errors of stores: each names its store once, whatever that is called, and has it as a field."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.errors import NoStoreError, StoreError
from chunkwright.store.store import Store

# Some stand in every message.
NAMES = ["e", "store", "document", "n 1.db", "block: x", "kb.db"]


def closed(store: Store) -> Store:
    store.close()
    return store


FAILING: list[Callable[[Store], object]] = [
    lambda store: store.document("none"),
    lambda store: store.blocks("none"),
    lambda store: store.block("none"),
    lambda store: store.resolve("none"),
    lambda store: store.edit("none", "text"),
    lambda store: store.verify("some words of a quote", document="none"),
    lambda store: store.document("a", version=9),
    lambda store: closed(store).search("a"),
]


@pytest.mark.parametrize("failing", FAILING)
@pytest.mark.parametrize("name", NAMES)
def test_errors_name_the_store_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, failing: Callable[[Store], object]
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(name) as store:
        store.add(cw.Document(text="A text.", name="a"))
        with pytest.raises(StoreError) as caught:
            failing(store)
        error = caught.value
        assert error.store == name
        assert str(error).startswith(f"{name}: ")
        assert not str(error).startswith(f"{name}: {name}: ")
        copy = pickle.loads(pickle.dumps(error))
        assert (str(copy), copy.store, type(copy)) == (str(error), name, type(error))


def test_a_store_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "none.db")
    with pytest.raises(StoreError) as caught:
        Store.open(path, read_only=True)
    assert str(caught.value) == f"{path}: no such file"
    assert caught.value.store == path


def test_an_error_without_a_store_takes_the_first_name() -> None:
    error = NoStoreError("there is none")
    assert (str(error), error.store) == ("there is none", None)
    error.of_store("a")
    error.of_store("b")
    assert (str(error), error.store) == ("a: there is none", "a")
