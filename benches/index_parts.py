"""Search over stored parts of an index beside one in memory: time to open and to ask, one core.

Texts are windows of 650 characters of the five corpora, of which one in a hundred letters is
changed in each copy, 20 a document; vectors are drawn around centres; questions are those of
Chroma's report. What is opened is bytes: segments of words, blocks of half floats. The last column
says what share of the first ten is the same. What is printed is Markdown.
"""

from __future__ import annotations

import argparse
import csv
import gc
import os
import time
from statistics import median
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import numpy as np
from lib.corpus import SEED, shared_folder, text_of
from lib.table import Table, duration, say, versions

from chunkwright import _core
from chunkwright.retrieval import Index, Retriever
from chunkwright.retrieval.indexed_chunks import IndexedChunks
from chunkwright.retrieval.steps.bm25 import Bm25Index
from chunkwright.retrieval.steps.neighbours import REACH
from chunkwright.retrieval.vectors import StoredRows, Vectors

CHARS, TOKENS, DIMS, CENTRES = 650, 160, 384, 500
OF_DOCUMENT = 20
OF_BLOCK = 1_000
K = 10
NOISE = 0.7  # how far vectors are from their centres
WAYS = ("words", "vectors", "both")


def main() -> None:
    """Print a row for each way to search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--segment", type=int, default=4_000, help="texts of a segment")
    parser.add_argument("--questions", type=int, default=100)
    arguments = parser.parse_args()
    text = text_of(arguments.chunks * CHARS * 1.2 / 1e6)
    texts = [text[at * CHARS : (at + 1) * CHARS] for at in range(arguments.chunks)]
    stored = Stored(texts, arguments.segment)
    questions = questions_of(arguments.questions)
    say(
        f"{versions('numpy')}. {len(texts):,} chunks, {len(questions)} questions, by the clock, "
        f"one core; segments of words have {stored.megabytes(stored.segments):.0f} MB, vectors "
        f"{stored.megabytes(stored.blocks):.0f} MB."
    )
    times = ("median", "95 % within", "median in memory", "95 % within, in memory")
    table = Table("search", "opened, first hit", *times, f"same of {K} hits")
    for name in WAYS:
        embedder = None if name == "words" else stored.embedder
        retriever = Retriever(embedder=embedder, words=name != "vectors")
        began = time.perf_counter()
        opened = stored.opened(retriever)
        opened.search(questions[0], K)[0][0]
        seconds = time.perf_counter() - began
        usual = retriever.index(texts, doc_ids=stored.documents, n_tokens=stored.sizes)
        own, found = asked(opened, questions)
        theirs, expected = asked(usual, questions)
        same = np.mean([len(set(a) & set(b)) / K for a, b in zip(found, expected, strict=True)])
        table.row(name, *map(duration, (seconds, *own, *theirs)), f"{same:.1%}")
        del usual
        gc.collect()


class Stored:
    """What a store keeps of texts and made-up vectors.

    Parameters
    ----------
    texts
        The chunks.
    of_segment
        How many texts a segment has.
    """

    def __init__(self, texts: list[str], of_segment: int) -> None:
        n, random = len(texts), np.random.default_rng(SEED)
        self.texts = texts
        self.documents = np.arange(n) // OF_DOCUMENT
        self.sizes = np.full(n, TOKENS)
        self.segments = [
            _core.Bm25Segment(texts[first : first + of_segment], subwords="prefix").to_bytes()
            for first in range(0, n, of_segment)
        ]
        self._centres = _unit(random.standard_normal((CENTRES, DIMS)))
        near = self._centres[random.integers(CENTRES, size=n)]
        self.matrix = _unit(near + NOISE * _unit(random.standard_normal((n, DIMS))))
        parts = (self.matrix[first : first + OF_BLOCK] for first in range(0, n, OF_BLOCK))
        self.blocks = [_core.to_halves(np.ascontiguousarray(part).data) for part in parts]
        self._numbers = {text: number for number, text in enumerate(texts)}

    @staticmethod
    def megabytes(parts: list[bytes]) -> float:
        """Return how many they are together."""
        return sum(map(len, parts)) / 1e6

    def embedder(self, texts: list[str]) -> Any:
        """Return the vector of each chunk, and for a question one near a centre."""
        if len(texts) == len(self.texts):
            return self.matrix
        rows = [self._centres[len(text) * 7919 % CENTRES] for text in texts]
        return np.array(rows, np.float32)

    def opened(self, retriever: Retriever) -> Index:
        """Return the index of what is kept."""
        given = IndexedChunks(self.texts, self.documents, self.sizes)
        neighbours, smoothing = given.neighbours(REACH), retriever.neighbour_smoothing
        words = vectors = None
        if retriever.words:
            segments = [_core.Bm25Segment.of_bytes(data) for data in self.segments]
            words = Bm25Index.of_segments(
                segments, neighbours=neighbours, neighbour_smoothing=smoothing
            )
        if retriever.embedder is not None:
            blocks = [_core.HalfBlock(data, DIMS) for data in self.blocks]
            rows = StoredRows(
                blocks,
                DIMS,
                np.arange(len(self.texts)),
                neighbours=neighbours,
                neighbour_smoothing=float(smoothing),
            )
            vectors = Vectors(retriever.embedder, rows)
        return Index.of_parts(retriever, given, words=words, vectors=vectors, groups=None)


def asked(index: Index, questions: list[str]) -> tuple[tuple[float, float], list[list[int]]]:
    """Return the median of the seconds of a question and their 95th percentile, and the hits."""
    seconds, found = [], []
    for question in questions:
        began = time.perf_counter()
        (hits,) = index.search(question, K)
        seconds.append(time.perf_counter() - began)
        found.append([hit.index for hit in hits])
    return (median(seconds), float(np.quantile(seconds, 0.95))), found


def questions_of(n: int) -> list[str]:
    """Return questions of Chroma's report."""
    path = shared_folder() / "data" / "chroma-report" / "questions_df.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row["question"] for row in csv.DictReader(file)]
    return rows[:: max(1, len(rows) // n)][:n]


def _unit(rows: Any) -> Any:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


if __name__ == "__main__":
    main()
