"""Hostile documents with headings: cut in bounded time, within the limit, without losing a word."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw
from chunkwright.readers.html import read_html
from tests import laws
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

N = 100_000
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "small joined": {"min_size": 40},
    "overlapping": {"overlap": 16, "repeat_headings": False},
    "headings alone": {"always_emit_headings": True},
}
# Documents in which one thing stands very often, very deep or very long.
DOCUMENTS = {
    "peers": lambda: cw.read_markdown("some words\n\n" * N),
    "peers of a page": lambda: read_html("<div>some words " * N),
    "items": lambda: cw.read_markdown("- some words\n" * N),
    "sections": lambda: cw.read_markdown(
        "".join(f"{'#' * (1 + i % 6)} head {i}\n\ntext {i}\n\n" for i in range(N // 2))
    ),
    "headings": lambda: cw.read_markdown("".join(f"## head {i}\n\n" for i in range(N // 2))),
    "a long heading": lambda: cw.read_markdown(f"# {'word ' * N}\n\ntext\n\n" + "more\n\n" * 99),
    "deep headings": lambda: cw.read_elements(
        [{"type": "Title", "text": f"h{i}", "metadata": {"category_depth": i}} for i in range(9999)]
        + [{"type": "NarrativeText", "text": f"text {i}"} for i in range(2000)]
    ),
    "rows": lambda: cw.read_markdown("# T\n\n|a|b|\n|-|-|\n" + "|some|words|\n" * N),
    "a long row": lambda: cw.read_markdown("# T\n\n|a|b|\n|-|-|\n|" + "some words " * N + "|b|\n"),
    "columns": lambda: cw.read_markdown("|" + "a|" * N + "\n|" + "-|" * N + "\n" + "|b" * N),
}

pytestmark = pytest.mark.cpu_seconds(60)

hostile = load()


def _holds(document: cw.Document, strategy: Any, options: dict[str, Any]) -> None:
    chunks = cw.chunk(document, strategy, max_tokens=128, **options)
    laws.bodies_cover_the_text(document.text, chunks)
    laws.elements_go_on(chunks)
    laws.limits_hold(chunks[:50], {"max_tokens": 128, "tokenizer": "cl100k_base"})


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_sections_take_bounded_time(name: str, options: str) -> None:
    document = DOCUMENTS[name]()
    for strategy in ("hierarchical", "hybrid"):
        _holds(document, strategy, OPTIONS[options])


@pytest.mark.slow
def test_peers_by_the_million() -> None:
    chunks = cw.chunk(read_html("<p>x" * 10 * N * 2), "hybrid", max_chars=90)
    assert sum(text.count("x") for text in chunks.texts()) == 10 * N * 2


@pytest.mark.shared
@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
@pytest.mark.parametrize("number", range(4))
def test_hostile_cases(number: int) -> None:
    for case in [*hostile.cases(kind="markdown"), *hostile.cases(kind="html")][number::4]:
        given = case.make(0.05)
        read = cw.read_markdown if case.kind == "markdown" else read_html
        for strategy in ("hierarchical", "hybrid"):
            _holds(read(given), strategy, {"min_size": 20})
