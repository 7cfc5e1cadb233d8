"""Sentences in dicts with their windows and distances, as two peers that embed them hold them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from chunkwright import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Sentences = list[dict[str, Any]]
"""Sentences as the peers hold them: dicts of a sentence, its number, and what is known about it."""


def numbered(texts: Sequence[str]) -> Sentences:
    """Return texts as the peers hold them."""
    return [{"sentence": text, "index": i} for i, text in enumerate(texts)]


def combine_sentences(sentences: Sentences, buffer_size: int = 1) -> Sentences:
    """Join each sentence with its neighbours, by blanks.

    Parameters
    ----------
    sentences
        Dicts with ``"sentence"``; each gets ``"combined_sentence"``.
    buffer_size
        How many neighbours on each side; under one means none.

    Returns
    -------
    list of dict
        The list that was given.
    """
    texts = [each["sentence"] for each in sentences]
    reach = max(buffer_size, 0)
    for i, each in enumerate(sentences):
        each["combined_sentence"] = " ".join(texts[max(i - reach, 0) : i + reach + 1])
    return sentences


def neighbour_distances(vectors: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Return the cosine distance of each vector to the next, in their precision.

    To a vector of zeros it is 1.

    Raises
    ------
    ModelError
        If a value is not finite: names it and its row.
    """
    import numpy as np

    return np.array(_core.neighbour_distances(vectors.data), dtype=vectors.dtype)


def with_distances(
    sentences: Sentences, distances: NDArray[np.floating[Any]]
) -> tuple[list[Any], Sentences]:
    """Note with each sentence but the last how far the next one is; return both as lists."""
    numbers = list(distances)
    for each, distance in zip(sentences, numbers, strict=False):
        each["distance_to_next"] = distance
    return numbers, sentences


def joined(sentences: Sequence[str], ends: Iterable[int]) -> list[str]:
    """Join the sentences up to each end, from the end before it, by blanks."""
    return [" ".join(sentences[start:end]) for start, end in pairwise([0, *ends])]
