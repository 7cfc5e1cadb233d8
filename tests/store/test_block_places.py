"""Places of known blocks in a changed text, in code points; the core tests which are the best."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core
from tests.support.texts import TEXTS, WITH_SURROGATES

Span = tuple[int, int]


def collapsed(text: str) -> str:
    return " ".join(text.split())


def placed(old: str, spans: list[Span], new: str) -> list[Span | None]:
    blocks = [old[start:end] for start, end in spans]
    return _core.block_places(new, blocks, _core.word_cuts(old, spans))


def chunked(text: str, max_chars: int) -> list[Span]:
    chunks = cw.chunk(text, "recursive", max_chars=max_chars)
    return [(int(start), int(end)) for start, end in zip(chunks.starts, chunks.ends, strict=True)]


@given(WITH_SURROGATES, st.integers(1, 40))
def test_blocks_of_an_unchanged_text_stand_where_they_did(text: str, max_chars: int) -> None:
    spans = chunked(text, max_chars)
    for (start, end), place in zip(spans, placed(text, spans, text), strict=True):
        own = text[start:end]
        assert place == (
            None if not own.strip() else (end - len(own.lstrip()), start + len(own.rstrip()))
        )


@given(TEXTS, st.integers(4, 40), st.text("ab \n漢", max_size=12), st.data())
def test_places_hold_their_blocks_and_are_disjoint(
    text: str, max_chars: int, inserted: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(text)))
    new = text[:at] + inserted + text[at:].replace(" ", "\n ")
    spans = chunked(text, max_chars)
    places = placed(text, spans, new)
    for (start, end), place in zip(spans, places, strict=True):
        if place is not None:
            found = new[slice(*place)]
            assert collapsed(found) == collapsed(text[start:end])
            assert found == found.strip()
    in_order = sorted(place for place in places if place is not None)
    assert all(before[1] <= after[0] for before, after in pairwise(in_order))


def test_what_has_changed_stands_nowhere_and_what_was_moved_elsewhere() -> None:
    old = ["First came rain.", "Then wind.", "Last of all came snow."]
    new = "Last of all\n came snow. First came rain. Then winds."
    cuts = [(False, False)] * 3
    places = _core.block_places(new, old, cuts)
    assert [place and new[slice(*place)] for place in places] == [
        "First came rain.",
        None,
        "Last of all\n came snow.",
    ]


def test_a_block_that_ended_inside_a_word_may_do_so_again() -> None:
    assert _core.word_cuts("rainfall and snow", [(0, 4), (4, 9), (9, 17)]) == [
        (False, True),
        (True, False),
        (False, False),
    ]
    assert _core.block_places("rainy", ["rain"], [(False, True)]) == [(0, 4)]
    assert _core.block_places("rainy", ["rain"], [(False, False)]) == [None]


def test_pairs_of_surrogates_count_twice() -> None:
    assert _core.block_places(
        "\ud83d\ude80 a \ud83d b", ["🚀 a", "\ud83d b"], [(False, False)] * 2
    ) == [
        (0, 4),
        (5, 8),
    ]


def test_arguments_are_checked() -> None:
    with pytest.raises(cw.ConfigError, match="2 blocks and 1 cuts"):
        _core.block_places("a b", ["a", "b"], [(False, False)])
    for span in [(0, 4), (2, 1)]:
        with pytest.raises(IndexError, match=f"{span[0]} to {span[1]}"):
            _core.word_cuts("abc", [span])
