"""Snippets: what is left of a reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.contextual.snippets import cleaned

TOKENIZER = cw.Tokenizer("cl100k_base")


@pytest.mark.parametrize(
    ("said", "snippet"),
    [
        ("On rain.", "On rain."),
        ("  On\r\n\train. \n", "On rain."),
        ("[On rain.]", "On rain."),
        ('[ "On rain." ]', "On rain."),
        ("“On rain.”", "On rain."),
        ("`On rain.`", "On rain."),
        ("[A] and [B]", "[A] and [B]"),
        ('"A" and "B"', '"A" and "B"'),
        ("It's ACME's", "It's ACME's"),
        ("[On rain", "[On rain"),
        ("[]", ""),
        ('[""]', ""),
        ('"', '"'),
        ("", ""),
        ("a \ud800 b", "a \ufffd b"),
        ("\x1b[31mOn\x00 it\x9b.", "[31mOn it ."),
    ],
)
def test_cleaned(said: str, snippet: str) -> None:
    assert cleaned(said, TOKENIZER, 100) == snippet


@given(st.text(), st.integers(1, 20))
def test_one_line_within_the_limit(said: str, most: int) -> None:
    snippet = cleaned(said, TOKENIZER, most)
    assert TOKENIZER.count(snippet) <= most
    assert snippet == " ".join(snippet.split())
    assert cleaned(snippet, TOKENIZER, most) in {snippet, snippet[1:-1].strip()}


def test_cut_exactly() -> None:
    assert cleaned("One two three four", TOKENIZER, 2) == "One two"
