"""Stored segments of words: whole or made anew, whatever was written, damaged or changed."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core
from chunkwright.errors import ReadError
from chunkwright.store.searching import segment_cache
from chunkwright.store.searching.fields import Current
from chunkwright.store.searching.opened import groups_of
from chunkwright.store.searching.segments import Segment, segment_of, state_of

if TYPE_CHECKING:
    from pathlib import Path

STRATEGY = cw.Sentence(max_tokens=16)
WORDS = ["slate", "flint", "chalk", "basalt", "granite", "marble"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a store of six documents is, of a block each for two sentences."""
    with cw.Store.open(tmp_path / "kb.db") as store:
        store.add([document(number) for number in range(6)], strategy=STRATEGY)
    return tmp_path / "kb.db"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the documents that are indexed from now on."""
    numbers: list[int] = []

    def counted(session: object, currents: list[Current], subwords: object) -> Segment:
        numbers.extend(each.document for each in currents)
        return segment_of(session, currents, subwords)  # type: ignore[arg-type]

    monkeypatch.setattr(segment_cache, "segment_of", counted)
    return numbers


def document(number: int, more: str = "") -> cw.Document:
    text = f"There is some {WORDS[number]} here. Nobody knows where it came from.{more}"
    return cw.Document(text=text, name=f"d{number}")


def found(store: cw.Store, word: str) -> list[str]:
    return list(dict.fromkeys(hit.document for hit in store.search(word, k=3)))


def assert_all_are_found(store: cw.Store) -> None:
    for number, word in enumerate(WORDS):
        assert found(store, word)[0] == f"d{number}"


def write(path: Path, sql: str, *parameters: object) -> None:
    import sqlite3

    with sqlite3.connect(path) as connection:
        assert connection.execute(sql, parameters).rowcount > 0
    connection.close()


def test_an_unchanged_store_is_not_indexed_again(path: Path, made: list[int]) -> None:
    with cw.Store.open(path) as store:
        assert_all_are_found(store)
    assert made == []


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00", b"\x01\x00\x00\x00" * 50, bytes(200)],
)
def test_a_damaged_segment_is_made_anew(path: Path, made: list[int], data: bytes) -> None:
    write(path, "UPDATE word_segments SET data = ?", data)
    with cw.Store.open(path) as store:
        assert_all_are_found(store)
    assert made == list(range(1, 7))


def test_a_segment_of_another_state_is_made_anew(path: Path, made: list[int]) -> None:
    write(path, "UPDATE word_segments SET state = ?", b"another")
    with cw.Store.open(path) as store:
        assert_all_are_found(store)
    assert made == list(range(1, 7))


def test_segments_that_are_gone_are_made_anew(path: Path) -> None:
    write(path, "DELETE FROM word_segments")
    with cw.Store.open(path, read_only=True) as store:
        assert_all_are_found(store)


def test_what_others_write_is_found(path: Path) -> None:
    with cw.Store.open(path) as store, cw.Store.open(path) as writer:
        assert_all_are_found(store)
        writer.add(document(2, " A quartz lay beside it."), strategy=STRATEGY)
        assert found(store, "quartz") == ["d2"]
        writer.edit(writer.blocks("d3")[0].id, "An opal was found.")
        assert found(store, "opal") == ["d3"]
        assert found(store, "basalt") == []
        writer.remove("d2")
        assert found(store, "quartz") == []
        writer.add(document(2), strategy=STRATEGY)
        assert found(store, "chalk") == ["d2"]


def test_only_segments_of_changed_documents_are_made_anew(
    tmp_path: Path, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_cache, "SEGMENT_BLOCKS", 1)
    with cw.Store.open(tmp_path / "kb.db") as store:
        store.add([document(number) for number in range(6)], strategy=STRATEGY)
        assert made == list(range(1, 7))
        made.clear()
        store.add(document(3, " A quartz lay beside it."), strategy=STRATEGY)
        assert made == [4]
        made.clear()
        store.remove("d0")
        assert found(store, "slate") == []
        assert found(store, "quartz") == ["d3"]
        assert made == []
    with cw.Store.open(tmp_path / "kb.db") as store:
        assert found(store, "flint") == ["d1"]
        assert made == []


def test_splits_of_segments_change_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = []
    for n_blocks in (1, 3, 2048):
        monkeypatch.setattr(segment_cache, "SEGMENT_BLOCKS", n_blocks)
        with cw.Store.open(tmp_path / f"{n_blocks}.db") as store:
            for number in random.Random(n_blocks).sample(range(6), 6):
                store.add(document(number), strategy=STRATEGY)
            hits = [hit for word in WORDS for hit in store.search(f"some {word} here", k=6)]
            scores.append(sorted((hit.document, hit.score, hit.text) for hit in hits))
    assert scores[0] == scores[1] == scores[2]


def segment(texts: list[str]) -> Segment:
    n = len(texts)
    numbers = np.arange(n, dtype=np.int64)
    paths = _core.Bm25Segment([f"src/{number}.py" for number in range(n)])
    words = _core.Bm25Segment(texts)
    scopes = _core.Bm25Segment([""] * n)
    return Segment(
        words, {"path": paths, "scope": scopes}, numbers, numbers, numbers, bytes(32 * n)
    )


@given(st.lists(st.sampled_from(WORDS), max_size=5))
def test_segments_are_read_as_they_were_written(texts: list[str]) -> None:
    own = segment(texts)
    again = Segment.of_bytes(own.to_bytes())
    assert again.to_bytes() == own.to_bytes()
    assert len(again) == len(texts)


def test_damaged_bytes_are_known() -> None:
    whole = segment(["slate and flint", "chalk"]).to_bytes()
    for at, bit in product(range(len(whole)), range(8)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << bit
        with pytest.raises(ReadError):
            Segment.of_bytes(bytes(damaged))


def test_a_part_of_the_bytes_or_more_of_them_are_known() -> None:
    whole = segment(["slate and flint", "chalk"]).to_bytes()
    for at in range(len(whole)):
        for each in (whole[:at], whole + whole[: at + 1]):
            with pytest.raises(ReadError):
                Segment.of_bytes(each)


def test_states_are_of_documents_versions_and_revisions() -> None:
    one = Current(1, 2, 3)
    others = [[], [one, one], [Current(2, 2, 3)], [Current(1, 3, 3)], [Current(1, 2, 4)]]
    states = {state_of([one]), *(state_of(each) for each in others)}
    assert len(states) == 1 + len(others)


@given(st.lists(st.integers(0, 12) | st.integers(0, 2**64 - 1), max_size=30))
def test_rows_of_one_number_are_a_group(numbers: list[int]) -> None:
    found = groups_of(np.array(numbers, np.uint64))
    first = [numbers.index(each) for each in numbers]
    assert (list(range(len(numbers))) if found is None else found.tolist()) == first
    assert (found is None) == (len(set(numbers)) == len(numbers))
