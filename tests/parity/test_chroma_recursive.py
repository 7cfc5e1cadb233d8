"""`compat.chroma.RecursiveTokenChunker` gives what Chroma's gives."""

from __future__ import annotations

import logging
import pickle
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.compat.chroma import (
    BaseChunker,
    Language,
    RecursiveTokenChunker,
    openai_token_count,
)

from .chroma_pair import Reference, against, same_chunks
from .langchain_inputs import KEEPS, LITERALS, PARTS, PATTERNS, TEXTS, separators, tenths, words

RECURSIVE = "RecursiveTokenChunker"
PROSE = st.lists(st.sampled_from([*PARTS, ". ", "? ", "! ", "U.S. law", "3.14", "six. Seven"]))
LENGTHS: list[Any] = [len, len, openai_token_count, words, tenths, lambda _: 0, lambda _: 7]


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """What it takes; sizes and overlaps under one are accepted, too."""
    size = draw(st.integers(-2, 30))
    return {
        "chunk_size": size,
        "chunk_overlap": draw(st.integers(-2, max(size, -2))),
        "length_function": draw(st.sampled_from(LENGTHS)),
        "keep_separator": draw(KEEPS),
        "strip_whitespace": draw(st.booleans()),
    }


@against
@given(text=PROSE.map("".join), kwargs=options())
@example(text="six. Seven U.S. law", kwargs={"chunk_size": 6, "chunk_overlap": 3})
@example(text="aa bb\n\ncc dd ee ff\n\nkk", kwargs={"chunk_size": 6, "chunk_overlap": 3})
@example(text="one two three", kwargs={"chunk_size": 4, "chunk_overlap": -1})
@example(text="a b", kwargs={"chunk_size": 0, "chunk_overlap": 0})
@example(text="a. b", kwargs={"chunk_size": 2, "chunk_overlap": 0, "keep_separator": "end"})
def test_its_own_separators(reference: Reference, text: str, kwargs: dict[str, Any]) -> None:
    same_chunks(reference, RECURSIVE, text, **kwargs)


@against
@given(text=TEXTS, pool=separators(LITERALS), kwargs=options())
def test_other_separators(
    reference: Reference, text: str, pool: list[str], kwargs: dict[str, Any]
) -> None:
    same_chunks(reference, RECURSIVE, text, separators=list(dict.fromkeys(pool)), **kwargs)


# What these groups do not match is a piece for the peer, and no text.
OPTIONAL_GROUPS = {r"(\d)(\d)?", "(a)|(b)", "((a)|(1))"}


@against
@given(text=TEXTS, pool=separators(PATTERNS), kwargs=options())
@example(text="a1b2c", pool=[r"(\d)"], kwargs={"chunk_size": 3, "chunk_overlap": 0})
def test_patterns(reference: Reference, text: str, pool: list[str], kwargs: dict[str, Any]) -> None:
    pool = list(dict.fromkeys(pool))
    if not kwargs.get("keep_separator", True):
        pool = [pattern for pattern in pool if pattern not in OPTIONAL_GROUPS]
    same_chunks(reference, RECURSIVE, text, separators=pool, is_separator_regex=True, **kwargs)


def test_groups_that_match_nothing() -> None:
    chunker = RecursiveTokenChunker(
        5, 0, ["(,)|(;)"], keep_separator=False, is_separator_regex=True, strip_whitespace=False
    )
    assert chunker.split_text("four;four,four") == ["four", ";", "four", ",", "four"]


@against
@given(text=PROSE.map("".join), sizes=st.tuples(st.integers(1, 12), st.integers(0, 12)))
@example(text="a <|endoftext|> b", sizes=(2, 0))
def test_tokens(reference: Reference, text: str, sizes: tuple[int, int]) -> None:
    kwargs = {"chunk_size": sizes[0], "chunk_overlap": sizes[1], "encoding_name": "cl100k_base"}
    same_chunks(reference, RECURSIVE, text, maker="from_tiktoken_encoder", **kwargs)


@against
@pytest.mark.parametrize("kwargs", [{}, {"chunk_size": 100}, {"chunk_size": 200}])
def test_defaults(reference: Reference, kwargs: dict[str, Any]) -> None:
    same_chunks(reference, RECURSIVE, "Some words. More of them!\n\n" * 400, **kwargs)


@against
@pytest.mark.parametrize("size", [50, 200, 400])
@pytest.mark.parametrize("length", [len, openai_token_count])
def test_long_texts(
    reference: Reference, long_texts: dict[str, str], size: int, length: Any
) -> None:
    for text in long_texts.values():
        chunks = same_chunks(
            reference,
            RECURSIVE,
            text[:60_000],
            chunk_size=size,
            chunk_overlap=size // 2,
            length_function=length,
        )
        assert len(chunks) > 20


def test_omega_of_the_report(corpora: dict[str, str]) -> None:
    """The report's mean size at 200 tokens is 137; its code gives 2,386 chunks."""
    chunker = RecursiveTokenChunker(200, 0, length_function=openai_token_count)
    chunks = [chunk for text in corpora.values() for chunk in chunker.split_text(text)]
    assert len(chunks) == 2386
    assert round(sum(map(openai_token_count, chunks)) / len(chunks)) == 137


def test_a_chunk_over_the_size_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    sizes = {"a": 0, " ": 7}
    chunker = RecursiveTokenChunker(
        5, 0, [" "], keep_separator=False, length_function=lambda text: sizes.get(text, 1)
    )
    with caplog.at_level(logging.WARNING):
        assert chunker.split_text("a b c") == ["a", "a b", "c"]
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        (
            "chunking_evaluation.chunking.fixed_token_chunker",
            "Created a chunk of size 8, which is longer than the specified 5",
        )
    ]


@pytest.mark.parametrize("language", list(Language))
def test_languages(language: Language) -> None:
    get = RecursiveTokenChunker.get_separators_for_language
    if language.value in {"c", "lua", "perl"}:
        with pytest.raises(ValueError, match=rf"Language {language} is not supported! Please"):
            get(language)
        return
    separators = get(language)
    assert separators == get(language.value)  # type: ignore[arg-type]
    assert separators[-1] == ""
    assert len(separators) == len(set(separators)) + (language == "rust")
    RecursiveTokenChunker(9, 0, separators, is_separator_regex=True).split_text("\nclass A\n" * 9)


def test_languages_of_2024() -> None:
    get = RecursiveTokenChunker.get_separators_for_language
    assert get(Language.KOTLIN)[12:15] == ["\nwhen ", "\ncase ", "\nelse "]
    assert get(Language.RUST)[7:9] == ["\nmatch ", "\nconst "]
    assert get(Language.CSHARP)[1:3] == ["\nenum ", "\nimplements "]
    assert "\n\\\begin{align}" in get(Language.LATEX)
    with pytest.raises(ValueError, match="Language python3 is not supported"):
        get("python3")  # type: ignore[arg-type]


def test_it_is_a_chunker_and_pickles() -> None:
    chunker = RecursiveTokenChunker.from_tiktoken_encoder(
        "cl100k_base", chunk_size=3, chunk_overlap=0
    )
    assert isinstance(chunker, BaseChunker)
    again = pickle.loads(pickle.dumps(chunker))
    assert again.split_text("One, two. Three") == chunker.split_text("One, two. Three")


def test_a_subclass_may_merge_its_own_way() -> None:
    class Unmerged(RecursiveTokenChunker):
        def _merge_splits(self, splits: Any, separator: str) -> list[str]:
            del separator
            return list(splits)

    assert Unmerged(9, 0).split_text("one. two three") == ["one", ".", " two", " three"]
    assert RecursiveTokenChunker(9, 0).split_text("one. two three") == [
        "one",
        ". two",
        "three",
    ]
