"""Lines that end in a colon stay with the list, the code or the table below; code stays whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.evaluation import measure
from tests import laws

ROOT = Path(__file__).parents[2]
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^( {0,3})(`{3,})[^\n]*\n.*?^ {0,3}\2[^\n]*$", re.MULTILINE | re.DOTALL)
ITEMS = "- one thing\n- another thing\n- a third thing"
CODE = "```py\nx = 1\n\ny = 2\n```"

TEXT_STRATEGIES = ["recursive", "sentence", "balanced"]
SEMANTIC = ["kamradt", "kamradt_modified", "cluster", "discontinuity"]
SECTIONS = ["hierarchical", "hybrid"]
ELEMENTS = ["basic", "by_title", "by_page"]


def document(text: str) -> cw.Document:
    return cw.read_markdown(text)


@pytest.mark.parametrize(
    "block", [ITEMS, CODE, "| a | b |\n|---|---|\n| 1 | 2 |", "1. one\n2. two"]
)
@pytest.mark.parametrize("lead", ["Two of them:", "**Two of them:**", "两个例子："])
@pytest.mark.parametrize("strategy", [*TEXT_STRATEGIES, *SECTIONS, *ELEMENTS])
def test_a_lead_in_stands_with_what_it_leads_to(strategy: str, lead: str, block: str) -> None:
    text = f"Some words come before it.\n\n{lead}\n\n{block}\n\nAnd some words come behind it.\n"
    options = {"isolate_tables": False} if strategy in ELEMENTS else {}
    most = len(lead) + len(block) + 4
    chunks = cw.chunk(document(text), strategy, max_chars=most, **options)  # type: ignore[call-overload]
    (led,) = [chunk.text for chunk in chunks if lead in chunk.text]
    assert block.split("\n", maxsplit=1)[0] in led
    laws.bodies_cover_the_text(text, chunks)


def test_a_text_without_markup_has_lead_ins_too() -> None:
    text = f"Words come first.\n\nTwo of them:\n{ITEMS}"
    for strategy in TEXT_STRATEGIES:
        texts = cw.chunk(text, strategy, max_chars=60).texts()  # type: ignore[call-overload]
        assert any("Two of them:\n- one" in each for each in texts), strategy


def test_a_lead_in_without_room_is_parted() -> None:
    text = "Two of them, and more words than there is room for:\n\n- " + "words " * 9
    for strategy in ["recursive", "sentence"]:
        texts = cw.chunk(text, strategy, max_chars=56).texts()  # type: ignore[call-overload]
        assert texts[0] == "Two of them, and more words than there is room for:"


def test_code_that_fits_is_not_cut_for_its_lead_in() -> None:
    text = f"Some words that lead to it:\n\n{CODE}\n\nThe end."
    for strategy in TEXT_STRATEGIES:
        texts = cw.chunk(document(text), strategy, max_chars=30).texts()  # type: ignore[call-overload]
        assert CODE in texts, strategy


@pytest.mark.parametrize("strategy", TEXT_STRATEGIES)
def test_code_over_the_limit_begins_below_its_lead_in(strategy: str) -> None:
    code = "```py\n" + "call(1)\n" * 20 + "```"
    texts = cw.chunk(document(f"Code:\n\n{code}\n"), strategy, max_chars=60).texts()  # type: ignore[call-overload]
    assert texts[0].startswith("Code:\n\n```py\ncall(1)")
    assert all(each.count("call(1)") == each.count("call") for each in texts)


@pytest.mark.parametrize("unit", ["a:\n", "a:\n\n- b\n\n", "a:\n\n```\nb\n```\n\n", "- a:\n"])
@pytest.mark.parametrize("strategy", [*TEXT_STRATEGIES, *SECTIONS, *ELEMENTS])
def test_work_grows_with_the_number_of_lead_ins(strategy: str, unit: str) -> None:
    def work(n: int) -> int:
        read = 0

        def count(text: str) -> int:
            nonlocal read
            read += len(text)
            return len(text)

        text = unit * n
        chunks = cw.chunk(document(text), strategy, max_tokens=40, tokenizer=count)  # type: ignore[call-overload]
        laws.bodies_cover_the_text(text, chunks)
        return read

    # Characters that a caller's counter is given; 1.15 is the greatest exponent allowed.
    assert work(4000) <= 4**1.15 * work(1000)


# Words that are no headings by themselves.
WORDS = st.lists(st.sampled_from(["one", "two", "three"]), min_size=2, max_size=5).map(" ".join)
PARAGRAPH = st.lists(WORDS.map("{}.".format), min_size=1, max_size=4).map(" ".join)
LEAD = WORDS.map("{}:".format)
LIST = st.lists(WORDS.map("- {}".format), min_size=1, max_size=4).map("\n".join)
BLOCKS = st.lists(st.one_of(PARAGRAPH, LEAD, LIST, st.just(CODE)), min_size=1, max_size=12)


@pytest.mark.parametrize("strategy", [*TEXT_STRATEGIES, *SEMANTIC])
@given(blocks=BLOCKS, limit=st.integers(8, 60))
@example(blocks=["one two:"] * 12, limit=20)
@example(blocks=["one:", "- two:", "  - three:", CODE] * 3, limit=30)
def test_blocks_that_fit_are_whole_and_laws_hold(
    strategy: str, blocks: list[str], limit: int
) -> None:
    text = "\n\n".join(blocks)
    chunks = cw.chunk(document(text), strategy, max_chars=limit)  # type: ignore[call-overload]
    laws.bodies_cover_the_text(text, chunks)
    assert all(chunk.oversize or len(chunk.text) <= limit for chunk in chunks)
    if limit < len(CODE):
        return
    ends = {chunk.end for chunk in chunks}
    fences = [found.span() for found in FENCE.finditer(text)]
    assert not any(start < end < stop for end in ends for start, stop in fences)


@pytest.mark.parametrize("strategy", [*TEXT_STRATEGIES, *SEMANTIC, *SECTIONS, *ELEMENTS])
def test_the_docs(strategy: str) -> None:
    documents = {path.name: cw.read(path) for path in DOCS}
    for limit in (512,):
        found = measure(_named(strategy, limit), documents)
        assert found.parted_lead_ins.of > 80
        assert found.parted_lead_ins.share is not None
        assert found.parted_lead_ins.share <= MOST_PARTED
        assert strategy == "by_title" or found.parted_headings.n == 0


MOST_PARTED = 0.06


def _named(strategy: str, limit: int) -> Any:
    from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES

    kinds: dict[str, Any] = {**STRATEGIES, **ELEMENT_STRATEGIES}
    return kinds[strategy](max_tokens=limit)
