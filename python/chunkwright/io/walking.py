"""Walks through folders that end, whatever is in them (loops, pipes), and what is read of them."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from stat import S_ISREG
from typing import NamedTuple

from chunkwright.messages.logs import skipped

Identity = tuple[int, int]
_PROSE = """
    .adoc .asciidoc .htm .html .log .markdown .md .mdx .org .rst .srt .tex .text .txt .vtt
    .xhtml
"""
_DATA = """
    .cfg .csv .ini .json .proto .sql .toml .tsv .xml .yaml .yml
"""
_CODE = """
    .c .cc .cpp .cs .css .cxx .ex .exs .go .h .hpp .hs .java .js .jsx .kt .kts .lua .php .pl
    .ps1 .py .pyi .r .rb .rs .scala .sh .sol .swift .ts .tsx
"""
SUFFIXES = frozenset(f"{_PROSE} {_DATA} {_CODE}".split())
"""How the names of files end that are read of a folder."""


class Folder(NamedTuple):
    """What there is in a folder, in order of names, without what is hidden."""

    path: str
    folders: list[str]
    links: list[str]
    files: list[str]


def walk(root: str, problems: list[OSError]) -> Iterator[Folder]:
    """Yield a folder and those below it, each before what is in it; links are not followed.

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
    """Return what all names of a file or folder share, or None if there is no such thing."""
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
