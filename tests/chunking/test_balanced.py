"""The strategy that chooses all cuts together: even sizes, strong boundaries, local edits."""

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw

SENTENCES = st.lists(
    st.sampled_from(
        ["One two.", "Three, four! \n", "Five? \n\n", "Six seven eight, nine.", "Über 漢."]
    ),
    max_size=40,
).map(" ".join)


@given(text=SENTENCES, limit=st.integers(40, 120))
def test_no_crumbs_and_no_cut_sentences(text: str, limit: int) -> None:
    chunks = cw.Balanced(max_chars=limit)(text)
    sentences = cw.Sentence(sentences=1)(text)
    ends = set(sentences.ends.tolist())
    assert {chunk.end for chunk in chunks} <= ends
    # Two neighbours of which one is a crumb would have been one chunk, or shared their text.
    for chunk, after in itertools.pairwise(chunks):
        assert after.end - chunk.start > limit // 2


@given(text=SENTENCES, limit=st.integers(25, 60), overlap=st.integers(1, 8))
def test_an_overlap_moves_no_cut(text: str, limit: int, overlap: int) -> None:
    # What a chunk may have beside its overlap is the whole limit of the other.
    plain = cw.Balanced(max_chars=limit, soft_max=limit // 2)
    beside = cw.Balanced(
        max_chars=limit + overlap, soft_max=limit // 2 + overlap, overlap=overlap, overlap_at="any"
    )
    assert [chunk.pieces[-1] for chunk in plain(text)] == [
        chunk.pieces[-1] for chunk in beside(text)
    ]


LINES = st.lists(
    st.lists(st.sampled_from(["one", "two,", "three", "Four", "漢字"]), min_size=1, max_size=12),
    max_size=60,
).map(lambda lines: "\n".join(" ".join(line) for line in lines))


@given(text=LINES, limit=st.integers(20, 120), overlap=st.integers(0, 8))
def test_no_line_that_fits_is_cut(text: str, limit: int, overlap: int) -> None:
    """The lines of a log or a poem are one sentence, since no stop ends them."""
    chunks = cw.Balanced(max_chars=limit, overlap=overlap)(text)
    for chunk in list(chunks)[1:]:
        start = chunk.pieces[-1].start
        line_start = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", start) % (len(text) + 1)
        assert start == line_start or line_end - line_start > limit


@pytest.mark.parametrize(
    ("head", "body", "limit"),
    [
        ("{0}. Open door {0}.", "\n   It is heavy, so use both hands.", 75),
        ("- `method_{0}` -> bool", "\n\n    Says whether object {0} is true, and more.", 200),
        ("12:00:0{0} ERROR {0} failed", "\n    at get(a.java:{0})\n    at run(b.java:{0})", 160),
    ],
)
def test_an_entry_keeps_its_indented_lines(head: str, body: str, limit: int) -> None:
    text = "".join(f"{head}{body}\n".format(i) for i in range(9))
    texts = cw.Balanced(max_chars=limit)(cw.Document(text=text)).texts()
    assert len(texts) > 2
    entries = [head.format(i) for i in range(9)]
    assert all(text.startswith(tuple(entries)) for text in texts)


def test_the_target_is_three_quarters_of_the_limit_or_the_soft_limit() -> None:
    text = " ".join(["Four words stand here."] * 400)
    by_default = cw.Balanced(max_tokens=200)(text).n_tokens
    at_target = cw.Balanced(max_tokens=200, soft_max=100)(text).n_tokens
    assert 150 <= by_default.mean() <= 185
    assert 95 <= at_target.mean() <= 125
    assert by_default.max() - by_default.min() <= 40


@pytest.mark.parametrize("limit", [{"max_tokens": 256}, {"max_chars": 1000}])
def test_sizes_are_even(limit: dict[str, Any], corpora: dict[str, str]) -> None:
    def sizes(strategy: Any) -> Any:
        cut = (cw.chunk(text, strategy, **limit) for text in corpora.values())
        return np.concatenate([chunks.ends - chunks.starts for chunks in cut])

    balanced, greedy = sizes("balanced"), sizes("recursive")
    assert balanced.std() / balanced.mean() < greedy.std() / greedy.mean()
    assert balanced.min() > balanced.mean() / 10


def test_an_edit_changes_few_chunks(corpora: dict[str, str]) -> None:
    choose = random.Random(7)
    splitter = cw.Balanced(max_tokens=256)
    changed = []
    for text in corpora.values():
        before = Counter(splitter(text).texts())
        for _ in range(10):
            at = text.index(" ", choose.randrange(len(text) // 2))
            after = Counter(splitter(text[:at] + " inserted words" + text[at:]).texts())
            changed.append((after - before).total())
    assert sorted(changed)[len(changed) * 9 // 10] <= 3
    assert min(changed) >= 1


def test_headings_begin_chunks() -> None:
    part = "A sentence of some words stands here. " * 12
    text = "\n\n".join(f"# Heading {i}\n\n{part}" for i in range(20))
    chunks = cw.Balanced(max_tokens=160)(text)
    assert all(chunk.text.startswith("# Heading") for chunk in chunks)
    assert len(chunks) == 20


@pytest.mark.parametrize("text", ["word " * 3000, "x" * 9000, "漢字" * 3000, "a, b; " * 2000])
def test_texts_without_sentences_are_even_too(text: str) -> None:
    sizes = cw.Balanced(max_tokens=100)(text).n_tokens
    assert sizes.min() > sizes.mean() / 2


def test_a_counter_is_asked_for_few_spans() -> None:
    text = "Some words, and more of them. " * 500
    asked = []

    def count(part: str) -> int:
        asked.append(len(part))
        return len(part.split())

    chunks = cw.Balanced(max_tokens=100, tokenizer=count)(text)
    assert len(asked) < 2 * 500 + 3 * len(chunks) + 5
    # What is asked for a second time is short.
    assert sum(asked) < 8 * len(text)
