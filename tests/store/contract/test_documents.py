"""Documents of stores: differences of versions, rows, models and notes, on all databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, StoreError
from chunkwright.store.store import Store
from tests.support.stores import Words

FIRST = "# Rain\n\nIt rained on Monday.\n\n# Sun\n\nIt shone on Tuesday.\n\n# Snow\n\nNone fell."
SECOND = "# Snow\n\nNone fell.\n\n# Sun\n\nIt shone on Friday.\n\n# Rain\n\nIt rained on Monday."


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target) as made:
        yield made


def weather(text: str, **metadata: Any) -> cw.Document:
    return cw.read(text.encode(), name="weather.md").with_metadata(metadata)


def test_two_versions_are_compared_as_the_import_did(store: Store) -> None:
    store.add(weather(FIRST))
    rain, sun, snow = (row["block"] for row in store.rows())
    store.cite(rain, "rained on Monday")
    store.cite(sun, "Tuesday")
    imported = store.add(weather(SECOND))[0]
    found = store.diff("weather.md", 1)
    assert (found.version, set(found.kept), found.gone) == (2, {rain, snow}, [sun])
    assert (found.new, found.gone, found.moved) == (imported.new, imported.gone, imported.moved)
    counts = (found.citations_resolved, found.citations_moved, found.citations_broken)
    assert sum(counts) == 2
    assert counts[2] == 1
    assert counts == (
        imported.citations_resolved,
        imported.citations_moved,
        imported.citations_broken,
    )
    back = store.diff("weather.md", 2, 1)
    assert (back.version, back.new, back.gone) == (1, [sun], found.new)
    assert store.diff("weather.md", 2).outcome == "unchanged"


@pytest.mark.parametrize("versions", [(7, None), (1, 7)])
def test_versions_that_are_not_there_are_named(store: Store, versions: tuple[int, Any]) -> None:
    store.add(weather(FIRST))
    with pytest.raises(StoreError, match=r"'weather\.md' has no version 7"):
        store.diff("weather.md", *versions)
    with pytest.raises(StoreError, match=r"no document 'x\.md'"):
        store.diff("x.md", 1)


def test_rows_are_those_of_chunks(store: Store) -> None:
    store.add(weather(FIRST, year=1921))
    store.add(cw.Document(text="Other words.", name="other.txt"), strategy="recursive")
    rows = list(store.rows())
    of_weather = [row for row in rows if row["document"] == "weather.md"]
    chunks = store.chunks("weather.md").to_dicts()
    own = {"block", "version", "origin", "doc_index"}
    for row, chunk in zip(of_weather, chunks, strict=True):
        assert {name: row[name] for name in chunk if name not in own} == {
            name: value for name, value in chunk.items() if name not in own
        }
        assert (row["version"], row["origin"], row["year"]) == (1, "cut", 1921)
    assert [row["doc_index"] for row in rows] == [0, 0, 0, 1]
    assert len({row["block"] for row in rows}) == 4


def test_rows_have_what_was_written_by_hand(store: Store) -> None:
    store.add(weather(FIRST))
    block = next(store.rows())["block"]
    own = store.edit(block, "It rained all day.").block
    row = next(store.rows("weather.md"))
    assert (row["block"], row["origin"], row["text"]) == (own, "manual", "It rained all day.")
    assert row["n_tokens"] == cw.count_tokens("It rained all day.", "cl100k_base")
    assert next(store.rows("weather.md", 1))["block"] == block


def test_rows_go_into_parquet(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    assert store.to_parquet(file) == 0
    store.add(weather(FIRST, year=1921, team="a"))
    store.add(
        cw.Document(text="Words.", name="x.txt", metadata={"year": 2.5, "team": 7, "ok": True}),
        strategy="recursive",
    )
    assert store.to_parquet(file) == 4
    table = pq.read_table(file).to_pylist()
    rows = list(store.rows())
    for row, written in zip(rows, table, strict=True):
        for name in ("block", "version", "origin", "text", "start", "document", "doc_index"):
            assert written[name] == row[name]
    assert [row["headings"] for row in table[:3]] == [["Rain"], ["Sun"], ["Snow"]]
    assert [row["year"] for row in table] == [1921.0, 1921.0, 1921.0, 2.5]
    # Of several types, they are texts.
    assert [row["team"] for row in table] == ["a", "a", "a", "7"]
    assert [row["ok"] for row in table] == [None, None, None, True]


def test_a_file_that_cannot_be_written_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no/rows"):
        store.to_parquet(tmp_path / "no" / "rows.parquet")


def test_models_are_listed(store: Store) -> None:
    assert store.models() == []
    store.add(weather(FIRST), embedder=Words())
    (model,) = store.models()
    assert (model.fingerprint, model.n_dims, model.n_vectors) == ("words:1", Words.n_dims, 3)


def test_vectors_that_depend_on_other_texts_are_refused(store: Store) -> None:
    with pytest.raises(ConfigError, match="lexical"):
        store.add(weather(FIRST), embedder="lexical")


def test_notes_stay(store: Store, target: str) -> None:
    assert store.note("embedder") is None
    assert store.note("embedder", "models/a") == "models/a"
    assert store.note("embedder", "models/b") == "models/b"
    with Store.open(target, read_only=True) as other:
        assert other.note("embedder") == "models/b"
        assert other.note("version") is None


def test_several_documents_are_removed_together(store: Store) -> None:
    names = ["a", "b", "c"]
    store.add([cw.Document(text="Words.", name=name) for name in names], strategy="recursive")
    found = store.remove(["a", "c", "d"])
    assert [each.outcome for each in found] == ["removed", "removed", "unchanged"]
    assert [each.uri for each in store.documents()] == ["b"]
    assert store.remove("b").outcome == "removed"
