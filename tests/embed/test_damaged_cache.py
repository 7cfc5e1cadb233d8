"""However a cache of vectors is damaged, vectors are those of the model, and nothing raises."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkwright.embed import Cached, cached_models, clear_cache
from tests.support.damage import DAMAGES, Damage
from tests.support.examples import n_examples
from tests.support.forged_cache import forge

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS = [f"text {i}" + "!" * (i % 5) for i in range(60)]


class Model:
    """Gives each text a vector of its own."""

    fingerprint = "letters, version 1"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[len(text), hash_of(text), 0.5] * 20 for text in texts], np.float32)


def hash_of(text: str) -> int:
    return crc32(text.encode()) % 1000


EXPECTED = Model().embed(TEXTS).tolist()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of the vectors of some texts."""
    folder = tmp_path_factory.mktemp("whole")
    Cached(Model(), folder=folder).embed(TEXTS[:40])
    return folder


@contextmanager
def copied(whole: Path) -> Iterator[Path]:
    """Yield the file of a cache that is this test's own."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(whole, folder, dirs_exist_ok=True)
        (file,) = Path(folder).glob("*.sqlite")
        yield file


def check(file: Path) -> None:
    """See that nobody notices but by a warning, and that the cache can be looked at and cleared."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cached_models(file.parent)
        for _ in range(2):
            assert Cached(Model(), folder=file.parent).embed(TEXTS).tolist() == EXPECTED
    # Python may speak of a connection that it could not close.
    assert {warning.category for warning in caught} <= {RuntimeWarning}
    cached_models(file.parent)
    assert clear_cache(file.parent) >= 1
    assert not list(file.parent.glob("*.sqlite"))


@given(damage=DAMAGES)
def test_any_damage(whole: Path, damage: Damage) -> None:
    with copied(whole) as file:
        file.write_bytes(damage(file.read_bytes()))
        check(file)


@given(damage=DAMAGES, journal=st.sampled_from(["-wal", "-shm", "-journal"]))
def test_any_journal(whole: Path, damage: Damage, journal: str) -> None:
    with copied(whole) as file:
        content = damage(struct.pack(">IIII", 0x377F0682, 3007000, 4096, 0) + bytes(200))
        file.with_name(file.name + journal).write_bytes(content)
        check(file)


# Commands that make another file of it, each allowed by SQLite.
CRAFTED = {
    "swapped tables": "UPDATE sqlite_master SET rootpage ="
    " (SELECT sum(rootpage) FROM sqlite_master WHERE type = 'table') - rootpage"
    " WHERE type = 'table'",
    "swapped with the index": "UPDATE sqlite_master SET rootpage ="
    " (SELECT sum(rootpage) FROM sqlite_master WHERE tbl_name = 'entries') - rootpage"
    " WHERE tbl_name = 'entries'",
    "a root that is none": "UPDATE sqlite_master SET rootpage = 4000000000",
    "a schema that is no text": "UPDATE sqlite_master SET sql = x'ff80fe'",
    "a name that is no text": "UPDATE sqlite_master SET name = x'ff80fe', tbl_name = x'c328'",
    "a schema that is an error": "UPDATE sqlite_master SET sql = CAST(x'435245ff80' AS TEXT)",
    "a model that is no text": "UPDATE namespace SET name = CAST(x'ff80fe' AS TEXT)",
    "a model that is a blob": "UPDATE namespace SET name = x'ff80fe'",
    "a model that is a number": "UPDATE namespace SET name = 1e300",
    "vectors that are texts": "UPDATE entries SET value = 'text'",
    "vectors that are no text": "UPDATE entries SET value = CAST(x'ff80fe' AS TEXT)",
    "vectors that are numbers": "UPDATE entries SET value = 5",
    "checksums that are texts": "UPDATE entries SET crc = 'many'",
    "checksums out of range": "UPDATE entries SET crc = 9e99",
    "keys that are texts": "UPDATE entries SET key = CAST(key AS TEXT)",
    "a view": "ALTER TABLE entries RENAME TO other;"
    "CREATE VIEW entries AS SELECT key, crc, value FROM other",
    "an endless view": "DROP TABLE entries; CREATE VIEW entries(key, crc, value) AS WITH"
    " RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i FROM n",
    "a trigger": "CREATE TRIGGER no BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no'); END",
    "another table": "CREATE TABLE other (x)",
    "no rows": "DELETE FROM entries",
    "another encoding": "PRAGMA user_version = 0",
}


@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_file(whole: Path, name: str) -> None:
    with copied(whole) as file:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.executescript(CRAFTED[name])
        check(file)


ODD_ROWS = st.one_of(
    st.binary(max_size=300).filter(lambda row: len(row) % 4),
    st.sampled_from([b"", *(np.float32(odd).tobytes() * 60 for odd in ("nan", "inf", "-inf"))]),
)


@settings(max_examples=n_examples(0.25))
@given(rows=st.lists(ODD_ROWS, min_size=1, max_size=60))
@example(rows=[b""])
@example(rows=[b"abc"])
def test_rows_with_right_checksums_that_are_no_vectors(whole: Path, rows: list[bytes]) -> None:
    with copied(whole) as file:
        forge(file, rows)
        check(file)


@pytest.mark.parametrize("kind", ["folder", "link to nothing", "pipe"])
def test_what_is_no_file(whole: Path, kind: str) -> None:
    with copied(whole) as file:
        file.unlink()
        if kind == "folder":
            file.mkdir()
        elif kind == "pipe":
            os.mkfifo(file)
        else:
            file.symlink_to(file.with_name("nowhere"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert Cached(Model(), folder=file.parent).embed(TEXTS).tolist() == EXPECTED
            cached_models(file.parent)
            clear_cache(file.parent)
