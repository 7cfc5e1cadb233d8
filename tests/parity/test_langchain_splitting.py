"""`compat.langchain` gives what LangChain gives: chunks, errors and warnings."""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_pair import corpora, same

from chunkwright.compat.langchain import RecursiveCharacterTextSplitter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PARTS = [
    "a", "b", "aa", "ab", "word", "Word.", "1", "22", "a1b2", "x", ",", ".", "|", "+", "(", "{", "$",
    " ", "  ", "\n", "\n\n", "\n\n\n\n", "\t", "\r\n", "\r", "\v", "\f", "\0", "\x1c", "\x1d", "\x1f",
    "\x85", "\xa0", "\u2028", "\u3000", "é", "e\u0301", "漢", "字", "🚀", "\ud800", "\udc00", "\ufffd",
    "\n# ", "\n## ", "```\n", "\n---\n", "$$", "\\", "\nclass ", "\n\tdef ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=50).map("".join)

LITERALS = [
    "\n\n", "\n", " ", "", ",", ".", "ab", "aa", "a", "\r\n", "漢", "字🚀", "|", "+", "(", "$",
    "\ud800", "\ufffd", "\x1c", "\xa0", "\t", "\\", "wo", "  ", "\n\n\n",
]  # fmt: skip
PATTERNS = [
    r"\s+", r"\d", r"(\d)", r"(\d)(\d)?", r"(a)|(b)", r"(?=a)", r"(?!a)", r"(?<=\n)", r"(?<!\n)", r"\b",
    r"^", r"$", r"\Z", r"x*", r"x*?", r"(?i)A", r"(?i:A)", "[", "(", "a)|(b", r"\n+", r"(a)\1",
    r"(?P<q>a)(?P=q)", "a|b", r"\.", r"\n#{1,6} ", "a{2}", "a{", "a{,}", "a{2,}", "{}", "{1}", "a{b}", "",
    "|", r"\\", "\\", r"(?s).", r"\n", "\n", " ", r"\ ", r"(?:\n)(?!\n)", "(?#c)a", "[ab]", "]", "}", "-",
    r"((a)|(1))", r"(?(1)a|b)", r"\1", "a++", r"\x20", r"\N{SPACE}", r"(?x) a #b", "é", "漢|字",
]  # fmt: skip


def words(text: str) -> int:
    return len(text.split())


def tenths(text: str) -> float:
    return len(text) * 0.1


def less_three(text: str) -> int:
    return len(text) - 3


def fussy(text: str) -> int:
    if "x" in text:
        raise LookupError(f"no x, please: {text!r}")
    return len(text)


LENGTHS: list[Callable[[str], Any]] = [
    len, words, tenths, less_three, fussy,
    lambda text: len(text.encode("utf-8", "surrogatepass")),
    lambda _: 0, lambda _: 1, lambda _: 7, lambda _: -1, lambda _: 2**80, lambda _: -(2**80),
    lambda _: float("nan"), lambda _: float("inf"), lambda _: None, lambda text: text,
    lambda text: len(text) > 1, lambda text: Fraction(len(text), 4), lambda text: Decimal(len(text)),
    lambda text: np.int64(len(text)), lambda text: np.float64(len(text) / 2),
]  # fmt: skip

KEEPS = st.sampled_from([False, True, "start", "end", None, 1, "odd"])


@st.composite
def options(draw: st.DrawFn, lengths: list[Callable[[str], Any]] = LENGTHS) -> dict[str, Any]:
    size = draw(st.integers(1, 30))
    return {
        "chunk_size": size,
        "chunk_overlap": draw(st.integers(0, size)),
        "length_function": draw(st.sampled_from([len, len, *lengths])),
        "keep_separator": draw(KEEPS),
        "strip_whitespace": draw(st.booleans()),
    }


def separators(pool: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(pool), max_size=5)


@given(TEXTS, separators(LITERALS), options())
@example("aaa bbb ccc ddd\n\neee fff", [], {"chunk_size": 10, "chunk_overlap": 4})
@example(",a,b", [","], {"chunk_size": 2, "chunk_overlap": 0, "keep_separator": "end"})
@example("a\n\n\n\nb", ["\n\n"], {"chunk_size": 99, "chunk_overlap": 0, "keep_separator": False})
def test_recursive_with_literals(text: str, pool: list[str], kwargs: dict[str, Any]) -> None:
    same(lambda m: m.RecursiveCharacterTextSplitter(separators=pool, **kwargs).split_text(text))


@given(TEXTS, separators(PATTERNS), options())
@example("a1b2c", [r"(\d)"], {"chunk_size": 3, "chunk_overlap": 0})
@example("a1b22c", [r"\d+"], {"chunk_size": 9, "chunk_overlap": 0, "keep_separator": False})
def test_recursive_with_patterns(text: str, pool: list[str], kwargs: dict[str, Any]) -> None:
    kwargs = {**kwargs, "separators": pool, "is_separator_regex": True}
    same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text(text))


@given(TEXTS, st.sampled_from(LITERALS), options())
def test_character_with_a_literal(text: str, separator: str, kwargs: dict[str, Any]) -> None:
    same(lambda m: m.CharacterTextSplitter(separator=separator, **kwargs).split_text(text))


@given(TEXTS, st.sampled_from(PATTERNS), options())
@example("a1b", r"(\d)", {"chunk_size": 3, "chunk_overlap": 0, "keep_separator": "end"})
@example("a1b", r"(\d)", {"chunk_size": 3, "chunk_overlap": 0, "keep_separator": "start"})
def test_character_with_a_pattern(text: str, pattern: str, kwargs: dict[str, Any]) -> None:
    kwargs = {**kwargs, "separator": pattern, "is_separator_regex": True}
    same(lambda m: m.CharacterTextSplitter(**kwargs).split_text(text))


@given(
    st.text(max_size=60),
    st.lists(st.text(max_size=3), max_size=4),
    options(),
    st.booleans(),
)
def test_any_text_and_separators(
    text: str, pool: list[str], kwargs: dict[str, Any], is_regex: bool
) -> None:
    pool = [separator for separator in pool if not re.search(r"\[.*\[|--|&&|~~|\|\|", separator)]
    kwargs = {**kwargs, "separators": pool, "is_separator_regex": is_regex}
    same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text(text))


@given(TEXTS, options())
def test_markdown_python_and_latex(text: str, kwargs: dict[str, Any]) -> None:
    del kwargs["keep_separator"]
    for name in ("MarkdownTextSplitter", "PythonCodeTextSplitter", "LatexTextSplitter"):
        same(lambda m, name=name: getattr(m, name)(**kwargs).split_text(text))


@given(st.lists(st.sampled_from(PARTS), max_size=12), st.sampled_from(LITERALS), options())
def test_merging_as_subclasses_call_it(
    pieces: list[str], glue: str, kwargs: dict[str, Any]
) -> None:
    same(lambda m: m.CharacterTextSplitter(**kwargs)._merge_splits(pieces, glue))


def test_every_whitespace_character_is_stripped_as_python_does() -> None:
    text = "".join(f"{chr(c)}a{chr(c)}\n\n" for c in range(0x11000) if not 0xD800 <= c < 0xE000)
    kwargs = {"chunk_size": 3, "chunk_overlap": 0, "separators": ["\n\n"], "keep_separator": False}
    chunks = same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text(text * 2))
    kwargs["chunk_size"] = 4
    stripped = same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text(text))
    assert len(stripped) > 60_000
    assert len(chunks) == 2 * len(stripped)


def test_a_chunk_that_is_too_large_is_warned_of() -> None:
    kwargs = {"separator": " ", "chunk_size": 3, "chunk_overlap": 0}
    same(lambda m: m.CharacterTextSplitter(**kwargs).split_text("one three five"))


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [
        ("RecursiveCharacterTextSplitter", {"chunk_size": 1000, "chunk_overlap": 0}),
        ("RecursiveCharacterTextSplitter", {"chunk_size": 200, "chunk_overlap": 50}),
        ("RecursiveCharacterTextSplitter", {"chunk_size": 80, "keep_separator": False}),
        ("RecursiveCharacterTextSplitter", {"chunk_size": 100, "keep_separator": "end"}),
        ("RecursiveCharacterTextSplitter", {"chunk_size": 50, "length_function": words}),
        ("CharacterTextSplitter", {"separator": "\n", "chunk_size": 500}),
        ("CharacterTextSplitter", {"separator": r"\.\s", "is_separator_regex": True}),
        ("MarkdownTextSplitter", {"chunk_size": 300}),
    ],
)
@pytest.mark.parametrize("path", corpora())
def test_corpora(path: Path, name: str, kwargs: dict[str, Any]) -> None:
    text = path.read_text("utf-8")
    kwargs = {"chunk_overlap": 20, **kwargs}
    assert len(same(lambda m: getattr(m, name)(**kwargs).split_text(text))) > 0


def test_a_length_beyond_all_floats_is_as_large_as_they_get() -> None:
    kwargs = {"chunk_size": 2, "chunk_overlap": 0, "length_function": lambda _: 10**400}
    same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text("a b\n\ncd"))
    kwargs = {**kwargs, "chunk_size": 10**401}
    same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text("a b\n\ncd"))


@pytest.fixture
def deep_recursion() -> Iterator[None]:
    """LangChain recurses once for each separator."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("deep_recursion")
def test_thousands_of_separators() -> None:
    marks = [chr(0x4E00 + i) for i in range(3000)]
    kwargs = {"separators": marks, "chunk_size": 2, "chunk_overlap": 0}
    text = "".join(marks)
    chunks = same(lambda m: m.RecursiveCharacterTextSplitter(**kwargs).split_text(text))
    assert "".join(chunks) == text


def test_thousands_of_separators_need_no_stack() -> None:
    marks = [chr(0x4E00 + i) for i in range(3000)]
    splitter = RecursiveCharacterTextSplitter(marks, chunk_size=2, chunk_overlap=0)
    assert "".join(splitter.split_text("".join(marks))) == "".join(marks)
