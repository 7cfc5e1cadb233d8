"""Line of text: the pieces of a paragraph with single blanks between their words, and its links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

Links = tuple[tuple[int, int, str, bool], ...]
"""Links of a block: start, end, target, and whether it is an image."""
_BLANKS = re.compile(r"[^\S\n]+")
_AT_LINE_END = re.compile(r" ?\n ?")
# Such a target runs code or holds data.
_REFUSED = re.compile(r"\s*(?:javascript|data|vbscript):", re.IGNORECASE)


class Piece(NamedTuple):
    """A piece of text: its target if it is a link, and whether it is an equation."""

    text: str
    target: str = ""
    is_equation: bool = False


class Line(NamedTuple):
    """A text, and the links in it."""

    text: str
    links: Links = ()

    def behind(self, front: str) -> Line:
        """Return it with a text in front of it."""
        if not front:
            return self
        n = len(front)
        links = tuple((start + n, end + n, *rest) for start, end, *rest in self.links)
        return Line(front + self.text, links)  # type: ignore[arg-type]  # mypy forgets the rest


def line_of(pieces: Iterable[Piece], *, is_code: bool = False) -> Line:
    """Return the text of pieces, without blanks that nothing stands between. O(n).

    Parameters
    ----------
    pieces
        The pieces.
    is_code
        Whether blanks are kept as they are.
    """
    parts: list[str] = []
    found: list[list[int | str]] = []
    at, last = 0, "\n"
    for piece in pieces:
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
    return _stripped("".join(parts), found, is_code=is_code)


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
