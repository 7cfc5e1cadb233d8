"""Semantic chunkers: ours and the peers' on the same vectors in one run; time, memory, growth.

``chunking_evaluation`` is not on PyPI. What stands for it is the transcription that tests compare
with: NumPy, the whole matrix of similarities and a loop over it, as the peer has them. LangChain's
`SemanticChunker` is the installed one. Vectors are random; embedding is no part of any time but in
the last table, whose vectors are made of words. What is printed is Markdown.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import re
import subprocess
import sys
import textwrap
import time
import warnings
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise, takewhile
from pathlib import Path
from statistics import linear_regression
from typing import TYPE_CHECKING, Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import numpy as np
from lib.corpus import CORPORA, corpus, fresh, text_of
from lib.measure import best_seconds, cpu_seconds
from lib.memory import kilobytes, settle
from lib.table import (
    Table,
    at_least,
    at_most,
    duration,
    named_version,
    say,
    three_digits,
    times,
    versions,
)
from lib.vectors import BLOCK, unit_vectors

import chunkwright as cw
from chunkwright import _core
from chunkwright.compat import langchain_experimental as ours_langchain

if TYPE_CHECKING:
    from numpy.typing import NDArray

PIECES = (500, 1_000, 2_000, 4_000, 8_000)
SENTENCES = (1_000, 10_000)
LIMIT = 8  # pieces to a chunk: 400 tokens of pieces of 50
ENDS_LIMIT, SMALL = 200, 10  # tokens of the chunks whose ends are looked at, and of small ones
LONGEST_RUN = 8  # headings in a row; more are a list
BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
HEADING = re.compile(r" {0,3}(#{1,6}|={1,6}) ")
UNDERLINED = re.compile(r"\n(={3,}|-{3,})\s*$")
BARE = re.compile(r"(?![-*+•] |\d+[.)] )[\w*_(\"'“‘][^\n\t]{1,68}[^\s|]")
WHAT = {"our_cluster": "clusters", "our_neighbours": "distances of neighbours"}
WANTED = {("our_cluster", 8_000): 50}  # times as fast as the matrix
GROWTH = 1.05
LEXICAL = 20  # MB/s
TABLES = ("cluster", "neighbours", "growth", "strategies", "langchain", "lexical", "ends")


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
    say(
        f"{versions('numpy')}. CPU time on one thread; vectors of {arguments.dimensions} float32 "
        "numbers are random, and made before the clock starts."
    )
    for table in arguments.tables:
        TABLE_PRINTERS[table](arguments)


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


# ---------------------------------------------------------------------- tables


def print_against_matrix(ours: str, naive: str, arguments: argparse.Namespace) -> None:
    """Print time and memory of ours and of the transcription."""
    say(
        f"{WHAT[ours].capitalize()}: NumPy with the matrix of all similarities, and ours; memory "
        "is what is taken beside the vectors."
    )
    goals = {n: wanted for (name, n), wanted in WANTED.items() if name == ours}
    wanted = ["wanted"] if goals else []
    memory = ("memory, NumPy (MB)", "memory, ours (MB)")
    table = Table("pieces", "NumPy", "ours", "ours is", *wanted, *memory, "equal")
    for n in arguments.pieces:
        vectors = unit_vectors(n, arguments.dimensions)
        theirs, expected = best_seconds(partial(WORKS[naive], vectors))
        seconds, found = best_seconds(partial(WORKS[ours], vectors))
        megabytes = [_peak(name, n, arguments.dimensions) for name in (naive, ours)]
        is_equal = len(found) == len(expected) and np.allclose(found, expected, atol=1e-5)
        cells = (
            f"{n:,}",
            duration(theirs),
            duration(seconds),
            times(theirs / seconds),
            *(at_least(goals.get(n), theirs / seconds) for _ in wanted),
            *(f"{each:,.1f}" for each in megabytes),
            "yes" if is_equal else "no",
        )
        table.row(*cells)


def print_growth(arguments: argparse.Namespace) -> None:
    """Print the time of ours for ever more pieces, and the exponent."""
    shares = (32, 8, 2, 1)
    say("Growth of ours with the number of pieces; an exponent of 1 is linear.")
    sizes = (f"{arguments.largest // share:,} pieces" for share in shares)
    table = Table("work", *sizes, "exponent", "wanted", "memory beside the vectors (MB)")
    for name in ("our_cluster", "our_neighbours"):
        points = []
        vectors = unit_vectors(arguments.largest, arguments.dimensions)
        for share in shares:
            n = arguments.largest // share
            seconds, _ = best_seconds(partial(WORKS[name], vectors[:n]))
            points.append((math.log(n), math.log(seconds)))
        del vectors
        peak = _peak(name, arguments.largest, arguments.dimensions)
        slope = linear_regression(*zip(*points, strict=True)).slope
        shown = (duration(math.exp(seconds)) for _, seconds in points)
        wanted = at_most(GROWTH, slope)
        table.row(WHAT[name], *shown, f"{slope:.2f}", wanted, f"{peak:,.0f}")


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
    say(f"From a text of {size:,.1f} MB to chunks of 64 tokens; vectors are made before.")
    table = Table("strategy", "CPU time", "texts embedded", "chunks")
    for name, make in strategies.items():
        strategy = make(max_tokens=64, embedder=prepared)
        seconds, chunks = cpu_seconds(partial(strategy, text))
        net = seconds - prepared.seconds
        table.row(f"`{name}`", duration(net), f"{prepared.n_texts:,}", f"{len(chunks):,}")


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
        say(f"LangChain's `SemanticChunker` is left out: {error}")
        return
    peer = named_version("langchain-experimental")
    say(
        "LangChain's `SemanticChunker`, and ours in its place; both get vectors as lists of floats."
    )
    table = Table("sentences", peer, "ours", "ours is", "equal")
    for n in arguments.sentences:
        embeddings = InOrder(unit_vectors(n, arguments.dimensions).tolist())
        text = " ".join(f"Sentence {i}." for i in range(n))
        (theirs_seconds, expected), (seconds, found) = (
            best_seconds(partial(module.SemanticChunker(embeddings).split_text, text))
            for module in (theirs, ours_langchain)
        )
        ratio = times(theirs_seconds / seconds)
        is_equal = "yes" if found == expected else "no"
        table.row(f"{n:,}", duration(theirs_seconds), duration(seconds), ratio, is_equal)


def print_lexical(arguments: argparse.Namespace) -> None:
    """Print the speed of whole strategies with vectors of words."""
    text = text_of(arguments.megabytes)
    size = len(text.encode()) / 1e6
    say(f"From the five corpora, {size:,.2f} MB, to chunks, with lexical vectors.")
    table = Table("strategy", "limit", "MB/s", "wanted", "chunks")
    sizes: tuple[dict[str, Any], ...] = ({"max_tokens": 200}, {"max_chars": 1000})
    for limits in sizes:
        for make in (cw.Kamradt, cw.KamradtModified, cw.Cluster, cw.Discontinuity):
            strategy: Callable[[str], Any] = make(**limits)
            strategy(text[:1000])  # vocabularies are loaded outside the clock
            seconds, chunks = best_seconds(lambda: strategy(fresh(text)))  # noqa: B023 - called at once
            ((unit, limit),) = limits.items()
            speed = size / seconds
            cells = three_digits(speed), at_least(LEXICAL, speed, "MB/s"), f"{len(chunks):,}"
            table.row(f"`{make.__name__}`", f"`{unit}={limit}`", *cells)


def print_ends(arguments: argparse.Namespace) -> None:
    """Print how chunks end: inside sentences, in headings, or too early."""
    del arguments
    texts = [corpus(name) for name in CORPORA]
    say(
        f"How chunks of {ENDS_LIMIT} tokens end, the five corpora as they are and with wrapped "
        f"lines: inside a sentence, inside one that would fit, with less than {SMALL} tokens, and "
        "in a heading; percent of all chunks."
    )
    columns = ("in a sentence (%)", "in one that fits (%)", "too small (%)", "in a heading (%)")
    table = Table("strategy", "text", "chunks", *columns)
    for make in (cw.Kamradt, cw.KamradtModified, cw.Cluster, cw.Discontinuity):
        for label, form in (("as it is", str), ("wrapped", wrapped)):
            ends = [ends_of(form(text), make(max_tokens=ENDS_LIMIT)(form(text))) for text in texts]
            n, *counts = (sum(column) for column in zip(*ends, strict=True))
            shares = (f"{100 * count / n:.2f}" for count in counts)
            table.row(f"`{make.__name__}`", label, f"{n:,}", *shares)


def ends_of(text: str, chunks: cw.Chunks) -> tuple[int, int, int, int, int]:
    """Count chunks: all, ending in a sentence, in one that fits, too small, ending in a heading."""
    starts = [0, *accumulate(len(sentence) for sentence in cw.split_sentences(text))]
    spans = [(start, start + len(text[start:end].rstrip())) for start, end in pairwise(starts)]
    ends, inner = [end for _, end in spans], list(chunks)[:-1]
    inside = [bisect_left(ends, chunk.end) for chunk in inner if chunk.end not in set(ends)]
    fitting = [at for at in inside if cw.count_tokens(text[slice(*spans[at])]) <= ENDS_LIMIT]
    n_small = sum(chunk.n_tokens < SMALL for chunk in chunks)
    n_headings = sum(ends_in_heading(text, chunk.end) for chunk in inner)
    return len(chunks), len(inside), len(fitting), n_small, n_headings


def ends_in_heading(text: str, end: int) -> bool:
    """Whether a heading ends there, and is not one of a list of more than eight."""
    blocks = BLANK_LINES.split(text[max(0, end - 2_000) : end])
    line = blocks[-1].strip()
    if HEADING.match(line.rpartition("\n")[2]) or UNDERLINED.search(blocks[-1]):
        return True
    stands_alone = BLANK_LINES.match(text, end) is not None
    behind = BLANK_LINES.split(text[end : end + 2_000])[1:]
    run = [*takewhile(is_bare, blocks[::-1]), *takewhile(is_bare, behind)]
    return stands_alone and is_bare(line) and len(run) <= LONGEST_RUN


def is_bare(block: str) -> bool:
    """Whether a block is a short line that ends as no sentence does, and is no item or row."""
    line = block.strip()
    return bool(BARE.fullmatch(line)) and not re.search(r"[.!?:;,…][\"'”’)\]*_]*$", line)


def wrapped(text: str) -> str:
    """Return a text with its lines wrapped at 78 columns."""
    wrapper = textwrap.TextWrapper(78, break_long_words=False, break_on_hyphens=False)
    return "\n".join("\n".join(wrapper.wrap(line)) for line in text.split("\n"))


TABLE_PRINTERS: dict[str, Callable[[argparse.Namespace], None]] = {
    "cluster": partial(print_against_matrix, "our_cluster", "naive_cluster"),
    "neighbours": partial(print_against_matrix, "our_neighbours", "naive_neighbours"),
    "growth": print_growth,
    "strategies": print_strategies,
    "langchain": print_langchain,
    "lexical": print_lexical,
    "ends": print_ends,
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


if __name__ == "__main__":
    main()
