"""Texts, separators and options that hypothesis puts together for LangChain's splitters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

PARTS = [
    "a", "b", "aa", "ab", "word", "Word.", "1", "22", "a1b2", "x", ",", ".", "|", "+", "(", "{",
    " ", "  ", "\n", "\n\n", "\n\n\n\n", "\t", "\r\n", "\r", "\v", "\f", "\0", "\x1c", "\x1f", "$",
    "\x85", "\xa0", "\u2028", "\u3000", "é", "e\u0301", "漢", "字", "🚀", "\ud800", "\udc00",
    "\ufffd", "\n# ", "\n## ", "```\n", "\n---\n", "$$", "\\", "\nclass ", "\n\tdef ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=50).map("".join)

LITERALS = [
    "\n\n", "\n", " ", "", ",", ".", "ab", "aa", "a", "\r\n", "漢", "字🚀", "|", "+", "(", "$",
    "\ud800", "\ufffd", "\x1c", "\xa0", "\t", "\\", "wo", "  ", "\n\n\n",
]  # fmt: skip
PATTERNS = [
    r"\s+", r"\d", r"(\d)", r"(\d)(\d)?", r"(a)|(b)", r"(?=a)", r"(?!a)", r"(?<=\n)", r"(?<!\n)",
    r"\b", r"^", r"$", r"\Z", r"x*", r"x*?", r"(?i)A", r"(?i:A)", "[", "(", "a)|(b", r"\n+",
    r"(a)\1", r"(?P<q>a)(?P=q)", "a|b", r"\.", r"\n#{1,6} ", "a{2}", "a{", "a{,}", "a{2,}", "{}",
    "{1}", "a{b}", "", "|", r"\\", "\\", r"(?s).", r"\n", "\n", " ", r"\ ", r"(?:\n)(?!\n)", "-",
    "(?#c)a", "[ab]", "]", "}", r"((a)|(1))", r"(?(1)a|b)", r"\1", "a++", r"\x20", r"\N{SPACE}",
    r"(?x) a #b", "é", "漢|字", "\ufffd", "\ud800",
]  # fmt: skip


def words(text: str) -> int:
    return len(text.split())


def tenths(text: str) -> float:
    return len(text) * 0.1


def fussy(text: str) -> int:
    if "x" in text:
        raise LookupError(f"no x, please: {text!r}")
    return len(text)


Length = Callable[[str], Any]
LENGTHS: list[Length] = [
    len, words, tenths, fussy,
    lambda text: len(text) - 3, lambda text: len(text.encode("utf-8", "surrogatepass")),
    lambda _: 0, lambda _: 1, lambda _: 7, lambda _: -1, lambda _: 2**80, lambda _: -(2**80),
    lambda _: float("nan"), lambda _: float("inf"), lambda _: None, lambda text: text,
    lambda text: np.int64(len(text)), lambda text: np.float64(len(text)),
    lambda text: Fraction(len(text), 4), lambda text: Decimal(len(text)),
    lambda text: len(text) > 1,
]  # fmt: skip

KEEPS = st.sampled_from([False, True, "start", "end", None, 1, "odd"])


@st.composite
def limits(draw: st.DrawFn, most: int = 30) -> dict[str, int]:
    """A size and an overlap that goes with it."""
    size = draw(st.integers(1, most))
    return {"chunk_size": size, "chunk_overlap": draw(st.integers(0, size))}


@st.composite
def options(draw: st.DrawFn, lengths: Sequence[Length] = LENGTHS) -> dict[str, Any]:
    """What every splitter takes."""
    return {
        **draw(limits()),
        "length_function": draw(st.sampled_from([len, len, *lengths])),
        "keep_separator": draw(KEEPS),
        "strip_whitespace": draw(st.booleans()),
    }


def separators(pool: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(pool), max_size=5)
