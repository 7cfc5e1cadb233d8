"""Chroma's two chunkers over vectors as they are described, without a thought for speed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import tiktoken
from numpy.typing import NDArray

from .chroma_naive import Length, RecursiveTokenChunker

Function = Callable[[list[str]], Any]
Matrix = NDArray[np.floating[Any]]


def cl100k(text: str) -> int:
    return len(tiktoken.get_encoding("cl100k_base").encode(text, disallowed_special=()))


class ClusterSemanticChunker:
    """Groups of pieces whose similarities exceed the mean by as much as possible."""

    def __init__(
        self,
        embedding_function: Function,
        max_chunk_size: int = 400,
        min_chunk_size: int = 50,
        length_function: Length = cl100k,
    ) -> None:
        del length_function
        self.function, self.most = embedding_function, max_chunk_size // min_chunk_size
        self.splitter = RecursiveTokenChunker(min_chunk_size, 0, length_function=cl100k)

    def split_text(self, text: str) -> list[str]:
        pieces = self.splitter.split_text(text)
        vectors = embedded(self.function, pieces)
        return joined(pieces, group_ends(vectors @ vectors.T, self.most))


class KamradtModifiedChunker:
    """Cuts where neighbours differ by more than a threshold that is searched by halving."""

    def __init__(
        self,
        avg_chunk_size: int = 400,
        min_chunk_size: int = 50,
        embedding_function: Any = None,
        length_function: Length = cl100k,
    ) -> None:
        self.function, self.average = embedding_function, avg_chunk_size
        self.length = length_function
        self.splitter = RecursiveTokenChunker(min_chunk_size, 0, length_function=length_function)

    def split_text(self, text: str) -> list[str]:
        pieces = self.splitter.split_text(text)
        windows = [" ".join(pieces[max(0, i - 3) : i + 4]) for i in range(len(pieces))]
        vectors = embedded(self.function, windows)
        with np.errstate(invalid="ignore"):
            unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            alike = unit @ unit.T
        gaps = np.array([1 - alike[i, i + 1] for i in range(len(pieces) - 1)])
        cuts = sum(map(self.length, pieces)) // self.average
        over = gaps > last_threshold(gaps, cuts)
        return joined(pieces, [*(i + 1 for i in range(len(gaps)) if over[i]), len(pieces)])


def embedded(function: Function, texts: list[str]) -> Matrix:
    batches = [np.array(function(texts[i : i + 500])) for i in range(0, len(texts), 500)]
    return np.concatenate(batches)


def joined(pieces: list[str], ends: list[int]) -> list[str]:
    return [" ".join(pieces[start:end]) for start, end in pairwise([0, *ends])]


def last_threshold(gaps: Matrix, cuts: int) -> float:
    below, above, middle = 0.0, 1.0, 0.5
    while above - below > 1e-6:
        middle = (above + below) / 2
        below, above = (middle, above) if (gaps > middle).sum() > cuts else (below, middle)
    return middle


def group_ends(alike: Any, most: int) -> list[int]:
    """One past each group's last piece; ``alike`` may hold floats or, to be exact, fractions."""
    n = len(alike)
    if n == 1:
        return [1]
    gain = alike - alike[np.triu_indices(n, 1)].mean()
    np.fill_diagonal(gain, 0)
    best: list[Any] = [0] * n
    first = [0] * n
    for last in range(n):
        for start in range(last, max(last - most, -1), -1):
            worth = gain[start : last + 1, start : last + 1].sum() + (best[start - 1] * (start > 0))
            if worth > best[last]:
                best[last], first[last] = worth, start
    ends = [n]
    while first[ends[-1] - 1]:
        ends.append(first[ends[-1] - 1])
    return ends[::-1]


def worth_of(alike: Any, most: int, ends: list[int]) -> Any:
    """What the programme counts for these groups; those it cannot make have no worth."""
    n = len(alike)
    gain = alike - alike[np.triu_indices(n, 1)].mean()
    np.fill_diagonal(gain, 0)
    total: Any = 0
    for start, end in pairwise([0, *ends]):
        worth = gain[start:end, start:end].sum()
        if start == 0:
            # It starts at nothing: a first group is never worth less, however long.
            total += max(worth, 0) if end <= most else 0
        else:
            assert end - start <= most
            total += worth
    return total
