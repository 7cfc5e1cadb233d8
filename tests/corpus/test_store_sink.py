"""Stores as outputs: documents are imported, whole or not at all, and once."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.errors import ConfigError
from tests.corpus import children
from tests.corpus.folders import errors, mixed, text, write_json, write_parquet
from tests.support.stores import Toy, held

STRATEGY = cw.Structural(max_chars=80)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    with cw.Store.open(tmp_path / "kb.db") as opened:
        yield opened


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    for n in range(4):
        (folder).mkdir(exist_ok=True)
        (folder / f"page-{n}.md").write_text(
            f"# Page {n}\n\n{text(n)}\n\n## More\n\n{text(50 + n)}\n"
        )
    rows = ({"text": f"# Row {n}\n\n{text(100 + n)}", "id": f"r{n}", "year": n} for n in range(5))
    write_json(folder / "rows.jsonl", rows)
    return folder


def uris(store: cw.Store) -> set[str]:
    return {document.uri for document in store.documents()}


def test_documents_are_imported_once(inputs: Path, tmp_path: Path, store: cw.Store) -> None:
    out = tmp_path / "out"
    corpus = Corpus(inputs, STRATEGY, id_column="id", shard_bytes=400)
    result = corpus.write(out, store=store)
    assert uris(store) == {f"page-{n}.md" for n in range(4)} | {f"r{n}" for n in range(5)}
    assert (result.counts.documents, result.counts.failed) == (9, 0)
    assert result.n_made == result.n_shards > 2
    assert not list(out.glob("*.parquet"))
    before = held(store)
    again = corpus.write(out, store=store)
    assert (again.n_made, again.n_skipped) == (0, result.n_shards)
    assert held(store) == before


def test_rows_carry_their_scalars_as_metadata(
    inputs: Path, tmp_path: Path, store: cw.Store
) -> None:
    Corpus(inputs, STRATEGY, id_column="id").write(tmp_path / "out", store=store)
    [document] = [each for each in store.documents() if each.uri == "r3"]
    assert document.metadata == {"year": 3}


def test_a_document_that_changes_gets_a_version_and_citations_survive(
    inputs: Path, tmp_path: Path, store: cw.Store
) -> None:
    corpus = Corpus(inputs, STRATEGY, shard_bytes=400, id_column="id")
    corpus.write(tmp_path / "out", store=store)
    hit = store.search("Document 51.", k=1)[0]
    assert hit.document == "page-1.md"
    citation = store.cite(hit.block, "Document 51.")
    path = inputs / "page-1.md"
    path.write_text(f"# Page 1\n\nA paragraph is new. {text(1)}\n\n## More\n\n{text(51)}\n")
    result = corpus.write(tmp_path / "out", store=store)
    assert 0 < result.n_made < result.n_shards
    assert store.resolve(citation).status == "same"
    assert len(uris(store)) == 9


def test_another_store_is_another_output(inputs: Path, tmp_path: Path, store: cw.Store) -> None:
    corpus, out = Corpus(inputs, STRATEGY, id_column="id"), tmp_path / "out"
    n_shards = corpus.write(out).n_made
    assert corpus.write(out, store=store).n_made == n_shards
    assert len(uris(store)) == 9
    with cw.Store.open(tmp_path / "other.db") as other:
        assert corpus.write(out, store=other).n_made == n_shards
        assert uris(other) == uris(store)
    assert corpus.write(out, store=store).n_made == n_shards
    assert corpus.write(out, force=True).n_made == n_shards
    assert list(out.glob("*.parquet"))


def test_vectors_are_made_by_the_store(inputs: Path, tmp_path: Path) -> None:
    with cw.Store.open(tmp_path / "kb.db", embedder=Toy()) as store:
        Corpus(inputs, STRATEGY, id_column="id", embedder=Toy()).write(
            tmp_path / "out", store=store
        )
        assert [hit.document for hit in store.search(text(2), k=1)] == ["page-2.md"]


@pytest.mark.parametrize("duplicates", ["drop", "mark"])
def test_duplicates_are_counted(tmp_path: Path, store: cw.Store, duplicates: Any) -> None:
    rows = [{"text": "Same.", "id": "a"}, {"text": "Same.", "id": "b"}, {"text": "C.", "id": "c"}]
    path = write_json(tmp_path / "rows.jsonl", rows)
    options: dict[str, Any] = {"id_column": "id", "duplicates": duplicates}
    result = Corpus(path, "recursive", **options).write(tmp_path / "out", store=store)
    assert result.counts.duplicates == 1
    found = {each.uri: each.metadata for each in store.documents()}
    marked = {"a": {}, "b": {"duplicate_of": "a"}, "c": {}}
    assert found == (marked if duplicates == "mark" else {"a": {}, "c": {}})


def test_failures_name_the_unit_and_the_document(tmp_path: Path, store: cw.Store) -> None:
    folder = tmp_path / "in"
    rows: list[dict[str, Any]] = [
        {"text": "Good.", "id": "a"},
        {"text": None, "id": "b"},
        {"text": "No id.", "id": None},
        {"text": "Bad.", "id": "d"},
    ]
    write_json(folder / "a.jsonl", [{"text": "First.", "id": "first"}])
    write_parquet(folder / "b.parquet", {name: [row[name] for row in rows] for name in rows[0]})
    write_parquet(folder / "c.parquet", {"id": ["x"]})

    def count(piece: str) -> int:
        if piece.startswith("Bad"):
            raise LookupError("it cannot be counted")
        return len(piece.split())

    corpus = Corpus(
        folder, cw.Sentence(max_tokens=9, tokenizer=count), id_column="id", fingerprint="1"
    )
    result = corpus.write(tmp_path / "out", store=store)
    assert uris(store) == {"first", "a"}
    failures = {failure["place"]: failure for failure in errors(tmp_path / "out")}
    assert (result.counts.documents, result.counts.failed) == (2, 4)
    assert set(failures) == {"b.parquet:2", "b.parquet:3", "d", "c.parquet:1"}
    assert (failures["d"]["unit"], failures["d"]["stage"]) == ("b.parquet, row groups 0-1", "write")
    assert failures["b.parquet:2"]["message"] == "the text is null"
    assert "it cannot be counted" in failures["d"]["message"]


def test_rows_of_nothing_but_texts_are_documents(tmp_path: Path, store: cw.Store) -> None:
    path = write_json(tmp_path / "rows.jsonl", ({"text": text(n)} for n in range(3)))
    result = Corpus(path, "recursive").write(tmp_path / "out", store=store)
    assert result.counts.documents == 3
    assert len(uris(store)) == 3


def import_all(inputs: Path, out: Path, target: Path) -> None:
    """Import a corpus into a store, in a process of its own."""
    with cw.Store.open(target) as store:
        Corpus(inputs, STRATEGY, id_column="id", shard_bytes=400).write(out, store=store)


def die_at(inputs: Path, out: Path, target: Path, moment: int) -> None:
    """Do the same, and end at a moment."""
    children.die_at_moment(moment)
    import_all(inputs, out, target)


def test_an_import_that_is_killed_is_gone_on_with(inputs: Path, tmp_path: Path) -> None:
    import_all(inputs, tmp_path / "whole", tmp_path / "whole.db")
    with cw.Store.open(tmp_path / "whole.db") as store:
        wanted = held(store)
    for moment in (0, 5, 9, 12, 15, 18, 30):
        out, target = tmp_path / f"out-{moment}", tmp_path / f"{moment}.db"
        code = children.ended(die_at, inputs, out, target, moment)
        assert code == -signal.SIGKILL
        import_all(inputs, out, target)
        with cw.Store.open(target) as store:
            assert held(store) == wanted
        report = json.loads((out / "_run" / "run.json").read_text())
        assert report["counts"]["documents"] == 9


def test_clusters_do_not_write_stores(inputs: Path, tmp_path: Path, store: cw.Store) -> None:
    pytest.importorskip("ray", reason="the engine asks for it first")
    with pytest.raises(ConfigError, match="engine 'local'"):
        Corpus(inputs, STRATEGY).write(tmp_path / "out", store=store, engine="ray")


def test_mixed_inputs_come_to_the_same_as_files_of_chunks(tmp_path: Path, store: cw.Store) -> None:
    folder = mixed(tmp_path / "in", 10)
    corpus = Corpus(folder, cw.Recursive(max_chars=80))
    counts = corpus.write(tmp_path / "chunks").counts
    of_store = corpus.write(tmp_path / "out", store=store).counts
    assert (of_store.documents, of_store.failed) == (counts.documents, counts.failed) == (23, 0)
    assert len(uris(store)) == 23
