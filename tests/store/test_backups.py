"""Copies of a store in a file, and files that go away while a store is open."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError, StoreError
from chunkwright.store.database import sqlite
from chunkwright.store.store import Store
from tests.support import postgres_server
from tests.support.stores import Words, documents, held

QUESTION = "copper ledger of winter"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kb.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path, embedder=Words()) as store:
        store.add(documents(4, 0), metadata={"year": 2024})
        store.cite(store.blocks("report-0.md")[0].id)
        yield store


def test_a_copy_is_the_store(store: Store, tmp_path: Path) -> None:
    for name in ("copy.db", "odd 'name' ä?mode=ro.db"):
        copy = tmp_path / name
        store.backup(copy)
        with Store.open(copy, embedder=Words()) as other:
            assert held(other) == held(store)
            assert other.search(QUESTION) == store.search(QUESTION)
            other.add(documents(5, 1))
        assert len(store.documents()) == 4
    names = {each.name.removesuffix("-wal").removesuffix("-shm") for each in tmp_path.iterdir()}
    assert names == {"kb.db", "copy.db", "odd 'name' ä?mode=ro.db"}


def test_a_store_for_reading_is_copied(store: Store, path: Path, tmp_path: Path) -> None:
    with Store.open(path, read_only=True) as reader:
        reader.backup(tmp_path / "copy.db")
    with Store.open(tmp_path / "copy.db", read_only=True) as other:
        assert held(other) == held(store)


def test_a_copy_is_of_one_state_while_others_write(store: Store, path: Path) -> None:
    done = threading.Event()

    def write() -> None:
        with Store.open(path, embedder=Words()) as other:
            for version in range(6):
                for each in documents(4, version % 3):
                    other.add(each)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    n = 0
    while n < 3 or not done.is_set():
        copy = path.with_name(f"copy-{n}.db")
        store.backup(copy)
        with Store.open(copy, embedder=Words()) as other:
            for each in other.documents():
                assert len(other.blocks(each.uri)) == each.n_blocks > 0
            list(other.search(QUESTION))
        n += 1
    writer.join()


def test_no_file_is_replaced_unasked(store: Store, path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("mine")
    with pytest.raises(ConfigError, match=r"copy\.db is there: say overwrite=True") as caught:
        store.backup(copy)
    assert caught.value.option == "path"
    assert copy.read_text() == "mine"
    store.backup(copy, overwrite=True)
    store.backup(copy, overwrite=True)
    with (
        Store.open(copy),
        pytest.raises(ConfigError, match="is a store that is in use"),
    ):
        store.backup(copy, overwrite=True)
    for wrong in (path, tmp_path, tmp_path / "none" / "copy.db"):
        with pytest.raises(ConfigError, match=str(wrong)):
            store.backup(wrong, overwrite=True)
    assert len(store.documents()) == 4


def test_what_was_erased_is_in_no_copy(store: Store, tmp_path: Path) -> None:
    text = b"# Staff\n\nErika Zimmerblum was here.\n"
    store.add(cw.read(text, name="hr.md"))
    store.remove("hr.md")
    store.backup(tmp_path / "before.db")
    assert b"Zimmerblum" in (tmp_path / "before.db").read_bytes()
    store.prune()
    store.backup(tmp_path / "after.db")
    assert b"Zimmerblum" not in (tmp_path / "after.db").read_bytes()


@pytest.mark.skipif(not postgres_server.is_there(), reason=postgres_server.NO_SERVER)
def test_a_server_has_means_of_its_own(postgres: str, tmp_path: Path) -> None:
    with Store.open(postgres) as store, pytest.raises(StoreError, match="by pg_dump --schema="):
        store.backup(tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_deleted_is_told(store: Store, path: Path) -> None:
    with Store.open(path, read_only=True) as reader:
        path.unlink()
        for act in (lambda: store.add(documents(1, 1)), store.documents, reader.documents):
            with pytest.raises(StoreError, match=r"kb\.db: the file was deleted since the store"):
                act()
    with pytest.raises(StoreError, match="was deleted"):
        store.backup(path.with_name("copy.db"))


def test_a_file_that_was_replaced_is_told(store: Store, path: Path) -> None:
    store.backup(path.with_name("copy.db"))
    for suffix in ("", "-wal", "-shm"):
        path.with_name(f"kb.db{suffix}").unlink(missing_ok=True)
    shutil.move(path.with_name("copy.db"), path)
    with pytest.raises(StoreError, match="the file is another one since the store was opened"):
        store.documents()
    with Store.open(path) as other:
        assert len(other.documents()) == 4


def test_a_reader_of_an_old_state_keeps_what_was_erased(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_READERS_MS", 20)
    with Store.open(path, read_only=True) as reader:
        with reader._database.reading() as session:
            assert session.row("SELECT count(*) FROM documents") == (4,)
            assert not store.erase("report-1.md").is_overwritten
            assert session.row("SELECT count(*) FROM documents") == (4,)
        assert len(reader.documents()) == 3
    assert store.erase("report-1.md").is_overwritten


def test_a_store_moves_with_its_folder(store: Store, path: Path, tmp_path: Path) -> None:
    expected = held(store)
    store.close()
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    path.rename(moved / "other.db")
    with closing(Store.open(moved / "other.db", embedder=Words())) as other:
        assert held(other) == expected
