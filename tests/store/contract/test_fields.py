"""Stores search the paths and all words of source files, in each of the databases."""

from __future__ import annotations

from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.retrieval import Retriever
from chunkwright.retrieval.steps.fields import FIELD_WEIGHTS
from chunkwright.store.store import Store

OFF = dict.fromkeys(FIELD_WEIGHTS, 0.0)
FILES = {
    "src/cache_control.py": "def run(value):\n    return value + 1\n",
    "src/main.py": "def run(value):\n    return value + 2\n",
    "docs/cache_control.md": "Values are run.\n",
}
QUESTION = "Why does the cache control run twice?"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        write(name, text)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text)


def ranked(store: Store, question: str = QUESTION, **options: object) -> list[tuple[str, float]]:
    hits = store.search(question, k=5, **options)  # type: ignore[arg-type]
    return [(hit.document, hit.score) for hit in hits]


@pytest.mark.usefixtures("folder")
def test_a_store_finds_what_an_index_in_memory_finds(target: str) -> None:
    with Store.open(target) as store:
        store.add(["src", "docs"], strategy=cw.Recursive(max_tokens=100))
        for weights in (OFF, {}, {"path": 5}, {"path": 0}):
            retriever = Retriever(field_weights=weights)
            found = ranked(store, retriever=retriever)
            names = sorted(FILES)
            index = retriever.index([FILES[name] for name in names], doc_ids=names)
            (hits,) = index.search([QUESTION], k=5)
            assert [name for name, _ in found] == [names[hit.index] for hit in hits]
            # Scores of a store are shares of the best that a question could have.
            ratios = [hit.score / score for hit, (_, score) in zip(hits, found, strict=True)]
            assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-4)
        assert ranked(store)[0][0] == "src/cache_control.py"


@pytest.mark.usefixtures("folder")
def test_weights_change_without_another_import(target: str) -> None:
    with Store.open(target) as store:
        store.add("src")
        plain, weighty = (
            ranked(store, "control", retriever=Retriever(field_weights=weights))
            for weights in (OFF, {"path": 9})
        )
        assert [name for name, _ in weighty] == ["src/cache_control.py"]
        assert not plain
    with Store.open(target) as store:
        # What is stored of words has the fields.
        assert ranked(store, "control", retriever=Retriever(field_weights={"path": 9})) == weighty


@pytest.mark.usefixtures("folder")
def test_a_file_that_was_renamed_is_found_by_its_new_path(target: str) -> None:
    with Store.open(target) as store:
        store.add("src")
        assert ranked(store, "limiter") == []
        Path("src/main.py").rename("src/rate_limiter.py")
        assert store.add("src", remove_missing=True).of("renamed")
        assert [name for name, _ in ranked(store, "limiter")] == ["src/rate_limiter.py"]
        write("src/cache_control.py", "def run(value):\n    return 3 * value\n")
        store.add("src")
        assert [name for name, _ in ranked(store, "control")] == ["src/cache_control.py"]
        Path("src/rate_limiter.py").unlink()
        store.add("src", remove_missing=True)
        assert ranked(store, "limiter") == []


def test_prose_scores_as_without_fields(target: str) -> None:
    with Store.open(target) as store:
        for name in ("river.md", "lake.md"):
            store.add([cw.Document(text=f"The {name[:4]} rose in May.", name=name)])
        weighty = Retriever(field_weights={"path": 100, "document": 100})
        assert ranked(store, "river in May", retriever=weighty) == ranked(store, "river in May")
