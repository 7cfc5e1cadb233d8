"""Megabytes of one letter or of blanks, and giant separators: the laws hold, in time."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws
from tests.support.examples import n_examples
from tests.support.mostly_slow import mostly_slow

STRATEGIES = ["balanced", "recursive", "sentence", "window"]
N_CHARS = 1_000_000
SEED = 20_261_122
UNITS = [
    "a",
    " ",
    "\n",
    "\t",
    "0",
    ".",
    "=",
    "ab",
    "=-",
    " \n",
    "\r\n",
    "\u00a0",
    "é",
    "漢",
    "\u0301",
]
SLOW = 20


@pytest.mark.cpu_seconds(SLOW)
@pytest.mark.parametrize(
    ("unit", "strategy"), mostly_slow(product(UNITS, STRATEGIES), quick=19), ids=ascii
)
def test_megabytes_of_one_unit(unit: str, strategy: Any) -> None:
    text = unit * (N_CHARS // len(unit))
    options: dict[str, Any] = {"max_tokens": 512, "tokenizer": "cl100k_base", "overlap": 0}
    chunks = cw.chunk(text, strategy, **options)
    laws.bodies_cover_the_text(text, chunks)
    laws.limits_hold(chunks, options)
    assert bool(chunks) == bool(text.strip())


@st.composite
def runs(draw: st.DrawFn) -> str:
    """Make a text of long runs, some of them with a word between."""
    units = draw(st.lists(st.sampled_from([*UNITS, "word", "[];\n"]), min_size=1, max_size=4))
    dice = random.Random(draw(st.integers(0, 2**32)))
    longest = draw(st.sampled_from([20, 300, 2_000]))
    return "".join(dice.choice(units) * dice.randint(1, longest) for _ in range(12))


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
@settings(max_examples=n_examples(0.3))
@given(text=runs())
def test_runs_are_counted_as_tiktoken_counts_them(encoding: str, text: str) -> None:
    tiktoken = pytest.importorskip("tiktoken")
    try:
        peer = tiktoken.get_encoding(encoding)
    except OSError as error:  # it would have to be downloaded
        pytest.skip(str(error))
    # tiktoken's own time is quadratic in a run.
    text = text[:6_000]
    tokenizer = cw.Tokenizer(encoding)
    assert tokenizer.encode(text) == peer.encode_ordinary(text)
    index = tokenizer.index(text)
    for start in range(0, len(text), 997):
        end = min(len(text), start + 1_234)
        assert index.count(start, end) == len(peer.encode_ordinary(text[start:end]))


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=n_examples(0.2))
@given(text=runs(), limit=st.integers(1, 600), overlap=st.booleans())
def test_laws_over_runs(strategy: Any, text: str, limit: int, *, overlap: bool) -> None:
    options: dict[str, Any] = {"max_tokens": limit, "tokenizer": "cl100k_base"}
    options["overlap"] = limit // 3 if overlap else 0
    laws.hold(text, cw.chunk(text, strategy, **options), options)


@pytest.mark.cpu_seconds(SLOW)
@pytest.mark.parametrize("behind", ["", "c"], ids=["found", "sought"])
@pytest.mark.parametrize("keep", ["start", "end", "drop"])
def test_separators_of_thousands_of_bytes(keep: Any, behind: str) -> None:
    separator = cw.Separator("ab" * 5_000 + behind, keep=keep)
    text = "ab" * 500_000
    options: dict[str, Any] = {"max_tokens": 99, "tokenizer": "bytes", "overlap": 0}
    chunks = cw.chunk(text, "recursive", separators=[separator], **options)
    laws.limits_hold(chunks, options)
    assert "".join(chunks.texts()) in text
    if behind:
        assert "".join(chunks.texts()) == text


@settings(max_examples=n_examples(0.5))
@given(
    parts=st.lists(st.sampled_from(["MARK", "ab", "a", "one two ", "\n"]), max_size=40),
    keep=st.sampled_from(["start", "end", "drop"]),
    unit=st.sampled_from(["abc", "-", "one "]),
    limit=st.integers(1, 900),
)
def test_long_separators_are_found_as_patterns_are(
    parts: list[str], keep: Any, unit: str, limit: int
) -> None:
    mark = "x" + unit * 60 + "y"
    text = "".join(parts).replace("MARK", mark)
    plain = cw.Separator(mark, keep=keep)
    pattern = cw.Separator(re.escape(mark), keep=keep, regex=True)
    texts = [
        cw.chunk(text, max_chars=limit, separators=[separator, " "]).texts()
        for separator in (plain, pattern)
    ]
    assert texts[0] == texts[1]


BLANKS = st.sampled_from(
    [" ", "\n", "\t", "\r\n", "\u3000", " \n", "\n ", "!\n", "/", "a", " b", "1"]
)


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
@given(st.lists(st.tuples(BLANKS, st.integers(1, 120)), min_size=1, max_size=6), st.data())
def test_spans_of_lines_without_words(
    encoding: str, parts: list[tuple[str, int]], data: st.DataObject
) -> None:
    """Where whitespace ends is told by the pre-token behind, which a span may cut off."""
    text = "".join(unit * n for unit, n in parts)
    import tiktoken

    peer, index = tiktoken.get_encoding(encoding), cw.Tokenizer(encoding).index(text)
    for _ in range(5):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert index.count(start, end) == len(peer.encode_ordinary(text[start:end]))
