"""Which hits count."""

import re
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from chunkwright.errors import ConfigError
from chunkwright.evaluation.scores.cutoffs import (
    KINDS,
    MIN_CAP,
    Cutoff,
    depth,
    hits_within,
    metric_name,
    n_taken,
    parse,
)


@dataclass
class Found:
    """Hits of some questions."""

    offsets: NDArray[np.int64]
    indices: NDArray[np.int64]


def found(lists: list[list[int]]) -> Found:
    flat = [hit for hits in lists for hit in hits]
    offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return Found(offsets, np.array(flat, dtype=np.int64))


def naive(cutoff: Cutoff, hits: list[int], n_tokens: list[int], holding: int) -> list[int]:
    """Return the hits that count, one after another."""
    if isinstance(cutoff, int):
        return hits[:cutoff]
    if cutoff == "min":
        return hits[: min(holding, MIN_CAP)]
    left = int(cutoff.removesuffix("t"))
    taken = []
    for hit in hits:
        left -= n_tokens[hit]
        if left < 0:
            break
        taken.append(hit)
    return taken


CUTOFFS = st.one_of(st.integers(1, 30), st.just("min"), st.integers(1, 400).map(lambda n: f"{n}t"))


@given(st.data())
def test_hits_that_count_are_those_taken_one_by_one(data: st.DataObject) -> None:
    n_tokens = data.draw(st.lists(st.integers(0, 60), min_size=1, max_size=30))
    hit = st.integers(0, len(n_tokens) - 1)
    lists = data.draw(st.lists(st.lists(hit, max_size=30), max_size=6))
    holding = [data.draw(st.integers(0, 40)) for _ in lists]
    tokens, holders = np.array(n_tokens), np.array(holding, dtype=np.int64)
    for cutoff in data.draw(st.lists(CUTOFFS, min_size=1, max_size=4)):
        offsets, indices = hits_within(cutoff, found(lists), tokens, holders)
        taken = np.split(indices, offsets[1:-1]) if lists else []
        expected = [
            naive(cutoff, hits, n_tokens, n) for hits, n in zip(lists, holding, strict=True)
        ]
        assert [part.tolist() for part in taken] == expected
        assert offsets.dtype == indices.dtype == np.int64
        for hits, n, own in zip(lists, holding, expected, strict=True):
            assert n_taken(cutoff, [n_tokens[i] for i in hits], n) == len(own)


@given(
    st.lists(st.integers(1, 60), max_size=30),
    st.lists(st.integers(0, 40), max_size=5),
    st.lists(CUTOFFS, max_size=4),
    st.randoms(use_true_random=False),
)
def test_no_cutoff_takes_more_hits_than_the_depth(
    n_tokens: list[int], holding: list[int], cutoffs: list[Cutoff], random: object
) -> None:
    chunks = list(range(len(n_tokens)))
    random.shuffle(chunks)  # type: ignore[attr-defined]
    deepest = depth(cutoffs, np.array(n_tokens, dtype=np.int64), np.array(holding, dtype=np.int64))
    taken = [naive(cutoff, chunks, n_tokens, n) for cutoff in cutoffs for n in holding]
    assert max(map(len, taken), default=0) <= deepest <= len(n_tokens)


def test_depth_is_reached() -> None:
    tokens, holding = np.array([10, 50, 10, 90]), np.array([1, 3])
    assert depth((2,), tokens, holding) == 2
    assert depth((2, "min"), tokens, holding) == 3
    assert depth(("70t",), tokens, holding) == 3
    assert depth((5,), tokens, holding) == 4  # there are no more chunks


def test_a_budget_ends_at_the_first_hit_that_does_not_fit() -> None:
    assert n_taken("100t", [60, 50, 10], holding=0) == 1
    assert n_taken("100t", [60, 40, 0, 1], holding=0) == 3
    assert n_taken("100t", [101, 1], holding=0) == 0


def test_min_is_capped() -> None:
    assert n_taken("min", [1] * 50, holding=3) == 3
    assert n_taken("min", [1] * 50, holding=40) == MIN_CAP == 20
    assert n_taken("min", [1] * 50, holding=0) == 0


def test_cutoffs_have_one_form() -> None:
    assert parse(5) == (5,)
    assert parse("500t") == ("500t",)
    assert parse(["5", np.int64(10), "min"]) == (5, 10, "min")  # type: ignore[list-item]
    assert [metric_name(kind, "min") for kind in KINDS] == [
        "recall@min",
        "precision@min",
        "iou@min",
    ]


@pytest.mark.parametrize(
    "cutoff", [0, -3, True, 2.0, "", "t", "0t", "05t", "5 t", "max", "-1", "٣", 10**18, None]
)
def test_what_is_no_cutoff_is_named(cutoff: Cutoff) -> None:
    with pytest.raises(ConfigError, match=f"got {re.escape(repr(cutoff))}"):
        parse([cutoff])
    with pytest.raises(ConfigError, match=f"got {re.escape(repr(cutoff))}"):
        parse(cutoff)


def test_cutoffs_are_named_that_stand_there_twice_or_not_at_all() -> None:
    with pytest.raises(ConfigError, match="'min' is given twice"):
        parse(["min", 5, "min"])
    with pytest.raises(ConfigError, match="cutoff 5 is given twice"):
        parse([5, "5"])
    with pytest.raises(ConfigError, match="at least one"):
        parse([])


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ConfigError, match="unknown kind of score 'recal': did you mean 'recall'"):
        metric_name("recal", 5)  # type: ignore[arg-type]
