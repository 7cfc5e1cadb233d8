"""Folders that requests may name files in: no path leads out of them, and none is told of others.

A path that leads out, and one to nothing, have the same answer: it says nothing of what is where.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from chunkwright.errors import ConfigError
from chunkwright.io.finding import walk
from chunkwright.io.sources import READ_IN_FOLDERS, suffix_of
from chunkwright.messages.terminal_text import printable
from chunkwright.server.problems import Problem, too_large

# Characters of a path that a message repeats.
_SHOWN = 120
# Longer than what any system takes.
_MOST_CHARS = 4096
# A link that took the place of a folder in the meantime is not followed; no pipe is waited for.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0)


class ListedFile(NamedTuple):
    """A file that may be read.

    Attributes
    ----------
    path
        The path that requests name it by.
    n_bytes
        Its size.
    """

    path: str
    n_bytes: int


class Roots:
    """Folders that requests may name files in.

    Of one folder, files are named by their paths below it. Of several, these are preceded by the
    name of the folder. Names that begin with a dot are hidden: nothing below them is read.

    Parameters
    ----------
    roots
        The folders; none: no file may be read.
    option
        The setting that names them.

    Raises
    ------
    ConfigError
        If one is no folder, or two have the same name.
    """

    def __init__(self, roots: Sequence[str], *, option: str = "roots") -> None:
        self._roots: dict[str, Path] = {}
        for root in roots:
            path = Path(os.path.realpath(root))
            if not path.is_dir():
                raise ConfigError.refused(option, "folders", root)
            name = path.name if len(roots) > 1 else ""
            if name in self._roots:
                message = f"two of the roots are called {name!r}: name the folder that holds both"
                raise ConfigError(message, option=option)
            self._roots[name] = path

    def read(self, path: str, most: int, *, field: str = "path") -> bytes:
        """Return what a file holds.

        Parameters
        ----------
        path
            The path, as :meth:`files` has it.
        most
            Bytes of a file, at most.
        field
            The field of the request that names it.

        Raises
        ------
        Problem
            If there are no roots (403), if there is no such file below them, whatever else may be
            there (404), or if it is too large (413).
        """
        root, parts = self._place(path, field)
        try:
            descriptor = _opened(root, parts)
        except (OSError, ValueError) as error:
            raise _absent(path, field) from error
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise _absent(path, field)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(most + 1) if status.st_size <= most else None
        if data is None or len(data) > most:
            raise too_large("the file", most, field=field)
        return data

    def place(self, path: str, *, field: str = "path") -> Path:
        """Return where a file is, with all links followed.

        Parameters
        ----------
        path, field
            As for :meth:`read`.

        Raises
        ------
        Problem
            As :meth:`read`, but for the size.
        """
        found = _resolved(*self._place(path, field))
        if found is None:
            raise _absent(path, field)
        return found

    def files(self, folder: str = "", *, field: str = "folder") -> list[ListedFile]:
        """Return the files below a folder of kinds that can be read, in the order of their paths.

        Parameters
        ----------
        folder
            The folder; empty for all.
        field
            The field of the request that names it.

        Raises
        ------
        Problem
            If there are no roots (403), or no such folder below them (404).
        """
        if not self._roots:
            raise _no_roots(field)
        name = "/".join(part for part in folder.split("/") if part not in {"", "."})
        below = self._roots if not name else {name: self._folder(folder, name, field)}
        return sorted(each for called, path in below.items() for each in _files(called, path))

    def _folder(self, folder: str, name: str, field: str) -> Path:
        """Return a folder below a root, or one of several roots itself."""
        if name in self._roots:
            return self._roots[name]
        root, parts = self._place(folder, field)
        resolved = _resolved(root, parts)
        if resolved is None or not resolved.is_dir():
            raise _absent(folder, field, "folder")
        return resolved

    def _place(self, path: str, field: str) -> tuple[Path, tuple[str, ...]]:
        """Return the root that a path begins with, and the parts of what follows.

        Nothing is looked up: what the text of a path says is wrong by itself.

        Raises
        ------
        Problem
            If there is no root, or the path could lead out of it.
        """
        if not self._roots:
            raise _no_roots(field)
        if len(path) > _MOST_CHARS or not _is_name(path):
            raise _absent(path, field)
        parts = tuple(part for part in path.split("/") if part not in {"", "."})
        if not parts or path.startswith("/") or any(part.startswith(".") for part in parts):
            raise _absent(path, field)
        if "" in self._roots:
            return self._roots[""], parts
        root = self._roots.get(parts[0])
        if root is None or len(parts) == 1:
            raise _absent(path, field)
        return root, parts[1:]


def _is_name(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    is_plain = "\0" not in path
    # On Windows a backslash, a drive or a stream would lead elsewhere.
    return is_plain and not (os.name == "nt" and ("\\" in path or ":" in path))


def _resolved(root: Path, parts: Sequence[str]) -> Path | None:
    """Return where a path leads with all links followed; None if that is not below the root."""
    try:
        path = Path(os.path.realpath(root.joinpath(*parts), strict=True))
    except (OSError, ValueError):
        return None
    inside = path.is_relative_to(root) and path != root
    hidden = inside and any(part.startswith(".") for part in path.relative_to(root).parts)
    return path if inside and not hidden else None


def _opened(root: Path, parts: Sequence[str]) -> int:
    """Open a file below a root, folder by folder from the root on, without following a link.

    Links were followed before: one that is met now took the place of a folder meanwhile.

    Raises
    ------
    OSError
        If there is none.
    """
    path = _resolved(root, parts)
    if path is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if os.open not in os.supports_dir_fd:
        return os.open(path, os.O_RDONLY | _NO_LINK)
    at = os.open(root, os.O_RDONLY | _FOLDER)
    *folders, name = path.relative_to(root).parts
    try:
        for folder in folders:
            inside = os.open(folder, os.O_RDONLY | _NO_LINK | _FOLDER, dir_fd=at)
            os.close(at)
            at = inside
        return os.open(name, os.O_RDONLY | _NO_LINK, dir_fd=at)
    finally:
        os.close(at)


def _files(name: str, root: Path) -> Iterator[ListedFile]:
    for folder in walk(str(root), []):
        for file in folder.files:
            try:
                status = os.lstat(file)
                path = Path(file).relative_to(root).as_posix()
                path.encode()
            except (OSError, UnicodeEncodeError):
                # It has vanished, or has a name that no request can say.
                continue
            if stat.S_ISREG(status.st_mode) and suffix_of(file) in READ_IN_FOLDERS:
                yield ListedFile(f"{name}/{path}" if name else path, status.st_size)


def _absent(path: str, field: str, what: str = "file") -> Problem:
    shown = printable(path if len(path) <= _SHOWN else f"{path[:_SHOWN]}...")
    message = f"no {what} '{shown}' in the folders that may be read"
    return Problem(404, "not_found", message, field=field)


def _no_roots(field: str) -> Problem:
    message = "no files may be read: the service is started with --root FOLDER for that"
    return Problem(403, "no_roots", message, field=field)
