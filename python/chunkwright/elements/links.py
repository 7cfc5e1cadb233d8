"""Links of a document: their places and targets, and the elements that they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, overload


class Link(NamedTuple):
    """A link, or an image, in a document's text.

    Attributes
    ----------
    start, end
        The place in the document's text, in code points: in Markdown the whole source, such as
        ``[rain](rain.html)``; in HTML the words of the link.
    target
        The address of the link or image as the source states it; it is neither resolved nor
        fetched.
    is_image
        Whether it is an image.
    """

    start: int
    end: int
    target: str
    is_image: bool


class Links(Sequence[Link]):
    """The links of a document, in the order of their starts.

    Parameters
    ----------
    rows
        What the links are made of.
    starts, ends
        Where the elements stand in the text, in order and apart, in code points.
    """

    def __init__(
        self,
        rows: Sequence[tuple[int, int, str, bool]],
        starts: Sequence[int],
        ends: Sequence[int],
    ) -> None:
        self._links = [Link(*row) for row in rows]
        self._places = starts, ends

    def of(self, index: int) -> tuple[Link, ...]:
        """Return the links that stand in an element, or that it is part of."""
        return tuple(self._links[number] for number in self._numbers.get(index, ()))

    @cached_property
    def _numbers(self) -> Mapping[int, Sequence[int]]:
        """For each element in which links stand their numbers."""
        found: dict[int, list[int]] = {}
        starts, ends = self._places
        first = 0
        for number, link in enumerate(self._links):
            while first < len(ends) and ends[first] <= link.start:
                first += 1
            # Links overlap only where an image stands in one: all this takes linear time.
            index = first
            while index < len(starts) and starts[index] < link.end:
                # A list has no text of its own.
                if starts[index] < ends[index]:
                    found.setdefault(index, []).append(number)
                index += 1
        return found

    @overload
    def __getitem__(self, index: int) -> Link: ...
    @overload
    def __getitem__(self, index: slice) -> list[Link]: ...
    def __getitem__(self, index: int | slice) -> Link | list[Link]:
        return self._links[index]

    def __len__(self) -> int:
        return len(self._links)

    def __repr__(self) -> str:
        return repr(self._links)
