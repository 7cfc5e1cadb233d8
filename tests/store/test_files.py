"""Files behind a store: others' files, damage, files without rights, and full disks."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chunkwright.errors import StoreError
from chunkwright.store.database.sqlite import SqliteDatabase
from chunkwright.store.store import Store
from tests.support.stores import Toy, blocks, documents, held, markdown

N_DOCUMENTS = 4
NOBODY = 65534


def open_store(path: Path, *, read_only: bool = False) -> Store:
    return Store.open(path, embedder=Toy(), read_only=read_only)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a store with a few documents."""
    path = tmp_path / "kb.db"
    with open_store(path) as store:
        store.add(documents(N_DOCUMENTS, 0))
    return path


def fails(act: Callable[[], object], message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        act()
    assert "kb.db" in str(caught.value) or "folder" in str(caught.value)


# ------------------------------------------------------------------ others' files


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"%PDF-1.7\n" + bytes(5_000), "no store, and no database"),
        (b"SQLite format 4\0" + bytes(5_000), "no store, and no database"),
        (b"short", "no store, and no database"),
        (b"SQLite format 3\0", "not a database"),
        (b"SQLite format 3\0" + b"\xff" * 8_176, "not a database"),
    ],
)
def test_a_file_that_is_no_database_is_left_as_it_was(
    tmp_path: Path, content: bytes, message: str, *, read_only: bool
) -> None:
    path = tmp_path / "kb.db"
    path.write_bytes(content)
    fails(lambda: open_store(path, read_only=read_only), message)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_others_is_left_as_it_was(tmp_path: Path, *, read_only: bool) -> None:
    path = tmp_path / "kb.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE documents (theirs)")
        connection.commit()
    before = path.read_bytes()
    fails(lambda: open_store(path, read_only=read_only), "a database of SQLite, but no store")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_folders_are_no_stores(tmp_path: Path) -> None:
    fails(lambda: open_store(tmp_path), "it is a folder, and a store is one file")
    fails(lambda: open_store(tmp_path / "none" / "kb.db"), "no folder")
    fails(lambda: open_store(tmp_path / "kb.db", read_only=True), "no such file")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "kb.db").touch()
    with open_store(tmp_path / "kb.db") as store:
        assert store.documents() == []


# ------------------------------------------------------------------ damage


def test_a_damaged_page_is_named_and_the_rest_can_be_read(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' LIMIT 1"
        try:
            page = connection.execute(sql, ("blocks",)).fetchone()[0]
        except sqlite3.OperationalError:
            sql = "SELECT rootpage FROM sqlite_master WHERE name = 'blocks'"
            page = connection.execute(sql).fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xaa" * size)
    damaged = path.read_bytes()
    with open_store(path) as store:
        fails(lambda: blocks(store, "report-0.md"), r"malformed.*SQLITE_CORRUPT")
        # What stands on other pages is there.
        assert store.document("report-0.md").text == markdown(0, 0)
        # Nothing is written on top of it.
        fails(lambda: store.add(documents(N_DOCUMENTS, 1)), r"malformed.*SQLITE_CORRUPT")
        assert store.document("report-0.md").text == markdown(0, 0)
    assert path.read_bytes() == damaged


def test_a_file_that_was_cut_short_is_named(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])

    def read() -> None:
        with open_store(path) as store:
            for number in range(N_DOCUMENTS):
                blocks(store, f"report-{number}.md")

    fails(read, "malformed")
    path.write_bytes(whole)
    with open_store(path) as store:
        assert store.document("report-0.md").text == markdown(0, 0)


# ------------------------------------------------------------------ rights


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that every user can reach."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def _as_nobody(
    act: Callable[[Path], str], path: Path, told: multiprocessing.SimpleQueue[str]
) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        told.put(act(path))
    except StoreError as error:
        told.put(f"StoreError: {error}")


def as_nobody(act: Callable[[Path], str], path: Path) -> str:
    """Do something in a child without the rights that root has."""
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()
    child = context.Process(target=_as_nobody, args=(act, path, told))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    found: str = told.get()
    return found


def _read(path: Path) -> str:
    with open_store(path, read_only=True) as store:
        return store.document("report-0.md").text


def _write(path: Path) -> str:
    with open_store(path) as store:
        return str([each.outcome for each in store.add(documents(N_DOCUMENTS, 1))])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_files_that_must_not_be_written_are_read(path: Path, open_folder: Path) -> None:
    copy = open_folder / "kb.db"
    shutil.copy(path, copy)
    copy.chmod(0o444)
    open_folder.chmod(0o555)
    assert as_nobody(_read, copy) == markdown(0, 0)
    message = as_nobody(_write, copy)
    assert message.startswith(f"StoreError: {copy}: ")
    assert "readonly" in message or "unable to open" in message
    copy.chmod(0o000)
    assert "Permission denied" in as_nobody(_read, copy)
    copy.chmod(0o644)
    assert copy.read_bytes() == path.read_bytes()


# ------------------------------------------------------------------ full disks


def test_a_full_disk_is_named_and_nothing_is_half_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(path) as store:
        before = held(store)
    inner = SqliteDatabase._connected

    def small(self: SqliteDatabase) -> sqlite3.Connection:
        connection = inner(self)
        (n_pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {n_pages + 8}")
        return connection

    reports = []
    with monkeypatch.context() as patch:
        patch.setattr(SqliteDatabase, "_connected", small)
        with open_store(path) as store:
            fails(
                lambda: store.add(
                    documents(200, 1)[N_DOCUMENTS:], progress=lambda step: reports.append(step.name)
                ),
                "database or disk is full",
            )
            # It goes on with what it has.
            for table, rows in before.items():
                assert set(rows) <= set(held(store)[table])
            assert store.document("report-1.md").text == markdown(1, 0)
    with open_store(path) as store:
        uris = [document.uri for document in store.documents()]
        assert uris[N_DOCUMENTS:] == reports
        for number in range(N_DOCUMENTS, N_DOCUMENTS + len(reports)):
            assert store.document(f"report-{number}.md").text == markdown(number, 1)
        assert not store.add(documents(40, 1)).of("failed")


def _fill(path: Path, told: multiprocessing.SimpleQueue[str]) -> None:
    import resource

    size = path.stat().st_size + 100_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        with open_store(path) as store:
            store.add(documents(200, 1))
    except StoreError as error:
        told.put(str(error))
    else:
        told.put("no error")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_file_that_must_not_grow_keeps_what_it_has(path: Path) -> None:
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()
    child = context.Process(target=_fill, args=(path, told))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    message = told.get()
    assert message.startswith(f"{path}: ")
    assert "SQLITE_FULL" in message or "SQLITE_IOERR" in message
    with open_store(path) as store:
        for number in range(N_DOCUMENTS):
            text, found = blocks(store, f"report-{number}.md")
            assert text in {markdown(number, 0), markdown(number, 1)}
            assert found
        assert not store.add(documents(40, 1)).of("failed")
