"""Near-duplicates: compared with all pairs, deterministic, bounded; the core tests the recall."""

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.store.duplicates import (
    Link,
    candidates,
    groups,
    near_duplicates,
    signatures,
    similarity,
)
from tests.support.texts import WITH_SURROGATES

WORDS = ["rain", "river", "dam", "flood", "valley", "bank", "night"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def exact(first: str, second: str) -> float:
    sets = []
    for words in (first.split(), second.split()):
        n = min(3, len(words))
        sets.append({tuple(words[i : i + n]) for i in range(len(words) - n + 1)} if n else set())
    both, either = sets[0] & sets[1], sets[0] | sets[1]
    return len(both) / len(either) if either else 0.0


@given(st.lists(TEXT, max_size=12), st.floats(0.1, 1))
def test_links_are_verified_and_equal_texts_are_linked(texts: list[str], threshold: float) -> None:
    links = near_duplicates(texts, threshold=threshold)
    for first, second, how in links:
        assert how == similarity(texts[first], texts[second]) == exact(texts[first], texts[second])
        assert how >= threshold
    of = {i: group for group in groups(links) for i in group}
    for i, k in combinations(range(len(texts)), 2):
        assert not (exact(texts[i], texts[k]) == 1 and of.get(i) is not of.get(k, of))


@given(st.lists(WITH_SURROGATES, max_size=5))
def test_any_text_may_be_compared(texts: list[str]) -> None:
    made = signatures([*texts, *texts])
    assert {len(signature) for signature in made} <= {512}
    pairs = candidates(made, first_new=len(texts))
    for i, text in enumerate(texts):
        assert ((i, i + len(texts)) in pairs) == (similarity(text, text) == 1)


def test_new_texts_are_linked_with_known_ones() -> None:
    rng = random.Random(1)
    known = [" ".join(rng.choices(WORDS, k=60)) for _ in range(50)]
    new = [text.replace("dam", "weir", 1) for text in known[:20]] + ["nothing like it at all"]
    pairs = candidates([*signatures(known), *signatures(new)], threshold=0.6, first_new=50)
    texts = known + new
    found = {(i, k) for i, k in pairs if similarity(texts[i], texts[k]) >= 0.6}
    assert {(i, 50 + i) for i in range(20)} <= found
    assert all(k >= 50 for _, k in pairs)


def test_groups_hold_what_is_linked() -> None:
    links = [Link(0, 3, 1.0), Link(1, 4, 0.9), Link(3, 5, 0.8), Link(4, 5, 0.8), Link(6, 7, 1.0)]
    assert groups(links) == [[0, 1, 3, 4, 5], [6, 7]]
    assert groups([]) == []


def test_many_equal_texts_have_few_links() -> None:
    assert len(near_duplicates(["the dam broke in the night"] * 2000)) == 1999


@pytest.mark.parametrize("threshold", [0, -1, 1.5, float("nan"), "0.8"])
def test_thresholds_are_checked(threshold: float) -> None:
    with pytest.raises(cw.ConfigError) as caught:
        near_duplicates(["a", "b"], threshold=threshold)
    assert caught.value.option == "threshold"


def test_arguments_are_checked() -> None:
    with pytest.raises(cw.ConfigError, match="texts must be several str"):
        near_duplicates("a text")
    with pytest.raises(cw.ConfigError, match="signature 1 must have 512 bytes, got 3"):
        candidates([bytes(512), b"abc"])
