"""Stored filters of quotes: whole or made anew, whatever was written, damaged or changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core
from chunkwright.errors import ReadError
from chunkwright.store.citing import quoted_texts
from chunkwright.store.citing.quoted_texts import Content
from chunkwright.store.database.protocol import Session
from chunkwright.store.store import Store
from tests.support import old_store
from tests.support.quotations import SCRIPTS
from tests.support.stores import assert_filters_are_of_versions, held

TEXTS = list(SCRIPTS.values())

N = 6
KEY = b"key"
MARKED = (
    "1. A [link](a.html)&nbsp;`x`,\\nH<sub>2</sub>O: *5*\u202f%[^1], \ufb01-\nne 10\u00b2"
    ' \u00bd "a"\u2026\n\n| a | b |\n|---|---|\n'
)


def document(number: int, more: str = "") -> cw.Document:
    return cw.Document(text=f"{TEXTS[number]} It is number {number}.{more}", name=f"d{number}")


def fill(store: Store) -> None:
    store.add([document(number) for number in range(N)])
    store.add(document(0, " A second version."))


@pytest.fixture(name="made")
def _made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the documents whose texts are read from now on, to make filters of them."""
    documents = list[int]()

    def counted(session: Session, content: Content) -> _core.QuoteFilter:
        documents.append(content.document)
        return make(session, content)

    make = quoted_texts._filter_of
    monkeypatch.setattr(quoted_texts, "_filter_of", counted)
    return documents


def assert_verified(store: Store) -> None:
    for number in range(N):
        assert store.verify(TEXTS[number]).places[0].document == f"d{number}"
    assert not store.verify(f"{TEXTS[0]} It is number 0.").nearest
    assert store.verify("Nobody has ever said this here.").verdict == "missing"


def test_they_are_made_once_for_each_text(target: str, made: list[int]) -> None:
    with Store.open(target) as store:
        fill(store)
        assert_verified(store)
        assert len(made) == N + 1
        store.add([document(number) for number in range(1, N)])
        store.verify(TEXTS[0])
        assert len(made) == N + 1
    with Store.open(target, read_only=True) as store:
        assert_verified(store)
    assert len(made) == N + 1


def test_what_others_write_is_found(target: str) -> None:
    with Store.open(target) as reader, Store.open(target) as writer:
        fill(writer)
        assert_verified(reader)
        writer.add(document(1, " A quartz lay beside the road to the mill."))
        assert reader.verify("A quartz lay beside the road").verdict == "found"
        writer.remove("d1")
        assert not reader.verify("A quartz lay beside the road").is_current
        writer.erase("d1")
        assert reader.verify("A quartz lay beside the road").verdict == "missing"


def write(path: Path, sql: str, *parameters: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(sql, parameters).rowcount > 0
        connection.commit()


@pytest.mark.parametrize(
    ("sql", "n_made"),
    [
        ("DELETE FROM quote_filters", N + 1),
        ("UPDATE quote_filters SET version = version + 1", N + 1),
        ("UPDATE quote_filters SET data = zeroblob(length(data))", N + 1),
        ("UPDATE quote_filters SET data = substr(data, 9)", N + 1),
        # Those of one text under the name of another one.
        ("UPDATE quote_filters SET data = (SELECT max(data) FROM quote_filters)", N),
    ],
)
def test_what_is_missing_damaged_or_forged_is_made_anew(
    tmp_path: Path, made: list[int], sql: str, n_made: int
) -> None:
    path = tmp_path / "kb.db"
    with Store.open(path) as store:
        fill(store)
        assert_verified(store)
    write(path, sql)
    made.clear()
    before = path.read_bytes()
    with Store.open(path, read_only=True) as store:
        assert_verified(store)
    assert len(made) == n_made
    assert path.read_bytes() == before
    with Store.open(path) as store:
        assert_verified(store)
        assert_filters_are_of_versions(store, are_all=True)
    assert len(made) == 2 * n_made


def test_the_first_quote_writes_those_of_older_stores(tmp_path: Path, made: list[int]) -> None:
    path = tmp_path / "kb.db"
    path.write_bytes(old_store.DATABASE.read_bytes())
    with Store.open(path) as store:
        store.verify("Nobody has ever said this here.")
    n_made = len(made)
    with Store.open(path, read_only=True) as store:
        assert store.verify("The same everywhere.").verdict == "found"
        assert store.verify("Nobody has ever said this here.").verdict == "missing"
    assert len(made) == n_made > 1


def test_what_was_erased_meanwhile_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kb.db"
    with Store.open(path) as store, Store.open(path) as other:
        fill(store)
        begin = store._database.writing

        def writing(*, waits: bool) -> object:
            other.erase("d1")
            return begin(waits=waits)

        monkeypatch.setattr(store._database, "writing", writing)
        assert store.verify("Nobody has ever said this here.").verdict == "missing"
        assert_filters_are_of_versions(other, are_all=True)


@pytest.mark.timeout(50)
def test_nobody_waits_for_them(target: str) -> None:
    """A writer is waited for 60 seconds."""
    with Store.open(target) as store, Store.open(target) as other:
        fill(store)
        with other._database.writing():
            assert_verified(store)
            assert not held(store)["quote_filters"]
        store.verify(TEXTS[0])
        assert_filters_are_of_versions(store, are_all=True)


_WORDS = st.sampled_from(["harbour", "mill", "of", "the", "old", "river", "winter", "ledger"])


@given(st.lists(st.lists(_WORDS, min_size=1, max_size=20), min_size=1, max_size=12), st.data())
def test_they_hide_no_longer_part_of_a_quote(texts: list[list[str]], data: st.DataObject) -> None:
    """As many texts as are opened at most: in larger stores chance may let through others."""
    quote = " ".join(data.draw(st.lists(_WORDS, min_size=3, max_size=10)))
    parts = [[" ".join(words)] for words in texts]
    indexes = [[_core.QuoteIndex(part) for part in each] for each in parts]
    filters = [_core.QuoteFilter(each) for each in parts]
    opened = dict[int, list[_core.QuoteIndex]]()
    while True:
        shut = [(each, opened.get(i)) for i, each in enumerate(filters)]
        needs, verdict, places, nearest = _core.compare_quote(shut, quote, 100, len(texts))
        if not needs:
            break
        opened |= {i: indexes[i] for i in needs}
    _, *expected, best = _core.compare_quote(
        [(None, each) for each in indexes], quote, 100, len(texts)
    )
    assert [verdict, places] == expected
    (start, end), (best_start, best_end) = (
        (0, 0) if each is None else each[1] for each in (nearest, best)
    )
    assert end - start == best_end - best_start


@given(st.data())
def test_damaged_bytes_are_known(data: st.DataObject) -> None:
    whole = _core.QuoteFilter([TEXTS[0]]).to_bytes(KEY)
    assert _core.QuoteFilter.of_bytes(whole, KEY).to_bytes(KEY) == whole
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = bytearray(whole)
    damaged[at] ^= data.draw(st.integers(1, 255))
    for each in (bytes(damaged), whole[:at], whole + whole[: at + 1], whole[8:]):
        with pytest.raises(ReadError):
            _core.QuoteFilter.of_bytes(each, KEY)
    with pytest.raises(ReadError):
        _core.QuoteFilter.of_bytes(whole, b"another")


def test_what_is_normalised_otherwise_has_another_version() -> None:
    """Where this fails, `VERSION` grows: filters that were written would hide what stands."""
    data = _core.QuoteFilter(["\n\n".join([*TEXTS, MARKED])]).to_bytes(b"")
    assert (_core.QuoteFilter.VERSION, crc32(data)) == (1, 2_332_420_456)
