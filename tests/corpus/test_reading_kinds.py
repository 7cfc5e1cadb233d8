"""Reading of texts of tables as the kind of document that they are said to be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import chunkwright as cw
from chunkwright.corpus import ArrowChunker
from tests.corpus.engine_documents import docling
from tests.corpus.folders import text, write_json, write_parquet
from tests.corpus.runs import written


def elements_of(n: int) -> list[dict[str, Any]]:
    return [
        {"type": "Title", "element_id": "", "text": f"Part {n}", "metadata": {}},
        {"type": "NarrativeText", "element_id": "", "text": text(n), "metadata": {}},
    ]


KINDS: dict[str, list[str]] = {
    "markdown": [f"# Part {n}\n\n{text(n)}\n" for n in range(5)],
    "rst": [f"Part {n}\n======\n\n{text(n)}\n" for n in range(5)],
    "html": [f"<h1>Part {n}</h1><p>{text(n)}</p>" for n in range(5)],
    "elements": [json.dumps(elements_of(n)) for n in range(5)],
    "docling": [docling(n) for n in range(1, 6)],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_texts_are_read_as_their_kind(folder: Path, kind: str, suffix: str) -> None:
    texts = [*KINDS[kind], "{"]
    write = {"jsonl": write_json, "parquet": write_parquet}[suffix]
    columns: Any = {"text": texts, "id": [str(n) for n in range(6)]}
    as_rows = [{"text": each, "id": str(n)} for n, each in enumerate(texts)]
    write(folder / f"rows.{suffix}", columns if suffix == "parquet" else as_rows)  # type: ignore[operator]
    strategy = cw.Structural(max_chars=80)
    chunks, failures, _ = written(folder, strategy, kind=kind, id_column="id")
    wanted = ArrowChunker(strategy, kind=kind, id_column="id")(pa.table(columns)).to_pylist()
    assert chunks == [without_error(row) for row in wanted if row["error"] is None]
    assert [failure["document_id"] for failure in failures] == [
        row["document_id"] for row in wanted if row["error"] is not None
    ]
    assert len(chunks) >= 5


def without_error(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "error"}


def test_lists_of_elements_are_documents(folder: Path) -> None:
    write_json(folder / "rows.jsonl", ({"text": elements_of(n), "n": n} for n in range(3)))
    chunks, failures, _ = written(folder, cw.Structural(max_chars=80), kind="elements")
    assert not failures
    assert [chunk["headings"] for chunk in chunks if chunk["index"] == 1] == [
        [f"Part {n}"] for n in range(3)
    ]
