"""Inputs: files, folders, globs and `-` as one list of things to read."""

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from chunkwright.cli.suffixes import SUFFIXES
from chunkwright.errors import ReadError
from chunkwright.read.text import read_bytes

STDIN = "-"


@dataclass(frozen=True)
class Source:
    """Something to read: a file, standard input, or the reason why there is nothing."""

    name: str
    problem: str | None = None

    @property
    def document(self) -> str:
        """The name as text: bytes of it that are no UTF-8 are escaped."""
        return os.fsencode(self.name).decode("utf-8", "backslashreplace")

    def read(self) -> bytes:
        """Read all of it.

        Raises
        ------
        ReadError
            If it cannot be read; names it and says why.
        """
        self.check()
        return standard_input().read() if self.name == STDIN else read_bytes(self.name)

    def check(self) -> bool:
        """Return whether there is something to read, which is true.

        Raises
        ------
        ReadError
            If there is nothing to read; says why.
        """
        if self.problem is not None:
            raise ReadError(f"{self.name}: {self.problem}")
        return True

    def is_file(self, path: Path) -> bool:
        """Whether it is that file, by whatever name."""
        own = Path(self.name)
        return self.name != STDIN and own.exists() and own.samefile(path)


def standard_input() -> BinaryIO:
    """Return standard input as bytes.

    Raises
    ------
    ReadError
        If the process has none.
    """
    if sys.stdin is None:
        raise ReadError(f"{STDIN}: standard input is closed")
    return sys.stdin.buffer


def find(patterns: Iterable[str]) -> list[Source]:
    """List what the patterns name, in order, each thing once; folders in order of their names."""
    found: dict[str, Source] = {}
    for pattern in patterns:
        for source in _expand(pattern):
            found.setdefault(os.path.normpath(source.name), source)
    return list(found.values())


def _expand(pattern: str) -> Iterator[Source]:
    if pattern == STDIN or os.path.lexists(pattern):
        yield from _named(pattern)
        return
    matches = _matches(pattern) if glob.has_magic(pattern) else []
    for match in matches:
        yield from _named(match)
    if not matches:
        yield Source(pattern, _absence(pattern))


def _matches(pattern: str) -> list[str]:
    # pathlib's globs take no absolute pattern and show hidden files.
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207


def _absence(pattern: str) -> str:
    return "no file matches" if glob.has_magic(pattern) else "no such file or folder"


def _named(path: str) -> Iterator[Source]:
    if path != STDIN and Path(path).is_dir():
        inside = list(_walk(path))
        yield from inside or [Source(path, "no text file in this folder")]
    else:
        yield Source(path)


def _walk(folder: str) -> Iterator[Source]:
    problems: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if _is_text(name):
                yield Source(str(Path(parent, name)))
    for problem in problems:
        yield Source(str(problem.filename), problem.strerror)


def _is_text(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES
