"""What is said, once, of overlaps that come to nothing and of ids that are equal."""

import logging
from collections.abc import Iterator

import pytest

import chunkwright as cw
from chunkwright.messages import logs


@pytest.fixture(autouse=True)
def _nothing_said() -> Iterator[None]:
    logs.once.cache_clear()
    yield
    logs.once.cache_clear()


def _said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno == logging.WARNING]


def test_an_overlap_that_comes_to_nothing_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    splitter = cw.Window(max_chars=5, overlap=2)
    for _ in range(3):
        chunks = splitter("abcdefghij")
    assert chunks.texts() == ["abcde", "fghij"]
    assert chunks.overlaps.tolist() == [0, 0]
    [message] = _said(caplog)
    assert "overlap=2" in message
    assert "overlap_at='any'" in message
    anywhere = cw.Window(max_chars=5, overlap=2, overlap_at="any")("abcdefghij")
    assert anywhere.overlaps.tolist() == [0, 2, 2]


def test_marks_are_named_where_they_may_be_why(caplog: pytest.LogCaptureFixture) -> None:
    cw.Recursive(max_chars=90, overlap=4, split_at="%")("one two%three four")
    [message] = _said(caplog)
    assert "no overlap reaches over a mark of split_at" in message


def test_sentences_without_room_are_said(caplog: pytest.LogCaptureFixture) -> None:
    text = "\n\n".join(
        [f"Paragraph {i} of this report says a thing or two on the weather." for i in range(8)]
    )
    chunks = cw.Sentence(max_chars=90, overlap=40)(text)
    assert not chunks.overlaps.any()
    assert len(_said(caplog)) == 1


def test_an_overlap_that_is_there_is_not_said(caplog: pytest.LogCaptureFixture) -> None:
    chunks = cw.Recursive(max_chars=9, overlap=4)("one two three four")
    assert chunks.overlaps.tolist() == [0, 3, 0]
    assert cw.Recursive(max_chars=9, overlap=4)("one two").overlaps.tolist() == [0]
    batch = cw.Recursive(max_chars=9, overlap=4).batch(["one two", "one two"])
    assert batch.overlaps.tolist() == [0, 0]
    assert chunks[1:].overlaps.tolist() == [3, 0]
    assert _said(caplog) == []


def test_equal_ids_of_documents_without_names_are_said(caplog: pytest.LogCaptureFixture) -> None:
    text = "One two three. Four five six."
    batch = cw.Recursive(max_chars=20).batch([text, text])
    assert len({*batch.ids}) * 2 == len(batch.ids)
    [message] = _said(caplog)
    assert "names=" in message
    named = cw.Recursive(max_chars=20).batch([text, text], names=["a", "b"])
    assert len({*named.ids}) == len(named.ids)
    assert len(_said(caplog)) == 1
