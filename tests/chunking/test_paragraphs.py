"""Short paragraphs without a full stop: chats, addresses, poems, lists; none that fits is cut."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw

# Called with options that the test has as data.
CHUNK: Any = cw.chunk

WORDS = st.text("abcdefgh", min_size=1, max_size=8)
LINES = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)


def _line(form: str, ends: str = "") -> st.SearchStrategy[str]:
    return st.builds(lambda line, end: form.format(line) + end, LINES, st.sampled_from([*ends, ""]))


PARAGRAPHS = st.one_of(
    _line("User: {}", "?."),
    _line("{}"),
    _line("# {}"),
    _line("Error 17: {}"),
    _line("{}\n-----"),
    _line("{}, 花落知多少"),
    st.lists(LINES, min_size=2, max_size=4).map("\n".join),
    st.lists(LINES, min_size=2, max_size=3).map(". ".join),
)
TEXTS = st.lists(PARAGRAPHS, min_size=1, max_size=14)
BY_SENTENCES = ["sentence", "balanced", "cluster", "kamradt", "kamradt_modified", "discontinuity"]


def _cuts(chunks: cw.Chunks) -> list[tuple[int, int]]:
    """Return the ends of the chunks' own texts and the starts of those behind them."""
    bodies = [piece for chunk in chunks for piece in chunk.pieces if piece.role == "body"]
    return [(one.end, other.start) for one, other in pairwise(bodies)]


def _parted(text: str, units: list[str], chunks: cw.Chunks) -> list[str]:
    """Return the units of a text that a cut lies in."""
    at, parted = 0, []
    for unit in units:
        start = text.index(unit, at)
        at = start + len(unit)
        if any(start < end < at or start < begin < at for end, begin in _cuts(chunks)):
            parted.append(unit)
    return parted


@given(paragraphs=TEXTS, limit=st.integers(8, 120), overlap=st.integers(0, 20))
def test_no_paragraph_that_fits_is_cut(paragraphs: list[str], limit: int, overlap: int) -> None:
    """It fits where it has room beside the overlap that is asked for."""
    overlap = min(overlap, limit // 3)
    text = "\n\n".join(paragraphs)
    chunks = CHUNK(text, "recursive", max_chars=limit, overlap=overlap)
    short = [each for each in paragraphs if len(each) <= limit - overlap]
    assert [each for each in _parted(text, paragraphs, chunks) if each in short] == []


@pytest.mark.parametrize("strategy", BY_SENTENCES)
@given(paragraphs=TEXTS, limit=st.integers(8, 120))
def test_no_sentence_that_fits_is_cut(strategy: str, paragraphs: list[str], limit: int) -> None:
    text = "\n\n".join(paragraphs)
    chunks = CHUNK(text, strategy, max_chars=limit)
    sentences = [sentence.strip() for sentence in cw.split_sentences(text)]
    short = [each for each in sentences if len(each) <= limit]
    assert [each for each in _parted(text, sentences, chunks) if each in short] == []


ITEMS = st.lists(
    st.lists(LINES, min_size=1, max_size=3).map("\n  ".join).map("- {}".format),
    min_size=1,
    max_size=4,
)
LEADS = st.tuples(LINES.map("{}:".format), ITEMS)


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced"])
@given(
    before=st.lists(LINES.map("{}.".format), max_size=3),
    lists=st.lists(LEADS, min_size=1, max_size=4),
    limit=st.integers(8, 120),
)
def test_a_first_item_that_fits_is_whole_and_with_its_lead_in_where_both_fit(
    strategy: str, before: list[str], lists: list[tuple[str, list[str]]], limit: int
) -> None:
    text = "\n\n".join([*before, *(f"{lead}\n\n" + "\n".join(items) for lead, items in lists)])
    chunks = CHUNK(text, strategy, max_chars=limit)
    for units in (
        [items[0] for _, items in lists],
        [f"{lead}\n\n{items[0]}" for lead, items in lists],
    ):
        assert [each for each in _parted(text, units, chunks) if len(each) <= limit] == []


RECIPES = (
    "Red apple pie recipe\n\nGreen pear tart recipe\n\nBlue plum cake recipe\n\n"
    "White nut bread recipe\n\nBrown rye loaf recipe"
)
CHAT = (
    "User: hello there my friend\n\nBot: hi and welcome back\n\nUser: what is the price\n\n"
    "Bot: it is nine euros\n\nUser: thanks a lot"
)
POEM = "春眠不觉晓\n\n处处闻啼鸟\n\n夜来风雨声\n\n花落知多少"


@pytest.mark.parametrize("strategy", ["recursive", *BY_SENTENCES])
def test_a_run_of_short_lines_is_a_list_of_paragraphs(strategy: str) -> None:
    for text, limit in [(RECIPES, 30), (CHAT, 30), (POEM, 6)]:
        assert CHUNK(text, strategy, max_chars=limit).texts() == text.split("\n\n")


def test_lines_of_a_list_share_a_chunk_where_they_fit() -> None:
    assert CHUNK(CHAT, "balanced", max_chars=40).texts() == CHAT.split("\n\n")
    both = CHUNK(CHAT, max_chars=55).texts()
    assert both == [
        "User: hello there my friend\n\nBot: hi and welcome back",
        "User: what is the price\n\nBot: it is nine euros",
        "User: thanks a lot",
    ]
    marks = CHUNK("alpha beta\n\ngamma delta\n\nepsilon", separators=["\n\n"], max_chars=14)
    assert marks.texts() == ["alpha beta", "gamma delta", "epsilon"]


@pytest.mark.parametrize("title", ["# Rain", "Rain", "Rain\n----"])
def test_a_heading_goes_with_what_has_room_beside_it_or_is_cut_anyway(title: str) -> None:
    text = f"The sun shone for long.\n\n{title}\n\nIt fell for days and days."
    together = CHUNK(text, max_chars=45).texts()
    assert together == ["The sun shone for long.", text[text.index(title) :]]
    # What fits by itself is not cut for a heading.
    assert CHUNK(text, max_chars=27).texts()[-1] == "It fell for days and days."
    # What does not is cut, and the heading with it.
    assert CHUNK(text, max_chars=25).texts()[-2].startswith(title)


@pytest.mark.parametrize("form", ["{}. {}", "{}) {}", "({}) {}", "**{}. {}**", "{}.1 {}"])
@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced"])
def test_a_numbered_heading_stays_with_its_text(strategy: str, form: str) -> None:
    titles = [form.format(i, title) for i, title in enumerate(["Terms", "Payment", "Purpose"], 1)]
    body = "This is what the contract says of it. And it says a little more than that."
    text = "\n\n".join(f"{title}\n\n{body}" for title in titles)
    for limit in range(90, 220, 10):
        texts = cw.strategy(strategy, max_chars=limit)(text).texts()
        assert not any(part.endswith(tuple(titles)) for part in texts)


def test_items_with_numbers_are_no_headings() -> None:
    text = "1. One\n\n2. Two\n\n3. Three\n\nAnd this is what follows the list."
    assert cw.Recursive(max_chars=40)(text).texts()[0].endswith("3. Three")
