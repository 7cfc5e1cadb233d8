"""Matching of the blocks of two versions, held to counts, brute force and examples."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.store.identities import (
    SIMILAR,
    matched,
    occurrences,
    out_of_order,
    similarity,
    successors,
)
from chunkwright.store.model import Known

HASHES = st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=8)


def hashes(letters: str) -> list[bytes]:
    return [letter.encode() for letter in letters]


@given(HASHES, HASHES)
def test_as_many_are_matched_as_both_have(old: list[bytes], new: list[bytes]) -> None:
    pairs = matched(old, new)
    assert len(set(pairs.values())) == len(pairs)
    assert all(new[number] == old[i] for number, i in pairs.items())
    assert Counter(new[number] for number in pairs) == Counter(old) & Counter(new)


@given(HASHES)
def test_the_same_texts_are_matched_in_order(old: list[bytes]) -> None:
    assert matched(old, old) == {i: i for i in range(len(old))}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # Between the same two neighbours stands the same one of equal texts.
        ("axbxc", "axxbxc", {0: 0, 1: 1, 3: 2, 4: 3, 5: 4}),
        ("axbxc", "abxc", {0: 0, 1: 2, 2: 3, 3: 4}),
        ("xaxb", "axb", {0: 1, 1: 2, 2: 3}),
        # What has moved is matched where it stands now.
        ("abc", "cab", {0: 2, 1: 0, 2: 1}),
        ("xab", "abx", {0: 1, 1: 2, 2: 0}),
        ("", "ab", {}),
        ("ab", "", {}),
    ],
)
def test_equal_texts_are_told_apart_by_what_is_around_them(
    old: str, new: str, expected: dict[int, int]
) -> None:
    assert matched(hashes(old), hashes(new)) == expected


@given(st.permutations(range(7)))
def test_no_fewer_could_have_moved(order: list[int]) -> None:
    moved = out_of_order(dict(enumerate(order)))
    stay = [order[i] for i in range(len(order)) if i not in moved]
    assert stay == sorted(stay)
    longest = max(
        n for n in range(len(order) + 1) for some in combinations(order, n) if _ascends(some)
    )
    assert len(stay) == longest


def _ascends(numbers: tuple[int, ...]) -> bool:
    return all(before < after for before, after in pairwise(numbers))


@given(HASHES, HASHES)
def test_occurrences_are_the_smallest_that_are_free(old: list[bytes], new: list[bytes]) -> None:
    known = [Known("", each, 2 * i) for i, each in enumerate(old)]
    taken = {(each.content_hash, each.occurrence) for each in known}
    for each, number in zip(new, occurrences(known, new), strict=True):
        expected = next(i for i in range(99) if (each, i) not in taken)
        assert number == expected
        taken.add((each, number))


def test_each_text_is_followed_by_its_own() -> None:
    old = [f"The company Acme sells product {i} for {3 * i} dollars." for i in range(100)]
    new = [text.replace("Acme", "Zeta") for text in old]
    assert {i: number for i, (number, _) in successors(old, new, {}).items()} == {
        i: i for i in range(100)
    }


def test_what_follows_stands_between_the_same_texts() -> None:
    old = ["zero", "one two three", "four", "one two three four"]
    new = ["zero", "one two nine", "four", "one two three four five"]
    assert successors(old, new, {0: 0, 2: 2}) == {
        1: (1, similarity(old[1], new[1])),
        3: (3, similarity(old[3], new[3])),
    }


def test_nothing_follows_what_is_unlike_all() -> None:
    assert successors(["one two", "three"], ["four five", "six"], {}) == {}
    assert successors(["one two"], [], {}) == {}


WORDS = st.lists(st.sampled_from(["rain", "sun", "wind"]), max_size=6).map(" ".join)


@given(WORDS, WORDS)
def test_similarity_is_a_share_of_words(one: str, other: str) -> None:
    share = similarity(one, other)
    assert share == similarity(other, one)
    assert 0 <= share <= 1
    assert (share == 1) == (Counter(one.split()) == Counter(other.split()))


@given(st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=6))
def test_what_follows_is_new_and_alike(old: list[str], new: list[str]) -> None:
    pairs = matched([each.encode() for each in old], [each.encode() for each in new])
    for i, (number, share) in successors(old, new, pairs).items():
        assert i not in pairs.values()
        assert number not in pairs
        assert share == similarity(old[i], new[number]) >= SIMILAR
