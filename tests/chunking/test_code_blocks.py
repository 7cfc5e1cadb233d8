"""Fenced code over the limit: each part opens and closes as its block does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import make_strategy
from tests import laws

FENCE = "`" * 3
LINES = [f"x{i} = {i}" for i in range(8)]
TEXT = f"{FENCE}python\n" + "\n".join(LINES) + f"\n{FENCE}\n\nAfter.\n"

#: All strategies that know Markdown, with what they need.
STRATEGIES: dict[str, dict[str, Any]] = {
    "recursive": {},
    "sentence": {},
    "balanced": {},
    "cluster": {"embedder": "lexical"},
    "kamradt": {"embedder": "lexical"},
    "basic": {},
    "by_title": {},
    "structural": {},
    "hierarchical": {},
    "hybrid": {},
}
EACH = pytest.mark.parametrize("strategy", STRATEGIES)

BLOCKS = st.one_of(
    st.builds(
        lambda mark, lead, lines: "".join(
            f"{lead}{line}\n" for line in [f"{mark}py", *lines, mark]
        ),
        st.sampled_from([FENCE, "~~~", "`" * 4]),
        st.sampled_from(["", "", "> ", "   "]),
        st.lists(
            st.sampled_from(["a = 1", "", "    b()", "# c", "é = 'ü'", "d " * 12]), max_size=9
        ),
    ),
    st.sampled_from(["# Title\n", "Some text. And more of it.\n", "- item\n", "Bare\n"]),
)
TEXTS = st.lists(BLOCKS, max_size=6).map("\n".join)


def cut(text: str, strategy: str, **options: Any) -> cw.Chunks:
    strategy_of = make_strategy(strategy, {**STRATEGIES[strategy], **options})
    chunks: cw.Chunks = strategy_of(cw.read_markdown(text))
    return chunks


def is_even(text: str) -> bool:
    """Whether each fence that opens in a text closes there."""
    mark = ""
    for line in text.split("\n"):
        found = re.match(r"[ >]*(?:- )?[ >]*(`{3,}|~{3,})(.*)", line)
        if not found:
            continue
        if not mark:
            mark = found[1]
        elif found[1].startswith(mark) and not found[2].strip():
            mark = ""
    return not mark


@EACH
def test_parts_have_the_fences_and_the_language(strategy: str) -> None:
    texts = cut(TEXT, strategy, max_chars=40).texts()
    parts = [text for text in texts if "x" in text]
    assert len(parts) > 1
    assert all(text.startswith(f"{FENCE}python\n") for text in parts)
    assert all(text.count(FENCE) == 2 for text in parts)
    assert [line for text in texts for line in text.split("\n") if line in LINES] == LINES


@EACH
def test_what_stands_behind_code_is_none(strategy: str) -> None:
    (last,) = [text for text in cut(TEXT, strategy, max_chars=40).texts() if "After." in text]
    assert is_even(last)
    assert is_even(last.split("After.")[0])


def test_what_is_repeated_has_a_role_and_moves_no_place() -> None:
    second = cut(TEXT, "recursive", max_chars=40)[1]
    roles = [(piece.role, TEXT[piece.start : piece.end]) for piece in second.pieces]
    assert roles[0] == ("header", f"{FENCE}python\n")
    assert roles[1][0] == "body"
    assert second.text == "".join(text for _, text in roles)
    assert TEXT[second.start : second.end] == roles[1][1]


def test_code_keeps_the_indentation_of_its_first_line() -> None:
    text = f"{FENCE}\nif a:\n    bb = 1\n    cc = 2\n{FENCE}\n"
    texts = cut(text, "recursive", max_chars=22).texts()
    assert f"{FENCE}\n    cc = 2\n{FENCE}" in texts


def test_a_text_that_is_said_to_be_markdown_is_cut_as_such() -> None:
    chunks = cw.chunk(TEXT, "recursive", separators="markdown", max_chars=40)
    assert all(is_even(text) for text in chunks.texts())
    plain = cw.chunk(TEXT, "sentence", max_chars=40)
    assert not all(is_even(text) for text in plain.texts())


def test_fences_that_take_more_than_half_of_the_limit_are_not_repeated() -> None:
    texts = cut(TEXT, "recursive", max_chars=20).texts()
    assert sum(text.count(FENCE) for text in texts) == 2


@EACH
@given(text=TEXTS, limit=st.sampled_from([45, 80]))
def test_nothing_is_lost_and_all_fits(strategy: str, text: str, limit: int) -> None:
    chunks = cut(text, strategy, max_chars=limit)
    laws.bodies_cover_the_text(text, chunks)
    laws.offsets_are_exact(text, chunks)
    laws.limits_hold(chunks, {"max_chars": limit})
    assert all(is_even(chunk.text) for chunk in chunks)


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced", "hybrid", "basic"])
@pytest.mark.parametrize("limit", [300, 600, 1200])
def test_a_block_over_the_limit_is_cut_between_what_it_defines(strategy: str, limit: int) -> None:
    def function(i: int) -> str:
        lines = "".join(f"    value_{k} = compute(argument, {k})\n" for k in range(1 + i % 5))
        return f"def function_{i}(argument):\n{lines}    return value_0\n"

    code = "\n".join(function(i) for i in range(30))
    document = cw.read(f"```python\n{code}```\n".encode(), name="a.md")
    texts = cw.strategy(strategy, max_chars=limit)(document).texts()
    assert all(text.startswith("```python\ndef ") for text in texts)


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced"])
@pytest.mark.parametrize("lead", ["Install it by running the following:", "Then\nrun this:"])
def test_the_line_that_leads_to_a_block_over_the_limit_is_whole(strategy: str, lead: str) -> None:
    code = "".join(f"run --with option{i} /path/{i}\n" for i in range(30))
    document = cw.read(f"{lead}\n\n```sh\n{code}```\n".encode(), name="a.md")
    first, *_ = cw.strategy(strategy, max_chars=400)(document).texts()
    assert first.startswith(f"{lead}\n\n```sh\nrun")


def test_a_list_of_wrapped_items_is_cut_between_them() -> None:
    item = "- Item {} has been wrapped by hand\n  and goes on here on a second line\n"
    text = "".join(item.format(i) for i in range(12))
    texts = cw.Recursive(max_chars=200)(cw.read(text.encode(), name="a.md")).texts()
    assert all(text.startswith("- Item") for text in texts)
