"""Time of Docling's hybrid chunker, ours and theirs in one run, in CPU seconds.

``python benches/docling.py [--times N] [--rows N]`` cuts a paper that is repeated, and a table, at
256 tokens of all-MiniLM-L6-v2, and prints a Markdown table. It checks that chunks are the same.
From JSON, ours are texts with headings and references of items; as objects, all are `DocChunk`s
whose fields are read.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

MAX_TOKENS = 256


def main() -> None:
    """Print a row for each input."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=10, help="how often the paper is repeated")
    parser.add_argument("--rows", type=int, default=1000, help="rows of the table")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    shared = Path(os.environ["CHUNKWRIGHT_SHARED"])
    chunkers = _chunkers(shared / "models" / "all-MiniLM-L6-v2")
    print("| input | from | ours (s) | theirs (s) | factor |")
    print("|---|---|---|---|---|")
    for name, document in {
        f"paper, {options.times} times": _paper(shared, options.times),
        f"table of {options.rows} rows": _table(options.rows),
    }.items():
        _compare(name, document, *chunkers)


def _chunkers(model: Path) -> tuple[Any, Any]:
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker as TheirHybrid
    from docling_core.transforms.chunker.tokenizer import huggingface
    from transformers import PreTrainedTokenizerFast

    from chunkwright.compat.docling import HuggingFaceTokenizer, HybridChunker

    ours = HuggingFaceTokenizer(tokenizer=str(model), max_tokens=MAX_TOKENS)
    make: Any = PreTrainedTokenizerFast
    given = make(tokenizer_file=str(model / "tokenizer.json"))
    theirs = huggingface.HuggingFaceTokenizer(tokenizer=given, max_tokens=MAX_TOKENS)
    return HybridChunker(tokenizer=ours), TheirHybrid(tokenizer=theirs)


def _paper(shared: Path, times: int) -> Any:
    from docling_core.types.doc.document import DoclingDocument

    file = next((shared / "data" / "docling-documents").glob("2206.01062*.json"))
    paper = DoclingDocument.load_from_json(file)
    return DoclingDocument.concatenate([paper] * times)


def _table(n_rows: int) -> Any:
    from docling_core.types.doc.document import DoclingDocument
    from docling_core.types.doc.items.table.table_data import TableCell, TableData

    cells = [
        TableCell(
            text=f"value {row} of {column}" if row else f"column {column}",
            start_row_offset_idx=row,
            end_row_offset_idx=row + 1,
            start_col_offset_idx=column,
            end_col_offset_idx=column + 1,
            column_header=row == 0,
        )
        for row in range(n_rows)
        for column in range(5)
    ]
    document = DoclingDocument(name="table")
    document.add_table(TableData(num_rows=n_rows, num_cols=5, table_cells=cells))
    return document


def _compare(name: str, document: Any, ours: Any, theirs: Any) -> None:
    from docling_core.types.doc.document import DoclingDocument

    from chunkwright import _core
    from chunkwright.compat.docling.counting import counting_of

    json = document.model_dump_json(by_alias=True)
    counting = counting_of(ours.tokenizer)

    def from_json() -> Any:
        return _core.DoclingDocument.of_json(json).hybrid(
            counting.unit,
            tables="triplets",
            always_emit_headings=False,
            max_tokens=MAX_TOKENS,
            repeat_table_header=True,
            merge_peers=True,
            omit_header_on_overflow=False,
            max_token_chars=counting.max_token_chars,
        )[0]

    def theirs_from_json() -> Any:
        return list(theirs.chunk(DoclingDocument.model_validate_json(json)))

    from_json()  # reads the tokenizer
    mine, chunks = _seconds(from_json)
    their_time, expected = _seconds(theirs_from_json)
    _check([chunk[0] for chunk in chunks], [chunk.text for chunk in expected])
    _row(name, "JSON to chunks", mine, their_time)
    _read(ours.chunk(document))
    mine, found = _seconds(lambda: _read(ours.chunk(document)))
    their_time, wanted = _seconds(lambda: _read(theirs.chunk(document)))
    _check(found, wanted)
    _row(name, "a document to `DocChunk`s", mine, their_time)


def _check(found: list[Any], expected: list[Any]) -> None:
    if found != expected:
        raise SystemExit("chunks differ")


def _read(chunks: Iterable[Any]) -> list[Any]:
    """Read all fields of chunks."""
    return [
        (chunk.text, chunk.meta.headings, [item.self_ref for item in chunk.meta.doc_items])
        for chunk in chunks
    ]


def _seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def _row(name: str, source: str, mine: float, theirs: float) -> None:
    print(f"| {name} | {source} | {mine:.3f} | {theirs:.2f} | {theirs / mine:.0f} × |", flush=True)


if __name__ == "__main__":
    main()
