"""File systems of inputs and outputs: this machine's, and those that fsspec reaches."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol, cast

from chunkwright.errors import ConfigError, CorpusError, MissingExtraError
from chunkwright.files.atomic import TEMPORARY, remove_left, replacing
from chunkwright.io.sources import ADDRESS

# What file systems say of a file that changes with its content, the surest first.
_STAMPS = ("ETag", "etag", "md5", "checksum", "LastModified", "last_modified", "mtime", "created")


class FileState(NamedTuple):
    """What is known of a file without reading it: its bytes, and what changes with its content."""

    size: int
    stamp: str


class PendingFile(Protocol):
    """A file that is not there before it is whole."""

    file: BinaryIO

    def commit(self) -> None:
        """Close it, and give it its name."""

    def abort(self) -> None:
        """Close and remove it."""


class Place(Protocol):
    """A file system. All paths are those of one place; they begin as its addresses do."""

    def state(self, path: str) -> FileState | None:
        """Return what is known of a file; None if there is none."""

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of files in a folder by their names; none if there is no such folder."""

    def open(self, path: str) -> BinaryIO:
        """Open a file, in which one can seek, for reading; raises OSError."""

    def pending(self, path: str) -> PendingFile:
        """Begin a file that takes that name, or the place of the one that has it, when whole."""

    def create(self, path: str, data: bytes) -> bool:
        """Make a file where there is none; return whether there was none."""

    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""

    def move(self, path: str, to: str) -> None:
        """Give a file another name in one step; one that is not there was moved before."""

    def remove_folder(self, folder: str) -> None:
        """Remove a folder whose files are gone; leave it if they are not."""

    def tidy(self, folder: str) -> None:
        """Remove what killed writers have left in a folder that nobody else writes."""


def place_of(address: str) -> Place:
    """Return the file system of a path or address.

    Raises
    ------
    MissingExtraError
        If it is an address, and fsspec, or what it needs for such addresses, is not installed.
    ConfigError
        If there is no such file system.
    """
    if ADDRESS.match(address) is None or Path(address).exists():
        return LocalPlace()
    try:
        import fsspec
    except ImportError as error:
        protocol = address.partition("://")[0]
        raise MissingExtraError(f"reading and writing {protocol}://", "corpus") from error
    try:
        system, _ = fsspec.core.url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise ConfigError(f"{address}: {error}") from error
    return RemotePlace(system)


def read_bytes(place: Place, path: str) -> bytes | None:
    """Return what a small file holds; None if it is not there."""
    try:
        with place.open(path) as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_bytes(place: Place, path: str, data: bytes) -> None:
    """Write a small file, whole or not at all.

    Raises
    ------
    CorpusError
        If it cannot be written; names it.
    """
    try:
        pending = place.pending(path)
        try:
            pending.file.write(data)
        except BaseException:
            pending.abort()
            raise
        pending.commit()
    except (OSError, ConfigError) as error:
        raise unwritable(path, error) from error


def unwritable(path: str, error: Exception) -> CorpusError:
    """Return the error of an output that cannot be written."""
    reason = getattr(error, "strerror", None) or error
    return CorpusError(f"cannot write {path}: {reason}")


def joined(folder: str, *names: str) -> str:
    """Return the path of something in a folder."""
    return "/".join([folder.rstrip("/") or folder, *names])


class LocalPlace:
    """File system of this machine."""

    def state(self, path: str) -> FileState | None:
        """Return what is known of a file; see :class:`Place`."""
        try:
            found = Path(path).stat()
        except OSError:
            return None
        return FileState(found.st_size, f"{found.st_size}-{found.st_mtime_ns}")

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of files in a folder; see :class:`Place`."""
        try:
            with os.scandir(folder) as entries:
                return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
        except (FileNotFoundError, NotADirectoryError):
            return {}

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        return Path(path).open("rb")

    def pending(self, path: str) -> PendingFile:
        """Begin a file beside the one whose place it takes; see :class:`Place`."""
        return _LocalPending(path)

    def create(self, path: str, data: bytes) -> bool:
        """Make a file where there is none; see :class:`Place`."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        try:
            with Path(path).open("xb") as file:
                file.write(data)
        except FileExistsError:
            return False
        return True

    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""
        Path(path).unlink(missing_ok=True)

    def move(self, path: str, to: str) -> None:
        """Give a file another name; see :class:`Place`."""
        Path(to).parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            Path(path).replace(to)

    def remove_folder(self, folder: str) -> None:
        """Remove a folder without files; see :class:`Place`."""
        for path, _, _ in os.walk(folder, topdown=False):
            with suppress(OSError):
                Path(path).rmdir()

    def tidy(self, folder: str) -> None:
        """Remove what killed writers have left; what is being written is locked, and stays."""
        remove_left(Path(folder))


class _LocalPending:
    def __init__(self, path: str) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._stack = ExitStack()
        self.file = self._stack.enter_context(replacing(Path(path)))

    def commit(self) -> None:
        """Have it on disk, and give it its name."""
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
        except BaseException:
            self.abort()
            raise
        self._stack.close()

    def abort(self) -> None:
        """Remove it."""
        error = InterruptedError("given up")
        # The file is gone when its context ends with an error, which is this one.
        with suppress(InterruptedError, OSError):
            if not self._stack.__exit__(InterruptedError, error, None):
                raise error


class RemotePlace:
    """File system of fsspec's, such as an object store.

    Parameters
    ----------
    system
        A ``fsspec.AbstractFileSystem``.
    """

    def __init__(self, system: Any) -> None:
        self._system = system

    def state(self, path: str) -> FileState | None:
        """Return what is known of a file; see :class:`Place`."""
        try:
            info = self._system.info(path)
        except OSError:
            return None
        if info.get("type") != "file":
            return None
        stamps = [str(info[name]) for name in _STAMPS if info.get(name)]
        size = int(info.get("size") or 0)
        return FileState(size, f"{size}-{stamps[0] if stamps else ''}")

    def matching(self, pattern: str) -> list[str]:
        """Return the addresses of the files that a glob matches, in order."""
        self._system.invalidate_cache()
        return sorted(self._addressed(self._system.glob(pattern)))

    def whole(self, path: str) -> str:
        """Return an address as those of files begin that are listed here."""
        return str(self._system.unstrip_protocol(self._system._strip_protocol(path)))  # noqa: SLF001 - fsspec has no other name for it

    def is_folder(self, path: str) -> bool:
        """Return whether there is a folder of that name."""
        # Whoever lists files again wants to see those that are new.
        self._system.invalidate_cache()
        return bool(self._system.isdir(path))

    def below(self, folder: str) -> list[str]:
        """Return the addresses of the files below a folder, in order."""
        return sorted(self._addressed(self._system.find(folder)))

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of files in a folder; see :class:`Place`."""
        self._system.invalidate_cache()
        try:
            found = self._system.ls(folder, detail=True)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        files = (each for each in found if each["type"] == "file")
        return {each["name"].rsplit("/", 1)[-1]: int(each["size"] or 0) for each in files}

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        return cast("BinaryIO", self._system.open(path, "rb"))

    def pending(self, path: str) -> PendingFile:
        """Begin a file under another name; see :class:`Place`."""
        return _RemotePending(self._system, path)

    def create(self, path: str, data: bytes) -> bool:
        """Make a file where there is none; few of these systems can tell that at once."""
        self._system.invalidate_cache()
        if self._system.exists(path):
            return False
        self._system.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
        self._system.pipe_file(path, data)
        return bool(self._system.cat_file(path) == data)

    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""
        with suppress(FileNotFoundError):
            self._system.rm_file(path)

    def move(self, path: str, to: str) -> None:
        """Give a file another name; see :class:`Place`."""
        self._system.invalidate_cache()
        if self._system.exists(path):
            self._system.makedirs(to.rsplit("/", 1)[0], exist_ok=True)
            self._system.mv(path, to)

    def remove_folder(self, folder: str) -> None:
        """Remove a folder without files, of systems that have such; see :class:`Place`."""
        self._system.invalidate_cache()
        with suppress(OSError):
            if not self._system.find(folder):
                self._system.rm(folder, recursive=True)

    def tidy(self, folder: str) -> None:
        """Remove what killed writers have left; see :class:`Place`."""
        for name in self.sizes(folder):
            if TEMPORARY.fullmatch(name):
                self.remove(f"{folder}/{name}")

    def _addressed(self, paths: list[str]) -> list[str]:
        return [self._system.unstrip_protocol(path) for path in paths]


class _RemotePending:
    def __init__(self, system: Any, path: str) -> None:
        self._system, self._path = system, path
        folder, _, name = path.rpartition("/")
        system.makedirs(folder, exist_ok=True)
        self._temporary = f"{folder}/.{name}.{os.urandom(8).hex()}.chunkwright-tmp"
        self.file = cast("BinaryIO", system.open(self._temporary, "wb"))

    def commit(self) -> None:
        """Upload it, and give it its name."""
        try:
            self.file.close()
            self._system.mv(self._temporary, self._path)
        except BaseException:
            self.abort()
            raise

    def abort(self) -> None:
        """Remove it."""
        with suppress(Exception):
            self.file.close()
        with suppress(Exception):
            self._system.rm_file(self._temporary)
