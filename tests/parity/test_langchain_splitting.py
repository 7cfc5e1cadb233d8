"""`compat.langchain` gives what LangChain gives: chunks, errors and warnings."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.compat.langchain import RecursiveCharacterTextSplitter
from tests.support.long_texts import long_files

from .langchain_inputs import LITERALS, PARTS, PATTERNS, TEXTS, options, separators, words
from .langchain_pair import same, same_chunks

RECURSIVE = "RecursiveCharacterTextSplitter"
CHARACTER = "CharacterTextSplitter"


@given(TEXTS, separators(LITERALS), options())
@example("aaa bbb ccc ddd\n\neee fff", [], {"chunk_size": 10, "chunk_overlap": 4})
@example(",a,b", [","], {"chunk_size": 2, "chunk_overlap": 0, "keep_separator": "end"})
@example("a\n\n\n\nb", ["\n\n"], {"chunk_size": 99, "chunk_overlap": 0, "keep_separator": False})
def test_recursive_with_literals(text: str, pool: list[str], kwargs: dict[str, Any]) -> None:
    same_chunks(RECURSIVE, text, separators=pool, **kwargs)


@given(TEXTS, separators(PATTERNS), options())
@example("a1b2c", [r"(\d)"], {"chunk_size": 3, "chunk_overlap": 0})
@example("a1b22c", [r"\d+"], {"chunk_size": 9, "chunk_overlap": 0, "keep_separator": False})
def test_recursive_with_patterns(text: str, pool: list[str], kwargs: dict[str, Any]) -> None:
    same_chunks(RECURSIVE, text, separators=pool, is_separator_regex=True, **kwargs)


@given(TEXTS, st.sampled_from(LITERALS), options())
def test_character_with_a_literal(text: str, separator: str, kwargs: dict[str, Any]) -> None:
    same_chunks(CHARACTER, text, separator=separator, **kwargs)


@given(TEXTS, st.sampled_from(PATTERNS), options())
@example("a1b", r"(\d)", {"chunk_size": 3, "chunk_overlap": 0, "keep_separator": "end"})
@example("a1b", r"(\d)", {"chunk_size": 3, "chunk_overlap": 0, "keep_separator": "start"})
def test_character_with_a_pattern(text: str, pattern: str, kwargs: dict[str, Any]) -> None:
    same_chunks(CHARACTER, text, separator=pattern, is_separator_regex=True, **kwargs)


# What Python warns of in a character class, and warnings are errors here.
SET_OPERATION = re.compile(r"\[|--|&&|~~|\|\|")


@given(st.text(max_size=60), st.lists(st.text(max_size=3), max_size=4), options(), st.booleans())
def test_any_text_and_separators(
    text: str, pool: list[str], kwargs: dict[str, Any], is_regex: bool
) -> None:
    pool = [separator for separator in pool if not SET_OPERATION.search(separator)]
    same_chunks(RECURSIVE, text, separators=pool, is_separator_regex=is_regex, **kwargs)


@given(TEXTS, options())
def test_markdown_python_and_latex(text: str, kwargs: dict[str, Any]) -> None:
    del kwargs["keep_separator"]
    for name in ("MarkdownTextSplitter", "PythonCodeTextSplitter", "LatexTextSplitter"):
        same_chunks(name, text, **kwargs)


@given(st.lists(st.sampled_from(PARTS), max_size=12), st.sampled_from(LITERALS), options())
def test_merging_as_subclasses_call_it(
    pieces: list[str], glue: str, kwargs: dict[str, Any]
) -> None:
    same(lambda m: m.CharacterTextSplitter(**kwargs)._merge_splits(pieces, glue))


def test_every_whitespace_character_is_stripped_as_python_does() -> None:
    text = "".join(f"{chr(c)}a{chr(c)}\n\n" for c in range(0x11000) if not 0xD800 <= c < 0xE000)
    kwargs: dict[str, Any] = {"separators": ["\n\n"], "keep_separator": False, "chunk_overlap": 0}
    for size in (3, 4):
        assert len(same_chunks(RECURSIVE, text, chunk_size=size, **kwargs)) > 60_000


def test_a_chunk_that_is_too_large_is_warned_of() -> None:
    same_chunks(CHARACTER, "one three five", separator=" ", chunk_size=3, chunk_overlap=0)


def test_a_length_beyond_all_floats_is_as_large_as_they_get() -> None:
    kwargs: dict[str, Any] = {"chunk_size": 2, "chunk_overlap": 0}
    kwargs["length_function"] = lambda _: 10**400
    same_chunks(RECURSIVE, "a b\n\ncd", **kwargs)


def test_a_size_without_bounds() -> None:
    same_chunks(RECURSIVE, "a b\n\ncd", chunk_size=float("inf"), chunk_overlap=0)
    same_chunks(RECURSIVE, "a b\n\ncd", chunk_size=10**400, chunk_overlap=0)


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [
        (RECURSIVE, {"chunk_size": 1000, "chunk_overlap": 0}),
        (RECURSIVE, {"chunk_size": 200, "chunk_overlap": 50}),
        (RECURSIVE, {"chunk_size": 80, "keep_separator": False}),
        (RECURSIVE, {"chunk_size": 100, "keep_separator": "end"}),
        (RECURSIVE, {"chunk_size": 50, "length_function": words}),
        (CHARACTER, {"separator": "\n", "chunk_size": 500}),
        (CHARACTER, {"separator": r"\.\s", "is_separator_regex": True}),
        ("MarkdownTextSplitter", {"chunk_size": 300}),
    ],
)
@pytest.mark.parametrize("path", long_files(), ids=lambda path: path.stem)
def test_long_texts(path: Path, name: str, kwargs: dict[str, Any]) -> None:
    text = path.read_text("utf-8")
    assert len(same_chunks(name, text, **{"chunk_overlap": 20, **kwargs})) > 0


@pytest.fixture
def deep_recursion() -> Iterator[None]:
    """LangChain recurses once for each separator."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


MANY = [chr(0x4E00 + i) for i in range(3000)]


@pytest.mark.usefixtures("deep_recursion")
def test_thousands_of_separators() -> None:
    same_chunks(RECURSIVE, "".join(MANY), separators=MANY, chunk_size=2, chunk_overlap=0)


def test_thousands_of_separators_need_no_stack() -> None:
    splitter = RecursiveCharacterTextSplitter(MANY, chunk_size=2, chunk_overlap=0)
    assert "".join(splitter.split_text("".join(MANY))) == "".join(MANY)
