"""`compat.langchain` says truly where chunks begin, also where LangChain does not."""

from __future__ import annotations

import re
from typing import Any

import langchain_text_splitters as theirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.compat import langchain as ours
from tests.support.vocabularies import encodings_not_built_in

from .langchain_inputs import LITERALS, PATTERNS, TEXTS, options, separators, words


def _starts(module: Any, name: str, text: str, **kwargs: Any) -> list[tuple[str, int]]:
    splitter = getattr(module, name)(add_start_index=True, **kwargs)
    found = splitter.create_documents([text])
    return [(document.page_content, document.metadata["start_index"]) for document in found]


@given(TEXTS, separators(LITERALS), options(lengths=[]))
def test_where_langchain_is_right_so_are_we(
    text: str, pool: list[str], kwargs: dict[str, Any]
) -> None:
    kwargs["separators"] = pool
    expected = _starts(theirs, "RecursiveCharacterTextSplitter", text, **kwargs)
    found = _starts(ours, "RecursiveCharacterTextSplitter", text, **kwargs)
    assert [chunk for chunk, _ in found] == [chunk for chunk, _ in expected]
    for (chunk, mine), (_, other) in zip(found, expected, strict=True):
        # A chunk of pieces without what stood between them may look like another place.
        if kwargs["keep_separator"]:
            assert text.startswith(chunk, mine)
            if text.find(chunk) == text.rfind(chunk):
                assert other in (mine, -1)


@given(
    st.lists(st.sampled_from(["", " ", "\n", "\n\n", ",", ", ", "\x1c"]), max_size=40),
    separators(LITERALS),
    options(lengths=[words, lambda text: len(text) / 4]),
)
def test_where_each_character_stands_once(
    marks: list[str], pool: list[str], kwargs: dict[str, Any]
) -> None:
    text = "".join(f"{chr(0x4E00 + i)}{mark}" for i, mark in enumerate(marks))
    for chunk, start in _starts(
        ours, "RecursiveCharacterTextSplitter", text, separators=pool, **kwargs
    ):
        first = next((c for c in chunk if c >= "\u4e00"), None)
        if first is not None and kwargs["keep_separator"]:
            assert start == text.index(first) - chunk.index(first)
        elif first is not None and chunk[0] == first:
            assert start == text.index(first)
        else:
            assert text[start] == chunk[0]


@given(TEXTS, st.sampled_from(PATTERNS), options(lengths=[]))
def test_patterns(text: str, pattern: str, kwargs: dict[str, Any]) -> None:
    kwargs = {**kwargs, "separator": pattern, "is_separator_regex": True}
    try:
        found = _starts(ours, "CharacterTextSplitter", text, **kwargs)
    except (IndexError, TypeError, re.error):  # as LangChain: tested elsewhere
        return
    assert all(-1 <= start < max(1, len(text)) for _, start in found)
    if "(" not in pattern and kwargs["keep_separator"]:
        assert all(text.startswith(chunk, start) for chunk, start in found)


def test_repeated_text() -> None:
    name, text = "RecursiveCharacterTextSplitter", "ab ab ab ab ab ab"
    kwargs = {"chunk_size": 5, "chunk_overlap": 2}
    chunks = ["ab ab", "ab", "ab", "ab", "ab"]
    assert _starts(theirs, name, text, **kwargs) == list(zip(chunks, [0, 3, 3, 3, 3], strict=True))
    assert _starts(ours, name, text, **kwargs) == list(zip(chunks, [0, 6, 9, 12, 15], strict=True))


@pytest.mark.parametrize("encoding", ["cl100k_base", *encodings_not_built_in()])
def test_tokens(encoding: str) -> None:
    text = "".join(f"Sentence number {n} says nothing new at all. " for n in range(12))
    kwargs = {"encoding_name": encoding, "chunk_size": 10, "chunk_overlap": 5}
    expected = _starts(theirs, "TokenTextSplitter", text, **kwargs)
    found = _starts(ours, "TokenTextSplitter", text, **kwargs)
    assert -1 in [start for _, start in expected]
    assert [chunk for chunk, _ in found] == [chunk for chunk, _ in expected]
    assert all(text.startswith(chunk, start) for chunk, start in found)
    assert [start for _, start in found] == sorted({start for _, start in found})


@pytest.mark.parametrize("encoding", ["cl100k_base", *encodings_not_built_in()])
def test_windows_that_cut_code_points_begin_in_one(encoding: str) -> None:
    text = "漢字🚀 é漢"
    found = _starts(
        ours, "TokenTextSplitter", text, encoding_name=encoding, chunk_size=1, chunk_overlap=0
    )
    starts = [start for _, start in found]
    assert starts == sorted(starts)
    assert starts[0] == 0
    assert starts[-1] == len(text) - 1
    assert all(text.startswith(chunk, start) for chunk, start in found if "\ufffd" not in chunk)
    if encoding == "cl100k_base":
        assert starts[:6] == [0, 0, 1, 2, 2, 2]
