"""Line of text: the pieces of a paragraph with single blanks between words, its links and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

Links = tuple[tuple[int, int, str, bool], ...]
"""Links of a block: start, end, target, and whether it is an image."""
Pages = tuple[tuple[int, int], ...]
"""Pages of a text: behind how many characters that are no blanks each begins, and its number."""
_BLANKS = re.compile(r"[^\S\n]+")
_AT_LINE_END = re.compile(r" ?\n ?")
# Such a target runs code or holds data.
_REFUSED = re.compile(r"\s*(?:javascript|data|vbscript):", re.IGNORECASE)


class Piece(NamedTuple):
    """A piece of text: its target if it is a link, whether it is an equation, and its page."""

    text: str
    target: str = ""
    is_equation: bool = False
    page: int = 0


class Line(NamedTuple):
    """A text, the links in it, and the pages that it is on."""

    text: str
    links: Links = ()
    pages: Pages = ()

    def behind(self, front: str) -> Line:
        """Return it with a text in front of it."""
        if not front:
            return self
        n, n_said = len(front), _n_said(front)
        links = tuple((start + n, end + n, *rest) for start, end, *rest in self.links)
        pages = tuple((before and before + n_said, page) for before, page in self.pages)
        return Line(front + self.text, links, pages)  # type: ignore[arg-type]  # mypy forgets the rest

    def later(self, n: int) -> Line:
        """Return it on pages that are later by a number."""
        return self._replace(pages=tuple((before, page + n) for before, page in self.pages))

    def page_starts(self) -> list[tuple[int, int]]:
        """Return where in the text its pages begin, in code points, each with its number. O(n)."""
        if len(self.pages) < 2:  # noqa: PLR2004
            return [(0, page) for _, page in self.pages]
        said = [at for at, char in enumerate(self.text) if not char.isspace()]
        return [(said[before], page) for before, page in self.pages if before < len(said)]


def joined(lines: Iterable[Line], between: str) -> Line:
    """Return the texts of lines as one, with their pages, and without their links. O(n)."""
    texts: list[str] = []
    pages: list[tuple[int, int]] = []
    n_said = 0
    for line in lines:
        texts.append(line.text)
        pages += (
            (n_said + before, page)
            for before, page in line.pages
            if not pages or page != pages[-1][1]
        )
        n_said += _n_said(line.text)
    return Line(between.join(texts), pages=tuple(pages))


def line_of(pieces: Iterable[Piece], *, is_code: bool = False) -> Line:
    """Return the line of pieces, without blanks that nothing stands between. O(n).

    Parameters
    ----------
    pieces
        The pieces.
    is_code
        Whether blanks are kept as they are.
    """
    parts: list[str] = []
    found: list[list[int | str]] = []
    pages: list[tuple[int, int]] = []
    at, n_said, last = 0, 0, "\n"
    for piece in pieces:
        if (
            (n_own := _n_said(piece.text))
            and piece.page
            and [piece.page] != [p for _, p in pages[-1:]]
        ):
            pages.append((n_said, piece.page))
        n_said += n_own
        text = piece.text if is_code else _AT_LINE_END.sub("\n", _BLANKS.sub(" ", piece.text))
        if not is_code and last in " \n":
            text = text.lstrip(" ")
        if not text:
            continue
        if not is_code and text[0] == "\n" and last == " ":
            parts[-1] = parts[-1][:-1]
            at -= 1
        if piece.target and not _REFUSED.match(piece.target):
            _link(found, at, text, piece.target)
        parts.append(text)
        at, last = at + len(text), text[-1]
    line = _stripped("".join(parts), found, is_code=is_code)
    return line._replace(pages=tuple(pages))


def _n_said(text: str) -> int:
    """Return how many characters of a text are no blanks."""
    return sum(map(len, text.split()))


def _link(found: list[list[int | str]], at: int, text: str, target: str) -> None:
    """Add a link, or make the one that ends here longer."""
    start, end = at + len(text) - len(text.lstrip()), at + len(text.rstrip())
    if found and found[-1][2] == target and found[-1][3] == at:
        found[-1][1], found[-1][3] = max(end, int(found[-1][1])), at + len(text)
    elif start < end:
        found.append([start, end, target, at + len(text)])


def _stripped(text: str, found: list[list[int | str]], *, is_code: bool) -> Line:
    if is_code:
        shown = text.rstrip()
        first = 0
    else:
        shown, first = text.strip(), len(text) - len(text.lstrip())
    links = (
        (int(start) - first, min(int(end) - first, len(shown)), str(target), False)
        for start, end, target, _ in found
    )
    return Line(shown, tuple(link for link in links if link[0] < link[1]))
