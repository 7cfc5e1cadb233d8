"""Local engine: the rows are those of the strategy, whatever shards and batches there are."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.corpus import ArrowChunker, Corpus
from chunkwright.corpus.inputs import splitting
from chunkwright.corpus.pipeline import run as pipeline
from chunkwright.corpus.reading import json_lines, tables, units
from chunkwright.io.batches import FILES, LINES, ROWS
from tests.contextual.models import on
from tests.corpus import folders
from tests.corpus.folders import comparable, marks, mixed, rows, table, text, write_parquet
from tests.support.scripted_models import by_words
from tests.support.stores import Toy
from tests.support.toy_embedders import dice

STRATEGIES: dict[str, Any] = {
    "window": cw.Window(max_chars=50, overlap=10),
    "recursive": cw.Recursive(max_tokens=12),
    "sentence": cw.Sentence(max_chars=60),
    "balanced": cw.Balanced(max_chars=70),
    "separators": cw.Recursive(max_chars=40, separators=[". ", " "]),
    "hierarchical": cw.Hierarchical(max_chars=60),
    "structural": cw.Structural(max_chars=80),
    "auto": cw.Auto(),
    "kamradt": cw.Kamradt(embedder=dice, max_tokens=20),
    "cluster": cw.Cluster(embedder=dice, max_tokens=20),
    "llm": cw.LLM(llm=by_words, max_tokens=20),
    "contextual": cw.Contextual(cw.Sentence(max_chars=60), llm=on),
}


def without_error(chunks: pa.Table) -> list[dict[str, Any]]:
    found = chunks.filter(chunks["error"].is_null()).drop_columns("error")
    rows_: list[dict[str, Any]] = found.to_pylist()
    return rows_


TEXTS = [f"# Part {n}\n\n{text(n, n % 50)} It rained. {text(n, 9)}" for n in range(30)] + [
    "",
    " \n",
]


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
@pytest.mark.parametrize("id_column", ["id", None])
def test_rows_of_tables_are_those_of_the_arrow_chunker(
    tmp_path: Path, strategy: Any, id_column: str | None
) -> None:
    columns = {"id": [f"d{n}" for n in range(len(TEXTS))], "text": TEXTS, "n": range(len(TEXTS))}
    path = write_parquet(tmp_path / "rows.parquet", columns)
    options: dict[str, Any] = {"id_column": id_column, "kind": None}
    result = Corpus(path, strategy, **options, fingerprint="1").write(tmp_path / "out")
    chunker = ArrowChunker(strategy, **options)
    wanted = chunker(pa.table(columns))
    found = table(tmp_path / "out")
    assert found.to_pylist() == without_error(wanted)
    assert found.schema.names == [name for name in wanted.schema.names if name != "error"]
    counts = result.counts
    n_failed = wanted.num_rows - wanted["error"].null_count
    assert (counts.documents, counts.failed) == (len(TEXTS) - n_failed, n_failed)
    assert counts.chunks == found.num_rows


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_rows_of_files_are_those_of_the_strategy(tmp_path: Path, strategy: Any) -> None:
    inputs = tmp_path / "in"
    inputs.mkdir()
    for n, each in enumerate(TEXTS):
        (inputs / f"{n:02}.html").write_text(f"<h1>Part {n}</h1><p>{each}</p>")
    Corpus(inputs, strategy, fingerprint="1").write(tmp_path / "out")
    documents = [cw.read(path, name=path.name) for path in sorted(inputs.iterdir())]
    wanted = strategy.batch(documents).to_dicts()
    found = rows(tmp_path / "out")
    names = set(found[0]) & set(wanted[0])
    assert {"chunk_id", "document", "document_id", "index", "text", "start", "end"} <= names
    assert [{name: row[name] for name in names} for row in found] == [
        {name: row.get(name) for name in names} for row in wanted
    ]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mixed(tmp_path_factory.mktemp("inputs"))


@pytest.mark.slow
@settings(max_examples=12)
@given(
    shard_bytes=st.integers(1, 6000),
    unit_bytes=st.integers(200, 4000),
    at_once=st.tuples(st.integers(100, 3000), st.integers(1, 4000)),
    workers=st.integers(1, 3),
)
def test_rows_do_not_depend_on_shards_units_and_batches(
    inputs: Path, shard_bytes: int, unit_bytes: int, at_once: tuple[int, int], workers: int
) -> None:
    batch_bytes, queue_bytes = at_once
    strategy = cw.Recursive(max_tokens=12)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting, "UNIT_BYTES", unit_bytes)
        patch.setattr(units, "FILES", FILES._replace(n_bytes=batch_bytes))
        patch.setattr(json_lines, "LINES", LINES._replace(n_bytes=batch_bytes))
        patch.setattr(tables, "ROWS", ROWS._replace(n_bytes=batch_bytes))
        patch.setattr(pipeline, "QUEUE_BYTES", queue_bytes)
        options: dict[str, Any] = {"embedder": Toy()}
        corpus = Corpus(inputs, strategy, shard_bytes=shard_bytes, workers=workers, **options)
        result = corpus.write(f"{folder}/out")
        found = rows(f"{folder}/out")
        patch.undo()
        usual = Corpus(inputs, strategy, **options).write(f"{folder}/usual")
        assert found == rows(f"{folder}/usual")
        assert comparable(result.counts) == comparable(usual.counts)


def test_files_of_two_runs_are_the_same_bytes(inputs: Path, tmp_path: Path) -> None:
    found = []
    for workers in (1, 2):
        out = tmp_path / str(workers)
        Corpus(inputs, "recursive", shard_bytes=2000, workers=workers, embedder=Toy()).write(out)
        found.append((folders.files(out), marks(out)))
    assert len(found[0][0]) >= 3
    assert found[0] == found[1]


def test_vectors_are_those_of_the_embedder(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    Corpus(inputs, cw.Window(max_chars=80), embedder=Toy(), vector_column="v").write(out)
    found = table(out)
    wanted = Toy().embed(found["text"].to_pylist())
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    kind = found.schema.field("v").type
    assert kind == pa.list_(pa.float32(), 8)
    vectors = found["v"].combine_chunks().flatten().to_numpy().reshape(-1, 8)
    np.testing.assert_allclose(vectors, wanted, rtol=1e-6)
