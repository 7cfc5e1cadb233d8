"""Data of a view and its page: what they say of chunks, without a browser."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.render.viewing import page_of, view_of, viewer_script, viewer_style
from chunkwright.render.viewing.page import json_in_html
from tests.pages.viewer.opening import NOTES, notes

MOST_BYTES = 300_000


@given(text=st.text(max_size=300), n=st.integers(5, 60), overlap=st.integers(0, 4))
def test_pieces_are_the_texts_of_the_chunks(text: str, n: int, overlap: int) -> None:
    chunks = cw.strategy("window", max_chars=n, overlap=overlap)(text)
    view = view_of(chunks)
    for row in view["chunks"]:
        pieces = [view["text"][piece["start"] : piece["end"]] for piece in row["pieces"]]
        assert "".join(pieces) == row["text"]
    json.dumps(view, allow_nan=False)


@pytest.mark.parametrize("text", ["a \ud800 b", "a \ud83d\ude00 b. c", "\udc00", "x\x00y\u2028z"])
def test_surrogates_do_not_move_offsets(text: str) -> None:
    chunks = cw.strategy("recursive", max_chars=4)(text)
    view = view_of(chunks)
    texts = [
        "".join(view["text"][p["start"] : p["end"]] for p in row["pieces"])
        for row in view["chunks"]
    ]
    assert texts == chunks.texts()
    page_of(chunks).encode()


def test_a_page_has_no_text_twice_and_is_small() -> None:
    chunks = cw.strategy("recursive", max_chars=100)(NOTES)
    assert "text" in view_of(chunks)["chunks"][0]
    assert "text" not in view_of(chunks, with_texts=False)["chunks"][0]
    assert page_of(chunks).count("It rained on Monday") == 1
    assert len(viewer_script()) + len(viewer_style()) < MOST_BYTES


def test_chunks_of_a_batch_are_no_view() -> None:
    chunks = cw.strategy("recursive", max_chars=9).batch(["one", "two"])
    with pytest.raises(ConfigError, match="one document, got chunks of 2"):
        view_of(chunks)


def test_a_slice_of_chunks_is_shown_as_such() -> None:
    chunks = cw.strategy("recursive", max_chars=40)(NOTES)
    assert [row["index"] for row in view_of(chunks[1:3])["chunks"]] == [1, 2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One two.\n\nThree.", "at an empty line"),
        ("One two\nthree five", "at the end of a line"),
        ("One two. Three four", "behind a sentence"),
        ("One two three four", "between words"),
        ("Onetwothreefour", "inside a word"),
        ("---------------", "between two characters"),
    ],
)
def test_endings_say_where_a_strategy_without_reasons_has_cut(text: str, words: str) -> None:
    rows = view_of(cw.strategy("recursive", max_chars=10)(text))["chunks"]
    assert rows[0]["ending"] == {"reason": None, "words": words}
    assert rows[-1]["ending"] == {"reason": None, "words": "end of the text"}


def test_endings_before_headings_are_told() -> None:
    chunks = cw.strategy("hybrid", max_tokens=32)(notes())
    words = [row["ending"]["words"] for row in view_of(chunks)["chunks"]]
    assert "before a heading" in words


def test_the_outline_has_the_titles_without_their_marks() -> None:
    view = view_of(cw.strategy("hybrid", max_tokens=32)(notes()))
    titles = [(each["title"], each["level"]) for each in view["outline"]]
    assert titles == [("Rain", 1), ("Rivers", 2), ("Sun", 1)]
    assert NOTES[view["outline"][1]["start"] :].startswith("## Rivers")


def test_the_limit_is_that_of_the_strategy() -> None:
    strategy = cw.strategy("recursive")
    assert view_of(strategy(NOTES), strategy=strategy)["limit"] == {"unit": "tokens", "most": 512}
    strategy = cw.strategy("recursive", max_chars=40)
    assert view_of(strategy(NOTES), strategy=strategy)["limit"] == {"unit": "chars", "most": 40}


@given(
    value=st.recursive(st.text() | st.none(), lambda x: st.lists(x) | st.dictionaries(st.text(), x))
)
def test_json_in_a_page_ends_nothing_and_says_the_same(value: object) -> None:
    written = json_in_html(value)
    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written) == json.loads(json.dumps(value))


def test_the_policy_of_a_page_allows_its_own_script_alone() -> None:
    page = page_of(cw.strategy("recursive", max_chars=40)(NOTES))
    policy = re.search('Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe" not in policy[1]
    assert not re.search(r"<[^>]+\son\w+=|https?://(?!www\.w3\.org/2000/svg)", page)


def test_scripts_are_short_and_say_what_they_are() -> None:
    assets = Path("python/chunkwright/render/assets")
    for file in assets.glob("viewer*.js"):
        text = file.read_text("utf-8")
        assert text.startswith("/**\n * @file "), file.name
        assert text.count("\n") < 500, file.name


@pytest.mark.parametrize(
    ("name", "text", "is_fixed"),
    [
        ("a.rs", "fn main() {}\n", True),
        ("a.yaml", "a: 1\n", True),
        (None, '{"a": [1, 2]}\n', True),
        ("rows.jsonl", '{"a": 1}\n{"a": 2}\n', True),
        ("a.log", "2026-11-01T10:00:00Z it began\n2026-11-01T10:00:01Z it ended\n", True),
        ("notes.txt", "name     weight\nslate    7\nmarble   9\n", True),
        ("notes.txt", "It rained.\n\nThe mill stood    still.\n\nNobody came.\n", False),
        ("notes.txt", "[A note] It rained.", False),
        ("notes.txt", "", False),
        ("notes.md", "# Rain\n\nIt rained.\n", False),
        ("page.html", "<h1>Rain</h1><p>It rained.</p>", False),
    ],
)
def test_code_data_and_logs_have_a_fixed_width(
    name: str | None, text: str, *, is_fixed: bool
) -> None:
    chunks = cw.chunk(cw.read(text.encode(), name=name), "recursive")
    assert view_of(chunks)["fixed_width"] == is_fixed
