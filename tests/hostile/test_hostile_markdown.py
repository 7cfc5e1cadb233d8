"""Hostile Markdown: read in bounded time without losing a word, and cut as any document."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw
from tests import laws
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA
from tests.support.mostly_slow import mostly_slow

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
    "definitions and uses": "".join(f"[a{i}]: b{i}\n" for i in range(N))
    + "\n"
    + "".join(f"[a{i}] [c][a{i}]\n" for i in range(N)),
    "names": "\n\n".join(f"[^a{i}]: b[^a{i}]" for i in range(N // 5)),
    "open brackets": "[" * N + "![" * N,
    "brackets": "[" * N + "a" + "](b)" * N,
    "open emphasis": "*a **b _c __d " * N,
    "runs of emphasis": "*" * N + "a" + "*" * N + "_" * N + "b",
    "emphasis": "".join(f"{'*' * (i % 7)}a{'_' * (i % 5)}b" for i in range(N)),
    "open code": "".join("`" * i + "a " for i in range(500)) * 10,
    "open tags": "<a b='" * N + "<!--" * N,
    "odd characters": "# a\x00\n\n- b\ud800\r\n\r" * (N // 20),
    "tabs": "\t- a\n" * N,
    "dashes": "-" * N + "\n" + "- " * 90 + "\n" + "a\n-\n" * N,
    "front matter": "---\n" + "a\n" * N,
    "titles": "a\n" * N + "===\n",
}

pytestmark = pytest.mark.cpu_seconds(30)

hostile = load()


def _holds(text: str) -> None:
    document = cw.read_markdown(text)
    for strategy in ("basic", "by_title"):
        options = {"max_tokens": 64, "overlap": 0, "tokenizer": "cl100k_base"}
        chunks = cw.chunk(document, strategy, max_tokens=64)
        laws.bodies_cover_the_text(text, chunks)
        laws.elements_go_on(chunks)
        laws.limits_hold(chunks[:50], options)


@pytest.mark.parametrize("text", mostly_slow(DEEP.values(), quick=10), ids=DEEP)
def test_deep_markdown(text: str) -> None:
    _holds(text)


def test_lines_of_many_elements() -> None:
    elements = cw.read_markdown("# Rain\n\nIt rained for days, and for nights.\n\n" * N).elements
    assert elements is not None
    lines = [element.lines for element in elements]
    assert lines == [(number, number) for number in range(1, 4 * N, 2)]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_ends_of_lines_change_nothing(end: str) -> None:
    source = (
        "---\na: b\n---\n# Rain\n\nIt\nrained.\n\n- one\n  - two\n\n```sh\n# no\n```\n\n"
        "Sun\n---\n\n> a\n> b\n\n| x |\n|---|\n| y |\n\n    code\n\n[^1]: note\n\n[a]\n\n[a]: b\n"
    )
    expected, found = (
        [
            (one.kind, one.level, one.language, one.headings, one.text.split(), len(one.links))
            for one in cw.read_markdown(text).elements or ()
        ]
        for text in (source, "\ufeff" + source.replace("\n", end))
    )
    assert len(expected) > 10
    assert found == expected


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
