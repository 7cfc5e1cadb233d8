"""Speakers of blocks in a store: who speaks and when, filters, and hits with turns around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.store import Store

ODD = 'Bo "the, mill"'
TALK = (
    "[00:00:01] Ada Lee: How much rain fell on the mill in May?\n"
    "[00:00:04] Bo: Forty millimetres fell on the mill.\n"
    "[00:00:12] Ada Lee: And on the mill in June?\n"
    "[00:00:14] Bo: None at all at the mill.\n"
)


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target) as store:
        strategy = cw.Basic(max_chars=70, soft_max=1)
        store.add(cw.read(TALK.encode(), kind="transcript", name="talk"), strategy=strategy)
        odd = [
            {"role": ODD, "content": "The mill was sold."},
            {"role": "mill", "content": "The mill!"},
        ]
        import json

        messages = cw.read(json.dumps(odd).encode(), kind="messages", name="odd")
        store.add(messages, strategy=strategy)
        store.add(cw.Document(text="Bo says: the mill was sold.", name="letter"))
        yield store


def found(store: Store, **where: Any) -> set[tuple[str, ...]]:
    return {hit.speakers for hit in store.search("the mill", 20, where=where)}


def test_hits_say_who_speaks_and_when(store: Store) -> None:
    (hit,) = store.search("forty millimetres", 1)
    assert (hit.speakers, hit.time_start, hit.time_end) == (("Bo",), 4.0, 12.0)
    assert hit.chunk is not None
    assert hit.chunk.speaker == "Bo"
    (letter,) = store.search("Bo says sold", 1, where={"documents": "letter"})
    assert (letter.speakers, letter.time_start) == ((), None)


def test_filters_ask_who_speaks(store: Store) -> None:
    assert found(store, speaker="Bo") == {("Bo",)}
    assert found(store, speaker=["Bo", "Ada Lee"]) == {("Bo",), ("Ada Lee",)}
    # A name is all of it, in the letters that it is written in.
    for name in ("bo", "Ada", "Lee", "B", "", 'mill"', "the, mill"):
        assert found(store, speaker=name) == set()
    assert found(store, speaker=ODD) == {(ODD,)}
    assert found(store, speaker="mill") == {("mill",)}
    assert found(store, speaker=[]) == set()
    assert ("Bo",) not in found(store, none_of=[{"speaker": "Bo"}])
    with pytest.raises(ConfigError, match="speaker must be str or a list of them, got 7"):
        store.search("mill", where={"speaker": 7})


def test_a_hit_is_expanded_to_the_turns_around_it(store: Store) -> None:
    (hit,) = store.search("June", 1, expand="turns", where={"documents": "talk"})
    assert "Forty" in hit.text
    assert "None at all" in hit.text
    assert "May" not in hit.text


def test_an_edited_document_keeps_its_speakers(store: Store) -> None:
    (hit,) = store.search("forty millimetres", 1)
    store.edit(hit.block, "Bo: Fifty millimetres fell on the mill.")
    assert found(store, speaker="Bo") == {("Bo",)}
    assert store.search("fifty", 1)[0].speakers == ("Bo",)
