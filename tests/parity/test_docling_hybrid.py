"""`HybridChunker` against Docling's: real documents, and documents of all kinds of items."""

from __future__ import annotations

import itertools
import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("docling_core")
pytest.importorskip("semchunk")
pytest.importorskip("transformers")

from docling_core.types.doc.document import DoclingDocument

from .docling_documents import documents
from .docling_pair import same_hybrid

# All documents with all options take an hour; a sample of them runs by default.
ALL = os.environ.get("CHUNKWRIGHT_DOCLING_GRID") == "all"
SAMPLE = 60
GRID = list(itertools.product((64, 256, 8192), *[(True, False)] * 3, ("minilm", "cl100k_base")))


@cache
def _document(file: Path) -> Any:
    return DoclingDocument.load_from_json(file)


def _same(shared: Path, file: Path, point: tuple[Any, ...]) -> None:
    max_tokens, merge_peers, markdown_tables, repeat_table_header, tokenizer = point
    if tokenizer == "minilm":
        tokenizer = str(shared / "models" / "all-MiniLM-L6-v2")
    same_hybrid(
        _document(file),
        tokenizer,
        max_tokens,
        merge_peers=merge_peers,
        markdown_tables=markdown_tables,
        repeat_table_header=repeat_table_header,
    )


def test_a_sample_of_the_grid_is_the_same(shared: Path) -> None:
    files = sorted((shared / "data" / "docling-documents").glob("*.json"))
    small = [file for file in files if file.stat().st_size < 300_000]
    draw = random.Random(16)
    for _ in range(SAMPLE):
        _same(shared, draw.choice(small), draw.choice(GRID))


@pytest.mark.skipif(not ALL, reason="CHUNKWRIGHT_DOCLING_GRID=all runs all documents and options")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("point", GRID, ids=lambda point: "-".join(map(str, point)))
def test_the_grid_is_the_same(shared: Path, point: tuple[Any, ...]) -> None:
    for file in sorted((shared / "data" / "docling-documents").glob("*.json")):
        _same(shared, file, point)


@given(
    documents(),
    st.sampled_from(["cl100k_base", "word pieces"]),
    st.sampled_from([12, 24, 48, 96, 300]),
    st.fixed_dictionaries(
        {
            name: st.booleans()
            for name in (
                "always_emit_headings",
                "markdown_tables",
                "merge_peers",
                "omit_header_on_overflow",
                "repeat_table_header",
            )
        }
    ),
)
def test_made_documents_are_the_same(
    document: Any, tokenizer: str, max_tokens: int, options: dict[str, bool]
) -> None:
    same_hybrid(document, tokenizer, max_tokens, **options)
