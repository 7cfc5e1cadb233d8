"""Sources of documents: files, folders, globs and `-` as one list, and how they are read."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError, ReadError, nearest
from chunkwright.io.rows import Carried
from chunkwright.io.walking import (
    SUFFIXES,
    Identity,
    below,
    identity_of,
    is_readable_at_once,
    walk,
)
from chunkwright.logs import skipped
from chunkwright.readers.encodings import UTF_8
from chunkwright.readers.kinds import KINDS
from chunkwright.readers.signatures import refuse
from chunkwright.readers.text import check_decoding, decode, read_bytes

if TYPE_CHECKING:
    from chunkwright.document import Document

STDIN = "-"
TABLES = {
    "jsonl": (".jsonl", ".ndjson"),
    "parquet": (".parquet",),
    "arrow": (".arrow", ".feather"),
}
"""The formats of tables with a document in each row, and the suffixes that name them."""
FORMATS = ("text", *(kind for kind in KINDS if kind != "text"), *TABLES)
"""The formats of sources: the kinds of documents, and those of tables."""
SEPARATORS = r"[\\/]" if os.sep == "\\" else "/"
NO_MATCH, NO_FILE = "no file matches", "no such file or folder"
NO_TEXT = "no text file in this folder"
ABSENCES = (NO_MATCH, NO_FILE, NO_TEXT)
"""Problems of sources that are not there."""
# In a glob, a part of the path that stands for any folders.
STARS = re.compile(rf"(?:(?<={SEPARATORS})|^)\*\*(?:{SEPARATORS}+|$)")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How sources are read.

    Parameters
    ----------
    input_format
        One of `FORMATS`; None: the table that a source's suffix names, else what it looks like.
    encoding, errors
        See :func:`chunkwright.read`.
    text_column, id_column
        The columns of rows that hold a text and the name of its document; without the latter, it
        is called by the source and the row's number.
    drop_columns
        Columns that chunks do not carry.
    text_kind
        What the texts of rows are, one of `KINDS`; None: what they look like, if ``by_content``,
        else plain texts.
    by_content
        Whether texts of rows are read as what they look like.
    elements_for
        The strategy that cuts elements only, if it is one.
    fail_fast
        Whether the first failure ends the run: it is not told together with others like it.

    Raises
    ------
    ConfigError
        If a format, an encoding, or what is done with other bytes is unknown; names it.
    """

    input_format: str | None = None
    encoding: str | None = None
    errors: str = "strict"
    text_column: str = "text"
    id_column: str | None = None
    drop_columns: Sequence[str] = ()
    text_kind: str | None = None
    by_content: bool = False
    elements_for: str | None = None
    fail_fast: bool = False

    def __post_init__(self) -> None:
        check_decoding(self.encoding, self.errors)
        if self.input_format is not None and self.input_format not in FORMATS:
            hint = nearest(self.input_format, list(FORMATS))
            raise ConfigError(f"unknown input_format {self.input_format!r}; {hint}")
        if self.text_kind is not None:
            checked_name("text_kind", self.text_kind, list(KINDS))

    @property
    def reads_rows(self) -> bool:
        """Whether the texts of rows are more than plain texts."""
        return self.by_content if self.text_kind is None else self.text_kind != "text"

    @property
    def takes_lists(self) -> bool:
        """Whether a row may hold a list of elements in place of a text."""
        return self.reads_rows and self.text_kind in {None, "elements"}

    def decode(self, data: bytes, place: str) -> str:
        """Return bytes as text.

        Raises
        ------
        ReadError
            If they are not in the encoding; names the place.
        """
        return decode(data, encoding=self.encoding or UTF_8, errors=self.errors, name=place)

    def format_of(self, source: Source) -> str | None:
        """Return the format of a source; None if what is in it says which."""
        name = Path("" if source.name == STDIN else source.name)
        suffix = (name.with_suffix("") if name.suffix.lower() == ".gz" else name).suffix.lower()
        by_suffix = next((format_ for format_, known in TABLES.items() if suffix in known), None)
        return self.input_format or by_suffix


@dataclass(frozen=True, slots=True)
class Entry:
    """A text to be cut.

    Parameters
    ----------
    name
        The document's name, from which ids are derived.
    place
        Where it was found, for messages.
    content
        The text, or what a reader made of it.
    carried
        What else its row has.
    language
        The language that a source file is written in, or Markdown, if it is.
    """

    name: str
    place: str
    content: str | Document
    carried: Carried | None = None
    language: str | None = None

    @property
    def document(self) -> Document:
        """What is cut."""
        from chunkwright.document import Document

        if isinstance(self.content, str):
            return Document(text=self.content, name=self.name)
        return self.content


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
            If it cannot be read, or is known to be no text; names it and says why.
        """
        self.check()
        if self.name != STDIN:
            return read_bytes(self.name)
        data = standard_input().read()
        refuse(data, self.name)
        return data

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
        if self.name == STDIN:
            return False
        try:
            return Path(self.name).samefile(path)
        except OSError:
            return False


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


def _named(path: str) -> Iterator[Source]:
    if path != STDIN and _is_folder(path):
        inside = list(_walk(path))
        yield from inside or [Source(path, NO_TEXT)]
    else:
        yield Source(path)


def _walk(folder: str) -> Iterator[Source]:
    problems: list[OSError] = []
    for inside in walk(folder, problems):
        for link in inside.links:
            skipped(link, "a link to a folder", is_expected=True)
        for file in inside.files:
            if Path(file).suffix.lower() in SUFFIXES and _is_regular(file):
                yield Source(str(Path(file)))
    for problem in problems:
        yield Source(str(problem.filename), problem.strerror)
