"""Stores that somebody has forged or damaged: an error of the store, or a right result."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.errors import StoreError
from chunkwright.store import schema
from chunkwright.store.database.damage import ColumnTypes
from chunkwright.store.database.sqlite_session import TABLES
from chunkwright.store.store import Store
from tests.support import forged_stores
from tests.support.forged_stores import Deletion, Forgery
from tests.support.stores import Words

# Cases of the quick profile, and of the full one.
N_QUICK, N_ALL = 25, 500
N_BYTES_QUICK, N_BYTES_ALL = 20, 400
# The full ones are tests of their own, so that processes may share them.
N_PARTS = 4


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("base") / "base.db"
    forged_stores.make(path)
    return path


def wrong_of(base: Path, folder: Path, change: Callable[[Path], bool]) -> list[str]:
    """Change a copy of a store, and return what raises other errors than the store's."""
    path = folder / "kb.db"
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    shutil.copy(base, path)
    return list(forged_stores.wrong(path)) if change(path) else []


def check(base: Path, folder: Path, cases: list[Forgery | Deletion]) -> None:
    found = {case: wrong_of(base, folder, case.apply) for case in cases}
    assert {case: wrong for case, wrong in found.items() if wrong} == {}


def cases_of(base: Path, seed: int, n: int) -> list[Forgery | Deletion]:
    return random.Random(seed).sample(forged_stores.forgeries(base), n)


def test_what_is_done_with_a_store_can_be_done(base: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(base, tmp_path / "kb.db"))
    with Store.open(path, embedder=Words()) as store:
        for act in forged_stores.acts().values():
            act(store)


@pytest.mark.slow
def test_any_value_in_any_column_is_told(base: Path, tmp_path: Path) -> None:
    check(base, tmp_path, cases_of(base, 7, N_QUICK))


# Each was another error once.
_ONCE = (
    *(
        Forgery("word_segments", "data", "'x'", is_of_all=True),
        Forgery("word_segments", "first", "x'00'", is_of_all=True),
    ),
    *(
        Forgery("quote_filters", "data", "zeroblob(40)", is_of_all=True),
        Forgery("quote_filters", "content_hash", "'x'", is_of_all=True),
    ),
    *(
        Forgery("placements", "boxes", "0", is_of_all=True),
        Forgery("placements", "block", "x'00'", is_of_all=True),
    ),
    Forgery("fingerprints", "description", "x'00'", is_of_all=True),
    *(
        Deletion("fingerprints", is_of_all=True),
        Deletion("placements", is_of_all=False),
        Deletion("placements", is_of_all=True),
        Deletion("versions", is_of_all=True),
    ),
    *(
        Forgery("documents", "current_version", "'x'", is_of_all=True),
        Forgery("documents", "current_version", "99", is_of_all=True),
        Forgery("versions", "document", "77", is_of_all=False),
    ),
    *(
        Forgery("versions", "fingerprint", "0", is_of_all=True),
        Forgery("models", "n_dims", "0", is_of_all=True),
    ),
    Forgery("models", "n_dims", "4611686018427387904", is_of_all=True),
    Forgery("vector_blobs", "model", "0", is_of_all=True),
    Forgery("citations", "version", "0", is_of_all=True),
    Forgery("placements", "chunk", '\'["a", {"b": []}]\'', is_of_all=True),
    Forgery("placements", "n_tokens", "-{}", is_of_all=True),
)


def test_what_was_another_error_once_is_told(base: Path, tmp_path: Path) -> None:
    check(base, tmp_path, list(_ONCE))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_any_value_in_many_columns_is_told(base: Path, tmp_path: Path, part: int) -> None:
    check(base, tmp_path, cases_of(base, 11, N_ALL)[part::N_PARTS])


def changed_bytes(seed: int) -> Callable[[Path], bool]:
    """Return what changes some bytes of a file behind its first page."""

    def change(path: Path) -> bool:
        chance, data = random.Random(seed), bytearray(path.read_bytes())
        for _ in range(chance.choice([1, 8, 64])):
            at = chance.randrange(100, len(data))
            length = chance.choice([1, 1, 4, 300])
            data[at : at + length] = chance.randbytes(min(length, len(data) - at))
        path.write_bytes(data)
        return True

    return change


def check_bytes(base: Path, folder: Path, seeds: range) -> None:
    found = {seed: wrong_of(base, folder, changed_bytes(seed)) for seed in seeds}
    assert {seed: wrong for seed, wrong in found.items() if wrong} == {}


def test_changed_bytes_are_told(base: Path, tmp_path: Path) -> None:
    check_bytes(base, tmp_path, range(N_BYTES_QUICK))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_any_changed_bytes_are_told(base: Path, tmp_path: Path, part: int) -> None:
    check_bytes(base, tmp_path, range(1_000 + part, 1_000 + N_BYTES_ALL, N_PARTS))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM citations; END",
            "a trigger 't'",
        ),
        ("CREATE VIEW v AS SELECT * FROM blocks", "a view 'v'"),
        ("CREATE VIRTUAL TABLE more USING fts5(text)", "a module 'more'"),
        ("DROP TABLE citations", "its table citations is not that of a store"),
        ("ALTER TABLE blocks DROP COLUMN text", "its table blocks"),
        ("ALTER TABLE blocks RENAME COLUMN text TO texts", "its table blocks"),
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_what_runs_by_itself_is_not_opened(
    base: Path, tmp_path: Path, statement: str, message: str, *, read_only: bool
) -> None:
    path = Path(shutil.copy(base, tmp_path / "kb.db"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    with pytest.raises(StoreError, match=message) as caught:
        Store.open(path, read_only=read_only)
    assert "kb.db: " in str(caught.value)


def test_damage_is_told_with_the_name_of_the_file(base: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(base, tmp_path / "kb.db"))
    assert Forgery("placements", "boxes", "x'00'", is_of_all=True).apply(path)
    with Store.open(path) as store:
        message = r"kb\.db: it is damaged, .*placements\.boxes is of another type: bytes"
        with pytest.raises(StoreError, match=message) as caught:
            store.search("harbour", retriever=cw.Retriever(), floor=0.0)
    assert isinstance(caught.value.__cause__, TypeError)


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT id, uri FROM documents", {0: "documents.id", 1: "documents.uri"}),
        ("SELECT DISTINCT b.id, b.text FROM placements p JOIN blocks b ON b.id = p.block",
         {0: "blocks.id", 1: "blocks.text"}),
        ("SELECT d.uri, (SELECT count(*) FROM placements p WHERE p.document = 1) FROM documents d",
         {0: "documents.uri"}),
        ("SELECT COALESCE(b.base, b.id), max(b.first_version) FROM blocks b",
         {0: "blocks.base", 1: "blocks.first_version"}),
        ("SELECT COALESCE(max(id), 0) + 1 FROM documents", {}),
        ("SELECT 1 FROM duplicates LIMIT 1", {}),
        ("SELECT * FROM state", {}),
        ("SELECT data FROM vector_blobs WHERE model = ?", {0: "vector_blobs.data"}),
        ("SELECT pg_backend_pid()", {}),
    ],
)  # fmt: skip
def test_columns_of_queries_are_known(sql: str, columns: dict[int, str]) -> None:
    assert {at: name for at, name, _ in ColumnTypes(TABLES)._of(sql)} == columns


def test_types_of_columns_are_held() -> None:
    types = ColumnTypes(schema.TABLES)
    sql = "SELECT d.current_version, d.uri, m.number FROM documents d JOIN metadata m ON 1 = 1"
    types.check(sql, [(1, "a", 0.5), (None, "b", 1)])
    for row in [("1", "a", 0.5), (1, b"a", 0.5), (1.0, "a", 0.5), (1, "a", "0.5")]:
        with pytest.raises(TypeError, match=r"documents\.|metadata\.number"):
            types.check(sql, [(1, "a", 0.5), row])
