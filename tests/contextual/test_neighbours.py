"""Neighbours of chunks: as many as fit, the nearest first, counted exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.contextual.neighbours import Around, Neighbourhood

TOKENIZERS = [
    cw.Tokenizer("cl100k_base"),
    cw.Tokenizer("bytes"),
    cw.Tokenizer(lambda text: len(text) // 3 + bool(text)),
]
TEXTS = st.lists(st.text("aB é 字.\n", min_size=1, max_size=20), min_size=1, max_size=9)


@given(TEXTS, st.integers(0, 4), st.integers(0, 60), st.sampled_from(TOKENIZERS))
def test_within_the_limit_and_nearest(
    texts: list[str], n: int, most: int, tokenizer: cw.Tokenizer
) -> None:
    neighbourhood = Neighbourhood(texts, n=n, max_tokens=most, tokenizer=tokenizer)
    for i in range(len(texts)):
        around = neighbourhood.around(i)
        before = "\n\n".join(texts[max(0, i - n) : i])
        after = "\n\n".join(texts[i + 1 : i + 1 + n])
        assert before.endswith(around.before)
        assert after.startswith(around.after)
        assert sum(map(tokenizer.count, filter(None, around))) <= most
        if sum(map(tokenizer.count, filter(None, (before, after)))) <= most:
            assert around == Around(before, after)
        elif i and n and tokenizer.count(texts[i - 1]) <= most:
            assert around.before.endswith(texts[i - 1])


def test_what_is_left_out_first() -> None:
    texts = [f"Text number {i} of nine." for i in range(9)]

    def around(most: int) -> Around:
        tokenizer = cw.Tokenizer("cl100k_base")
        return Neighbourhood(texts, n=2, max_tokens=most, tokenizer=tokenizer).around(4)

    each = cw.count_tokens(texts[0])
    whole = around(1000)
    assert whole == Around(f"{texts[2]}\n\n{texts[3]}", f"{texts[5]}\n\n{texts[6]}")
    assert around(cw.count_tokens(whole.before) + cw.count_tokens(whole.after)) == whole
    assert around(each) == Around(texts[3], "")
    assert around(2 * each) == Around(texts[3], texts[5])
    # Words stay whole.
    assert around(2 * each + 4) == Around(f"2 of nine.\n\n{texts[3]}", texts[5])
    three = cw.count_tokens(whole.before) + each
    assert around(three) == Around(whole.before, texts[5])
    assert around(three + 3) == Around(whole.before, f"{texts[5]}\n\nText number")


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_a_long_word_is_cut_inside(tokenizer: cw.Tokenizer) -> None:
    neighbourhood = Neighbourhood(
        ["a" * 500, "b", "c" * 500], n=1, max_tokens=10, tokenizer=tokenizer
    )
    around = neighbourhood.around(1)
    assert around.before
    assert set(around.before) == {"a"}


def test_special_tokens_are_counted() -> None:
    # A tokenizer that adds tokens to each text counts some for an empty one, too.
    tokenizer = cw.Tokenizer(lambda text: len(text) + 2)
    texts = ["abc", "def", "ghi"]
    for most in range(15):
        around = Neighbourhood(texts, n=1, max_tokens=most, tokenizer=tokenizer).around(1)
        assert sum(map(tokenizer.count, filter(None, around))) <= most
