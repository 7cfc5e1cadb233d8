"""Imports of folders, tables and contexts: what is known again, removed, or asked for again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.llm import as_language_model
from chunkwright.store.searching.filters import Filter
from chunkwright.store.store import Store
from tests.contextual.models import chunk_in, on

TEXT = "Rain fell on the harbour. Snow fell on the mill. Nothing fell on the garden."


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target) as made:
        yield made


def table(path: Path, *texts: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))


def addresses(store: Store) -> list[str]:
    return [each.uri for each in store.documents()]


def test_rows_of_tables_with_the_same_name_are_told_apart(store: Store, tmp_path: Path) -> None:
    table(tmp_path / "a/t.jsonl", "Rain fell.", "Snow fell.")
    table(tmp_path / "b/t.jsonl", "Hail fell.")
    report = store.add(tmp_path / "*/t.jsonl", root=tmp_path)
    assert [each.outcome for each in report] == ["new"] * 3
    assert addresses(store) == ["a/t.jsonl:1", "a/t.jsonl:2", "b/t.jsonl:1"]
    again = store.add(tmp_path / "*/t.jsonl", root=tmp_path)
    assert [each.outcome for each in again] == ["unchanged"] * 3


def test_columns_of_rows_are_metadata_and_so_are_lists(store: Store, tmp_path: Path) -> None:
    row = {"text": TEXT, "page": 3, "tags": ["rain", "snow"], "more": {"a": 1}, "deep": [[1]]}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    store.add(tmp_path / "rows.jsonl", root=tmp_path)
    found = store.search("harbour", where=Filter(metadata={"tags": "snow"}), k=1)[0]
    assert found.metadata == {"page": 3, "tags": ["rain", "snow"]}


def test_what_has_no_file_any_more_is_removed(store: Store, tmp_path: Path) -> None:
    table(tmp_path / "a/t.jsonl", "Rain fell.", "Snow fell.")
    (tmp_path / "a/gone.txt").write_text("Hail fell.")
    (tmp_path / "a/kept.txt").write_text("Sleet fell.")
    store.add(cw.Document(text="Given by hand.", name="a/given.txt"))
    sources = [tmp_path / "a", tmp_path / "a/t.jsonl"]
    store.add(sources, root=tmp_path)
    (tmp_path / "a/gone.txt").unlink()
    table(tmp_path / "a/t.jsonl", "Rain fell.")
    report = store.add(sources, root=tmp_path, remove_missing=True)
    outcomes = {each.uri: each.outcome for each in report}
    assert outcomes == {
        "a/kept.txt": "unchanged",
        "a/t.jsonl:1": "unchanged",
        "a/t.jsonl:2": "removed",
        "a/gone.txt": "removed",
    }
    assert addresses(store) == ["a/given.txt", "a/kept.txt", "a/t.jsonl:1"]


def test_sources_that_are_read_once_may_be_folders(store: Store, tmp_path: Path) -> None:
    for name in ("gone.txt", "kept.txt"):
        (tmp_path / name).write_text(f"Rain fell: {name}.")
    store.add(iter([tmp_path]), root=tmp_path, remove_missing=True)
    (tmp_path / "gone.txt").unlink()
    report = store.add(iter([tmp_path]), root=tmp_path, remove_missing=True)
    assert [each.outcome for each in report] == ["unchanged", "removed"]


def test_rows_of_a_table_that_cannot_be_read_are_left(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a/t.jsonl"
    table(path, "Rain fell.", "Snow fell.")
    store.add(path, root=tmp_path)
    path.write_bytes(b"\xff\xfe\x00")
    (path.parent / "plain.txt").write_text("Hail fell.")
    report = store.add([path.parent, path], root=tmp_path, remove_missing=True)
    assert [each.outcome for each in report] == ["new", "failed"]
    assert addresses(store) == ["a/t.jsonl:1", "a/t.jsonl:2", "a/plain.txt"]


@pytest.mark.parametrize("option", ["remove_missing", "dry_run", "resync"])
def test_nothing_is_imported_with_an_option_that_is_wrong(store: Store, option: str) -> None:
    given: dict[str, Any] = {option: "yes"}
    with pytest.raises(ConfigError, match=option):
        store.add(cw.Document(text=TEXT, name="a"), **given)
    assert addresses(store) == []


def contexts(store: Store) -> list[str | None]:
    return [row["context"] for row in store.rows()]


def test_contexts_that_failed_are_asked_for_again(store: Store) -> None:
    document = cw.Document(text=TEXT, name="a.txt")
    replies: dict[str, Any] = {"Snow fell on the mill.": OSError("gone")}
    asked: list[str] = []

    def answer(messages: list[dict[str, str]]) -> Any:
        asked.append(chunk_in(messages))
        reply = replies.get(asked[-1], on(messages))
        if isinstance(reply, Exception):
            raise reply
        return reply

    def imported() -> str:
        asked.clear()
        model = as_language_model(answer, name="moody")
        strategy = cw.Contextual(cw.Sentence(sentences=1), llm=model)
        return store.add(document, strategy=strategy)[0].outcome

    assert imported() == "new"
    rain, snow, nothing = contexts(store)
    assert (len(asked), snow) == (3, None)
    assert rain
    assert nothing
    ids = [row["block"] for row in store.rows()]
    # As long as the model fails, only what it failed for is asked for.
    assert imported() == "unchanged"
    assert asked == ["Snow fell on the mill."]
    replies.clear()
    assert imported() == "changed"
    assert asked == ["Snow fell on the mill."]
    assert contexts(store)[1]
    assert [row["block"] for row in store.rows()] == ids
    assert imported() == "unchanged"
    assert asked == []
