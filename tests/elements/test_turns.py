"""Turns of conversations in chunks: who speaks and when, and the name in front of each part."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ELEMENT_STRATEGIES
from tests import laws

STRATEGIES = sorted(ELEMENT_STRATEGIES)
TALK = (
    "[00:00:01] Ada Lee: How much rain fell in May?\n"
    "[00:00:04] Bo: Forty millimetres. The river rose on the fourth, and the mill stood still.\n"
    "[00:00:12] Ada Lee: And in June?\n"
    "[00:00:14] Bo: None at all.\n"
)


def make(strategy: Any, **options: Any) -> Any:
    if strategy == "by_similarity":
        options.setdefault("embedder", laws.by_first_letter)
    return ELEMENT_STRATEGIES[strategy](**options)


def read(text: str) -> cw.Document:
    return cw.read(text.encode(), kind="transcript", name="talk.txt")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_part_of_a_turn_names_its_speaker(strategy: Any) -> None:
    chunks = make(strategy, max_chars=60)(read(TALK))
    part = next(chunk for chunk in chunks if "mill stood" in chunk.text)
    assert part.text.startswith("Bo: ")
    assert len(part.text) <= 60
    assert part.piece_texts()[0] == ("speaker", "Bo: ")
    assert (part.speaker, part.speakers, part.time_start) == ("Bo", ("Bo",), 4.0)
    assert (part.kind, part.is_continuation) == ("turn", True)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_turn_that_fits_is_cut(strategy: Any) -> None:
    document = read(TALK)
    chunks = make(strategy, max_chars=90)(document)
    for element in document.elements or ():
        assert sum(element.text in chunk.text for chunk in chunks) == 1


def test_rows_say_who_speaks_and_when() -> None:
    (chunk,) = cw.chunk(read(TALK), "basic", max_chars=1000)
    row = dict(chunk)
    assert (row["speaker"], row["speakers"]) == (None, ["Ada Lee", "Bo"])
    assert (row["time_start"], row["time_end"]) == (1.0, 14.0)
    copied = pickle.loads(pickle.dumps(chunk))
    assert dict(copied) == row
    assert [one.speaker for one in copied.elements] == ["Ada Lee", "Bo"] * 2
    assert [one.cues[0].start for one in copied.elements] == [1.0, 4.0, 12.0, 14.0]
    plain = cw.chunk(cw.read(b"# A\n\nb", name="a.md"), "basic", max_chars=9)[0]
    assert (plain.speaker, plain.speakers, plain.time_start, plain.time_end) == (
        None,
        (),
        None,
        None,
    )


def test_parts_have_the_times_of_their_cues() -> None:
    cues = "".join(
        f"{i}\n00:00:0{i},000 --> 00:00:0{i + 1},000\n{'ADA: ' if i == 1 else ''}It rained {i}.\n\n"
        for i in range(1, 7)
    )
    chunks = cw.chunk(cw.read(cues.encode(), name="a.srt"), "basic", max_chars=30)
    # SubRip names her once, and what follows without a pause is hers only within a sentence.
    starts = [chunk.time_start for chunk in chunks]
    assert starts == sorted(at for at in starts if at is not None)
    assert chunks[-1].time_end == 7.0
    (wide,) = cw.chunk(
        cw.read(b"WEBVTT\n\n" + cues.replace("ADA: ", "").replace(",", ".").encode()),
        "basic",
        max_chars=900,
    )
    assert (wide.time_start, wide.time_end) == (1.0, 7.0)
    parts = cw.chunk(
        cw.read(b"WEBVTT\n\n" + cues.replace("ADA: ", "").replace(",", ".").encode()),
        "basic",
        max_chars=25,
    )
    assert [part.time_start for part in parts] == [1.0, 3.0, 5.0]


def test_chunks_are_expanded_to_the_turns_around_them() -> None:
    chunks = cw.chunk(read(TALK), "basic", max_chars=90, soft_max=1)
    one = next(chunk for chunk in chunks if "June" in chunk.text)
    wide = cw.expand(one, to="turns")
    assert "mill stood still" in wide.text
    assert "None at all" in wide.text
    assert "May" not in wide.text
    assert cw.expand(one, to="turns", max_chars=200).text in TALK


def turn_texts() -> st.SearchStrategy[str]:
    words = st.text(alphabet="abc é漢.", min_size=1, max_size=80).filter(str.strip)
    named = st.tuples(st.sampled_from(["Ada", "Bo", "THE COURT", "Speaker 12"]), words)
    lines = st.lists(
        named.map(lambda turn: f"{turn[0]}: {turn[1].strip()}"), min_size=1, max_size=12
    )
    return lines.map("\n".join)


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(text=turn_texts(), size=st.integers(4, 120), overlap=st.integers(0, 3), unit=st.booleans())
def test_laws_of_turns(strategy: Any, text: str, size: int, overlap: int, unit: bool) -> None:
    limit = {"max_tokens" if unit else "max_chars": size}
    chunks = make(strategy, **limit, overlap=overlap)(read(text))
    size_of = cw.Tokenizer("cl100k_base").count if unit else len
    at = 0
    for chunk in chunks:
        assert size_of(chunk.text) <= size or chunk.oversize
        for piece in chunk.pieces:
            if piece.role == "body":
                assert not text[at : piece.start].strip()
                at = piece.end
        roles = [piece.role for piece in chunk.pieces]
        assert roles.count("speaker") <= 1
        if "speaker" in roles:
            # The name is that of the turn in which the text behind it stands.
            name, behind = chunk.pieces[0], chunk.pieces[1]
            assert name.end <= behind.start
            assert "\n" not in text[name.start : behind.start]
    assert not text[at:].strip()
