"""Search for sources: what files, folders, globs and `-` name, and walks through folders."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import NamedTuple

from chunkwright.errors import ConfigError, OptionName
from chunkwright.io.sources import READ_IN_FOLDERS, STDIN, Source, is_address, suffix_of
from chunkwright.messages.logs import skipped

SEPARATORS = r"[\\/]" if os.sep == "\\" else "/"
# In a glob, a part of the path that stands for any folders.
STARS = re.compile(rf"(?:(?<={SEPARATORS})|^)\*\*(?:{SEPARATORS}+|$)")
NO_MATCH, NO_FILE = "no file matches", "no such file or folder"
NO_TEXT = "no text file in this folder"
ABSENCES = (NO_MATCH, NO_FILE, NO_TEXT)
"""Problems of sources that are not there."""
Identity = tuple[int, int]


def find(
    patterns: Iterable[str], root: str | None = None, suffixes: Collection[str] = READ_IN_FOLDERS
) -> list[Source]:
    """List the sources that patterns name, in order, each once; files of folders by name.

    Parameters
    ----------
    patterns
        Files, folders, globs and ``-``.
    root
        The folder that names of documents are relative to. Without, each is relative to the folder
        that was named, or that the glob begins with; a file that was named is called by its own
        name. Equal names are preceded by as many folders as tell them apart.
    suffixes
        How the names of files end that are read of a folder.

    Raises
    ------
    ConfigError
        If the root is no folder, or does not hold all files.
    """
    if root is not None and not _is_folder(root):
        raise ConfigError.refused("root", "a folder", root)
    found: dict[str, Source] = {}
    for pattern in patterns:
        for source in _expand(pattern, suffixes):
            path = source.name if source.name == STDIN else os.path.abspath(source.name)  # noqa: PTH100
            known = found.setdefault(path, source)
            if len(source.document) > len(known.document):
                # Named below a folder further out, whatever came first.
                found[path] = replace(known, folder=source.folder)
    return called(list(found.values()), root)


def called(sources: Sequence[Source], root: str | None = None) -> list[Source]:
    """Return the sources with unique names for their documents."""
    files = [source for source in sources if source.name != STDIN and source.problem is None]
    paths = [source.name for source in files]
    if root is None:
        names = told_apart([source.document for source in files], paths)
    else:
        names = [name_in_root(path, root) for path in paths]
    by_path = dict(zip(paths, names, strict=True))
    return [replace(source, called=by_path.get(source.name)) for source in sources]


def _expand(pattern: str, suffixes: Collection[str]) -> Iterator[Source]:
    if pattern == STDIN or os.path.lexists(pattern):
        yield from _named(pattern, None, suffixes)
        return
    is_glob = glob.has_magic(pattern) and not is_address(pattern)
    matches = _matches(pattern) if is_glob else []
    for match in matches:
        yield from _named(match, _beginning(pattern), suffixes)
    if not matches:
        yield Source(pattern, _absence(pattern))


def _matches(pattern: str) -> list[str]:
    """Return what a glob matches, sorted; each `**` stands for folders, each of them once."""
    begin, *parts = STARS.split(pattern)
    found, folders = _globbed("", begin), dict[Identity, str]()
    if parts:
        # All that is below a folder: what is in each of the folders below it.
        parts[-1] = parts[-1] or "*"
    for part in parts:
        folders = below(found)
        found = [match for folder in folders.values() for match in _globbed(folder, part)]
    is_all = parts[-1:] == ["*"]
    return sorted(match for match in found if _is_wanted(match, folders, is_all=is_all))


def _is_wanted(match: str, folders: dict[Identity, str], *, is_all: bool) -> bool:
    """Whether to read what a glob matches: regular files, and folders that are not read anyway."""
    if _is_folder(match):
        identity = identity_of(match)
        known = match if identity is None else folders.get(identity, match)
        return not is_all and os.path.normpath(known) == os.path.normpath(match)
    return _is_regular(match)


def _is_folder(path: str) -> bool:
    # A Path raises where the folder that it is in cannot be searched.
    return os.path.isdir(path)  # noqa: PTH112


def _is_regular(path: str) -> bool:
    if is_readable_at_once(path):
        return True
    skipped(path, "not a regular file")
    return False


def _globbed(folder: str, pattern: str) -> list[str]:
    if not pattern:
        return [folder]
    # pathlib's globs show hidden files.
    return glob.glob(os.path.join(glob.escape(folder), pattern))  # noqa: PTH118, PTH207


def _absence(pattern: str) -> str:
    return NO_MATCH if glob.has_magic(pattern) else NO_FILE


def _beginning(pattern: str) -> str:
    """Return the folder that a glob begins with."""
    folder = os.path.dirname(pattern)  # noqa: PTH120
    while glob.has_magic(folder):
        folder = os.path.dirname(folder)  # noqa: PTH120
    return folder


def _named(path: str, folder: str | None, suffixes: Collection[str]) -> Iterator[Source]:
    """Yield what a path names; ``folder`` is the one that a glob begins with, which found it."""
    if path != STDIN and _is_folder(path):
        inside = list(_walk(path, path if folder is None else folder, suffixes))
        yield from inside or [Source(path, NO_TEXT)]
    else:
        yield Source(path, folder=folder)


def _walk(root: str, folder: str, suffixes: Collection[str]) -> Iterator[Source]:
    problems: list[OSError] = []
    # Files below a normal path have normal paths: a Path of each would be slow to make.
    for inside in walk(str(Path(root)), problems):
        for link in inside.links:
            skipped(link, "a link to a folder", is_expected=True)
        for file in inside.files:
            if suffix_of(file) in suffixes and _is_regular(file):
                yield Source(file.removeprefix(os.path.join(os.curdir, "")), folder=folder)  # noqa: PTH118
    for problem in problems:
        yield Source(str(problem.filename), problem.strerror)


def name_in_root(path: str, root: str) -> str:
    """Return a path relative to a folder that the user names.

    Raises
    ------
    ConfigError
        If the path is not in that folder.
    """
    # As they are written, else with all links followed.
    for follow in (os.path.abspath, os.path.realpath):
        inside = os.path.relpath(follow(path), follow(root))
        if inside != os.curdir and PurePath(inside).parts[0] != os.pardir:
            return PurePath(inside).as_posix()
    reason = f" {root!r} does not hold {path!r}: name a folder that holds all inputs"
    raise ConfigError(OptionName("root"), reason, value=root)


def told_apart(names: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return unique names: equal ones are preceded by folders of their paths.

    Parameters
    ----------
    names
        What the files are called; each is the end of its path.
    paths
        Their paths, all of different files.

    Examples
    --------
    >>> told_apart(["a.md", "a.md", "b.md"], ["old/a.md", "new/a.md", "new/b.md"])
    ['old/a.md', 'new/a.md', 'b.md']
    """
    told = list(names)
    whole: dict[int, tuple[str, ...]] = {}
    while twice := {name for name, n in Counter(told).items() if n > 1}:
        longer = list(told)
        for i, name in enumerate(told):
            if name in twice:
                parts = whole.setdefault(i, PurePath(os.path.abspath(paths[i])).parts)  # noqa: PTH100
                longer[i] = PurePath(*parts[-len(PurePath(name).parts) - 1 :]).as_posix()
        if longer == told:
            break
        told = longer
    return told


class Folder(NamedTuple):
    """The contents of a folder by name, without hidden files."""

    path: str
    folders: list[str]
    links: list[str]
    files: list[str]


def walk(root: str, problems: list[OSError]) -> Iterator[Folder]:
    """Yield a folder and those below it, each before its contents; links are not followed.

    Folders that cannot be read are added to `problems`.
    """
    stack = [root]
    while stack:
        folder = _read(stack.pop(), problems)
        if folder is not None:
            yield folder
            stack += reversed(folder.folders)


def below(roots: Iterable[str]) -> dict[Identity, str]:
    """Return folders and all below them; links are followed, but each folder is named once.

    A folder that several names lead to gets the one without a link, else the first one found.
    Folders that cannot be read are left out.
    """
    found: dict[Identity, str] = {}
    waiting = deque(sorted(roots, key=os.path.islink))
    while waiting:
        stack = [waiting.popleft()]
        while stack:
            path = stack.pop()
            identity = identity_of(path)
            if identity in found:
                skipped(path, f"read as {found[identity]!r}", is_expected=True)
            elif identity is not None and (folder := _read(path, [])) is not None:
                found[identity] = path
                stack += reversed(folder.folders)
                waiting += folder.links
    return found


def identity_of(path: str) -> Identity | None:
    """Return an identity that all names of a file or folder share, or None if it does not exist."""
    try:
        found = os.stat(path or os.curdir)  # noqa: PTH116 - many paths: a Path is slow to make
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_readable_at_once(path: str) -> bool:
    """Whether a path is a regular file, or nothing at all: reading it says what is wrong then.

    A pipe, a socket or a device may have to be waited for.
    """
    try:
        return S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - as above
    except OSError:
        return True


def _read(path: str, problems: list[OSError]) -> Folder | None:
    found = Folder(path, [], [], [])
    try:
        with os.scandir(path or os.curdir) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if not entry.name.startswith("."):
                    _kind(entry, found).append(os.path.join(path, entry.name))  # noqa: PTH118
    except OSError as error:
        problems.append(error)
        return None
    return found


def _kind(entry: os.DirEntry[str], folder: Folder) -> list[str]:
    try:
        if entry.is_dir(follow_symlinks=False):
            return folder.folders
        return folder.links if entry.is_dir() else folder.files
    except OSError:
        # A link to itself, or what has vanished: reading it says so.
        return folder.files
