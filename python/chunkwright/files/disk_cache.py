"""Content-addressed cache on disk: values by the hashes of what they were computed from.

A namespace, such as the vectors of one model, is one file of SQLite, which threads and processes
may share. Each value has a checksum. Nothing that is wrong with a file or its folder is an error:
it costs a message, and the time to compute again what is not there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from zlib import crc32

from chunkwright.errors import MissingExtraError
from chunkwright.messages.logs import warn

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

# Version of the files' layout and of their values; SQLite keeps it in a file's header.
VERSION = 2
# Seconds that are waited for another process that writes.
_WAIT = 30.0
# SQLite takes so many keys at once, whatever its version.
_KEYS = 500
_TABLES = (
    "CREATE TABLE namespace (kind TEXT NOT NULL, name TEXT NOT NULL)",
    "CREATE TABLE entries (key BLOB PRIMARY KEY, crc INTEGER NOT NULL, value BLOB NOT NULL)",
)
# What a file of SQLite begins with: a name, the size of pages, who may write and who may read it.
_MAGIC = b"SQLite format 3\0"
_HEADER = 20
# Format of a file with a rollback journal, for this and all later versions of SQLite.
_KNOWN_FORMATS = b"\1\1"
_JOURNALS = ("-journal", "-wal", "-shm")
# Codes of SQLite for what is not the file's fault: rights, locks, memory, interrupts, the disk.
_NOT_DAMAGED = (3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 22, 23)
# What Python raises of names and numbers in a file that SQLite reads without complaint.
_ODD = (ValueError, TypeError, OverflowError)
# Characters of a file's content that a message shows.
_SHOWN = 100


class DamagedError(Exception):
    """A file, or a value in it, is not what this version writes; says what is wrong."""


def cache_folder_of(kind: str) -> Path:
    """Return where values of a kind are kept if nothing else is said; it need not exist.

    It is in the folder that the environment's ``CHUNKWRIGHT_CACHE`` names, or else in the one that
    the system has for a user's caches.

    Raises
    ------
    MissingExtraError
        If the library platformdirs is needed and not installed.
    """
    if root := os.environ.get("CHUNKWRIGHT_CACHE"):
        return Path(root) / kind
    try:
        from platformdirs import user_cache_path
    except ImportError as error:
        raise MissingExtraError(f"the cache of {kind}", "cache") from error
    return user_cache_path("chunkwright", appauthor=False) / kind


class CacheFile(NamedTuple):
    """A file of a cache: its namespace (None if it cannot be read), entries, and bytes on disk."""

    path: Path
    name: str | None
    entries: int
    bytes: int


class DiskCache:
    """Values of one namespace in a folder.

    A file that is damaged, or that another version wrote, is set aside under another name.

    Parameters
    ----------
    folder
        Where; it is made with the first value.
    kind
        What the values are, such as ``"vectors"``; files are called after it.
    name
        What they were computed with, such as the fingerprint of a model.
    tell
        Is given a line about what is wrong; None: whoever called the package is warned.
    """

    def __init__(
        self, folder: Path, kind: str, name: str, tell: Callable[[str], None] | None = None
    ) -> None:
        self.file: Path = folder / f"{kind}-{digest(name).hex()[:32]}.sqlite"
        self._namespace = kind, name
        self._tell = tell or warn
        self._is_usable = True

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values that are there, by their keys."""
        return self._tried(lambda: self._found(keys)) or {}

    def put(self, values: Mapping[bytes, bytes]) -> None:
        """Keep values in the place of those that have the same keys."""
        if values:
            self._tried(lambda: self._write(values))

    def say(self, what: str) -> None:
        """Tell what is wrong with the file, or with a value in it."""
        shown = what if what.isprintable() else ascii(what)
        self._tell(f"the cache {str(self.file)!r} {shown}")

    def _tried(self, work: Callable[[], T]) -> T | None:
        import sqlite3

        if not self._is_usable:
            return None
        try:
            try:
                return work()
            except DamagedError as error:
                self.say(f"is set aside as {_set_aside(self.file).name!r}: {error}")
                return work()
        except (OSError, sqlite3.Error, DamagedError) as error:
            self._is_usable = False
            self.say(f"cannot be used: {error}")
            return None

    def _found(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        if not _is_begun(self.file):
            return {}
        values: dict[bytes, bytes] = {}
        n_damaged = 0
        with self._opened("rw") as (connection, is_new):
            for start in range(0, 0 if is_new else len(keys), _KEYS):
                some = keys[start : start + _KEYS]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, crc, value FROM entries WHERE key IN ({marks})"  # noqa: S608
                for key, crc, value in connection.execute(query, some):
                    if crc32(key + value) == crc:
                        values[key] = value
                    else:
                        n_damaged += 1
        if n_damaged:
            self.say(f"has damaged entries, which are made again: {n_damaged:,}")
        return values

    def _write(self, values: Mapping[bytes, bytes]) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        rows = [(key, crc32(key + value), value) for key, value in values.items()]
        with self._opened("rwc") as (connection, is_new), connection:
            if is_new:
                for table in _TABLES:
                    connection.execute(table)
                connection.execute("INSERT INTO namespace VALUES (?, ?)", self._namespace)
                connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)

    @contextmanager
    def _opened(self, mode: str) -> Iterator[tuple[sqlite3.Connection, bool]]:
        """Yield a connection of this call alone (threads and forks share none), and if it is new.

        Raises
        ------
        DamagedError
            If the file is not what it should be.
        OSError, sqlite3.Error
            If it cannot be read or written now.
        """
        import sqlite3

        try:
            if _is_begun(self.file):
                _check_header(self.file)
            with closing(_connect(self.file, mode)) as connection:
                if mode == "rwc":
                    connection.execute("BEGIN IMMEDIATE")
                found = _namespace_of(connection)
                if found not in {None, self._namespace}:
                    raise DamagedError(f"it holds others: {found}"[:_SHOWN])
                yield connection, found is None
        except _ODD as error:
            raise DamagedError(f"it holds something else: {error!r}"[:_SHOWN]) from error
        except sqlite3.Error as error:
            # Extended codes carry the plain one in their lowest byte.
            code: int | None = getattr(error, "sqlite_errorcode", None)
            if code is not None and code & 0xFF in _NOT_DAMAGED:
                raise
            raise DamagedError(str(error)[:_SHOWN]) from error


def digest(text: str) -> bytes:
    """Return the SHA-256 of a text, whatever it holds: the key of what is computed from it."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def stored_files(folder: Path, kind: str) -> list[CacheFile]:
    """Return the files of a kind in a folder, by their names."""
    return sorted(map(_described, _files(folder, kind)), key=lambda file: (file.name or "", file))


def clear(folder: Path, kind: str) -> int:
    """Remove the files of a kind, and those that were set aside; return how many there were."""
    files = [path for path in _files(folder, kind, "*") if not path.is_dir()]
    for path in files:
        path.unlink(missing_ok=True)
    return len(files)


def _files(folder: Path, kind: str, ending: str = "") -> list[Path]:
    # A name that is no other's: whatever else lies in the folder is left alone.
    return list(folder.glob(f"{kind}-{'[0-9a-f]' * 32}.sqlite{ending}"))


def _described(path: Path) -> CacheFile:
    import sqlite3

    name, n_entries, n_bytes = None, 0, 0
    try:
        n_bytes = path.stat().st_size
        _check_header(path)
        with closing(_connect(path, "rw")) as connection:
            if (namespace := _namespace_of(connection)) is not None:
                (n_entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
                name = namespace[1]
    except (DamagedError, OSError, sqlite3.Error, *_ODD):
        pass
    return CacheFile(path, name, n_entries, n_bytes)


def _namespace_of(connection: sqlite3.Connection) -> tuple[str, str] | None:
    """Return the kind and name of a file's values; None if nothing is in it yet.

    Raises
    ------
    DamagedError
        If another version wrote it, it has other tables, or no name is there.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    # Views and triggers would run whatever they say.
    made = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    tables = sorted(sql for (sql,) in made)
    if not version and not tables:
        return None
    if version != VERSION:
        raise DamagedError(f"it is of version {version}, not {VERSION}")
    if tables != sorted(_TABLES):
        raise DamagedError("it has other tables")
    row = connection.execute("SELECT kind, name FROM namespace").fetchone()
    if row is None or not all(isinstance(part, str) for part in row):
        raise DamagedError("it does not say what it holds")
    kind, name = row
    return kind, name


def _is_begun(file: Path) -> bool:
    """Return whether a path has a file; an empty one is being begun by another process."""
    try:
        found = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return found.st_size > 0 or not S_ISREG(found.st_mode)


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
    if not header.startswith(_MAGIC) or not header.endswith(_KNOWN_FORMATS):
        raise DamagedError("file is not a database")


def _connect(file: Path, mode: str) -> sqlite3.Connection:
    import sqlite3

    # Without a mode, a file that somebody has just removed would be made again by who only reads.
    uri = f"{file.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, timeout=_WAIT, uri=True)
    # A value that is lost when the power fails is computed again.
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _set_aside(file: Path) -> Path:
    """Give a file another name, so that a new one can be made."""
    # A new file must not find the journal of the old one.
    for ending in _JOURNALS:
        file.with_name(file.name + ending).unlink(missing_ok=True)
    aside = file.with_name(f"{file.name}.damaged")
    # Another process may have done the same.
    if file.exists():
        file.replace(aside)
    return aside
