"""Measures without questions: against slow twins over every character, and on texts by hand."""

from __future__ import annotations

import json
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import Measures, PlacedChunks, measure
from chunkwright.evaluation.intrinsic import Share, limit_of, measure_chunks, structures_of
from chunkwright.evaluation.intrinsic.shares import (
    coverage,
    cut_sentences,
    cut_tables,
    parted_headings,
)
from chunkwright.evaluation.intrinsic.structure import Ranges, structure_of
from chunkwright.readers.markdown import markdown_elements

from .made import dataset

TABLE = "| kind | length |\n|---|---|\n| eel | 80 cm |\n| pike | 1 m |"
MARKDOWN = (
    f"# Fish\n\nEels are long. So are pike.\n\n## Table of fish\n\n{TABLE}\n\n# Nothing more\n"
)

# Blocks of Markdown, blanks of all kinds, and what is no text at all.
PARTS = st.sampled_from(
    [
        "# A\n\n",
        "Set\n===\n",
        TABLE + "\n\n",
        "One two. Three! ",
        "\n\n",
        " \t\u3000",
        "x",
        "\ud800",
        "日。",
    ]
)
TEXTS = st.lists(PARTS, max_size=12).map("".join)


@st.composite
def chunked(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw(TEXTS)
    ends = st.integers(0, len(text))
    pairs = st.lists(st.tuples(ends, ends).map(lambda ends: (min(ends), max(ends))), max_size=6)
    return text, draw(pairs)


def stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    said = text[start:end]
    if not said.strip():
        return None
    return start + len(said) - len(said.lstrip()), end - (len(said) - len(said.rstrip()))


def slow_cuts(spans: list[tuple[int, int]], places: list[tuple[int, int]]) -> Share:
    n_cut = 0
    for start, end in spans:
        is_whole = any(a <= start and end <= b for a, b in places)
        is_there = any(a <= i < b for a, b in places for i in range(start, end))
        n_cut += is_there and not is_whole
    return Share(n_cut, len(spans))


def slow_spans(text: str, kind: str) -> list[tuple[int, int]]:
    found = [stripped(text, e.start, e.end) for e in markdown_elements(text) if e.kind == kind]
    return [each for each in found if each is not None]


@given(chunked())
def test_against_slow_twins(found: tuple[str, list[tuple[int, int]]]) -> None:
    text, places = found
    structure = structure_of(text, markdown_elements(text))
    starts, ends = np.array(places, dtype=np.int64).reshape(-1, 2).T
    ranges = Ranges(starts, ends)

    at, sentences = 0, []
    for sentence in cw.split_sentences(text):
        sentences.append(stripped(text, at, at + len(sentence)))
        at += len(sentence)
    assert cut_sentences(structure, ranges) == slow_cuts([s for s in sentences if s], places)
    assert cut_tables(structure, ranges) == slow_cuts(slow_spans(text, "table"), places)

    depths = [sum(a <= i < b for a, b in places) for i, c in enumerate(text) if not c.isspace()]
    covered, repeated = coverage(structure, ranges)
    assert covered == (sum(depth > 0 for depth in depths), len(depths))
    assert repeated == (sum(depth > 1 for depth in depths), len(depths))

    n_parted = n_followed = 0
    for _, end in slow_spans(text, "heading"):
        if not text[end:].strip():
            continue
        n_followed += 1
        # The chunks that have the heading's end, and whether nothing comes behind it there.
        behind = [text[end:b].strip() == "" for a, b in places if a < end <= b]
        n_parted += bool(behind) and all(behind)
    assert parted_headings(structure, ranges) == (n_parted, n_followed)


def measured(text: str, *cuts: int, **options: Any) -> Measures:
    """Measure chunks that end at these places."""
    ends = [*cuts, len(text)]
    texts = [text[a:b] for a, b in zip([0, *cuts], ends, strict=True)]
    return measure(lambda _: texts, {"text": text}, **options)


def test_headings_tables_and_sentences_of_markdown() -> None:
    whole = measured(MARKDOWN)
    assert whole.cut_sentences.n == whole.cut_tables.n == whole.parted_headings.n == 0
    assert whole.cut_tables.of == 1
    # The last heading has nothing behind it that it could be parted from.
    assert whole.parted_headings.of == 2
    assert measured(MARKDOWN, MARKDOWN.index("Eels")).parted_headings == (1, 2)
    assert measured(MARKDOWN, MARKDOWN.index("|")).parted_headings == (1, 2)
    assert measured(MARKDOWN, MARKDOWN.index("of fish")).parted_headings == (0, 2)
    assert measured(MARKDOWN, MARKDOWN.index("| eel")).cut_tables == (1, 1)
    assert measured(MARKDOWN, MARKDOWN.index("long")).cut_sentences.n == 1
    assert measured(MARKDOWN, MARKDOWN.index("So are")).cut_sentences.n == 0


def test_a_plain_text_has_no_elements() -> None:
    found = measured("Just a text.\n\n# and a comment\n\nMore.", 5)
    assert found.cut_tables == found.parted_headings == (0, 0)
    assert found.cut_tables.share is None
    assert found.cut_sentences.n == 1


def test_documents_have_the_elements_of_their_reader() -> None:
    page = b"<!DOCTYPE html><h1>Fish</h1><table><tr><td>eel<td>80</tr><tr><td>pike<td>100</table>"
    document = cw.read(page, name="fish.html")
    found = measure(cw.Window(max_chars=8), {"fish": document})
    assert found.cut_tables == (1, 1)
    assert measure(cw.ByTitle(max_chars=500), {"fish": document}).cut_tables == (0, 1)
    assert found.coverage.covered.share == 1


@pytest.mark.parametrize("overlap", [0, 40])
def test_every_strategy_over_text_covers_it(overlap: int) -> None:
    for strategy in (cw.Recursive, cw.Sentence, cw.Window, cw.Balanced):
        found = measure(strategy(max_chars=90, overlap=overlap), {"fish": MARKDOWN * 3})
        assert found.coverage.covered.share == 1, strategy
        assert (found.coverage.repeated.n > 0) == (overlap > 0), strategy
        assert found.n_unplaced == 0
        assert found.sizes.within_limit == (found.n_chunks, found.n_chunks)


def test_an_overlap_that_repeats_a_sentence_does_not_cut_it() -> None:
    text = "One sentence here. Another one there."
    ranges = [(0, 25), (19, 37)]
    structure = structure_of(text, None)
    assert cut_sentences(structure, Ranges(*np.array(ranges).T)) == (0, 2)
    assert cut_sentences(structure, Ranges(*np.array([(0, 25), (25, 37)]).T)) == (1, 2)


def test_what_stands_in_no_chunk_is_not_cut_but_not_covered() -> None:
    found = measure(lambda text: [text[:14]], {"text": "One two three. Four five six."})
    assert found.cut_sentences == (0, 2)
    assert found.coverage.covered == (12, 24)


def test_chunks_that_stand_nowhere_cover_nothing() -> None:
    found = measure(lambda _: ["something else"], {"text": "One two three."})
    assert (found.n_chunks, found.n_unplaced) == (1, 1)
    assert found.coverage.covered == (0, 12)
    assert found.sizes.most == 2


def test_several_texts_are_added_up() -> None:
    texts = {"a": "One two three. Four.", "b": MARKDOWN, "c": ""}
    cutter = cw.Window(max_chars=15)
    single = [measure(cutter, {name: text}) for name, text in texts.items()]
    both = measure(cutter, texts)
    assert both.n_chunks == sum(each.n_chunks for each in single)
    for name, share in both.shares.items():
        assert share == Share.total(each.shares[name] or Share(0, 0) for each in single)


def test_sizes_are_those_of_the_texts() -> None:
    cutter = cw.Recursive(max_tokens=12)
    tokens = cutter(MARKDOWN).n_tokens.tolist()
    found = measure(cutter, {"fish": MARKDOWN}).sizes
    assert (found.least, found.most) == (min(tokens), max(tokens))
    assert found.median == statistics.median(tokens)
    assert found.mean == pytest.approx(statistics.mean(tokens))
    assert found.below_half == (sum(n < 6 for n in tokens), len(tokens))
    other = measure(cutter, {"fish": MARKDOWN}, size_limit=9)
    assert other.sizes.within_limit == (sum(n <= 9 for n in tokens), len(tokens))
    assert other.limit is not None
    assert (other.limit.most, other.limit.unit) == (9, "tokens")


def test_a_limit_is_in_the_unit_of_the_strategy() -> None:
    limit = limit_of(cw.Window(max_chars=20))
    assert limit is not None
    assert (limit.most, limit.unit) == (20, "characters")
    found = measure(cw.Window(max_chars=20), {"text": "x" * 105})
    assert found.sizes.within_limit == (6, 6)
    assert found.sizes.below_half == (1, 6)
    counted = limit_of(cw.Recursive(max_tokens=7, tokenizer="o200k_base"))
    assert counted is not None
    assert counted.sizes(["one two", ""]).tolist() == [2, 0]
    assert limit_of(cw.Sentence(sentences=2)) is limit_of(str.split) is None


def test_no_limit_no_chunks_no_text() -> None:
    found = measure(str.splitlines, {"a": ""})
    assert found.n_chunks == 0
    assert found.sizes == (0, 0.0, 0.0, 0, None, None)
    assert [each and each.share for each in found.shares.values()] == [None] * 8
    assert measure(cw.Window(max_chars=9), {"a": ""}).sizes.within_limit == (0, 0)
    assert measure(cw.Window(max_chars=9), {}).n_chunks == 0
    json.dumps(found.summary(), allow_nan=False)


def test_a_dataset_is_measured_whatever_it_is_asked() -> None:
    data = dataset()
    cutter = cw.Sentence(sentences=1)
    assert measure(cutter, data) == measure(cutter, data.corpora)
    found = measure(cutter, data, name="mine")
    assert (found.name, found.chunker) == ("mine", "Sentence(sentences=1)")


def test_places_are_those_of_the_chunks() -> None:
    data = dataset({"a": "One two. Three four."}, [])
    numbers = [np.array(column) for column in ([0, -1], [9, 0], [20, 3], [4, 1], [0, 0])]
    chunks = PlacedChunks(("Three four.", "xyz"), *numbers)
    (structure,) = structures_of(data)
    found = measure_chunks(chunks, [structure], name="n", chunker="c", limit=None)
    assert found.n_unplaced == 1
    assert found.coverage.covered == (10, 17)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size_limit": 0}, "size_limit must be .* got 0"),
        ({"size_limit": "9"}, "size_limit must be .* got '9'"),
        ({"language": "xx"}, "unknown language .xx."),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        measure(str.split, {"a": "b"}, **options)
    with pytest.raises(ConfigError, match="corpora must map names to texts"):
        measure(str.split, {"a": 1})  # type: ignore[dict-item]
    with pytest.raises(ConfigError, match="failed on the corpus 'a'"):
        measure(lambda text: text / 2, {"a": "b"})
