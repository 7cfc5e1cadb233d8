"""Corpora out of files: a folder of texts, a glob, a list of paths."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError
from chunkwright.io.documents import whole
from chunkwright.io.finding import ABSENCES, NO_TEXT, find
from chunkwright.io.sources import STDIN, Reading, Source
from chunkwright.readers.kinds import is_yaml, language_of
from chunkwright.readers.text import decode

if TYPE_CHECKING:
    from chunkwright.document import Document

CorporaLike: TypeAlias = (
    "str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Mapping[str, str]"
)

Naming: TypeAlias = Literal["stem", "path"]
"""What files are called: without folders and ending, or by their paths from their folder."""
STEM: Naming = "stem"


def read_corpora(
    source: CorporaLike,
    *,
    without: str | os.PathLike[str] | None = None,
    names: Naming = STEM,
) -> dict[str, str]:
    """Return the texts of files by name, without reading any structure in them.

    Parameters
    ----------
    source
        - a folder: all files in it and in its subfolders that are not hidden and have one of
          :data:`chunkwright.io.sources.SUFFIXES`
        - a glob, such as ``"docs/**/*.md"``, or one file
        - a list of any of these
        - a mapping from names to texts

        A text has the name of its file without the ending. If two files have the same name, both
        are named by their paths from the folder that contains all files; if these are the same
        but for their endings, with the ending.
    without
        A file to leave out, such as that of the questions.
    names
        ``"path"``: every text is named by its path, ending included, from the folder that you
        named, or else from the one that contains all files: ``"src/main.rs"``. The language of
        source code is recognised by it.

    Raises
    ------
    ConfigError
        If `source` is none of these, or there is no such file.
    ReadError
        If a file cannot be read, or is not UTF-8; names it.
    """
    if isinstance(source, Mapping):
        return checked_corpora(source)
    sources = _files(source, without, names)
    return {name: decode(each.read(), name=each.name) for name, each in sources.items()}


def read_documents(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    without: str | os.PathLike[str] | None = None,
    names: Naming = STEM,
) -> dict[str, Document]:
    """Return documents by name, each read by its kind.

    Parameters
    ----------
    source, without, names
        As for :func:`read_corpora`.

    Returns
    -------
    dict
        What :func:`chunkwright.read` returns for each file. Files with structure, such as
        Markdown, HTML and tables, have elements; all others are plain texts.

    Raises
    ------
    ConfigError
        As :func:`read_corpora`.
    ReadError
        If a file cannot be read; names it.
    """
    sources = _files(source, without, names)
    return {name: whole(each, Reading()).document for name, each in sources.items()}


def read_structured(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    without: str | os.PathLike[str] | None = None,
    names: Naming = STEM,
) -> dict[str, str | Document]:
    """Return files by name: documents where structure or a language is known, else texts.

    Parameters
    ----------
    source, without, names
        As for :func:`read_corpora`.

    Raises
    ------
    ConfigError, ReadError
        As for :func:`read_documents`.
    """
    read = read_documents(source, without=without, names=names)
    return {name: each if knows_more(each) else each.text for name, each in read.items()}


def knows_more(document: str | Document) -> bool:
    """Return whether chunks of a document may depend on more than its text."""
    if isinstance(document, str):
        return False
    is_told_by_name = language_of(document.name) is not None or is_yaml(document.name)
    return document.elements is not None or is_told_by_name


def _files(
    source: object, without: str | os.PathLike[str] | None, names: Naming
) -> dict[str, Source]:
    checked_name("names", names, get_args(Naming))
    files = {Path(os.path.normpath(each.name)): each for each in _sources(source)}
    if without is not None:
        files = {path: each for path, each in files.items() if not each.is_file(Path(without))}
    paths = list(files)
    named = _named(paths) if names == STEM else _relative(paths, _folder_of(source, paths))
    return dict(zip(named, files.values(), strict=True))


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


def _sources(source: object) -> Iterator[Source]:
    for path in _paths(source):
        for file in sorted(find([path]), key=lambda file: Path(file.name)):
            if file.problem in ABSENCES:
                kind = "no text file is in" if file.problem == NO_TEXT else "there is no file"
                raise ConfigError(f"{kind} {path!r}")
            file.check()
            yield file


def _paths(source: object) -> Iterator[str]:
    if isinstance(source, str | os.PathLike):
        source = [source]
    if not isinstance(source, Iterable) or isinstance(source, bytes):
        raise ConfigError(f"corpora must be a folder, a glob, a list or a mapping, got {source!r}")
    for path in source:
        named = os.fspath(path) if isinstance(path, str | os.PathLike) else path
        if not isinstance(named, str) or named in {"", STDIN} or "\0" in named:
            raise ConfigError(f"corpora must be paths, got {path!r}")
        yield named


def _folder_of(source: object, paths: list[Path]) -> Path:
    """Return the folder that paths are told from: the one that was named, if it is one."""
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):  # noqa: PTH112 - any path
        return Path(os.path.abspath(source))  # noqa: PTH100 - links stay
    return _common_folder(paths)


def _common_folder(paths: list[Path]) -> Path:
    return Path(os.path.commonpath([path.absolute().parent for path in paths]))


def _relative(paths: list[Path], folder: Path) -> list[str]:
    return [Path(os.path.relpath(path.absolute(), folder)).as_posix() for path in paths]


def _named(paths: list[Path]) -> list[str]:
    """Return the shortest names that tell files apart: stems, else paths, else with endings."""
    root = _common_folder(paths)
    relative = [path.absolute().relative_to(root) for path in paths]
    forms = [
        [path.stem for path in relative],
        [path.with_suffix("").as_posix() for path in relative],
        [path.as_posix() for path in relative],
    ]
    counts = [Counter(names) for names in forms]
    named = [
        next(name for name, n in zip(names, counts, strict=True) if n[name] == 1)
        for names in zip(*forms, strict=True)
    ]
    return named if len(set(named)) == len(named) else forms[-1]
