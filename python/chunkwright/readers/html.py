"""HTML pages as documents: their visible text, and the headings, lists, tables and code in it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import Any

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements import Elements, ReadByCore
from chunkwright.errors import ConfigError, nearest
from chunkwright.readers.text import decode

PARTS = ("nav", "header", "footer", "aside")
"""Parts of a page that may be left out."""

# Where a page states its encoding, by the HTML standard.
PROLOGUE_BYTES = 1024
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
CHARSET = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
# What browsers read for names that pages state: supersets, and what the page cannot be.
READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-16": "utf-8",
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
    "utf-32": "utf-8",
}


def read_html(
    source: str | bytes,
    *,
    name: str | None = None,
    drop: Sequence[str] = (),
    encoding: str | None = None,
    errors: str = "strict",
) -> Document:
    r"""Read an HTML page as a document.

    The document's text is what the page shows, a blank line between two elements, each with single
    blanks between its words; ``pre`` keeps its whitespace, ``<br>`` ends a line. Whatever is wrong
    in the HTML is read as browsers do. What is not shown is left out: scripts, styles, templates,
    ``noscript``, and what ``hidden``, ``aria-hidden="true"`` or ``style="display: none"`` hides.

    Elements are headings (``level`` 1 to 6), paragraphs, lists and their items (``level`` is the
    depth, ``parent`` the list, or the item for what else stands in it), tables, code, quotes,
    figures (the ``alt`` of images that stand alone), captions and formulas. A list itself has no
    text. A table's cells are split by blanks, its rows by line ends; what stands in a cell, another
    table included, is text of that cell. A table with ``role="presentation"`` is none.
    ``element.place`` says where an element is in ``source``, its tags included, and
    ``element.html`` gives the HTML of a table. Nothing is ever fetched.

    Parameters
    ----------
    source
        The HTML, or the bytes of a file, which are decoded by their byte order mark, else by the
        charset that a ``<meta>`` states in the first 1,024 bytes, else as UTF-8.
    name
        What the document is called, from which ids are derived; by default what ``<title>`` says,
        which is no text of the page.
    drop
        Parts to leave out: ``"nav"``, ``"header"``, ``"footer"``, ``"aside"``, told by tag or by
        role. Headers and footers of an article, a section and the like are kept.
    encoding
        The encoding of bytes, whatever they say themselves.
    errors
        What to do with bytes that are no text; as in ``bytes.decode``.

    Returns
    -------
    Document
        The text, its elements, and its name.

    Raises
    ------
    ReadError
        If bytes are not text in their encoding: names the first offending byte's offset.
    ConfigError
        If ``drop``, ``encoding`` or ``errors`` names something unknown, or the source is neither
        ``str`` nor ``bytes``.

    Examples
    --------
    >>> from chunkwright.readers.html import read_html
    >>> page = read_html("<title>Log</title><h1>Rain</h1><p>It <b>rained</b>.<ul><li>a<li>b</ul>")
    >>> page.text
    'Rain\n\nIt rained.\n\na\n\nb'
    >>> [(element.kind, element.text) for element in page.elements][-2:]
    [('list item', 'a'), ('list item', 'b')]
    >>> page.name, page.elements[1].headings, page.elements[1].place
    ('Log', ('Rain',), (32, 53))
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}")
    parts = _checked_parts(drop)
    if isinstance(source, bytes | bytearray):
        source = decode_html(bytes(source), encoding=encoding, errors=errors, name=name or "input")
    elif not isinstance(source, str):
        raise ConfigError(f"source must be a str or bytes, got {type(source).__name__}")
    core, title = _core.Elements.of_html(source, parts)
    elements = Elements(core, HtmlElements(core, source, parts))
    return Document(elements=elements, name=name if name is not None else title or None)


def decode_html(
    data: bytes, *, encoding: str | None = None, errors: str = "strict", name: str = "input"
) -> str:
    """Decode the bytes of a page.

    Parameters
    ----------
    data
        The bytes; see :func:`read_html`.
    encoding
        Their encoding; None to find it.
    errors
        What to do with bytes that are no text; as in ``bytes.decode``.
    name
        What the bytes are called in an error's message.

    Raises
    ------
    ReadError
        If bytes are not text in their encoding: names the first offending byte's offset.
    ConfigError
        If ``encoding`` or ``errors`` is unknown.
    """
    if encoding is None:
        for mark, marked in BYTE_ORDER_MARKS.items():
            if data.startswith(mark):
                encoding = marked
        encoding = encoding or _stated_encoding(data)
    return decode(data, encoding=encoding, errors=errors, name=name).removeprefix("\ufeff")


class HtmlElements(ReadByCore):
    """What the elements of a page say beside their texts.

    Parameters
    ----------
    core
        The elements.
    source
        The page.
    parts
        The parts that are left out of it.
    """

    def __init__(self, core: _core.Elements, source: str, parts: list[str]) -> None:
        super().__init__(core, _remade, source, parts)
        self._source = source
        self._places: Any = None

    def html(self, index: int) -> str | None:
        """Return the HTML of a table as it stands in the page."""
        if self._places is None:
            places = self._core.places() or ()
            self._places = (self._core.kinds(), *(memoryview(column) for column in places))
        kinds, starts, ends = self._places
        return self._source[starts[index] : ends[index]] if kinds[index] == "table" else None


def _remade(source: str, parts: list[str]) -> Elements:
    core, _ = _core.Elements.of_html(source, parts)
    return Elements(core, HtmlElements(core, source, parts))


def _checked_parts(drop: object) -> list[str]:
    if isinstance(drop, str) or not isinstance(drop, Sequence):
        raise ConfigError(f"drop must be a sequence of names, such as {PARTS}, got {drop!r}")
    for part in drop:
        if part not in PARTS:
            raise ConfigError(f"unknown part {part!r} to drop; {nearest(str(part), list(PARTS))}")
    return list(drop)


def _stated_encoding(data: bytes) -> str:
    """Return the encoding that a page states, as far as Python knows it; else UTF-8."""
    stated = CHARSET.search(COMMENT.sub(b"", data[:PROLOGUE_BYTES]))
    if stated is None:
        return "utf-8"
    try:
        known = codecs.lookup(stated[1].decode("ascii", "replace")).name
        b" ".decode(known, "ignore")
    except (LookupError, ValueError):
        return "utf-8"
    return READ_AS.get(known, known)
