"""Hostile Markdown: read in bounded time without losing a word, and cut as any document."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw
from tests import laws
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

SCALE = 0.05
N = 50_000
# The parser would take time that grows with the square of what these are, but for a bound on depth.
DEEP = {
    "quotes": "> " * N + "a\n" + "a\n" * N,
    "quotes in quotes": "> " * N + "a\n" + "> a\n" * N,
    "items": "- " * N + "a\n" + "a\n" * N,
    "items by tabs": "-\t" * N + "a\n" + "a\n" * N,
    "numbers": "1. " * N + "a\n" + "a\n" * N,
    "quotes and items": "> - " * N + "a\n" + "a\n" * N,
    "footnotes": "[^a]: " * N + "a\n" + "a\n" * N,
    "indented items": "".join("  " * i + "- a\n" for i in range(700)) + "a\n" * N,
    "many deep lines": ("> " * 90 + "a\n" + "a\n" * 90) * 500,
    "columns": "|" + "a|" * N + "\n|" + "-|" * N + "\n" + "a\n" * N,
    "rows": "|a\n|-\n" * N,
    "definitions": "[a]: b\n" * N,
    "open brackets": "[" * N + "![" * N,
    "front matter": "---\n" + "a\n" * N,
    "titles": "a\n" * N + "===\n",
}

pytestmark = pytest.mark.timeout(30)

hostile = load()


def _holds(text: str) -> None:
    document = cw.read_markdown(text)
    for strategy in ("basic", "by_title"):
        options = {"max_tokens": 64, "overlap": 0, "tokenizer": "cl100k_base"}
        chunks = cw.chunk(document, strategy, max_tokens=64)
        laws.bodies_cover_the_text(text, chunks)
        laws.elements_are_in_order(chunks)
        laws.limits_hold(chunks[:50], options)


@pytest.mark.parametrize("text", [pytest.param(DEEP[name], id=name) for name in DEEP])
def test_deep_markdown(text: str) -> None:
    _holds(text)


def test_lines_of_many_elements() -> None:
    elements = cw.read_markdown("# Rain\n\nIt rained for days, and for nights.\n\n" * N).elements
    assert elements is not None
    lines = [element.lines for element in elements]
    assert lines == [(number, number) for number in range(1, 4 * N, 2)]


@pytest.mark.shared
@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
@pytest.mark.parametrize("number", range(10))
def test_hostile_markdown(number: int) -> None:
    for case in _cases()[number::10]:
        _holds(case.make(SCALE))


def _cases() -> list[Any]:
    cases: list[Any] = list(hostile.cases(kind="markdown"))
    assert len(cases) >= 10
    return cases
