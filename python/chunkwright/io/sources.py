"""Sources of documents: files and standard input, their contents, and how they are read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError, ReadError
from chunkwright.io.rows import Carried
from chunkwright.readers.kinds import FILES, KINDS, checked_parts, language_of
from chunkwright.readers.signatures import refuse
from chunkwright.readers.text import UTF_8, check_decoding, decode, read_bytes

if TYPE_CHECKING:
    from chunkwright.document import Document

STDIN = "-"
_PROSE = """
    .adoc .asciidoc .htm .html .log .markdown .md .mdx .org .rest .rst .srt .tex .text .txt .vtt
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
TABLES: dict[str, tuple[str, ...]] = {
    "jsonl": (".jsonl", ".ndjson"),
    "parquet": (".parquet",),
    "arrow": (".arrow", ".feather"),
}
"""The formats of tables with a document in each row, and the suffixes that name them."""
COMPRESSED = (".gz", ".zst")
"""How the names of files end that are decompressed: JSON lines."""
PAGED = ("pages", "password", "attachments", "hidden", "ocr", "ocr_engine", "ocr_languages")
"""Settings of files that have pages, may be encrypted or pictures, or do not show all in them."""
FORMATS = ("text", *(kind for kind in KINDS if kind != "text"), *FILES, *TABLES)
"""The formats of sources: the kinds of documents, and those of tables."""
# Pictures in a folder are seldom pages: those that are, are named.
_IN_FOLDERS = [kind for kind in FILES.values() if kind.name != "image"]
READ_IN_FOLDERS = SUFFIXES | {suffix for kind in _IN_FOLDERS for suffix in kind.suffixes}
NO_ADDRESS = (
    "addresses are not read: download it, say with curl -O, and name the file; or pipe it to -"
)
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


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
    drop
        Parts of HTML pages that are left out; see :func:`chunkwright.read_html`.
    pages, password, attachments, hidden, ocr, ocr_engine, ocr_languages
        See :func:`chunkwright.read`.

    Raises
    ------
    ConfigError
        If a format, an encoding, or what is done with other bytes is unknown; names it.
    """

    input_format: str | None = None
    encoding: str | None = None
    errors: str | None = None
    text_column: str = "text"
    id_column: str | None = None
    drop_columns: Sequence[str] = ()
    text_kind: str | None = None
    by_content: bool = False
    elements_for: str | None = None
    fail_fast: bool = False
    drop: Sequence[str] = ()
    pages: str | None = None
    password: str | None = None
    attachments: bool = False
    hidden: bool = False
    ocr: str | None = None
    ocr_engine: str | None = None
    ocr_languages: Sequence[str] | None = None

    def __post_init__(self) -> None:
        checked_parts(self.drop)
        check_decoding(self.encoding, self.errors)
        if self.input_format is not None and self.input_format not in FORMATS:
            raise ConfigError.unknown("input_format", self.input_format, FORMATS)
        if self.text_kind is not None:
            checked_name("text_kind", self.text_kind, list(KINDS))

    @cached_property
    def not_carried(self) -> frozenset[str | None]:
        """Columns of rows that chunks do not carry: texts, names and dropped columns."""
        return frozenset({self.text_column, self.id_column, *self.drop_columns})

    @property
    def reads_rows(self) -> bool:
        """Whether the texts of rows are read as more than plain texts."""
        return self.by_content if self.text_kind is None else self.text_kind != "text"

    @property
    def takes_lists(self) -> bool:
        """Whether a row may hold a list of elements in place of a text."""
        return self.reads_rows and self.text_kind in {None, "elements"}

    def may_find_elements(self, source: Source) -> bool:
        """Whether documents of a source may have elements."""
        format_ = self.format_of(source)
        if format_ in TABLES:
            return self.reads_rows
        return format_ != "text" and language_of(source.name) in {None, "markdown"}

    def decode(self, data: bytes, place: str) -> str:
        """Return bytes as text.

        Raises
        ------
        ReadError
            If they are not in the encoding; names the place.
        """
        return decode(
            data, encoding=self.encoding or UTF_8, errors=self.errors or "strict", name=place
        )

    def format_of(self, source: Source) -> str | None:
        """Return the format of a source; None if its content decides."""
        suffix = "" if source.name == STDIN else suffix_of(source.name)
        by_suffix = next((format_ for format_, known in TABLES.items() if suffix in known), None)
        return self.input_format or by_suffix


@dataclass(frozen=True, slots=True)
class Entry:
    """A text to cut.

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
        The language that a source file is written in, or the markup, if it is Markdown or
        reStructuredText.
    document_id
        The document's id, if its row has one.
    """

    name: str
    place: str
    content: str | Document
    carried: Carried | None = None
    language: str | None = None
    document_id: str | None = None

    @property
    def document(self) -> Document:
        """What is cut."""
        from chunkwright.document import Document

        if isinstance(self.content, str):
            return Document(text=self.content, name=self.name, id=self.document_id)
        return self.content if self.document_id is None else self.content.with_id(self.document_id)


class Failure(NamedTuple):
    """A source, or a row of it, that could not be read.

    Attributes
    ----------
    source
        The source.
    error
        Why; names the row, if it is one.
    name
        What whoever reads it calls the source; the source's own name, unless that is another one.
    """

    source: Source
    error: Exception
    name: str


@dataclass(frozen=True)
class Source:
    """Something to read: a file or standard input, or the reason why it cannot be read."""

    name: str
    problem: str | None = None
    folder: str | None = None
    """The folder that the file was found in, as it was named; None: the one that it is in."""
    called: str | None = None
    """What its document is called; None: the path in that folder."""

    def failure(self, error: Exception) -> Failure:
        """Return that it, or a row of it, could not be read."""
        return Failure(self, error, self.name)

    @property
    def path(self) -> str:
        """The path as text: bytes of it that are no UTF-8 are escaped."""
        return os.fsencode(self.name).decode("utf-8", "backslashreplace")

    @property
    def file(self) -> str | None:
        """The absolute path; None for standard input, and where UTF-8 cannot say it."""
        # As many as files: a Path is slow to make.
        path = os.path.abspath(self.name)  # noqa: PTH100
        try:
            path.encode()
        except UnicodeEncodeError:
            return None
        return None if self.name == STDIN else path

    @property
    def document(self) -> str:
        """The name of the document as text, as :attr:`path`."""
        name = self._in_folder if self.called is None else self.called
        return os.fsencode(name).decode("utf-8", "backslashreplace")

    @property
    def _in_folder(self) -> str:
        if self.name == STDIN or self.problem is not None:
            return self.name
        folder = os.path.dirname(self.name) if self.folder is None else self.folder  # noqa: PTH120
        return name_below(self.name, folder)

    def read(self, *, allowed: Collection[str] = ()) -> bytes:
        """Read all of it.

        Parameters
        ----------
        allowed
            Kinds of files that are not refused although they hold no text.

        Raises
        ------
        ReadError
            If it cannot be read, or is known to be no text; names it and says why.
        """
        self.check()
        if self.name != STDIN:
            return read_bytes(self.name, allowed=allowed)
        data = standard_input().read()
        refuse(data, self.name, allowed=allowed)
        return data

    def check(self) -> bool:
        """Return True if there is something to read, else raise.

        Raises
        ------
        ReadError
            If there is nothing to read; says why.
        """
        problem = NO_ADDRESS if is_address(self.name) else self.problem
        if problem is not None:
            raise ReadError(f"{self.name}: {problem}")
        return True

    def is_file(self, path: Path) -> bool:
        """Whether it is that file, by whatever name."""
        if self.name == STDIN:
            return False
        try:
            return Path(self.name).samefile(path)
        except OSError:
            return False


def name_below(path: str, folder: str) -> str:
    """Return a path relative to the folder that it was found in, ``./`` dropped.

    Examples
    --------
    >>> name_below("./docs/more/a.md", "docs/"), name_below("../a.md", "..")
    ('more/a.md', 'a.md')
    """
    path, folder = os.path.normpath(path), os.path.normpath(folder or os.curdir)
    inside = path if folder == os.curdir else path.removeprefix(folder).lstrip(os.sep)
    # Of many paths: each is normal already, and a Path is slow to make.
    return inside.replace(os.sep, "/") or os.curdir


def suffix_of(path: str) -> str:
    """Return the suffix of a file name; for compressed JSON lines, the suffix before that.

    Examples
    --------
    >>> suffix_of("A.MD"), suffix_of("rows.jsonl.gz"), suffix_of("notes.md.gz")
    ('.md', '.jsonl', '.gz')
    """
    stem, suffix = os.path.splitext(path.lower())  # noqa: PTH122 - as many as files
    if suffix in COMPRESSED:
        inner = os.path.splitext(stem)[1]  # noqa: PTH122 - as above
        return inner if inner in TABLES["jsonl"] else suffix
    return suffix


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


def is_address(name: str) -> bool:
    """Return whether a name is the address of something elsewhere, not a file here."""
    return ADDRESS.match(name) is not None and not os.path.lexists(name)
