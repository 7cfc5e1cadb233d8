"""Documents that every engine is to cut alike: a hundred, of which some fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import chunkwright as cw
from chunkwright.corpus.arrow.chunker import ArrowChunker

N_DOCUMENTS = 100
NULL, EMPTY, FAILING = 40, 41, 42
COLUMNS = ["id", "text", "year", "tags"]


def docling(number: int) -> str:
    """Return a document of Docling with pages and boxes, as JSON."""
    place = {"l": 0, "t": 9, "r": 9.5, "b": number, "coord_origin": "TOPLEFT"}
    prov = [{"page_no": page, "bbox": place, "charspan": [0, 1]} for page in (1, number)]
    texts = [
        {
            "self_ref": f"#/texts/{i}",
            "parent": {"$ref": "#/body"},
            "label": "text",
            "text": f"Two stones lie there. {number} of them are wet. It rained.",
            "prov": prov[:i],
        }
        for i in range(3)
    ]
    body = {"self_ref": "#/body", "children": [{"$ref": each["self_ref"]} for each in texts]}
    parts = {"schema_name": "DoclingDocument", "name": "", "body": body, "texts": texts}
    return json.dumps(parts)


def text_of(number: int) -> str | None:
    """Return the text of a document: null, empty, without elements, of Docling, HTML, Markdown."""
    odd = {NULL: None, EMPTY: "", FAILING: "Plain text has no elements."}
    if number in odd:
        return odd[number]
    if number % 3 == 0:
        return docling(number)
    if number % 3 == 1:
        cells = f"<tr><th>stone</th><th>weight</th></tr><tr><td>über</td><td>{number}</td></tr>"
        return f"<html><body><h1>Rain</h1><table>{cells}</table></body></html>"
    return f"# Rain {number}\n\n{'It rained for days. ' * (number % 7)}\n\n## Stones\n\nWet."


def documents() -> Any:
    """Return the documents as a table of pyarrow, with two columns that are carried along."""
    import pyarrow as pa

    numbers = range(N_DOCUMENTS)
    return pa.table(
        {
            "id": [f"d{number:03}" for number in numbers],
            "text": pa.array(map(text_of, numbers), pa.string()),
            "year": [None if number % 9 == 0 else 1900 + number for number in numbers],
            "tags": [[f"tag{number % 4}", "wet"][: number % 3] for number in numbers],
        }
    )


def write_model(folder: Path) -> Path:
    """Write a static model with random numbers."""
    from model2vec import StaticModel

    from tests.support.made_tokenizers import made

    tokenizer = made("bert")
    vectors = np.random.default_rng(5).normal(size=(tokenizer.get_vocab_size(), 6))
    StaticModel(vectors.astype(np.float32), tokenizer, config={}).save_pretrained(folder)
    return folder


def chunker(model: Path | None = None, **options: Any) -> ArrowChunker:
    """Return a chunker whose rows have all columns: elements, contexts, vectors of a model."""
    strategy = cw.Contextual(cw.ByTitle(max_tokens=16), context="structure")
    return ArrowChunker(
        strategy, id_column="id", embedder=None if model is None else str(model), **options
    )


def rows_of(chunks: Any) -> list[dict[str, Any]]:
    """Return the rows of a table of pyarrow in the order of documents and chunks."""
    rows: list[dict[str, Any]] = chunks.to_pylist()
    return sorted(rows, key=lambda row: (row["document_id"], row["index"] or 0))
