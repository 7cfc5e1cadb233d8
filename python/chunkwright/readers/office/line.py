"""Line of text that is put together of pieces, with single blanks between words, and its links."""

from __future__ import annotations

import re

_BLANKS = re.compile(r"[ \t\r\n\f\v]+")
Links = tuple[tuple[int, int, str, bool], ...]


class Line:
    """A text under way.

    Attributes
    ----------
    links
        Start and end in the text, the target, and whether it is an image.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._is_open = False
        self.links: list[tuple[int, int, str, bool]] = []

    def add(self, text: str) -> None:
        """Add a text, whose whitespace is single blanks."""
        text = _BLANKS.sub(" ", text)
        if text.startswith(" ") and not self._is_open:
            text = text[1:]
        self._put(text)

    def end(self) -> None:
        """End the line, if it has begun."""
        if self._pieces:
            self._trim()
            self._put("\n")

    def link(self, start: int, target: str | None) -> None:
        """Add a link from where it began to the end."""
        end = self._length - (0 if self._is_open else bool(self._pieces))
        if target and start < end:
            self.links.append((start, end, target, False))

    def __len__(self) -> int:
        return self._length

    @property
    def text(self) -> str:
        """The text, without blanks at its end."""
        return "".join(self._pieces).rstrip()

    def _put(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self._length += len(text)
            self._is_open = text[-1] not in " \n"

    def _trim(self) -> None:
        last = self._pieces[-1]
        if last.endswith(" "):
            self._pieces[-1] = last[:-1]
            self._length -= 1


def on_one_line(text: str) -> str:
    """Return a text with single blanks between its words."""
    return _BLANKS.sub(" ", text).strip()
