"""Time of Docling's chunkers, ours, theirs and docling-rs' in one run, in CPU seconds.

``python benches/docling.py [--times N] [--rows N]`` cuts a paper that is repeated, and a table, at
256 tokens of all-MiniLM-L6-v2, and prints Markdown tables. It checks that our chunks are the
peer's. Ours are timed several times over, garbage collections included, and the mean is taken.

- "JSON to rows": `chunk_json`, whose rows have all that a chunk dumps; docling-core loads the JSON
  and cuts it; docling-rs gives texts, headings and references.
- "JSON to `DocChunk`s" and "document to `DocChunk`s": objects of docling-core, whose fields are
  read.

docling-rs is measured where ``CHUNKWRIGHT_DOCLING_RS`` names the folder that it was installed to
(``pip install --no-deps --target FOLDER docling-rs==2.52.7``). Then follows what the first chunk
takes from the start of an import, in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from lib.corpus import shared_folder
from lib.table import (
    NOTHING,
    Table,
    at_least,
    at_most,
    duration,
    named_version,
    say,
    times,
    versions,
)

MAX_TOKENS = 256
# How many times as fast as docling-core and as docling-rs ours should be.
WANTED: dict[tuple[str, str], tuple[float | None, float | None]] = {
    ("paper", "JSON to rows"): (25, 5),
    ("paper", "document to `DocChunk`s"): (15, None),
    ("table", "JSON to rows"): (100, None),
    ("table", "document to `DocChunk`s"): (100, None),
}
WANTED_FIRST = 0.3  # seconds
TIMES = 5
FIRST = """
import sys, time
start = time.process_time(), time.perf_counter()
if sys.argv[1] == "core":
    import docling_core.types.doc
elif sys.argv[1] == "rows":
    from chunkwright.compat.docling import chunk_json
    chunk_json(open(sys.argv[2], "rb").read(), tokenizer=sys.argv[3], max_tokens=256)[0]
else:
    from chunkwright.compat.docling import HuggingFaceTokenizer, HybridChunker
    tokenizer = HuggingFaceTokenizer(tokenizer=sys.argv[3], max_tokens=256)
    next(HybridChunker(tokenizer=tokenizer).chunk(open(sys.argv[2], "rb").read()))
print(time.process_time() - start[0], time.perf_counter() - start[1])
"""


class Chunkers(NamedTuple):
    """What is compared: two chunkers of `DocChunk`s, and docling-rs' if it is there."""

    ours: Any
    theirs: Any
    rival: Any


def main() -> None:
    """Print a row for each input."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=10, help="how often the paper is repeated")
    parser.add_argument("--rows", type=int, default=1000, help="rows of the table")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    shared = shared_folder()
    model = shared / "models" / "all-MiniLM-L6-v2"
    chunkers = _chunkers(model)
    say(
        f"{versions('docling-core')}. CPU seconds, {MAX_TOKENS} word pieces of {model.name}; "
        "our chunks are docling-core's."
    )
    table = _table_of(chunkers)
    for name, document in {
        f"paper, {options.times} times": _paper(shared, options.times),
        f"table of {options.rows:,} rows": _table(options.rows),
    }.items():
        _compare(name, document, str(model), chunkers, table)
    _first(shared, model)


def _chunkers(model: Path) -> Chunkers:
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker as TheirHybrid
    from docling_core.transforms.chunker.tokenizer import huggingface
    from transformers import PreTrainedTokenizerFast

    from chunkwright.compat.docling import HuggingFaceTokenizer, HybridChunker

    ours = HuggingFaceTokenizer(tokenizer=str(model), max_tokens=MAX_TOKENS)
    make: Any = PreTrainedTokenizerFast
    given = make(tokenizer_file=str(model / "tokenizer.json"))
    theirs = huggingface.HuggingFaceTokenizer(tokenizer=given, max_tokens=MAX_TOKENS)
    return Chunkers(
        HybridChunker(tokenizer=ours), TheirHybrid(tokenizer=theirs), _docling_rs(model)
    )


def _docling_rs(model: Path) -> Any:
    if "CHUNKWRIGHT_DOCLING_RS" in os.environ:
        sys.path.append(os.environ["CHUNKWRIGHT_DOCLING_RS"])
    try:
        from docling_rs.chunking import HybridChunker  # type: ignore[import-not-found]
    except ImportError:
        return None
    return HybridChunker(tokenizer=str(model / "tokenizer.json"), max_tokens=MAX_TOKENS)


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


def _table_of(chunkers: Chunkers) -> Table:
    columns = ["input", "from", "ours", "docling-core", "ours is", "wanted"]
    if chunkers.rival is None:
        say("docling-rs is left out: `CHUNKWRIGHT_DOCLING_RS` does not name its folder.")
    else:
        columns += [named_version("docling-rs"), "ours is", "wanted"]
    return Table(*columns)


def _compare(name: str, document: Any, model: str, chunkers: Chunkers, table: Table) -> None:
    from docling_core.types.doc.document import DoclingDocument

    from chunkwright.compat.docling import chunk_json

    ours, theirs, rival = chunkers
    json = document.model_dump_json(by_alias=True)
    loading, loaded = _seconds(lambda: DoclingDocument.model_validate_json(json))
    cutting, wanted = _seconds(lambda: _read(theirs.chunk(loaded)))
    mine, rows = _mean(lambda: chunk_json(json, tokenizer=model, max_tokens=MAX_TOKENS))
    _check([row["text"] for row in rows], [chunk[0] for chunk in wanted])
    rivals = [] if rival is None else [_seconds(lambda: list(rival.chunk(json)))[0]]
    table.row(*_cells(name, "JSON to rows", mine, loading + cutting, *rivals))
    del rows
    mine, found = _mean(lambda: _read(ours.chunk(json)))
    _check(found, wanted)
    table.row(*_cells(name, "JSON to `DocChunk`s", mine, loading + cutting, *rivals))
    mine, found = _mean(lambda: _read(ours.chunk(loaded)))
    _check(found, wanted)
    no_rival = [None] * len(rivals)
    table.row(*_cells(name, "document to `DocChunk`s", mine, cutting, *no_rival))


def _first(shared: Path, model: Path) -> None:
    file = next((shared / "data" / "docling-documents").glob("2206.01062*.json"))
    say("From the start of an import, each in a process of its own, the best of three.")
    table = Table("until", "CPU time", "time by the clock", "wanted")
    for kind, what, wanted in (
        ("core", "docling-core has imported its document", None),
        ("rows", "first row of `chunk_json` of the paper", WANTED_FIRST),
        ("chunks", "first `DocChunk` of `HybridChunker` of the paper's JSON", None),
    ):
        command = [sys.executable, "-c", FIRST, kind, str(file), str(model)]
        runs = [subprocess.check_output(command, text=True).split() for _ in range(3)]
        cpu, wall = min((float(cpu), float(wall)) for cpu, wall in runs)
        table.row(what, duration(cpu), duration(wall), at_most(wanted, cpu, "s"))


def _check(found: list[Any], expected: list[Any]) -> None:
    if found != expected:
        raise SystemExit("chunks differ")


def _read(chunks: Iterable[Any]) -> list[Any]:
    """Read all fields of chunks."""
    return [
        (
            chunk.text,
            chunk.meta.headings,
            chunk.meta.origin and chunk.meta.origin.filename,
            [
                (item.self_ref, item.label, [prov.page_no for prov in item.prov])
                for item in chunk.meta.doc_items
            ],
        )
        for chunk in chunks
    ]


def _mean(work: Callable[[], Any]) -> tuple[float, Any]:
    work()  # reads the tokenizer
    times = [_seconds(work)[0] for _ in range(TIMES)]
    return sum(times) / len(times), work()


def _seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def _cells(name: str, source: str, mine: float, *theirs: float | None) -> list[str]:
    """Return a row: our time, and three cells for each peer."""
    wanted = WANTED.get((name.split(maxsplit=1)[0].strip(","), source), (None, None))
    cells = [name, source, duration(mine)]
    for seconds, least in zip(theirs, wanted, strict=False):
        if seconds is None:
            cells += [NOTHING] * 3
        else:
            ratio = seconds / mine
            cells += [duration(seconds), times(ratio), at_least(least, ratio)]
    return cells


if __name__ == "__main__":
    main()
