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
_SCHEMA = f"""
PRAGMA journal_mode = WAL;
PRAGMA user_version = {VERSION};
CREATE TABLE model (name TEXT NOT NULL);
CREATE TABLE vectors (key BLOB PRIMARY KEY, crc INTEGER NOT NULL, vector BLOB NOT NULL);
"""
# Codes of SQLite for a file that is none of its own or is broken, or lacks a table.
_DAMAGED = (1, 11, 26)
# And for one that may not be written, or in whose folder no journal can be made.
_READ_ONLY = (8, 14)


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
                for key, crc, vector in connection.execute(query, some):
                    if crc32(key + vector) == crc:
                        found[key] = np.frombuffer(vector, dtype="<f4")
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
            with closing(_connect(self.file, mode)) as connection:
                model = model_of(connection)
                if model != self._model:
                    raise DamagedError(f"it is of the model {model!r}")
                yield connection
        except sqlite3.Error as error:
            if _is_one_of(error, _DAMAGED):
                raise DamagedError(str(error)) from error
            raise


def model_of(connection: sqlite3.Connection) -> str:
    """Return the name of the model whose vectors a file holds.

    Raises
    ------
    DamagedError
        If another version wrote it, or no name is there.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        raise DamagedError(f"it is of version {version}, not {VERSION}")
    row = connection.execute("SELECT name FROM model").fetchone()
    if row is None:
        raise DamagedError("it names no model")
    return str(row[0])


def described(file: Path) -> tuple[str | None, int]:
    """Return the model of a file and how many vectors it has; no model if it cannot be read."""
    import sqlite3

    try:
        with closing(_connect(file)) as connection:
            model = model_of(connection)
            (n_vectors,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
            return model, n_vectors
    except (DamagedError, sqlite3.Error):
        return None, 0


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
