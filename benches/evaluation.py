"""An evaluation without its model: what scoring, searching and placing chunks cost.

``chunking_evaluation`` is not on PyPI. What stands for its scores is `PeerScores`: lists of pairs,
gone through for every chunk and excerpt of every question, as the peer does, without its data
frames. Both get the same hits and have to give the same scores. Vectors are random, and embedding
is no part of any time. What is printed is Markdown.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import numpy as np
from lib.corpus import SEED, shared_folder
from lib.measure import best_seconds, cpu_seconds
from lib.table import NOTHING, Table, at_most, duration, say, times, versions
from lib.vectors import unit_vectors

import chunkwright as cw
from chunkwright import _core
from chunkwright.evaluation import Dataset, PlacedChunks, evaluate
from chunkwright.evaluation.confidence.bootstrap import interval
from chunkwright.evaluation.scores import metrics
from chunkwright.evaluation.scores.cutoffs import KINDS, MIN_CAP, Cutoff, metric_name
from chunkwright.retrieval import Hits, Retriever, cosine, top_k

if TYPE_CHECKING:
    from numpy.typing import NDArray

TABLES = ("scores", "search", "places", "whole")
N_HITS = 10
N_RESAMPLES = 10_000
WANTED_SECONDS = 1.0  # to search for and score all chunkers
CUTOFFS: tuple[Cutoff, ...] = ("min", 5, 10)  # those of the report

# Chunkers of the kinds and sizes of the report's rows.
CHUNKERS: dict[str, cw.Recursive | cw.Window | cw.Cluster | cw.Kamradt | cw.KamradtModified] = {
    "recursive 250, overlap 125": cw.Recursive(max_tokens=250, overlap=125),
    "window 250, overlap 125": cw.Window(max_tokens=250, overlap=125),
    "recursive 250": cw.Recursive(max_tokens=250),
    "window 250": cw.Window(max_tokens=250),
    "recursive 200": cw.Recursive(max_tokens=200),
    "window 200": cw.Window(max_tokens=200),
    "cluster 250": cw.Cluster(max_tokens=250),
    "cluster 200": cw.Cluster(max_tokens=200),
    "cluster 400": cw.Cluster(max_tokens=400),
    "kamradt": cw.Kamradt(max_tokens=4000),
    "kamradt modified 300": cw.KamradtModified(max_tokens=300),
    "kamradt modified 150": cw.KamradtModified(max_tokens=150),
    "recursive 400": cw.Recursive(max_tokens=400),
    "window 400": cw.Window(max_tokens=400),
}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--dimensions", type=int, default=384)
    arguments = parser.parse_args()
    dataset = Dataset.chroma_report(shared_folder() / "data" / "chroma-report")
    say(f"{versions('numpy')}. CPU time on one thread, where nothing else is said.")
    for table in arguments.tables:
        TABLE_PRINTERS[table](dataset, arguments.dimensions)


def chunks_of(chunker: Callable[[str], cw.Chunks], dataset: Dataset) -> PlacedChunks:
    """Cut all corpora."""
    cuts = [chunker(text) for text in dataset.corpora.values()]
    corpora = np.repeat(np.arange(len(cuts)), [len(cut) for cut in cuts])
    starts, ends, n_tokens = (
        np.concatenate([getattr(cut, column) for cut in cuts])
        for column in ("starts", "ends", "n_tokens")
    )
    texts = tuple(text for cut in cuts for text in cut.texts())
    return PlacedChunks(texts, corpora, starts, ends, n_tokens, corpora)


# ---------------------------------------------------------------------- scores


def some_hits(dataset: Dataset, chunks: PlacedChunks) -> Hits:
    """Return ten hits of each question, in no order: chunks that hold its excerpts, and others."""
    random = np.random.default_rng(SEED)
    numbers = {name: i for i, name in enumerate(dataset.corpora)}
    found = []
    for question in dataset.questions:
        own = chunks.corpora == numbers[question.corpus]
        holds = [
            own & (chunks.starts <= excerpt.end) & (chunks.ends >= excerpt.start)
            for excerpt in question.excerpts
        ]
        holding = np.flatnonzero(np.any(holds, axis=0))[: N_HITS // 2]
        others = np.setdiff1d(random.permutation(len(chunks))[: 2 * N_HITS], holding)
        hits = np.concatenate([holding, random.permutation(others)])[:N_HITS]
        found.append(random.permutation(hits))
    offsets = np.cumsum([0, *map(len, found)])
    indices = np.concatenate(found)
    return Hits(offsets, indices, np.zeros(len(indices)))


Pair = tuple[int, int]


@dataclass
class PeerScores:
    """The report's scores, by its algorithm: chunks and hits are dicts, ranges lists of pairs."""

    questions: list[tuple[str, list[Pair]]]
    chunks: list[dict[str, Any]]
    found: list[list[int]]

    def __call__(self) -> dict[str, list[float]]:
        """Return each metric of each question."""
        scores: dict[str, list[float]] = {metrics.OMEGA: []}
        holding = []
        for corpus, excerpts in self.questions:
            omega, n_holding = self.omega(corpus, excerpts)
            scores[metrics.OMEGA].append(omega)
            holding.append(n_holding)
        for cutoff in CUTOFFS:
            columns: list[list[float]] = []
            for question, hits, n_holding in zip(self.questions, self.found, holding, strict=True):
                n = min(n_holding, MIN_CAP) if isinstance(cutoff, str) else cutoff
                columns.append(self.score(*question, [self.chunks[i] for i in hits[:n]]))
            for kind, column in zip(KINDS, zip(*columns, strict=True), strict=True):
                scores[metric_name(kind, cutoff)] = list(column)
        return scores

    def omega(self, corpus: str, excerpts: list[Pair]) -> tuple[float, int]:
        """Look at every chunk there is."""
        covered: list[Pair] = []
        held: list[Pair] = []
        missed = list(excerpts)
        n_holding = 0
        for chunk in self.chunks:
            if chunk["corpus_id"] != corpus:
                continue
            place = (chunk["start_index"], chunk["end_index"])
            shared = [both for excerpt in excerpts if (both := common(place, excerpt)) is not None]
            for both in shared:
                missed = without(missed, both)
                covered = merged([both, *covered])
                held = merged([place, *held])
            n_holding += bool(shared)
        whole = total(merged(held + missed))
        return (total(covered) / whole if covered else 0.0), n_holding

    @staticmethod
    def score(corpus: str, excerpts: list[Pair], hits: list[dict[str, Any]]) -> list[float]:
        """Look at every hit."""
        covered: list[Pair] = []
        missed = list(excerpts)
        for hit in hits:
            if hit["corpus_id"] != corpus:
                continue
            for excerpt in excerpts:
                both = common((hit["start_index"], hit["end_index"]), excerpt)
                if both is not None:
                    missed = without(missed, both)
                    covered = merged([both, *covered])
        n_hit = total([(hit["start_index"], hit["end_index"]) for hit in hits])
        n_covered = total(covered)
        wholes = (total(excerpts), n_hit, n_hit + total(missed))
        return [n_covered / whole if whole else 0.0 for whole in wholes]


def total(ranges: list[Pair]) -> int:
    """Return the sum of lengths."""
    return sum(end - start for start, end in ranges)


def merged(ranges: list[Pair]) -> list[Pair]:
    """Sort ranges, and join those that overlap or touch."""
    joined: list[Pair] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def common(a: Pair, b: Pair) -> Pair | None:
    """Return what two ranges share; an empty range if they touch."""
    start, end = max(a[0], b[0]), min(a[1], b[1])
    return (start, end) if start <= end else None


def without(ranges: list[Pair], taken: Pair) -> list[Pair]:
    """Return what is left of ranges."""
    left: list[Pair] = []
    for start, end in ranges:
        if end < taken[0] or start > taken[1]:
            left.append((start, end))
            continue
        left += [(start, taken[0])] if start < taken[0] else []
        left += [(taken[1], end)] if end > taken[1] else []
    return left


def print_scores(dataset: Dataset, _: int) -> None:
    """Print the time that scoring takes by both, row by row."""
    say(
        f"Recall, precision and IoU at {', '.join(map(str, CUTOFFS))}, and omega, of "
        f"{len(dataset.questions)} questions, by the peer's algorithm and by ours. A score that "
        "differs stops the run."
    )
    table = Table("chunker", "chunks", "peer's algorithm", "ours", "ours is")
    excerpts = metrics.excerpts_of(dataset)
    questions = [
        (question.corpus, [(excerpt.start, excerpt.end) for excerpt in question.excerpts])
        for question in dataset.questions
    ]
    all_theirs = all_ours = 0.0
    for name, chunker in CHUNKERS.items():
        chunks = chunks_of(chunker, dataset)
        hits = some_hits(dataset, chunks)
        peer = PeerScores(questions, as_dicts(dataset, chunks), as_lists(hits))
        theirs, expected = cpu_seconds(peer)
        ours, found = best_seconds(partial(scored, excerpts, chunks, hits, CUTOFFS))
        for metric, column in expected.items():
            if found[metric].tolist() != column:
                raise SystemExit(f"{name}: {metric} differs")
        all_theirs, all_ours = all_theirs + theirs, all_ours + ours
        table.row(name, f"{len(chunks):,}", *cells(theirs, ours))
    table.row("all", "", *cells(all_theirs, all_ours))


def scored(
    excerpts: _core.Excerpts, chunks: PlacedChunks, hits: Hits, cutoffs: tuple[Cutoff, ...]
) -> dict[str, NDArray[np.float64]]:
    """Return all scores by ours, omega included."""
    omegas, holding = metrics.omega(excerpts, chunks)
    return metrics.score(excerpts, chunks, hits, cutoffs, holding) | {metrics.OMEGA: omegas}


def as_dicts(dataset: Dataset, chunks: PlacedChunks) -> list[dict[str, Any]]:
    """Return chunks as the peer's metadata."""
    names = list(dataset.corpora)
    columns = (chunks.corpora.tolist(), chunks.starts.tolist(), chunks.ends.tolist())
    return [
        {"corpus_id": names[corpus], "start_index": start, "end_index": end}
        for corpus, start, end in zip(*columns, strict=True)
    ]


def as_lists(hits: Hits) -> list[list[int]]:
    """Return the chunks that each question found."""
    return [part.tolist() for part in np.split(hits.indices, hits.offsets[1:-1])]


# ---------------------------------------------------------------------- search, places, all of it


def print_search(dataset: Dataset, n_dims: int) -> None:
    """Print the time from vectors that are there to scores, and that of one comparison."""
    excerpts = metrics.excerpts_of(dataset)
    chunks = chunks_of(CHUNKERS["recursive 200"], dataset)
    vectors = unit_vectors(len(chunks), n_dims)
    questions = unit_vectors(len(dataset.questions), n_dims)
    cutoffs: tuple[Cutoff, ...] = (5, 10, "min", "500t", "1000t")

    def search() -> dict[str, NDArray[np.float64]]:
        hits = top_k(cosine(vectors, questions), 100)
        return scored(excerpts, chunks, hits, cutoffs)

    seconds, scores = best_seconds(search)
    shape = f"{len(questions)} questions, {len(chunks):,} chunks, {n_dims} dimensions"
    work = f"cosines, the best 100 of each, {len(cutoffs)} cutoffs"
    say("From vectors to scores, and the interval of a difference.")
    table = Table("work", "time", "wanted")
    wanted = at_most(round(WANTED_SECONDS / len(CHUNKERS), 3), seconds, "s")
    table.row(f"{shape}: {work}", duration(seconds), wanted)
    values = scores["recall@5"] - scores["recall@10"]
    draw = partial(interval, values, confidence=0.95, n_resamples=N_RESAMPLES, seed=0)
    seconds, _ = best_seconds(draw)
    table.row(f"interval of a difference, {N_RESAMPLES:,} resamples", duration(seconds), NOTHING)


def print_places(dataset: Dataset, _: int) -> None:
    """Print the time that finding the places of chunks takes, and that of `str.find`."""
    say("Where chunks stand in the corpora, found from their texts.")
    table = Table("chunker, place", "chunks", "`str.find`", "ours", "ours is")
    for name in ("recursive 200", "window 250, overlap 125"):
        corpora = {text: CHUNKERS[name](text).texts() for text in dataset.corpora.values()}
        works: dict[str, Callable[[str, list[str]], list[int]]] = {
            "first": lambda text, own: np.asarray(_core.first_occurrences(text, own)).tolist(),
            "next": lambda text, own: np.asarray(_core.next_occurrences(text, own)).tolist(),
        }
        theirs, expected = best_seconds(
            lambda: [[text.find(own) for own in texts] for text, texts in corpora.items()]  # noqa: B023
        )
        for kind, work in works.items():
            ours, found = best_seconds(
                lambda: [work(text, texts) for text, texts in corpora.items()]  # noqa: B023
            )
            if kind == "first" and found != expected:
                raise SystemExit(f"{name}: places differ")
            n = sum(map(len, corpora.values()))
            table.row(f"{name}, {kind}", f"{n:,}", *cells(theirs, ours))


def print_whole(dataset: Dataset, _: int) -> None:
    """Print the time of evaluations by words, from the corpora to the scores."""
    say("`evaluate` by words, from the corpora to the scores, by the clock.")
    steps = ("chunking", "embedding", "searching", "scoring")
    table = Table("chunker", *steps, "all")
    for name in ("recursive 200", "window 250, overlap 125"):
        start = time.perf_counter()
        run = evaluate(CHUNKERS[name], dataset, retriever=Retriever())
        seconds = [run.seconds[step] for step in steps]
        table.row(name, *map(duration, [*seconds, time.perf_counter() - start]))


def cells(theirs: float, ours: float) -> tuple[str, ...]:
    """Return both times, and what ours is."""
    return duration(theirs), duration(ours), times(theirs / ours)


TABLE_PRINTERS: dict[str, Callable[[Dataset, int], None]] = {
    "scores": print_scores,
    "search": print_search,
    "places": print_places,
    "whole": print_whole,
}


if __name__ == "__main__":
    main()
