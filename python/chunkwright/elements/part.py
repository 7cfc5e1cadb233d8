"""Part of a document that a slice of it is for, and how much is kept of elements around it."""

from __future__ import annotations

from typing import NamedTuple

# An element that is so many times as large as the chunks is kept as far as they have it. Small
# ones are kept whole, however little of them the chunks have.
MOST_TIMES = 4
SMALL = 1024


class Part(NamedTuple):
    """A part of a document.

    Attributes
    ----------
    start, end
        Where it is in the text, in code points.
    most
        Code points of text and HTML of the largest element that is kept whole.
    html
        The HTML of what is kept of larger tables.
    """

    start: int
    end: int
    most: int
    html: str | None

    @classmethod
    def of(cls, start: int, end: int, n_chars: int, html: str | None) -> Part:
        """Return the part that chunks of so many code points, with that HTML, are from."""
        return cls(start, end, MOST_TIMES * n_chars + SMALL, html)

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Return what of an element is in the part."""
        first = min(max(start, self.start), end)
        return first, max(first, min(end, self.end))
