"""Chunks with their contexts, in Unstructured's form."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import chunkwright as cw
from tests.support.element_lists import element

CHUNKS = cw.chunk("One sentence. And another.", "sentence", sentences=1)


def test_the_form() -> None:
    one, two = cw.contextualize(CHUNKS, ["The first.", "The last."])
    assert one.text == "Prefix: The first.; Original: One sentence."
    assert (two.context, two.chunk) == ("The last.", CHUNKS[1])
    assert cw.contextualize(CHUNKS[:0], []) == []


def test_a_function_writes_them() -> None:
    chunks = cw.Basic(max_chars=9)([element("Text", "One"), element("Text", "Two words")])
    contextual = cw.contextualize(chunks, lambda chunk: f"{len(chunk.elements)} {chunk.text}")
    assert [one.context for one in contextual] == ["1 One", "1 Two words"]


@pytest.mark.parametrize(
    ("contexts", "message"),
    [
        (["one"], "2 chunks need as many contexts, got 1"),
        (["one"] * 3, "2 chunks need as many contexts, got 3 or more"),
        (itertools.repeat("one"), "2 chunks need as many contexts, got 3 or more"),
        (["one", None], r"contexts\[1\] must be a str, got None"),
        (lambda _chunk: 7, r"contexts\[0\] must be a str, got 7"),
        ("ab", "contexts must be a list or a callable, got str"),
        (None, "contexts must be a list or a callable, got NoneType"),
    ],
)
def test_refused(contexts: Any, message: str) -> None:
    with pytest.raises(cw.ConfigError, match=message):
        cw.contextualize(CHUNKS, contexts)


def test_what_a_function_raises_comes_through() -> None:
    def context(chunk: cw.Chunk) -> str:
        raise OSError(chunk.text)

    with pytest.raises(OSError, match="One sentence"):
        cw.contextualize(CHUNKS, context)
