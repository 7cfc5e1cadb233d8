"""Search by words: ours, bm25s and rank-bm25 on the same words in one run; time and memory.

Texts are 100 words each: cut from the five corpora, from the same repeated and perturbed, or drawn
from a vocabulary of half a million words that Zipf's law gives their frequencies. Words are runs of
letters or of digits, so that ours without subwords finds in a text exactly the words that the peers
are given. Those get them ready made, ours takes texts. What is printed is Markdown.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import numpy as np
from lib.corpus import SEED, joined, text_of
from lib.measure import cpu_seconds
from lib.memory import kilobytes, settle
from lib.table import NOTHING, Table, at_most, duration, named_version, say, times, versions

from chunkwright import _core

WORDS_EACH = 100
QUERY_WORDS = 10
COMMON = 4  # of these, among the hundred most frequent
VOCABULARY = 500_000
MANDELBROT = 2.7  # flattens the first few frequencies, as English has them
BLOCK = 10_000
TOP = 10
K1, B = 1.2, 0.75
REACH, WEIGHT = 200.0, 0.6
BYTES_EACH = 700.0  # at least what 100 words of the corpora take
MILLION = 1_000_000
WORDS_ALONE, DEFAULT = "words alone", "prefixes"
WANTED_BUILD = 60  # seconds, for a million texts
WANTED_TOP_MS = 10  # for a question, of a million texts


def main() -> None:
    """Print a table for each kind of texts, or what one process of its own measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["corpora", "synthetic"])
    parser.add_argument("--texts", type=int, default=100_000, help="but for the corpora")
    parser.add_argument("--million", action="store_true", help="the same as --texts 1000000")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--bm25s", type=int, default=MILLION, help="texts that it is given at most")
    parser.add_argument("--rank-bm25", type=int, default=20_000)
    parser.add_argument("--peak", choices=CONTENDERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.million:
        arguments.texts = MILLION
    if arguments.peak:
        print(_peak_here(arguments.peak, arguments.kinds[0], arguments.texts))
        return
    say(
        f"{versions(*PACKAGES.values())}. CPU time on one thread. `4-grams` and `in context` are "
        "options of ours, `prefixes` is the default; peers are compared with `words alone`, which "
        "finds the words that they are given. `equal` is the share of questions whose ten best "
        "scores are ours; rank-bm25 has another idf."
    )
    for kind in arguments.kinds:
        caps = {"bm25s": arguments.bm25s, "rank_bm25": arguments.rank_bm25}
        print_table(kind, arguments.texts, arguments.queries, caps)


# ---------------------------------------------------------------------- texts


def chunks_of(text: str, n: int | None = None) -> list[str]:
    """Return texts of so many words each, the words parted by blanks."""
    words = re.findall("[a-z]+|[0-9]+", text.lower())
    starts = range(0, len(words), WORDS_EACH)[:n]
    return [" ".join(words[start : start + WORDS_EACH]) for start in starts]


def corpora(_: int) -> list[str]:
    """Return texts of the five corpora, however many."""
    return chunks_of(joined())


def perturbed(n: int) -> list[str]:
    """Return texts of the corpora repeated, one letter in a hundred another one in each copy."""
    return chunks_of(text_of(n * BYTES_EACH / 1e6), n)


def synthetic(n: int) -> list[str]:
    """Return texts of words that are drawn by themselves."""
    random = np.random.default_rng(SEED)
    vocabulary, cumulated = _vocabulary()
    texts: list[str] = []
    while len(texts) < n:
        drawn = random.random((min(BLOCK, n - len(texts)), WORDS_EACH))
        rows = np.searchsorted(cumulated, drawn).tolist()
        texts += (" ".join([vocabulary[word] for word in row]) for row in rows)
    return texts


@cache
def _vocabulary() -> tuple[list[str], Any]:
    """Return words, the most frequent and short ones first, and their cumulated frequencies."""
    weights = 1 / (np.arange(VOCABULARY) + MANDELBROT)
    return [_word(i) for i in range(VOCABULARY)], np.cumsum(weights / weights.sum())


def _word(number: int) -> str:
    letters = chr(97 + number % 26)
    while number := number // 26:
        letters += chr(97 + number % 26)
    return "w" + letters


KINDS: dict[str, Callable[[int], list[str]]] = {
    work.__name__: work for work in (corpora, perturbed, synthetic)
}


def queries_of(texts: list[str], n: int) -> list[str]:
    """Return questions of different words: some very frequent, the others of one text each."""
    random = np.random.default_rng(SEED)
    sample = " ".join(texts[:BLOCK]).split()
    words, counts = np.unique(sample, return_counts=True)
    frequent = words[np.argsort(-counts)[:100]]
    queries = []
    for text in random.choice(len(texts), n):
        common = random.choice(frequent, COMMON, replace=False).tolist()
        others = [word for word in dict.fromkeys(texts[text].split()) if word not in common]
        queries.append(" ".join(common + others[-(QUERY_WORDS - COMMON) :]))
    return queries


# ---------------------------------------------------------------------- contenders


class Ours:
    """The index of `chunkwright.retrieval`, without the Python around it."""

    subwords: str | None = None

    def __init__(self, texts: list[str]) -> None:
        self.index = _core.Bm25(texts, k1=K1, b=B, subwords=self.subwords)

    def top(self, queries: list[str]) -> list[Any]:
        """Return the scores of the best texts for each question."""
        offsets, _, scores = (np.asarray(column) for column in self.index.top(queries, TOP))
        return [scores[start : start + TOP] for start in offsets[:-1]]

    def all_scores(self, query: str) -> Any:
        """Return the scores of all texts for a question."""
        return np.asarray(self.index.scores([query])[0])[0]


class Prefixes(Ours):
    """The same with the first five letters of words, as it is used by default."""

    subwords = "prefix"


class FourGrams(Ours):
    """The same with each four letters of words in a row."""

    subwords = "4-grams"


class InContext(Prefixes):
    """By default, each text with its neighbours, ten texts a document."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__(texts)
        n = len(texts)
        sizes = np.full(n, 130)
        neighbours = _core.Neighbours((np.arange(n) // 10).data, sizes.data, REACH)
        self.context = self.index.context(neighbours, WEIGHT)

    def top(self, queries: list[str]) -> list[Any]:
        """Return the scores of the best texts for each question."""
        found = []
        for query in queries:
            scores = self.all_scores(query)
            found.append(-np.sort(-scores[np.argpartition(-scores, TOP)[:TOP]]))
        return found

    def all_scores(self, query: str) -> Any:
        """Return the scores of all texts for a question."""
        return np.asarray(self.index.scores([query], self.context)[0])[0]


class Bm25s:
    """bm25s as it is installed, with NumPy; its "lucene" is our formula but for a factor."""

    def __init__(self, texts: list[list[str]]) -> None:
        bm25s = importlib.import_module("bm25s")
        self.index = bm25s.BM25(k1=K1, b=B, method="lucene", backend="numpy")
        self.index.index(texts, show_progress=False)

    def top(self, queries: list[str]) -> list[Any]:
        """Return the scores of the best texts for each question."""
        words = [query.split() for query in queries]
        found = self.index.retrieve(words, k=TOP, show_progress=False)
        return list(found.scores * (K1 + 1))

    def all_scores(self, query: str) -> Any:
        """Return the scores of all texts for a question."""
        return self.index.get_scores(query.split()) * (K1 + 1)


class RankBm25:
    """rank-bm25's BM25Okapi, whose idf is another one."""

    def __init__(self, texts: list[list[str]]) -> None:
        self.index = importlib.import_module("rank_bm25").BM25Okapi(texts, k1=K1, b=B)

    def top(self, queries: list[str]) -> list[Any]:
        """Return the scores of the best texts for each question."""
        found = []
        for query in queries:
            scores = self.all_scores(query)
            found.append(-np.sort(-scores[np.argpartition(-scores, TOP)[:TOP]]))
        return found

    def all_scores(self, query: str) -> Any:
        """Return the scores of all texts for a question."""
        return self.index.get_scores(query.split())


CONTENDERS: dict[str, type[Any]] = {
    WORDS_ALONE: Ours,
    DEFAULT: Prefixes,
    "4-grams": FourGrams,
    "in context": InContext,
    "bm25s": Bm25s,
    "rank_bm25": RankBm25,
}
PACKAGES = {"bm25s": "bm25s", "rank_bm25": "rank-bm25"}
PEERS = tuple(PACKAGES)
KIND_TITLES = {
    "corpora": "The five corpora",
    "perturbed": "The five corpora, repeated and perturbed",
    "synthetic": "Words drawn by Zipf's law",
}


# ---------------------------------------------------------------------- tables


def print_table(kind: str, n: int, n_queries: int, caps: dict[str, int]) -> None:
    """Print what each takes to build its index, and for a question."""
    texts = KINDS[kind](n)
    queries = queries_of(texts, n_queries)
    size = sum(map(len, texts)) / 1e6
    say(f"{KIND_TITLES[kind]}: {size:,.1f} MB, {n_queries} questions.")
    asked = ("the ten best, a question", "ours is", "all scores, a question")
    wanted = ["wanted of both"] if len(texts) >= MILLION else []
    table = Table("index", "texts", "build", "ours is", *asked, *wanted, "memory", "equal")
    ours: dict[int, tuple[list[float], list[Any]]] = {}
    for name in CONTENDERS:
        part = texts[: caps.get(name, len(texts))]
        try:
            seconds, found = measured(name, part, queries)
        except ImportError as error:
            say(f"{name} is left out: {error}")
            continue
        if name == WORDS_ALONE:
            ours[len(part)] = seconds, found
        elif len(part) not in ours:
            ours[len(part)] = measured(WORDS_ALONE, part, queries)
        best, expected = ours[len(part)]
        build, top, each = seconds
        is_peer = name in PEERS
        table.row(
            named_version(PACKAGES[name]) if is_peer else name,
            f"{len(part):,}",
            duration(build),
            times(build / best[0]) if is_peer else NOTHING,
            duration(top),
            times(top / best[1]) if is_peer else NOTHING,
            duration(each),
            *(_goals(build, top) if name == DEFAULT else NOTHING for _ in wanted),
            _peak(name, kind, len(part)),
            _share_equal(found, expected) if is_peer else NOTHING,
        )


def _goals(build: float, top: float) -> str:
    goals = (build, WANTED_BUILD, "s"), (top * 1e3, WANTED_TOP_MS, "ms")
    return "; ".join(at_most(wanted, value, unit) for value, wanted, unit in goals)


def measured(name: str, texts: list[str], queries: list[str]) -> tuple[list[float], list[Any]]:
    """Return the CPU seconds of building, of a question's best and of its scores; and the best."""
    given: Any = [text.split() for text in texts] if name in PEERS else texts
    build, index = cpu_seconds(lambda: CONTENDERS[name](given))
    index.top(queries[:2])
    top, found = cpu_seconds(lambda: index.top(queries))
    few = queries[: max(1, len(queries) // 5)]
    each, _ = cpu_seconds(lambda: [index.all_scores(query) for query in few])
    return [build, top / len(queries), each / len(few)], found


def _share_equal(found: list[Any], expected: list[Any]) -> str:
    """Say for how many questions the best have the same scores."""
    pairs = list(zip(found, expected, strict=True))
    n_equal = sum(len(a) == len(b) and np.allclose(a, b, rtol=1e-4) for a, b in pairs)
    return f"{n_equal / len(pairs):.0%}"


def _peak(name: str, kind: str, n: int) -> str:
    """Return the extra peak of building and one question, in a process of its own."""
    command = [sys.executable, __file__, "--kinds", kind, "--texts", str(n), "--peak", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return f"{float(done.stdout):,.0f} MB"


def _peak_here(name: str, kind: str, n: int) -> float:
    texts = KINDS[kind](n)[:n]
    query = queries_of(texts, 1)
    CONTENDERS[name]([text.split() for text in texts[:99]] if name in PEERS else texts[:99])
    given: Any = [text.split() for text in texts] if name in PEERS else texts
    settle()
    before = kilobytes("VmRSS")
    index = CONTENDERS[name](given)
    index.top(query)
    return (kilobytes("VmHWM") - before) * 1024 / 1e6


if __name__ == "__main__":
    main()
