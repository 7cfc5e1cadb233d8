"""Imports, edits and searches of a store, beside LangChain's index and LlamaIndex's pipeline.

Documents are Markdown of some 10 kB, made of the paragraphs of the five corpora. Each is imported,
imported again unchanged, and again with one sentence inserted in one of a hundred. What is embedded
is counted by an embedder of no cost. Then the store is asked the questions of Chroma's report, and
its hits are compared with those of :class:`chunkwright.Retriever` in memory. ``python
benches/store.py`` prints Markdown tables; a peer that is not installed is left out.
"""

from __future__ import annotations

import argparse
import csv
import random
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from lib.corpus import CORPORA, SEED, corpus, shared_folder
from lib.importers import (
    LANGCHAIN,
    LLAMA_INDEX,
    Counting,
    Importer,
    LangChainIndex,
    LlamaIndexPipeline,
)
from lib.table import Table, duration, named_version, say, versions

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable

CHARS, K = 10_000, 5
LEAST = 80  # characters of a paragraph
EDITED = 100  # one document of so many is edited
SENTENCE = "This sentence was not in the document when it was imported. "
PEERS: dict[str, tuple[str, Callable[[], Importer]]] = {
    f"`index()` of {named_version(LANGCHAIN)}": ("langchain_core", LangChainIndex),
    f"pipeline of {named_version(LLAMA_INDEX)}": ("llama_index", LlamaIndexPipeline),
}


def main() -> None:
    """Print a table of imports, and one of searches."""
    options = _parser().parse_args()
    documents = documents_of(options.documents, CHARS)
    say(
        f"{versions()}. {len(documents):,} documents of some 10 kB: CPU time of an import and of "
        "the same again, texts embedded by the first, and by one after an edit in 1 % of them."
    )
    table = Table(
        "into", "first import", "again, unchanged", "embedded (texts)", "after the edits (texts)"
    )
    with TemporaryDirectory() as folder:
        table.row("a store, SQLite", *_cells(_ours(documents, Path(folder))))
    for name, (module, made) in PEERS.items():
        if find_spec(module) is not None:
            table.row(name, *_cells(_theirs(made, documents)))
    _search(options.copies)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--copies", type=int, default=1, help="copies of the corpora to search")
    return parser


def documents_of(n: int, n_chars: int) -> dict[str, str]:
    """Return documents of some length, by their names."""
    rng = random.Random(SEED)  # noqa: S311 - no secret
    parts = [part for name in CORPORA for part in corpus(name).split("\n") if len(part) > LEAST]
    found = {}
    for number in range(n):
        lines, size = [f"# Document {number}"], 0
        while size < n_chars:
            if len(lines) % 8 == 0:
                lines.append(f"## Section {len(lines)} of {number}")
            part = rng.choice(parts)
            lines.append(f"{part[:2000]} ({number}.{len(lines)})")
            size += len(part[:2000])
        found[f"d{number:05}.md"] = "\n\n".join(lines)
    return found


def _edited(documents: dict[str, str]) -> dict[str, str]:
    found = dict(documents)
    for name in list(documents)[::EDITED]:
        middle = documents[name].index("\n\n", len(documents[name]) // 2) + 2
        found[name] = documents[name][:middle] + SENTENCE + documents[name][middle:]
    return found


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _cells(figures: tuple[float, float, int, int]) -> tuple[str, ...]:
    first, again, embedded, edited = figures
    return duration(first), duration(again), f"{embedded:,}", f"{edited:,}"


def _ours(documents: dict[str, str], folder: Path) -> tuple[float, float, int, int]:
    source, embedder = folder / "files", Counting()
    source.mkdir()
    for name, text in documents.items():
        (source / name).write_text(text, "utf-8")
    with cw.Store.open(folder / "plain.db") as store:
        first, again = (_timed(lambda: store.add(source)) for _ in range(2))
    with cw.Store.open(folder / "kb.db", embedder=embedder) as store:
        store.add(source)
        n_first, embedder.n = embedder.n, 0
        for name, text in _edited(documents).items():
            (source / name).write_text(text, "utf-8")
        store.add(source)
    return first, again, n_first, embedder.n


def _theirs(
    made: Callable[[], Importer], documents: dict[str, str]
) -> tuple[float, float, int, int]:
    peer = made()
    first, n_first = _timed(lambda: peer.run(documents)), peer.counting.n
    again = _timed(lambda: peer.run(documents))
    peer.counting.n = 0
    peer.run(_edited(documents))
    return first, again, n_first, peer.counting.n


def _search(copies: int) -> None:
    texts = {f"{name} {i}": corpus(name) for i in range(copies) for name in CORPORA}
    documents = [cw.Document(text=text, name=name) for name, text in texts.items()]
    chunks = cw.Balanced(max_tokens=160).batch(documents)
    with (shared_folder() / "data/chroma-report/questions_df.csv").open(encoding="utf-8") as file:
        questions = [row["question"] for row in csv.DictReader(file)]
    memory = cw.Retriever().index(chunks)
    expected = [[hit.text for hit in found] for found in memory.search(questions, k=K)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kb.db"
        with cw.Store.open(path) as store:
            store.add(chunks)
        began = time.perf_counter()
        store = cw.Store.open(path)
        store.search(questions[0], K)
        cold = time.perf_counter() - began
        seconds, found = [], []
        for question in questions:
            began = time.perf_counter()
            found.append([hit.text for hit in store.search(question, K, skip_duplicates=False)])
            seconds.append(time.perf_counter() - began)
        store.close()
    same = sum(a == b for a, b in zip(found, expected, strict=True)) / len(questions)
    say("Search by words in a store, by the clock, beside an index in memory.")
    table = Table(
        "blocks", "questions", "opened, first hit", "a question, median", f"the same {K} hits"
    )
    shown = duration(cold), duration(median(seconds)), f"{same:.1%}"
    table.row(f"{len(chunks):,}", len(questions), *shown)


if __name__ == "__main__":
    main()
