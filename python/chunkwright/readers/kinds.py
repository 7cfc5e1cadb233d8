"""Kinds of documents: the reader of each, and how the kind of a text is told."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import _core
from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError, nearest

if TYPE_CHECKING:
    from chunkwright.document import Document

_SPACE = re.compile(r"[\ufeff\s]*")
_DOCLING = re.compile(r"\"schema_name\"\s*:\s*\"DoclingDocument\"")


def looks_like_docling(text: str) -> bool:
    """Whether a text is the JSON of a DoclingDocument: an object whose ``schema_name`` says so."""
    start = _start(text)
    said = _DOCLING.search(text, start) if text.startswith("{", start) else None
    if said is None:
        return False
    # Docling writes it first. Elsewhere it may stand in an object inside.
    return not text[start + 1 : said.start()].strip() or is_docling(_parsed(text[start:]))


def is_docling(source: object) -> bool:
    """Whether an object, or a dict, is a DoclingDocument."""
    if isinstance(source, dict):
        return bool(source.get("schema_name") == "DoclingDocument")
    return bool(getattr(source, "schema_name", None) == "DoclingDocument")


def looks_like_elements(text: str) -> bool:
    """Whether a text is a JSON list of elements: its first item has a type and a text, or none."""
    return _core.looks_like("elements", text)


def looks_like_html(text: str) -> bool:
    """Whether a text begins as an HTML page does: by its doctype, or by its root."""
    return _core.looks_like("html", text)


def looks_like_markdown(text: str) -> bool:
    """Whether a text begins as Markdown does: by front matter, or by a heading and a blank line."""
    return _core.looks_like("markdown", text)


class Kind(NamedTuple):
    """A kind of documents, and how it is told.

    Attributes
    ----------
    reader
        The module in this package, and the function in it, that reads a text of the kind.
    suffixes
        How the names of its files end.
    content
        Whether a text is of the kind, whatever its name; None if that cannot be told.
    hint
        Whether a text that has no name may be of the kind.
    """

    reader: str
    suffixes: tuple[str, ...] = ()
    content: Callable[[str], bool] | None = None
    hint: Callable[[str], bool] | None = None

    def read(self, text: Any, *, name: str | None, **options: Any) -> Document:
        """Read a text, or what else the reader takes, with options of that reader."""
        module, _, function = self.reader.partition(":")
        read: Callable[..., Document] = getattr(import_module(f"{__package__}.{module}"), function)
        return read(text, name=name, **options)


YAML_SUFFIXES = (".yaml", ".yml")
PARTS = ("nav", "header", "footer", "aside")
"""Parts of an HTML page that may be left out."""
MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
KINDS = {
    "docling": Kind("docling:read_docling", content=looks_like_docling),
    "elements": Kind("unstructured:read_element_json", content=looks_like_elements),
    "html": Kind("html:read_html", (".html", ".htm", ".xhtml"), content=looks_like_html),
    "markdown": Kind("markdown:read_markdown", MARKDOWN_SUFFIXES, hint=looks_like_markdown),
    "csv": Kind("table:read_csv", (".csv",)),
    "tsv": Kind("table:read_tsv", (".tsv", ".tab")),
    "text": Kind("text:plain", (".txt", ".text", ".log")),
}
"""The kinds by name, those first that are told by content first; one line a reader."""


LANGUAGES = {
    "c": "cpp",
    "cc": "cpp",
    "cpp": "cpp",
    "cs": "csharp",
    "cxx": "cpp",
    "ex": "elixir",
    "exs": "elixir",
    "go": "go",
    "h": "cpp",
    "hpp": "cpp",
    "hs": "haskell",
    "java": "java",
    "js": "js",
    "jsx": "js",
    "kt": "kotlin",
    "kts": "kotlin",
    "lua": "lua",
    "mjs": "js",
    "php": "php",
    "proto": "proto",
    "ps1": "powershell",
    "py": "python",
    "pyi": "python",
    "r": "r",
    "rb": "ruby",
    "rs": "rust",
    "rst": "rst",
    "scala": "scala",
    "sol": "sol",
    "swift": "swift",
    "tex": "latex",
    "ts": "ts",
    "tsx": "ts",
}
"""The languages of source files, by how their names end: names that separators have."""


def language_of(name: str | None) -> str | None:
    """Return the language of a source file, by its name; None if it is none that is known.

    Examples
    --------
    >>> language_of("src/main.rs"), language_of("notes.txt")
    ('rust', None)
    """
    return LANGUAGES.get(_suffix(name).removeprefix("."))


def is_yaml(name: str | None) -> bool:
    """Whether a file is YAML, by its name: almost any text could be."""
    return _suffix(name) in YAML_SUFFIXES


def kind_of(text: str, name: str | None) -> str:
    """Tell the kind of a text: by its content, else by its name, else it is a plain text.

    Parameters
    ----------
    text
        The text.
    name
        What it is called; None if it has no name, and may be Markdown by how it begins. In a source
        file, nothing but its language is looked for.
    """
    if language_of(name) is not None:
        return "text"
    for kind, known in KINDS.items():
        if known.content is not None and known.content(text):
            return kind
    suffix = _suffix(name)
    by_name = (kind for kind, known in KINDS.items() if suffix in known.suffixes)
    by_hint = (
        kind
        for kind, known in KINDS.items()
        if name is None and known.hint is not None and known.hint(text)
    )
    return next(by_name, None) or next(by_hint, "text")


def checked_kind(kind: object) -> str | None:
    """Return the name of a kind, or None.

    Raises
    ------
    ConfigError
        If it is neither; names it, with the nearest right one.
    """
    return None if kind is None else checked_name("kind", kind, list(KINDS))


def checked_parts(drop: object) -> list[str]:
    """Return the names of parts of an HTML page.

    Raises
    ------
    ConfigError
        If they are none; names the value, with the nearest right one.
    """
    if isinstance(drop, str) or not isinstance(drop, Sequence):
        raise ConfigError(f"drop must be a sequence of names, such as {PARTS}, got {drop!r}")
    for part in drop:
        if part not in PARTS:
            hint = nearest(str(part), list(PARTS))
            raise ConfigError(f"unknown part {part!r} to drop; {hint}")
    return list(drop)


def _suffix(name: str | None) -> str:
    return os.path.splitext(name or "")[1].lower()  # noqa: PTH122 - no name is too odd for it


def _start(text: str) -> int:
    found = _SPACE.match(text)
    return 0 if found is None else found.end()


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
