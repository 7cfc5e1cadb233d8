"""Elements of an HTML page, in order, with their depths and texts, as Beautiful Soup nests them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from html.entities import html5
from html.parser import HTMLParser
from typing import NamedTuple

from chunkwright.errors import ReadError

# Code points behind the last ``>`` in which tags that are not closed are looked for all the same.
_OPEN_END = 4096
_SURROGATES = range(0xD800, 0xE000)
_CONTROLS = range(0x80, 0xA0)

# Elements without an end tag, as Beautiful Soup lists them: HTML5's, and those of older versions.
_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "menuitem"),
        *("meta", "param", "source", "track", "wbr"),
        *("basefont", "bgsound", "command", "frame", "image", "isindex", "nextid", "spacer"),
    }
)


class PageElement(NamedTuple):
    """An element: its tag, the number of elements around it, and the texts between its children."""

    tag: str
    depth: int
    texts: list[str]

    def text(self) -> str:
        """Return what the element says by itself, without its children."""
        return " ".join(filter(None, map(str.strip, self.texts)))


def without_open_end(html: str) -> str:
    """Make text of tags and comments that a page never closes, if they are many.

    The parser of the standard library looks for the end of each of them in all that follows.
    """
    end = html.rfind(">") + 1
    if len(html) - end <= _OPEN_END:
        return html
    return html[:end] + html[end:].replace("<", "&lt;")


def body_elements(html: str) -> Iterator[PageElement]:
    """Give the body and the elements in it, or all, if no element is called so.

    Raises
    ------
    ReadError
        For a declaration that the parser of the standard library does not read. Where Beautiful
        Soup is installed, it raises its own error.
    """
    elements = _parse(html)
    first = next((i for i, element in enumerate(elements) if element.tag == "body"), 0)
    yield elements[first]
    for element in elements[first + 1 :]:
        if element.depth <= elements[first].depth:
            break
        yield element


def _parse(html: str) -> list[PageElement]:
    parser = _Parser()
    try:
        parser.feed(without_open_end(html))
        parser.close()
    except AssertionError as error:
        _refuse(html, error)
    parser.end_text()
    return parser.elements


def _refuse(html: str, error: AssertionError) -> None:
    try:
        from bs4 import BeautifulSoup
    except ImportError:
        raise ReadError(f"the HTML cannot be parsed: {error}") from error
    BeautifulSoup(html, "html.parser")


class _Parser(HTMLParser):
    """Parser that nests elements as Beautiful Soup does: an end tag closes all that is in it.

    Comments, declarations and instructions are texts of the element that they stand in.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        root = PageElement("[document]", 0, [])
        self.elements = [root]
        self._open = [root]
        self._n_open: Counter[str] = Counter()
        # Void elements whose end tag, if one follows, says nothing.
        self._n_closed: Counter[str] = Counter()
        self._data: list[str] = []

    def end_text(self) -> None:
        """Give the text so far to the element that is open."""
        if self._data:
            self._open[-1].texts.append("".join(self._data))
            self._data.clear()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.end_text()
        element = PageElement(tag, len(self._open), [])
        self.elements.append(element)
        if tag in _VOID:
            self._n_closed[tag] += 1
        else:
            self._open.append(element)
            self._n_open[tag] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.end_text()
        self.elements.append(PageElement(tag, len(self._open), []))

    def handle_endtag(self, tag: str) -> None:
        if self._n_closed[tag]:
            self._n_closed[tag] -= 1
            return
        self.end_text()
        if not self._n_open[tag]:
            return
        while True:
            closed = self._open.pop().tag
            self._n_open[closed] -= 1
            if closed == tag:
                return

    def handle_data(self, data: str) -> None:
        self._data.append(data)

    def handle_charref(self, name: str) -> None:
        self._data.append(_numbered(name))

    def handle_entityref(self, name: str) -> None:
        self._data.append(html5.get(f"{name};", f"&{name}"))

    def handle_comment(self, data: str) -> None:
        self._between(data)

    def handle_decl(self, decl: str) -> None:
        self._between(decl[len("DOCTYPE ") :])

    def unknown_decl(self, data: str) -> None:
        self._between(data[len("CDATA[") :] if data.upper().startswith("CDATA[") else data)

    def handle_pi(self, data: str) -> None:
        self._between(data)

    def _between(self, data: str) -> None:
        self.end_text()
        self._data.append(data)
        self.end_text()


def _numbered(name: str) -> str:
    """Return the character of a numeric reference, and what follows its number."""
    is_hex = name.startswith(("x", "X"))
    base, digits = (16, name[1:]) if is_hex else (10, name)
    allowed = "0123456789abcdef" if is_hex else "0123456789"
    try:
        return _character(int(digits, base))
    except ValueError:
        number = digits[: len(digits) - len(digits.lstrip(allowed))]
        return (_character(int(number, base)) if number else "") + digits[len(number) :]


def _character(number: int) -> str:
    if not 0 < number <= sys.maxunicode or number in _SURROGATES:
        return "\ufffd"
    # Numbers of control characters mean those of Windows' code page, which has not all of them.
    meant = bytes([number]).decode("cp1252", "ignore") if number in _CONTROLS else ""
    return meant or chr(number)
