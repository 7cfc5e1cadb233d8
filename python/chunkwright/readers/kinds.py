"""Kinds of documents: the reader of each, and how the kind of a text is told."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import _core
from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError, nearest
from chunkwright.readers.signatures import HEAD_BYTES, is_rtf_part, kind_of_bytes

if TYPE_CHECKING:
    from chunkwright.document import Document


def is_docling(source: object) -> bool:
    """Return whether an object, or a dict, is a DoclingDocument."""
    if isinstance(source, dict):
        return bool(source.get("schema_name") == "DoclingDocument")
    return bool(getattr(source, "schema_name", None) == "DoclingDocument")


class Kind(NamedTuple):
    """A kind of documents: its name, how the names of its files end, and its reader.

    Attributes
    ----------
    name
        The name of the kind.
    suffixes
        How the names of its files end.
    reader
        The module in this package, and the function in it, that reads a text of the kind; empty if
        the core alone does.
    """

    name: str
    suffixes: tuple[str, ...]
    reader: str

    def read(self, text: Any, *, name: str | None, **options: Any) -> Document:
        """Read a text, or what else the reader takes, with options of that reader."""
        if not self.reader:
            return read_source(self.name, text, name or None)
        return self._function(text, name=name, **options)

    def takes(self, option: str) -> bool:
        """Return whether its reader has an option of that name."""
        return bool(self.reader) and option in signature(self._function).parameters

    @property
    def _function(self) -> Callable[..., Document]:
        module, _, function = self.reader.partition(":")
        found: Callable[..., Document] = getattr(import_module(f"{__package__}.{module}"), function)
        return found


YAML_SUFFIXES = (".yaml", ".yml")
PARTS = ("nav", "header", "footer", "aside")
"""Parts of an HTML page that may be left out."""
_READERS = {
    "docling": "docling:read_docling",
    "elements": "unstructured:read_element_json",
    "html": "html:read_html",
    "markdown": "markdown:read_markdown",
    "rst": "rst:read_rst",
    "csv": "delimited:read_csv",
    "tsv": "delimited:read_tsv",
    "text": "text:plain",
}
KINDS = {name: Kind(name, tuple(of), _READERS.get(name, "")) for name, of in _core.input_kinds()}
"""The kinds of texts by name, those first that are told by content first.

The core has the table of them (``read/kinds.rs``), by which it reads columns of Arrow tables.
"""

_OFFICE = (
    *(".pptx", ".xlsx", ".odt", ".ods", ".odp", ".epub", ".rtf", ".doc", ".ppt", ".xls"),
    *(".pptm", ".ppsx", ".ppsm", ".potx", ".potm", ".xlsm", ".xltx", ".xltm"),
    *(".ott", ".ots", ".otp"),
)
_IMAGES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp")
FILES = {
    kind.name: kind
    for kind in (
        Kind("pdf", (".pdf",), "pdf.reader:document_in"),
        Kind("docx", (".docx", ".docm", ".dotx", ".dotm"), "docx:document_in"),
        Kind("office", _OFFICE, "office.reader:document_in"),
        Kind("mail", (".eml", ".msg", ".tnef", ".p7m"), "mail.document:document_in"),
        Kind("image", _IMAGES, "image:document_in"),
    )
}
"""The kinds of files that hold no text, by name; each is told by its first bytes."""
LAID_OUT = frozenset({"pdf", "image"})
"""The kinds whose pages are laid out: headings and tables are told by where they stand."""
LIBRARIES = {"pdf": "pypdfium2", "office": "xberg", "image": "rapidocr"}
"""The library that reads each of those that the core does not."""
_BY_LIBRARY = {
    **dict.fromkeys((".doc", ".ppt", ".rtf"), "xberg"),
    ".xls": "xlrd",
    ".msg": "olefile",
}
# The extra that brings such a library, where it has another name than the kind.
_EXTRAS = {"image": "ocr", "mail": "office"}
# How the names of other files end that hold something if they are whole: pictures, archives,
# tables, and what is written in a form that has no empty text.
_NEVER_EMPTY = frozenset(
    {
        *(*_IMAGES, ".gif", ".heic", ".heif", ".avif", ".svg"),
        *(".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar"),
        *(".parquet", ".arrow", ".feather", ".db", ".sqlite", ".sqlite3"),
        *(".json", ".geojson", ".ipynb", ".xml"),
    }
)
# Mail begins as any text may: only its name tells it.
_MAIL = {".eml": "mail", ".p7m": "mail"}
# So near to the front of a file the head of a PDF stands, as readers of PDF have it.
_PDF_WITHIN = 1024


MARKUPS = ("markdown", "rst")
"""The kinds of texts whose source is the text, in a markup that separators are known of."""
LANGUAGES = {
    suffix.removeprefix("."): name
    for name, _, suffixes, files in _core.code_languages()
    if files != "document"
    for suffix in suffixes
}
"""The languages of source files, by how their names end: names that separators have.

The core has the table of them (``syntax/code/table.rs``). Documents that have a reader or a
strategy of their own are not among them: HTML and YAML.
"""
# Files whose names end so have a reader, whatever their first line is.
_READ_SUFFIXES = frozenset(
    suffix
    for kind in (*KINDS.values(), *FILES.values())
    if kind.name != "text"
    for suffix in kind.suffixes
)
HEAD_CHARS = 256
"""As much of a text as its first line has, where that names an interpreter."""


def language_of(name: str | None, text: str = "") -> str | None:
    r"""Return the language of a source file; None if it is none that is known.

    Parameters
    ----------
    name
        What it is called; None if it has no name.
    text
        Its text, whose first line may name an interpreter, where the name says nothing.

    Examples
    --------
    >>> language_of("src/main.rs"), language_of("Dockerfile"), language_of("notes.txt")
    ('rust', 'dockerfile', None)
    >>> language_of("bin/deploy", "#!/usr/bin/env python3\n")
    'python'
    """
    language, _ = _language(name, text)
    return language


def is_code(name: str | None) -> bool:
    """Return whether a file is of a programming language, by its name.

    Examples
    --------
    >>> is_code("src/main.rs"), is_code("index.rst")
    (True, False)
    """
    _, files = _language(name, "")
    return files == "code"


def _language(name: str | None, text: str) -> tuple[str | None, str]:
    head = "" if _suffix(name) in _READ_SUFFIXES else text[:HEAD_CHARS]
    found = _core.code_language_of(name or "", head)
    if found is None or found[3] == "document":
        return None, ""
    return found[0], found[3]


def is_markdown(name: str | None) -> bool:
    """Return whether a file is Markdown, by its name."""
    return _suffix(name) in KINDS["markdown"].suffixes


def is_yaml(name: str | None) -> bool:
    """Return whether a file is YAML, by its name: almost any text could be."""
    return _suffix(name) in YAML_SUFFIXES


def kind_of(text: str, name: str | None) -> str:
    """Tell the kind of a text: by its content, else by its name, else it is a plain text.

    Parameters
    ----------
    text
        The text.
    name
        What it is called; None if it has no name, and may be Markdown or reStructuredText by how it
        begins. In a source file, which its name tells or a first line that names an interpreter,
        nothing but its language is looked for.
    """
    if language_of(name, text) is not None:
        return "text"
    return _core.input_kind(text, None if name is None else _suffix(name))


def kind_of_file(data: bytes, name: str | None) -> str | None:
    """Tell the kind of a file that holds no text; None if it holds one, or has no reader.

    Parameters
    ----------
    data
        All of the file.
    name
        What it is called, by which mail is told from other texts.
    """
    if _core.signature(data[:HEAD_BYTES]) is None:
        if _is_late_pdf(data, name):
            return "pdf"
        # Parts of RTF begin as text may, too.
        is_rich = _suffix(name) == ".rtf" and is_rtf_part(data)
        return "office" if is_rich else _MAIL.get(_suffix(name))
    return kind_of_bytes(data)


def _is_late_pdf(data: bytes, name: str | None) -> bool:
    """Return whether a PDF document stands behind other bytes: its end or its name proves it."""
    is_named = _suffix(name) in FILES["pdf"].suffixes
    return b"%PDF-" in data[:_PDF_WITHIN] and (is_named or b"startxref" in data[-_PDF_WITHIN:])


def file_kind_named(name: str | None) -> str | None:
    """Return the kind of file that holds no text which a name says; None if it says none.

    Examples
    --------
    >>> file_kind_named("slides.PPTX"), file_kind_named("notes.md")
    ('office', None)
    """
    suffix = _suffix(name)
    return next((kind.name for kind in FILES.values() if suffix in kind.suffixes), None)


def never_empty(kind: str | None, name: str | None) -> str | None:
    """Return what a file is, in words, if no such file is empty; None if it may be.

    Parameters
    ----------
    kind
        What it is read as; None: the name tells it.
    name
        What it is called; None if it has no name.

    Examples
    --------
    >>> never_empty(None, "scan.gif"), never_empty(None, "rain.pdf"), never_empty(None, "rain.txt")
    ("'.gif' file", "file of kind 'pdf'", None)
    """
    told = file_kind_named(name) if kind is None else kind
    if told in FILES:
        return f"file of kind {told!r}"
    suffix = _suffix(name)
    return f"{suffix!r} file" if kind is None and suffix in _NEVER_EMPTY else None


def missing_extra(name: str | None) -> str | None:
    """Return the extra that a file needs, by its name, if what it brings is not installed."""
    kind = file_kind_named(name) or ""
    of_format = kind in {"office", "mail"}
    library = _BY_LIBRARY.get(_suffix(name)) if of_format else LIBRARIES.get(kind)
    return None if library is None or find_spec(library) else _EXTRAS.get(kind, kind)


def missing_extras() -> dict[str, list[str]]:
    """Return the extras of readers that are not installed, each with the endings of its files."""
    found: dict[str, list[str]] = {}
    for suffix in (suffix for kind in FILES.values() for suffix in kind.suffixes):
        if (extra := missing_extra(f"a{suffix}")) is not None:
            found.setdefault(extra, []).append(suffix)
    return found


def checked_kind(kind: object) -> str | None:
    """Return the name of a kind, or None.

    Raises
    ------
    ConfigError
        If it is neither; names it, with the nearest right one.
    """
    return None if kind is None else checked_name("kind", kind, [*KINDS, *FILES])


def checked_parts(drop: object) -> list[str]:
    """Return the names of parts of an HTML page.

    Raises
    ------
    ConfigError
        If they are none; names the value, with the nearest right one.
    """
    if isinstance(drop, str) or not isinstance(drop, Sequence):
        raise ConfigError.refused("drop", f"a sequence of names, such as {PARTS}", drop)
    for part in drop:
        if part not in PARTS:
            hint = nearest(str(part), list(PARTS))
            raise ConfigError(f"unknown part {part!r} to drop; {hint}")
    return list(drop)


def read_source(kind: str, text: str, name: str | None) -> Document:
    """Read a text of a kind that the core reads by itself.

    Where no name is given, the document has the one that it states.

    Raises
    ------
    ConfigError
        If ``text`` or ``name`` is no text.
    """
    from chunkwright.document import Document
    from chunkwright.elements.elements import Elements

    if not isinstance(text, str):
        raise ConfigError(f"text must be a str, got {type(text).__name__}")
    core = _core.Elements.of_kind(kind, text)
    return Document(elements=Elements(core), name=core.name or None if name is None else name)


def _suffix(name: str | None) -> str:
    return os.path.splitext(name or "")[1].lower()  # noqa: PTH122 - no name is too odd for it
