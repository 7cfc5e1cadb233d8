"""Where the semantic strategies knowingly differ from what they are after."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core
from chunkwright.compat.langchain_experimental import SemanticChunker

SEEDS = st.integers(0, 2**32 - 1)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def turned(*angles: float) -> Any:
    """Gives the texts of each call vectors that point there."""

    def embed(texts: list[str]) -> Any:
        assert len(texts) == len(angles)
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles])

    return embed


def sentences(n: int) -> str:
    return " ".join(f"{letter}a!" for letter in ALPHABET[:n])


def random(seed: int, d: int = 4) -> Any:
    return lambda texts: np.random.default_rng(seed).standard_normal((len(texts), d))


def test_noise_is_no_distance() -> None:
    embedder = turned(0, 1, 2 + 1e-8)
    langchain = SemanticChunker(embedder, buffer_size=0, breakpoint_threshold_amount=0)
    assert langchain.split_text("One. Two. Three.") == ["One. Two.", "Three."]
    kamradt = cw.Kamradt(max_chars=100, embedder=embedder, window=0, amount=0)
    assert kamradt("One. Two. Three.").texts() == ["One. Two. Three."]
    more = cw.Kamradt(max_chars=100, embedder=turned(0, 1, 2 + 1e-5), window=0, amount=0)
    assert more("One. Two. Three.").texts() == ["One. Two.", "Three."]


def test_two_sentences_have_no_gradient() -> None:
    embedder = turned(0, 3)
    langchain = SemanticChunker(embedder, breakpoint_threshold_type="gradient")
    assert langchain.split_text("One. Two.") == ["One.", "Two."]
    kamradt = cw.Kamradt(max_chars=100, embedder=embedder, threshold="gradient", amount=0)
    assert kamradt("One. Two.").texts() == ["One. Two."]


def test_over_the_limit_the_largest_distance_cuts() -> None:
    embedder = turned(0, 0.1, 0.9, 1.0, 1.1, 1.2)
    kamradt = cw.Kamradt(max_chars=15, soft_max=7, embedder=embedder, window=0, amount=100)
    chunks = kamradt("Aa. " * 6)
    assert chunks.texts() == ["Aa. Aa.", "Aa. Aa. Aa. Aa."]
    assert chunks.reasons == ["limit", "end"]


def test_the_least_size_is_that_of_the_text() -> None:
    embedder, text = turned(0, 0, 1, 1), "Aa.\n\n\n\nBb. Cc. Dd."
    langchain = SemanticChunker(embedder, buffer_size=0, min_chunk_size=10)
    assert langchain.split_text(text) == ["Aa. Bb. Cc. Dd."]
    options: dict[str, Any] = {"max_chars": 100, "embedder": embedder, "window": 0}
    assert cw.Kamradt(min_size=10, **options)(text).texts() == ["Aa.\n\n\n\nBb.", "Cc. Dd."]
    assert cw.Kamradt(min_size=11, **options)(text).texts() == [text]


@given(st.integers(2, 26), SEEDS, st.integers(1, 90))
def test_no_more_cuts_than_are_wanted(n: int, seed: int, size: int) -> None:
    options: dict[str, Any] = {"embedder": random(seed), "window": 0, "target_size": size}
    text = sentences(n)
    chunks = cw.KamradtModified(max_chars=1000, piece_max=3, **options)(text)
    scores = np.array(chunks.boundaries.scores)  # type: ignore[union-attr]
    wanted = len(text) // size
    strongest = np.sort(scores)[::-1]
    assume(np.diff(strongest).max(initial=-1) < -1e-5)  # no ties
    # No two pieces are alike, so each one that is wanted is made, distances over 1 or not.
    assert len(chunks) - 1 == min(wanted, n - 1)
    assert sorted(chunks.scores[:-1]) == sorted(strongest[:wanted])


@given(st.integers(2, 26), SEEDS, st.integers(3, 90))
def test_the_largest_chunk_has_the_target_size(n: int, seed: int, size: int) -> None:
    options: dict[str, Any] = {"embedder": random(seed), "window": 0, "target_size": size}
    text = sentences(n)
    chunks = cw.KamradtModified(max_chars=1000, piece_max=3, target="max", **options)(text)
    assert max(map(len, chunks.texts())) <= size
    assert set(chunks.reasons) <= {"score", "end"}


@pytest.mark.parametrize("limit", [10, 20, 50])
def test_a_cluster_is_within_the_limit_where_the_programs_is_not(limit: int) -> None:
    unlike: Any = np.eye(26)
    assert _core.cluster_ends(unlike, limit // 3) == [26]
    chunks = cw.Cluster(max_chars=limit, piece_max=3, embedder=lambda _: unlike)(sentences(26))
    assert max(map(len, chunks.texts())) <= limit
