"""Corpora out of files: a folder of texts, a glob, a list of paths."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.text import read_text

CorporaLike: TypeAlias = (
    "str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Mapping[str, str]"
)

SUFFIXES = (".adoc", ".markdown", ".md", ".mdx", ".org", ".rst", ".tex", ".text", ".txt")
"""How the names of files end that are read of a folder."""


def read_corpora(source: CorporaLike) -> dict[str, str]:
    """Return texts by name.

    Parameters
    ----------
    source
        - a folder: all files in it, and in the folders in it, whose names end in one of `SUFFIXES`
          and do not begin with a dot
        - a glob, such as ``"docs/**/*.md"``, or one file
        - a list of any of these
        - a mapping from names to texts

        A text is called as its file without its ending. Where two would be called alike, both are
        called by their paths from the folder that all of them are in.

    Raises
    ------
    ConfigError
        If it is none of these, or there is no such file, or two texts have one name.
    ReadError
        If a file cannot be read, or is not UTF-8; names it.
    """
    if isinstance(source, Mapping):
        return checked_corpora(source)
    paths = list(dict.fromkeys(Path(os.path.normpath(path)) for path in _paths(source)))
    named = _named(paths)
    return {name: read_text(path) for name, path in named.items()}


def checked_corpora(corpora: object) -> dict[str, str]:
    """Return a mapping from names to texts as a dict.

    Raises
    ------
    ConfigError
        If it is none.
    """
    if not isinstance(corpora, Mapping):
        raise ConfigError(f"corpora must map names to texts, got {type(corpora).__name__}")
    for name, text in corpora.items():
        if not isinstance(name, str) or not isinstance(text, str):
            kinds = f"{name!r} to {type(text).__name__}"
            raise ConfigError(f"corpora must map names to texts, got {kinds}")
    return dict(corpora)


def _paths(source: object) -> Iterator[Path]:
    if isinstance(source, str | os.PathLike):
        yield from _expanded(os.fspath(source))
    elif isinstance(source, Iterable) and not isinstance(source, bytes):
        for path in source:
            if not isinstance(path, str | os.PathLike):
                raise ConfigError(f"corpora must be paths, got {path!r}")
            yield from _expanded(os.fspath(path))
    else:
        raise ConfigError(f"corpora must be a folder, a glob, a list or a mapping, got {source!r}")


def _expanded(path: str | bytes) -> Iterator[Path]:
    if not isinstance(path, str) or not path or "\0" in path:
        raise ConfigError(f"corpora must be paths, got {path!r}")
    found = sorted(_walked(Path(path))) if Path(path).is_dir() else _matched(path)
    if not found:
        kind = "no text file is in" if Path(path).is_dir() else "there is no file"
        raise ConfigError(f"{kind} {path!r}")
    yield from found


def _matched(path: str) -> list[Path]:
    if Path(path).exists():
        return [Path(path)]
    # pathlib's globs take no absolute pattern.
    matches = map(Path, sorted(glob.glob(path, recursive=True)))  # noqa: PTH207
    return [match for match in matches if match.is_file()]


def _walked(folder: Path) -> Iterator[Path]:
    problems: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=problems.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if Path(name).suffix.lower() in SUFFIXES and not name.startswith("."):
                yield Path(parent, name)
    for problem in problems:
        raise ReadError(f"{problem.filename}: {problem.strerror}") from problem


def _named(paths: list[Path]) -> dict[str, Path]:
    stems = Counter(path.stem for path in paths)
    if len(stems) == len(paths):
        return {path.stem: path for path in paths}
    root = Path(os.path.commonpath([path.absolute().parent for path in paths]))
    relative = [path.absolute().relative_to(root) for path in paths]
    names = [
        path.stem if stems[path.stem] == 1 else path.with_suffix("").as_posix() for path in relative
    ]
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise ConfigError(f"two corpora are called {twice[0]!r}: give them as a mapping")
    return dict(zip(names, paths, strict=True))
