"""Vectors of one model in a file of SQLite, that several processes may share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

if TYPE_CHECKING:
    import sqlite3

    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

# Of the file's layout; SQLite keeps it in the file's header.
VERSION = 1
# Seconds that are waited for another process that writes.
_WAIT = 30.0
# SQLite takes so many keys at once, whatever its version.
_KEYS = 500
_TABLES = (
    "CREATE TABLE model (name TEXT NOT NULL)",
    "CREATE TABLE vectors (key BLOB PRIMARY KEY, crc INTEGER NOT NULL, vector BLOB NOT NULL)",
)
_SCHEMA = f"""
PRAGMA journal_mode = WAL;
PRAGMA user_version = {VERSION};
{_TABLES[0]};
{_TABLES[1]};
"""
# What a file of SQLite begins with: a name, the size of pages, who may write and who may read it.
_MAGIC = b"SQLite format 3\0"
_HEADER = 20
_KNOWN_FORMATS = (1, 2)
# Codes of SQLite for a file that may not be written, or in whose folder no journal can be made.
_READ_ONLY = (8, 14)
# And for what is not the file's fault: rights, locks, memory, interrupts, the disk.
_NOT_DAMAGED = (3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 22, 23)
# What Python raises of names and numbers in a file that SQLite reads without complaint.
_ODD = (ValueError, TypeError, OverflowError)
# Of what a file says, so much is shown.
_SHOWN = 100


class DamagedError(Exception):
    """The file holds no vectors of the model, or not as this version writes them."""


class Store:
    """A file of vectors.

    Each vector is kept with a checksum, and one that has another is as good as absent.

    Parameters
    ----------
    file
        Where; it is made with the first vector.
    model
        What gives the vectors.
    """

    def __init__(self, file: Path, model: str) -> None:
        self.file = file
        self._model = model

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """Return the vectors that are there.

        Raises
        ------
        DamagedError
            If the file is not what it should be.
        OSError, sqlite3.Error
            If it cannot be read now.
        """
        import sqlite3

        if not self.file.exists():
            return {}
        try:
            return self._found(keys, "rw")
        except sqlite3.OperationalError as error:
            if not _is_one_of(error, _READ_ONLY):
                raise
            # Who may not write cannot take part in the journal, but read what is written already.
            return self._found(keys, "ro&immutable=1")

    def _found(self, keys: Sequence[bytes], mode: str) -> dict[bytes, Vector]:
        import numpy as np

        found: dict[bytes, Vector] = {}
        with self._opened(mode) as connection:
            for start in range(0, len(keys), _KEYS):
                some = keys[start : start + _KEYS]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, crc, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                rows = {
                    key: np.frombuffer(vector, dtype="<f4")
                    for key, crc, vector in connection.execute(query, some)
                    if crc32(key + vector) == crc
                }
                found |= _usable(rows)
        return found

    def put(self, vectors: dict[bytes, Vector]) -> None:
        """Keep vectors.

        Raises
        ------
        DamagedError
            If the file is not what it should be.
        OSError, sqlite3.Error
            If it cannot be written now.
        """
        if not self.file.exists():
            self._create()
        blobs = ((key, vector.astype("<f4").tobytes()) for key, vector in vectors.items())
        rows = [(key, crc32(key + blob), blob) for key, blob in blobs]
        with self._opened() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def set_aside(self) -> Path:
        """Give the file another name, so that a new one can be made."""
        # A new file must not find the journal of the old one.
        _remove_journal(self.file)
        aside = self.file.with_name(f"{self.file.name}.damaged")
        # Another process may have done the same.
        if self.file.exists():
            self.file.replace(aside)
        return aside

    def _create(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # A file appears under its name only when it is whole.
        made = self.file.with_name(f"{self.file.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
        try:
            with closing(_connect(made, "rwc")) as connection:
                connection.executescript(_SCHEMA)
                connection.execute("INSERT INTO model VALUES (?)", (self._model,))
                connection.commit()
            _name(made, self.file)
        finally:
            # Where the disk is full there is a journal, too.
            _remove_journal(made)
            made.unlink(missing_ok=True)

    @contextmanager
    def _opened(self, mode: str = "rw") -> Iterator[sqlite3.Connection]:
        """Yield a connection, of this call alone: threads and forks share none."""
        import sqlite3

        try:
            _check_header(self.file)
            with closing(_connect(self.file, mode)) as connection:
                model = model_of(connection)
                if model != self._model:
                    raise DamagedError(f"it is of the model {model[:_SHOWN]!r}")
                yield connection
        except _ODD as error:
            raise DamagedError(f"it holds something else: {error!r}"[:_SHOWN]) from error
        except sqlite3.Error as error:
            if _is_one_of(error, _NOT_DAMAGED):
                raise
            raise DamagedError(str(error)[:_SHOWN]) from error


def model_of(connection: sqlite3.Connection) -> str:
    """Return the name of the model whose vectors a file holds.

    Raises
    ------
    DamagedError
        If another version wrote it, it has other tables, or no name is there.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise DamagedError(f"it is of version {version}, not {VERSION}")
    # Views and triggers would run whatever they say.
    made = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    if sorted(sql for (sql,) in made) != sorted(_TABLES):
        raise DamagedError("it has other tables")
    row = connection.execute("SELECT name FROM model").fetchone()
    if row is None:
        raise DamagedError("it names no model")
    return str(row[0])


def described(file: Path) -> tuple[str | None, int]:
    """Return the model of a file and how many vectors it has; no model if it cannot be read."""
    import sqlite3

    try:
        _check_header(file)
        with closing(_connect(file)) as connection:
            model = model_of(connection)
            (n_vectors,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
            return model, n_vectors
    except (DamagedError, OSError, sqlite3.Error, *_ODD):
        return None, 0


def _check_header(file: Path) -> None:
    """See that a file may be read and written: for SQLite, one of a later format is read-only.

    Raises
    ------
    DamagedError
        If it is no such file.
    OSError
        If it cannot be read.
    """
    # What is no file, such as a pipe, might never end.
    if not file.is_file():
        raise DamagedError("it is no file")
    with file.open("rb") as opened:
        header = opened.read(_HEADER)
    formats = header[-2:]
    if not header.startswith(_MAGIC) or any(each not in _KNOWN_FORMATS for each in formats):
        raise DamagedError("file is not a database")


def _usable(rows: dict[bytes, Vector]) -> dict[bytes, Vector]:
    """Return the vectors that this version would have kept.

    Raises
    ------
    DamagedError
        If one has no numbers.
    """
    import numpy as np

    if not all(map(len, rows.values())):
        raise DamagedError("a vector has no numbers")
    if not rows or np.isfinite(np.concatenate(list(rows.values()))).all():
        return rows
    return {key: row for key, row in rows.items() if np.isfinite(row).all()}


def _connect(file: Path, mode: str = "rw") -> sqlite3.Connection:
    import sqlite3

    # Without a mode, a file that somebody has just removed would be made again, and empty.
    uri = f"{file.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, timeout=_WAIT, uri=True)
    # A vector that is lost when the power fails is computed again.
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _name(made: Path, file: Path) -> None:
    """Give a file its name, unless another process was faster."""
    try:
        file.hardlink_to(made)
    except FileExistsError:
        pass
    except OSError:
        # Not all file systems have links.
        made.replace(file)


def _remove_journal(file: Path) -> None:
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def _is_one_of(error: sqlite3.Error, codes: tuple[int, ...]) -> bool:
    # Extended codes carry the plain one in their lowest byte.
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in codes
