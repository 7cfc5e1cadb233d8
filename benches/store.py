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
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from lib.corpus import CORPORA, SEED, corpus, shared_folder
from lib.table import Table, duration, named_version, say, versions

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CHARS, DIMS, K = 10_000, 384, 5
LEAST = 80  # characters of a paragraph
EDITED = 100  # one document of so many is edited
SENTENCE = "This sentence was not in the document when it was imported. "
PEERS = {
    f"`index()` of {named_version('langchain-core')}": "langchain_core",
    f"pipeline of {named_version('llama-index-core')}": "llama_index",
}


class Counting:
    """Embedder that counts texts; vectors are drawn by the text's hash."""

    fingerprint = "counting 1"

    def __init__(self) -> None:
        """Start at none."""
        self.n = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        """Return a vector for each text."""
        self.n += len(texts)
        seeds = np.array([crc32(text.encode()) for text in texts], np.float32)
        return np.cos(seeds[:, None] + np.arange(DIMS, dtype=np.float32))


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
    for (name, module), measure in zip(PEERS.items(), (_langchain, _llama_index), strict=True):
        if find_spec(module) is not None:
            table.row(name, *_cells(measure(documents)))
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


def _langchain(documents: dict[str, str]) -> tuple[float, float, int, int]:
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.indexing import InMemoryRecordManager, index
    from langchain_core.vectorstores import InMemoryVectorStore
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    counting = Counting()

    class Model(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            counting.n += len(texts)
            return [self.embed_query(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return [float(len(text))]

    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=100)
    records, vectors = InMemoryRecordManager("bench"), InMemoryVectorStore(Model())
    records.create_schema()

    def run(given: dict[str, str]) -> None:
        whole = [Document(text, metadata={"source": name}) for name, text in given.items()]
        index(
            splitter.split_documents(whole),
            records,
            vectors,
            cleanup="incremental",
            source_id_key="source",
            key_encoder="sha256",
        )

    first, n_first = _timed(lambda: run(documents)), counting.n
    again = _timed(lambda: run(documents))
    counting.n = 0
    run(_edited(documents))
    return first, again, n_first, counting.n


def _llama_index(documents: dict[str, str]) -> tuple[float, float, int, int]:
    from llama_index.core import Document
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.storage.docstore import SimpleDocumentStore

    counting = Counting()

    class Model(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            counting.n += 1
            return [float(len(text))]

        def _get_query_embedding(self, query: str) -> list[float]:
            return [float(len(query))]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return [float(len(query))]

    pipeline = IngestionPipeline(
        transformations=[SentenceSplitter(chunk_size=256, chunk_overlap=20), Model()],
        docstore=SimpleDocumentStore(),
        disable_cache=True,
    )

    def run(given: dict[str, str]) -> None:
        pipeline.run(documents=[Document(text=text, id_=name) for name, text in given.items()])

    first, n_first = _timed(lambda: run(documents)), counting.n
    again = _timed(lambda: run(documents))
    counting.n = 0
    run(_edited(documents))
    return first, again, n_first, counting.n


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
