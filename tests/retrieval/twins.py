"""Steps of retrieval by NumPy, slowly and in double precision."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Rows = NDArray[np.float64]


def with_subwords(words: Sequence[str], kind: str | None) -> list[str]:
    """Words of letters, each with its subwords behind it; a mark is part of its letter."""
    made = []
    for word in words:
        letters: list[str] = []
        for char in word.casefold():
            if unicodedata.combining(char):
                letters[-1] += char
            else:
                letters.append(char)
        made.append("".join(letters))
        if kind == "prefix" and len(letters) > 5:
            made.append("".join(letters[:5]) + "*")
        if kind == "4-grams" and len(letters) > 4:
            made += ["".join(letters[i : i + 4]) + "*" for i in range(len(letters) - 3)]
    return made


def units(rows: Any) -> Rows:
    """Rows at unit length; zeros stay zeros."""
    wide: Rows = np.asarray(rows, np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    return wide / np.where(norms > 0, norms, 1)


def cosine(vectors: Any, queries: Any) -> Rows:
    return units(queries) @ units(vectors).T


def kernel(doc_ids: Sequence[Any], n_tokens: Sequence[int], reach: float) -> Rows:
    """What chunk j (column) gives chunk i (row)."""
    n = len(doc_ids)
    ends = np.cumsum(n_tokens)
    middles = ends - np.asarray(n_tokens) / 2
    given = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            between = doc_ids[min(i, j) : max(i, j) + 1]
            if i != j and len(set(between)) == 1:
                given[i, j] = np.exp(-abs(middles[i] - middles[j]) / reach)
    return given * np.clip((300 - np.asarray(n_tokens)) / 150, 0, 1)[:, None]


def smooth(vectors: Any, given: Rows, weight: float) -> Rows:
    own = units(vectors)
    leant = units(own + weight * given @ own)
    return np.where(own.any(axis=1, keepdims=True), leant, 0.0)


def top_k(scores: Any, k: int, texts: Sequence[str] | None = None) -> list[list[int]]:
    """Numbers of the best, each text once."""
    best = []
    for row in np.asarray(scores):
        order = [int(i) for i in np.argsort(-row, kind="stable")]
        if texts is not None:
            order = list({texts[i]: i for i in reversed(order)}.values())[::-1]
            order.sort(key=lambda i: (-row[i], i))
        best.append(order[:k])
    return best


@st.composite
def chunks(draw: st.DrawFn, least: int = 0) -> tuple[list[str], list[int]]:
    """Documents and sizes of chunks, each document in one piece."""
    counts = draw(st.lists(st.integers(1, 5), min_size=least, max_size=4))
    doc_ids = [name for name, n in zip("abcd", counts, strict=False) for _ in range(n)]
    return doc_ids, draw(
        st.lists(st.integers(0, 400), min_size=len(doc_ids), max_size=len(doc_ids))
    )


@st.composite
def rows(draw: st.DrawFn, n: int, n_dims: int) -> NDArray[np.floating[Any]]:
    """Vectors or scores, some of zeros, some equal, of either precision."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    made = rng.standard_normal((n, n_dims)) * rng.choice([1.0, 1e-3, 50.0], (n, 1))
    if draw(st.booleans()):
        made = np.round(made)
    made[rng.random(n) < 0.1] = 0
    precision = np.dtype(draw(st.sampled_from(["float32", "float64"])))
    typed: NDArray[np.floating[Any]] = made.astype(precision)
    return typed
