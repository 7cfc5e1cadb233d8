"""Semantic chunkers: ours and the peers' on the same vectors in one run; time, memory, growth.

``chunking_evaluation`` is not on PyPI. What stands for it is the transcription that tests compare
with: NumPy, the whole matrix of similarities and a loop over it, as the peer has them. LangChain's
`SemanticChunker` is the installed one. Vectors are random; embedding is no part of any time but in
the last table, whose vectors are made of words.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import linear_regression
from typing import TYPE_CHECKING, Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import numpy as np
from corpus import SEED, fresh, text_of
from measure import cpu_seconds
from memory import kilobytes, settle

import chunkwright as cw
from chunkwright import _core
from chunkwright.compat import langchain_experimental as ours_langchain

if TYPE_CHECKING:
    from numpy.typing import NDArray

PIECES = (500, 1_000, 2_000, 4_000, 8_000)
SENTENCES = (1_000, 10_000)
LIMIT = 8  # pieces to a chunk: 400 tokens of pieces of 50
LEAST_SECONDS = 0.1
BLOCK = 65_536
TABLES = ("cluster", "neighbours", "growth", "strategies", "langchain", "lexical")


def main() -> None:
    """Print the tables, or what one process of its own measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--pieces", type=int, nargs="+", default=PIECES)
    parser.add_argument("--sentences", type=int, nargs="+", default=SENTENCES)
    parser.add_argument("--largest", type=int, default=1_000_000, help="pieces, ours only")
    parser.add_argument("--megabytes", type=float, help="of text; the corpora as they are")
    parser.add_argument("--peak", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peak:
        name, n = arguments.peak
        print(_peak_here(name, int(n), arguments.dimensions))
        return
    for table in arguments.tables:
        TABLE_PRINTERS[table](arguments)
        print()


# ---------------------------------------------------------------------- what is timed


def naive_cluster(vectors: Any) -> list[int]:
    """Group rows as the peer does: the matrix of all similarities, and sums over its squares."""
    ends: list[int] = _naive().group_ends(vectors @ vectors.T, LIMIT)
    return ends


def our_cluster(vectors: Any) -> list[int]:
    """Group rows by the same programme in one pass."""
    return _core.cluster_ends(vectors.data, LIMIT)


def naive_neighbours(vectors: Any) -> list[float]:
    """Read the distances of neighbours off the matrix of all similarities, as the peer does."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = unit @ unit.T
    return [1 - alike[i, i + 1] for i in range(len(unit) - 1)]


def our_neighbours(vectors: Any) -> list[float]:
    """Compute no other distances than those of neighbours."""
    return _core.neighbour_distances(vectors.data)


WORKS: dict[str, Callable[[Any], Any]] = {
    work.__name__: work for work in (naive_cluster, our_cluster, naive_neighbours, our_neighbours)
}


def _naive() -> Any:
    """Import the transcription that the tests compare with."""
    root = str(Path(__file__).parent.parent)
    if root not in sys.path:
        sys.path.append(root)
    return importlib.import_module("tests.parity.chroma_naive_semantic")


def unit_vectors(n: int, d: int) -> NDArray[np.float32]:
    """Return random vectors of unit length."""
    random = np.random.default_rng(SEED)
    vectors = np.empty((n, d), dtype=np.float32)
    for start in range(0, n, BLOCK):
        block = random.standard_normal((min(BLOCK, n - start), d), dtype=np.float32)
        vectors[start : start + BLOCK] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return vectors


def best_seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of the fastest of a few runs, and the result."""
    best, result, spent = math.inf, None, 0.0
    while spent < LEAST_SECONDS:
        seconds, result = cpu_seconds(work)
        best, spent = min(best, seconds), spent + seconds
    return max(best, 1e-9), result


# ---------------------------------------------------------------------- tables


def print_against_matrix(ours: str, naive: str, arguments: argparse.Namespace) -> None:
    """Print time and memory of ours and of the transcription."""
    print(f"{ours} and {naive}, {arguments.dimensions} dimensions, CPU time, memory beyond vectors")
    header = ("pieces", "peer", "ours", "ratio", "peer MB", "ours MB", "equal")
    print(*(f"{name:>10}" for name in header))
    for n in arguments.pieces:
        vectors = unit_vectors(n, arguments.dimensions)
        theirs, expected = best_seconds(partial(WORKS[naive], vectors))
        seconds, found = best_seconds(partial(WORKS[ours], vectors))
        megabytes = [_peak(name, n, arguments.dimensions) for name in (naive, ours)]
        is_equal = len(found) == len(expected) and np.allclose(found, expected, atol=1e-5)
        cells = (
            f"{n:,}",
            _time(theirs),
            _time(seconds),
            f"{theirs / seconds:,.0f}",
            *(f"{each:,.1f}" for each in megabytes),
            "yes" if is_equal else "no",
        )
        print(*(f"{cell:>10}" for cell in cells))


def print_growth(arguments: argparse.Namespace) -> None:
    """Print the time of ours for ever more pieces, and the exponent."""
    for name in ("our_cluster", "our_neighbours"):
        print(f"{name}, {arguments.dimensions} dimensions, CPU time")
        points = []
        vectors = unit_vectors(arguments.largest, arguments.dimensions)
        for share in (32, 8, 2, 1):
            n = arguments.largest // share
            seconds, _ = best_seconds(partial(WORKS[name], vectors[:n]))
            points.append((math.log(n), math.log(seconds)))
            print(f"{n:>12,} {_time(seconds):>10}")
        del vectors
        peak = _peak(name, arguments.largest, arguments.dimensions)
        slope = linear_regression(*zip(*points, strict=True)).slope
        print(f"exponent {slope:.3f}, {peak:,.1f} MB beyond the vectors at {arguments.largest:,}")


@dataclass
class Prepared:
    """Stands in for a model: gives texts rows that are there, and notes what that took."""

    vectors: NDArray[np.float32]
    n_texts: int = 0
    seconds: float = 0.0

    def __call__(self, texts: list[str]) -> NDArray[np.float32]:
        """Return as many rows as there are texts."""
        start = time.process_time()
        self.n_texts = len(texts)
        rows = self.vectors[np.arange(len(texts)) % len(self.vectors)]
        self.seconds = time.process_time() - start
        return rows


def print_strategies(arguments: argparse.Namespace) -> None:
    """Print the time of whole strategies, from text to chunks, but for the embedder."""
    text = " ".join(f"This is number {i} of them." for i in range(arguments.largest))
    size = len(text.encode()) / 1e6
    prepared = Prepared(unit_vectors(min(arguments.largest, BLOCK), arguments.dimensions))
    strategies: dict[str, Callable[..., Any]] = {
        "Kamradt": cw.Kamradt,
        "KamradtModified": partial(cw.KamradtModified, piece_max=9),
        "Cluster": partial(cw.Cluster, piece_max=9),
        "Discontinuity": cw.Discontinuity,
    }
    print(f"text to chunks, {size:,.1f} MB, vectors that are there, CPU time without embedding")
    for name, make in strategies.items():
        strategy = make(max_tokens=64, embedder=prepared)
        seconds, chunks = cpu_seconds(partial(strategy, text))
        net = seconds - prepared.seconds
        print(f"{name:>16} {_time(net):>10}  {prepared.n_texts:,} texts, {len(chunks):,} chunks")


class InOrder:
    """Gives texts vectors that are there, as LangChain's embeddings do: lists of floats."""

    def __init__(self, vectors: list[list[float]]) -> None:
        self.vectors = vectors

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of the first texts."""
        return self.vectors[: len(texts)]


def print_langchain(arguments: argparse.Namespace) -> None:
    """Print the time of LangChain's chunker and of ours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            theirs = importlib.import_module("langchain_experimental.text_splitter")
    except ImportError as error:
        print(f"SemanticChunker: {error}")
        return
    print(f"SemanticChunker, {arguments.dimensions} dimensions, CPU time without embedding")
    print(*(f"{name:>10}" for name in ("sentences", "peer", "ours", "ratio", "equal")))
    for n in arguments.sentences:
        embeddings = InOrder(unit_vectors(n, arguments.dimensions).tolist())
        text = " ".join(f"Sentence {i}." for i in range(n))
        (theirs_seconds, expected), (seconds, found) = (
            best_seconds(partial(module.SemanticChunker(embeddings).split_text, text))
            for module in (theirs, ours_langchain)
        )
        ratio = f"{theirs_seconds / seconds:,.1f}"
        is_equal = "yes" if found == expected else "no"
        cells = (f"{n:,}", _time(theirs_seconds), _time(seconds), ratio, is_equal)
        print(*(f"{cell:>10}" for cell in cells))


def print_lexical(arguments: argparse.Namespace) -> None:
    """Print the speed of whole strategies with vectors of words."""
    text = text_of(arguments.megabytes)
    size = len(text.encode()) / 1e6
    print(f"text to chunks with lexical vectors, {size:,.1f} MB, one thread, MB/s of CPU time")
    sizes: tuple[dict[str, Any], ...] = ({"max_tokens": 200}, {"max_chars": 1000})
    for limits in sizes:
        for make in (cw.Kamradt, cw.KamradtModified, cw.Cluster, cw.Discontinuity):
            strategy: Callable[[str], Any] = make(**limits)
            strategy(text[:1000])  # vocabularies are loaded outside the clock
            seconds, chunks = best_seconds(lambda: strategy(fresh(text)))  # noqa: B023 - called at once
            ((unit, limit),) = limits.items()
            label = f"{make.__name__}({unit}={limit})"
            print(f"{label:>32} {size / seconds:8.1f} MB/s {len(chunks):>8,} chunks")


TABLE_PRINTERS: dict[str, Callable[[argparse.Namespace], None]] = {
    "cluster": partial(print_against_matrix, "our_cluster", "naive_cluster"),
    "neighbours": partial(print_against_matrix, "our_neighbours", "naive_neighbours"),
    "growth": print_growth,
    "strategies": print_strategies,
    "langchain": print_langchain,
    "lexical": print_lexical,
}


# ---------------------------------------------------------------------- memory


def _peak(name: str, n: int, d: int) -> float:
    """Return the extra peak in MB of a work in a process of its own."""
    arguments = ["--dimensions", str(d), "--peak", name, str(n)]
    command = [sys.executable, __file__, *arguments]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _peak_here(name: str, n: int, d: int) -> float:
    work = WORKS[name]
    work(unit_vectors(32, d))  # what is loaded once
    vectors = unit_vectors(n, d)
    settle()
    before = kilobytes("VmRSS")
    work(vectors)
    return (kilobytes("VmHWM") - before) * 1024 / 1e6


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:,.2f} ms" if seconds < 1 else f"{seconds:,.2f} s"


if __name__ == "__main__":
    main()
