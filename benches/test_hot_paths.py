"""Hot paths, each beside a naive twin or the peer that gives the same: for pytest-benchmark.

``pytest benches --benchmark-only`` times them, and compares the results, as it does with
``--benchmark-disable``, which runs each once. Texts and vectors are made here or stand in this
repository.
"""
# ruff: noqa: D103, S101 -- tests, which assert

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tiktoken
from tests.parity.chroma_naive_semantic import group_ends

import chunkwright as cw
from chunkwright import _core
from chunkwright.retrieval import bm25, cosine, top_k

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytest_benchmark = pytest.importorskip("pytest_benchmark")

ROOT = Path(__file__).resolve().parent.parent
HARD, SOFT, OVERLAP = 128, 64, 32  # tokens
MAX_PIECES = 8  # of a group of the cluster programme
WINDOW = 3  # sentences on each side of a boundary
BEST = 10  # hits of a question
K1, B = 1.2, 0.75
ROUNDS = 10
WORDS = [
    *("rain", "stone", "river", "table", "engine", "cat", "slate", "chalk", "warm", "long"),
    *("under", "over", "model", "of", "the", "a", "and"),
]

Work = Callable[[], Any]


@dataclass(frozen=True, kw_only=True)
class HotPath:
    """Work that is done twice.

    Parameters
    ----------
    name : str
        The group that both are shown in.
    ours : callable
        Makes our work, outside the clock, anew for every round: some remember what they met.
    twin : callable
        Makes the other's.
    by : str
        Whose that is: ``"naive"``, or the peer's name.
    """

    name: str
    ours: Callable[[], Work]
    twin: Callable[[], Work]
    by: str = "naive"


# ---------------------------------------------------------------------- inputs


@cache
def guides() -> str:
    """Return the README and all guides."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return "\n\n".join(file.read_text(encoding="utf-8") for file in files)


def sentences(seed: int) -> Iterator[str]:
    """Make sentences of 4 to 29 words, without end."""
    drawn = random.Random(seed)  # noqa: S311 - nothing secret
    while True:
        words = drawn.choices(WORDS, k=drawn.randrange(4, 30))
        yield f"{' '.join(words).capitalize()}."


def paragraphs(seed: int) -> Iterator[str]:
    """Make paragraphs of 1 to 8 sentences, without end."""
    drawn, made = random.Random(seed), sentences(seed)  # noqa: S311 - as above
    while True:
        yield " ".join(next(made) for _ in range(drawn.randrange(1, 9)))


def taken(made: Iterator[str], n: int) -> list[str]:
    """Take the first so many."""
    return [next(made) for _ in range(n)]


@cache
def prose() -> str:
    """Return paragraphs without headings."""
    return "\n\n".join(taken(paragraphs(1), 120))


@cache
def sections() -> list[tuple[str, list[str]]]:
    """Return headings, each with the paragraphs below it, all of which fit into a chunk with it."""
    drawn = random.Random(2)  # noqa: S311 - as above
    made = sentences(2)
    return [
        (f"# Part {i}", [" ".join(taken(made, 2)) for _ in range(drawn.randrange(1, 9))])
        for i in range(60)
    ]


@cache
def table() -> list[list[str]]:
    """Return a header and the rows of a table."""
    made = sentences(3)
    header = ["number", "half", "what is said"]
    return [header, *([str(i), str(i / 2), next(made)] for i in range(400))]


@cache
def vectors(n: int, d: int = 96) -> NDArray[np.float32]:
    """Return random vectors of unit length."""
    made = np.random.default_rng(4).standard_normal((n, d), dtype=np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def embedded(texts: Sequence[str]) -> NDArray[np.float32]:
    """Stand in for a model: give texts vectors that are there."""
    return vectors(len(texts))


@cache
def indexed() -> list[str]:
    """Return the texts that are searched."""
    return taken(paragraphs(5), 600)


@cache
def questions() -> list[str]:
    """Return what is searched for."""
    return [text[:-1].lower() for text in taken(sentences(6), 20)]


# ---------------------------------------------------------------------- twins


@cache
def encoding() -> tiktoken.Encoding:
    """Return the peer that counts the twins' tokens."""
    return tiktoken.get_encoding("cl100k_base")


def count(text: str) -> int:
    """Count the tokens of a text."""
    return len(encoding().encode_ordinary(text))


def naive_packing(*, soft: int = HARD, overlap: int = 0) -> list[str]:
    """Take sentences as long as they fit, each time counting all of the chunk anew."""
    text = prose()
    parts = cw.split_sentences(text)
    bounds = list(accumulate(map(len, parts), initial=0))
    chunks: list[str] = []
    first = before = 0
    while first < len(parts):
        # Whole sentences of the chunk before, of which it has room for its own first one.
        start = first
        while start > before and count(text[bounds[start - 1] : bounds[first]]) <= overlap:
            start -= 1
        while start < first and count(text[bounds[start] : bounds[first + 1]].strip()) > HARD:
            start += 1
        end = first + 1
        while end < len(parts) and count(text[bounds[start] : bounds[end + 1]].strip()) <= soft:
            end += 1
        chunks.append(text[bounds[start] : bounds[end]].strip())
        before, first = first, end
    return chunks


def naive_table() -> list[list[list[str]]]:
    """Take rows as long as they fit behind the header, each time counting all cells anew."""
    header, *body = table()
    parts: list[list[list[str]]] = []
    part = [header]
    for row in body:
        cells = [cell for each in (*part, row) for cell in each]
        if len(part) > 1 and count(" ".join(cells)) > HARD:
            parts.append(part)
            part = [header]
        part.append(row)
    return [*parts, part]


def naive_discontinuity() -> NDArray[np.float64]:
    """Compare the sums of the vectors on both sides of each boundary."""
    rows = embedded(cw.split_sentences(prose())).astype(float)
    distances = []
    for at in range(1, len(rows)):
        before, behind = rows[max(0, at - WINDOW) : at].sum(0), rows[at : at + WINDOW].sum(0)
        cosine_ = before @ behind / np.linalg.norm(before) / np.linalg.norm(behind)
        distances.append(1 - cosine_)
    return np.array(distances)


def naive_hybrid() -> list[str]:
    """Take paragraphs as long as they fit under their heading, each time counting all anew."""
    chunks = []
    for heading, below in sections():
        part = [heading]
        for paragraph in below:
            if len(part) > 1 and count("\n\n".join([*part, paragraph])) > HARD:
                chunks.append("\n\n".join(part))
                part = [heading]
            part.append(paragraph)
        chunks.append("\n\n".join(part))
    return chunks


def naive_bm25() -> list[list[int]]:
    """Score every text by every word of each question, and sort all of them."""
    counts = [Counter(text.lower().replace(".", " ").split()) for text in indexed()]
    lengths = [each.total() for each in counts]
    mean = sum(lengths) / len(lengths)
    best = []
    for question in questions():
        scores = np.zeros(len(counts))
        for word in set(question.split()):
            n_with = sum(word in each for each in counts)
            idf = math.log(1 + (len(counts) - n_with + 0.5) / (n_with + 0.5))
            for i, each in enumerate(counts):
                share = each[word]
                scores[i] += idf * share / (share + K1 * (1 - B + B * lengths[i] / mean))
        best.append([int(i) for i in np.argsort(-scores, kind="stable")[:BEST]])
    return best


def naive_cosine() -> list[list[int]]:
    """Sort all rows by their cosine with each question."""
    rows, asked = vectors(20_000).astype(float), vectors(20_020)[-20:].astype(float)
    return [[int(i) for i in np.argsort(-(rows @ one))[:BEST]] for one in asked]


# ---------------------------------------------------------------------- both


def our_counting() -> Work:
    """Count with a tokenizer that has counted nothing."""
    tokenizer, text = cw.Tokenizer("cl100k_base"), guides()
    return lambda: tokenizer.count(text)


def our_packing(**options: Any) -> Callable[[], Work]:
    """Pack sentences."""

    def make() -> Work:
        strategy, text = cw.Sentence(max_tokens=HARD, **options), prose()
        return lambda: strategy(text).texts()

    return make


def our_table() -> Work:
    """Split between rows."""
    rows = table()
    return lambda: [part.table for part in cw.split_table(rows, max_tokens=HARD)]


def our_discontinuity() -> Work:
    """Cut at peaks, and give the distances at all boundaries."""
    strategy = cw.Discontinuity(max_tokens=HARD, window=WINDOW, embedder=embedded)
    text = prose()
    return lambda: _scores(strategy(text))


def _scores(chunks: cw.Chunks) -> NDArray[np.float64]:
    boundaries = chunks.boundaries
    assert boundaries is not None
    return boundaries.scores


def our_hybrid() -> Work:
    """Join paragraphs under their headings, in a document that was read."""
    text = "\n\n".join("\n\n".join([heading, *below]) for heading, below in sections())
    document, strategy = cw.read_markdown(text), cw.Hybrid(max_tokens=HARD)
    return lambda: strategy(document).texts()


def our_bm25() -> Work:
    """Index the texts and search by words."""
    texts, asked = indexed(), questions()
    return lambda: _lists(bm25(texts, subwords=None, k1=K1, b=B).search(asked, k=BEST))


def our_cosine() -> Work:
    """Search by vectors."""
    rows, asked = vectors(20_000), vectors(20_020)[-20:]
    return lambda: _lists(top_k(cosine(rows, asked), BEST))


def _lists(hits: Any) -> list[list[int]]:
    numbers = hits.indices.tolist()
    return [numbers[start:end] for start, end in pairwise(hits.offsets.tolist())]


HOT_PATHS = (
    HotPath(
        name="counting",
        ours=our_counting,
        twin=lambda: lambda: count(guides()),
        by="tiktoken",
    ),
    HotPath(
        name="packing to a hard limit",
        ours=our_packing(),
        twin=lambda: naive_packing,
    ),
    HotPath(
        name="packing to a soft limit",
        ours=our_packing(soft_max=SOFT),
        twin=lambda: lambda: naive_packing(soft=SOFT),
    ),
    HotPath(
        name="overlap",
        ours=our_packing(overlap=OVERLAP, overlap_at="sentence"),
        twin=lambda: lambda: naive_packing(overlap=OVERLAP),
    ),
    HotPath(name="table split between rows", ours=our_table, twin=lambda: naive_table),
    HotPath(
        name="cluster programme",
        ours=lambda: lambda: _core.cluster_ends(vectors(600).data, MAX_PIECES),
        twin=lambda: lambda: group_ends(vectors(600) @ vectors(600).T, MAX_PIECES),
    ),
    HotPath(
        name="windowed cosine discontinuity",
        ours=our_discontinuity,
        twin=lambda: naive_discontinuity,
    ),
    HotPath(name="hybrid", ours=our_hybrid, twin=lambda: naive_hybrid),
    HotPath(name="search by words", ours=our_bm25, twin=lambda: naive_bm25),
    HotPath(name="search by vectors", ours=our_cosine, twin=lambda: naive_cosine),
)


SIDES = [
    pytest.param(path, make, id=f"{path.name.replace(' ', '-')}-{side}")
    for path in HOT_PATHS
    for side, make in (("chunkwright", path.ours), (path.by, path.twin))
]


@cache
def expected(path: HotPath) -> Any:
    """Return what the twin gives."""
    return path.twin()()


@pytest.mark.parametrize(("path", "make"), SIDES)
def test_hot_path(benchmark: Any, path: HotPath, make: Callable[[], Work]) -> None:
    benchmark.group = path.name
    wanted = expected(path)
    found = benchmark.pedantic(lambda work: work(), setup=lambda: ((make(),), {}), rounds=ROUNDS)
    if isinstance(wanted, np.ndarray):
        np.testing.assert_allclose(found, wanted, atol=1e-5)
    else:
        assert found == wanted
    assert (wanted if isinstance(wanted, int) else len(wanted)) > 1
