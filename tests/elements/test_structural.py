"""Structural: blocks as their author has them, and such neighbours merged that are alike."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws
from tests.support.element_lists import Item, element, element_lists
from tests.support.markdown_texts import MARKDOWN
from tests.support.mostly_slow import mostly_slow
from tests.support.texts import WITH_SURROGATES

WIDE = 100_000
WORDS = st.lists(st.sampled_from(["ape", "bee", "cat", "dog"]), min_size=1, max_size=6).map(
    " ".join
)


def _list(items: list[tuple[int, str]]) -> str:
    """Write a list, no item of which is more than one deeper than that before."""
    lines, deepest = [], 0
    for depth, words in items:
        lines.append("  " * min(depth, deepest) + f"- {words}")
        deepest = min(depth, deepest) + 1
    return "\n".join(lines)


@st.composite
def blocks(draw: st.DrawFn) -> list[str]:
    """Make blocks of Markdown: headings, paragraphs, lists, tables."""
    heading = st.builds("{} {}".format, st.sampled_from(["#", "##", "###"]), WORDS)
    items = st.lists(st.tuples(st.integers(0, 2), WORDS), min_size=1, max_size=6)
    lists = items.map(_list)
    rows = st.lists(WORDS, min_size=1, max_size=5)
    tables = rows.map(lambda some: "\n".join(["| a |", "|---|", *(f"| {row} |" for row in some)]))
    block = st.one_of(heading, WORDS, WORDS, WORDS.map("{}:".format), lists, tables)
    return draw(st.lists(block, max_size=14))


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """Choose options of elements, and those of the strategy."""
    chosen = draw(laws.element_options())
    hard_max = chosen.get("max_tokens") or chosen["max_chars"]
    for name in ("list_max", "table_max", "split_above"):
        if draw(st.booleans()):
            chosen[name] = draw(st.integers(1, hard_max))
    if draw(st.booleans()):
        chosen |= {"embedder": laws.by_first_letter, "merge_at": draw(st.floats(-1, 1))}
    return chosen


DOCUMENTS = st.one_of(
    element_lists().map(cw.read_elements),
    MARKDOWN.map(cw.read_markdown),
    blocks().map(lambda some: cw.read_markdown("\n\n".join(some))),
)


@given(document=DOCUMENTS, chosen=options())
def test_laws(document: cw.Document, chosen: dict[str, Any]) -> None:
    splitter = cw.Structural(**chosen)
    chunks = splitter(document)
    laws.hold(document.text, chunks, chosen)
    laws.hold_for_elements(chunks)
    assert set(chunks.reasons) <= {"structure", "score", "limit", "end"}
    assert chunks.reasons[-1:] == ["end"] * bool(chunks)
    for workers in (1, 2):
        batch = splitter.batch([document, document], workers=workers)
        assert batch.texts() == 2 * chunks.texts()
        assert batch.reasons == 2 * chunks.reasons
        assert np.array_equal(batch.scores, np.tile(chunks.scores, 2), equal_nan=True)


def _kinds(chunk: cw.Chunk) -> list[str]:
    return [each.kind for each in chunk.elements if each.text]


@given(some=blocks(), merges=st.booleans())
def test_headings_go_with_what_they_head(some: list[str], merges: bool) -> None:
    document = cw.read_markdown("\n\n".join(some))
    embedder: dict[str, Any] = {"embedder": laws.by_first_letter} if merges else {}
    chunks = cw.Structural(max_chars=WIDE, **embedder)(document)
    for number, chunk in enumerate(chunks):
        kinds = _kinds(chunk)
        below = list(itertools.dropwhile(lambda kind: kind == "heading", kinds))
        assert "heading" not in below
        assert below or number == len(chunks) - 1


@given(some=blocks())
def test_blocks_of_their_own_are_whole(some: list[str]) -> None:
    document = cw.read_markdown("\n\n".join(some))
    texts = cw.Structural(max_chars=WIDE)(document).texts()
    for block in some:
        if not block.startswith("#"):
            assert any(block in text for text in texts)
    # A paragraph ends a block, unless it leads to what follows.
    for text in texts:
        paragraphs = [line for line in text.split("\n\n") if line and line[0] not in "#-| "]
        assert all(line.endswith(":") for line in paragraphs[:-1])


@given(
    letters=st.lists(st.sampled_from(["ape", "bee", "# cat", "# dog"]), max_size=20),
    soft_max=st.integers(1, 40),
    merge_at=st.sampled_from([-1.0, 0.0, 0.5, 1.0]),
)
def test_merging_is_that_of_a_naive_twin(
    letters: list[str], soft_max: int, merge_at: float
) -> None:
    document = cw.read_markdown("\n\n".join(letters))
    alone = cw.Structural(max_chars=WIDE)(document).texts()
    vectors = laws.by_first_letter(alone)
    expected: list[str] = []
    reasons: list[str] = []
    for i, text in enumerate(alone):
        if i > 0:
            merged = f"{expected[-1]}\n\n{text}"
            cosine = float(vectors[i - 1] @ vectors[i])
            if text.startswith("#"):
                reasons.append("structure")
            elif cosine < merge_at:
                reasons.append("score")
            elif len(merged) > soft_max:
                reasons.append("limit")
            else:
                expected[-1] = merged
                continue
        expected.append(text)
    chunks = cw.Structural(
        max_chars=WIDE, soft_max=soft_max, merge_at=merge_at, embedder=laws.by_first_letter
    )(document)
    assert chunks.texts() == expected
    assert chunks.reasons == [*reasons, "end"][: len(expected)]


@given(
    items=st.lists(st.tuples(st.integers(0, 3), WORDS), max_size=20), list_max=st.integers(1, 99)
)
def test_parts_of_lists_are_whole_items(items: list[tuple[int, str]], list_max: int) -> None:
    text = _list(items)
    document = cw.read_markdown(text)
    chunks = cw.Structural(max_chars=WIDE, list_max=list_max)(document)
    if len(text) <= list_max:
        assert len(chunks) <= 1
    for chunk in chunks:
        assert chunk.part == 0
        assert len(chunk.text) <= list_max or len(_kinds(chunk)) == 1
    assert all(reason == "limit" for reason in chunks.reasons[:-1])


def test_blocks_have_a_type_a_parent_and_pages() -> None:
    kinds: list[tuple[str, int, list[int]]] = [
        ("paragraph", 0, [1]),
        ("heading", 1, [1]),
        ("heading", 2, [1]),
        ("paragraph", 0, [1, 2]),
        ("code", 0, [2]),
        ("heading", 2, [3]),
        ("list item", 1, [3]),
        ("list item", 1, [4]),
        ("figure", 0, []),
        ("caption", 0, [5]),
        ("heading", 1, []),
    ]
    text = "\n\n".join("word" for _ in kinds)
    items = [
        {"kind": kind, "level": level, "start": 6 * i, "end": 6 * i + 4, "pages": pages}
        for i, (kind, level, pages) in enumerate(kinds)
    ]
    document = cw.Document(elements=cw.elements_at(text, items))
    chunks = cw.Structural(max_chars=99)(document)
    rows = chunks.to_dicts()
    columns = ("block_type", "parent", "page_start", "page_end")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("text", None, 1, 1),
        ("heading_para", None, 1, 2),
        ("code", 1, 2, 2),
        ("list", 1, 3, 4),
        ("figure", 3, 5, 5),
        ("heading_para", None, None, None),
    ]
    assert chunks.to_arrow().to_pylist() == rows
    # Parts of a block have its parent.
    parts = cw.Structural(max_chars=9)(document).to_dicts()
    assert {row["parent"] for row in parts if row["first_element"] == 1} == {None}


@given(document=DOCUMENTS, chosen=options())
def test_parents_hold_the_heading_above(document: cw.Document, chosen: dict[str, Any]) -> None:
    chunks = cw.Structural(**chosen)(document)
    for chunk, row in zip(chunks, chunks.to_dicts(), strict=True):
        above = chunk.elements[0].headings if chunk.elements else ()
        parent = row["parent"]
        assert (parent is None) == (not above)
        if parent is not None:
            assert parent < chunk.index
            assert any(
                each.kind == "heading" and each.headings == above[:-1]
                for each in chunks[parent].elements
            )


def test_the_embedder_is_asked_once_for_many_documents() -> None:
    asked: list[list[str]] = []

    def embedder(texts: list[str]) -> Any:
        asked.append(texts)
        return laws.by_first_letter(texts)

    documents = [[element("NarrativeText", f"{word} runs.")] * 2 for word in ("Ape", "Bee", "Cat")]
    chunks = cw.Structural(embedder=embedder, max_chars=100).batch(documents)
    assert len(asked) == 1
    assert chunks.texts() == [f"{word} runs.\n\n{word} runs." for word in ("Ape", "Bee", "Cat")]


def test_a_giant_block_is_split_between_unlike_sentences() -> None:
    sentences = ["Apes eat. ", "Apes sleep. ", "Bees hum. ", "Bees fly. ", "Apes wake."]
    items = [element("Title", "Animals"), element("NarrativeText", "".join(sentences))]
    asked: list[str] = []

    def embedder(texts: list[str]) -> Any:
        asked.extend(texts)
        return [[1.0, 0.0] if "Apes" in text else [0.0, 1.0] for text in texts]

    options: dict[str, Any] = {"max_chars": 500, "embedder": embedder}
    chunks = cw.Structural(split_above=50, **options)(items)
    assert chunks.texts() == [
        "Animals\n\nApes eat. Apes sleep.",
        "Bees hum. Bees fly.",
        "Apes wake.",
    ]
    assert chunks.reasons == ["score", "score", "end"]
    assert [chunk.part for chunk in chunks] == [0, 1, 2]
    assert asked == ["Animals\n\nApes eat.", *(text.strip() for text in sentences[1:])]
    assert len(cw.Structural(split_above=70, **options)(items)) == 1


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["NarrativeText", "Image", "FigureCaption", "NarrativeText"], [1, 2, 1]),
        (["NarrativeText", "FigureCaption", "Table", "NarrativeText"], [1, 2, 1]),
        (["Image", "FigureCaption", "Image", "FigureCaption"], [2, 2]),
        (["FigureCaption", "Table", "FigureCaption", "Table"], [2, 2]),
        (["Title", "Table", "FigureCaption", "Title"], [3, 1]),
    ],
)
def test_captions_stay_with_theirs(types: list[str], expected: list[int]) -> None:
    chunks = cw.Structural(max_chars=300)([element(type_, f"a {type_}") for type_ in types])
    assert [len(chunk.elements) for chunk in chunks] == expected


def test_a_caption_that_says_where_it_belongs_is_believed() -> None:
    text = "one\n\ntwo\n\nthree"
    kinds = ["figure", "caption", "figure"]
    places = [(0, 3), (5, 8), (10, 15)]
    items: list[dict[str, Any]] = [
        {"kind": kind, "start": start, "end": end}
        for kind, (start, end) in zip(kinds, places, strict=True)
    ]
    for caption_of, expected in ((0, ["one\n\ntwo", "three"]), (2, ["one", "two\n\nthree"])):
        items[1]["caption_of"] = caption_of
        document = cw.Document(elements=cw.elements_at(text, items))
        assert cw.Structural(max_chars=99)(document).texts() == expected


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"list_max": 0}, "list_max must be between 1 and 50, got 0"),
        ({"table_max": 51}, "table_max must be between 1 and 50, got 51"),
        ({"split_above": 0}, "split_above must be at least 1, got 0"),
        ({"merge_at": 1.5}, "merge_at must be between -1 and 1, got 1.5"),
        ({"merge_at": True}, "merge_at must be between -1 and 1, got True"),
        ({"merge_at": math.nan}, "merge_at must be between -1 and 1, got nan"),
        ({"embedder": "mini"}, "unknown embedder 'mini'"),
    ],
)
def test_wrong_options_are_named(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError) as caught:
        cw.Structural(max_chars=50, **chosen)
    assert message in str(caught.value)
    assert caught.value.option == next(iter(chosen))


def test_sizes_are_in_the_unit_of_the_limit() -> None:
    paragraphs = [element("NarrativeText", "word " * 30)] * 20

    def n_chunks(**chosen: Any) -> int:
        embedder: Any = lambda texts: np.ones((len(texts), 1))  # noqa: E731 - short
        return len(cw.Structural(embedder=embedder, **chosen)(paragraphs))

    # Of 30 tokens and 150 characters each: 350 tokens and 1,400 characters are the targets.
    assert (n_chunks(), n_chunks(max_chars=2000), n_chunks(max_tokens=100)) == (2, 3, 7)
    assert n_chunks(soft_max=64) == 10


@given(text=WITH_SURROGATES, merges=st.booleans())
def test_any_text_is_cut(text: str, merges: bool) -> None:
    embedder: Any = laws.by_first_letter if merges else None
    document = cw.read_markdown(text)
    splitter = cw.Structural(max_chars=12, split_above=5, embedder=embedder)
    laws.hold(text, splitter(document), {"max_chars": 12, "overlap": 0})


N = 100_000
# Made when they are asked for: together they take some 150 MB.
HOSTILE: dict[str, Callable[[], list[Item]]] = {
    "headings": lambda: [element("Title", f"Title {i}") for i in range(N)],
    "one list": lambda: [element("ListItem", f"item {i}") for i in range(N)],
    "lead-ins": lambda: [element("ListItem", f"item {i}:") for i in range(N)],
    "captions": lambda: [element("FigureCaption", f"caption {i}") for i in range(N)],
    "figures": lambda: [element(("Image", "FigureCaption")[i % 2], f"text {i}") for i in range(N)],
    "one paragraph": lambda: [element("NarrativeText", "A word. " * N)],
}


@pytest.mark.cpu_seconds(60)
@pytest.mark.parametrize(
    ("name", "merges"), mostly_slow(itertools.product(HOSTILE, [False, True]), quick=5)
)
def test_time_is_linear(name: str, merges: bool) -> None:
    def embedder(texts: list[str]) -> Any:
        return np.ones((len(texts), 1), np.float32)

    chosen: dict[str, Any] = {"embedder": embedder} if merges else {}
    document = cw.read_elements(HOSTILE[name]())
    chunks = cw.Structural(**chosen)(document)
    assert len(chunks) > 100
    laws.limits_hold(chunks, {"max_tokens": 512, "tokenizer": "cl100k_base"})


@pytest.mark.cpu_seconds(60)
@pytest.mark.parametrize("limit", [{"max_chars": 400}, {"max_tokens": 100, "tokenizer": len}])
def test_lists_nested_without_end(limit: dict[str, Any]) -> None:
    one = "\n".join("  " * depth + f"- item {depth}" for depth in range(100))
    document = cw.read_markdown("\n".join([one] * 30))
    chunks = cw.Structural(**limit)(document)
    assert len(chunks) > 100
    laws.bodies_cover_the_text(document.text, chunks)
