"""Opening of the store that a service answers from, with the model of its vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, ModelError, StoreError
from chunkwright.server.stored.opening import opened_store
from chunkwright.store import Store
from tests.embed.made_models import write_model

TEXTS = [b"A harbour with ships.", b"A mill with wheels.", b"A garden with roses."]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with vectors, whose last import is noted."""
    path, model = tmp_path / "kb.db", str(write_model(tmp_path / "model"))
    with Store.open(path, embedder=model) as opened:
        for number, text in enumerate(TEXTS):
            opened.add(cw.read(text, name=f"{number}.txt"))
        opened.note("embedder", model)
    return path


def vectors_count(store: Store) -> bool:
    (hit, *_) = store.search("mill wheels")
    return hit.why.vectors is not None


def test_the_embedder_of_the_last_import_is_taken(store: Path) -> None:
    with opened_store(str(store)) as opened:
        assert vectors_count(opened)
        assert np.isfinite(opened.search("mill wheels")[0].score)


def test_another_one_is_taken_if_it_is_named(store: Path) -> None:
    with opened_store(str(store), embedder="none") as opened:
        assert not vectors_count(opened)


def test_a_model_that_was_moved_is_said_to_be(store: Path, tmp_path: Path) -> None:
    with Store.open(store) as opened:
        opened.note("embedder", str(tmp_path / "gone"))
    with pytest.raises(ModelError, match="--embedder none"):
        opened_store(str(store))


def test_a_store_for_reading_is_not_written(store: Path) -> None:
    with opened_store(str(store), read_only=True) as opened:
        block = opened.search("mill")[0].block
        with pytest.raises(StoreError, match="reading only"):
            opened.cite(block)


def test_no_store_is_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no store") as caught:
        opened_store(str(tmp_path / "kb.db"))
    assert caught.value.option == "store"
    assert not (tmp_path / "kb.db").exists()
