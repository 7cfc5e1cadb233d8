"""Output files that are there whole or not at all.

A file is written under a temporary name beside its own, and renamed when all is written. The
temporary file is locked while its writer lives: what a killed run has left is unlocked, and the
next writer into the same folder removes it. A lock, unlike a process's number, is right in other
containers too, and works on file systems that lack unnamed files.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from shutil import copymode
from typing import BinaryIO

from chunkwright.errors import ConfigError

if sys.platform != "win32":
    import fcntl

# A name is 255 bytes at most: that of the file itself is shortened.
KEPT_BYTES = 64
TEMPORARY = re.compile(r"\..{0,64}\.[0-9a-f]{16}\.chunkwright-tmp", re.DOTALL)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the place of `path` when, and only if, all went well.

    It is written beside `path`, under a name that begins with a dot. A device or pipe cannot be
    replaced: it is written directly.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    """
    if _is_special(path):
        with _opened(path, path) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    _clean(target.parent)
    temporary, file = _temporary(target, path)
    with _locked_until_renamed(file):
        try:
            with file:
                yield file
            if target.exists():
                copymode(target, temporary)
            temporary.replace(target)
        finally:
            # Gone already if it took its place.
            with suppress(FileNotFoundError):
                temporary.unlink()


def _temporary(target: Path, shown: Path) -> tuple[Path, BinaryIO]:
    """Make a file of a new name, and lock it."""
    kept = os.fsencode(target.name)[:KEPT_BYTES].decode("utf-8", "ignore")
    while True:
        # Threads of one process may write the same file, too.
        path = target.with_name(f".{kept}.{os.urandom(8).hex()}.chunkwright-tmp")
        file = _opened(path, shown)
        with suppress(OSError):  # a file system without locks
            _lock(file, waits=True)
        if path.exists():
            return path, file
        # Another process locked it first, as one that nobody writes, and has removed it.
        file.close()


@contextmanager
def _locked_until_renamed(file: BinaryIO) -> Iterator[None]:
    """Keep the lock of a file that is closed before it is renamed."""
    if sys.platform == "win32":
        yield
        return
    # A lock lasts until all copies of the descriptor are closed.
    copy = os.dup(file.fileno())
    try:
        yield
    finally:
        os.close(copy)


def remove_left(folder: Path) -> None:
    """Remove what killed writers have left in a folder; what is being written stays."""
    # Whoever wants to write there is told later what is wrong with the folder.
    with suppress(OSError), os.scandir(folder) as entries:
        left = [e.path for e in entries if TEMPORARY.fullmatch(e.name) and _is_regular(e)]
        for path in left:
            _remove_unlocked(Path(path))


@lru_cache(maxsize=1024)
def _clean(folder: Path) -> None:
    # Once, for the folder may be large.
    remove_left(folder)


def _is_regular(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False)


def _remove_unlocked(path: Path) -> None:
    with suppress(OSError), path.open("rb") as file:
        _lock(file, waits=False)
        path.unlink()


def _lock(file: BinaryIO, *, waits: bool) -> None:
    # On Windows nobody can remove a file that is open.
    if sys.platform != "win32":
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))


def _is_special(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unwritable(path, error) from error
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _opened(path: Path, shown: Path) -> BinaryIO:
    if shown.is_dir():
        raise ConfigError(f"cannot write {shown}: it is a folder")
    try:
        return path.open("wb")
    except OSError as error:
        raise _unwritable(shown, error) from error


def _unwritable(path: Path, error: OSError) -> ConfigError:
    return ConfigError(f"cannot write {path}: {error.strerror or error}")
