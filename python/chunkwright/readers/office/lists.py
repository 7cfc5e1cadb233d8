"""Lists that are told by the depths of their items, and the numbers of items."""

from __future__ import annotations

from typing import NamedTuple

from chunkwright.readers.blocks import Block

_MOST_ROMAN = 3999
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


class _Open(NamedTuple):
    """A list under way: its depth in the file, its block, and that of its last item."""

    depth: int
    number: int
    item: int | None


class Lists:
    """Lists under way among blocks."""

    def __init__(self, blocks: list[Block]) -> None:
        self._blocks = blocks
        self._open: list[_Open] = []

    def add(self, depth: int, block: Block) -> int:
        """Add an item at a depth of the file, and return its number.

        Depths that no item has are none: an item is one deeper than the one that it is nested in.
        """
        while self._open and self._open[-1].depth > depth:
            self._open.pop()
        if not self._open or self._open[-1].depth < depth:
            above = self._open[-1] if self._open else None
            parent = None if above is None else above.item
            level = len(self._open) + 1
            self._open.append(_Open(depth, len(self._blocks), None))
            self._blocks.append(Block("list", "", level, parent, block.pages))
        number, within = len(self._blocks), self._open[-1]
        self._blocks.append(block._replace(level=len(self._open), parent=within.number))
        self._open[-1] = within._replace(item=number)
        return number

    def end(self) -> None:
        """End all lists."""
        self._open.clear()


def numeral(number: int, form: str) -> str:
    """Return a number as it is written in a form: ``1``, ``a``, ``A``, ``i``, ``I``."""
    if form in {"a", "A"} and number > 0:
        times, at = divmod(number - 1, 26)
        letters = chr(ord("a") + at) * min(times + 1, 100)
        return letters.upper() if form == "A" else letters
    if form in {"i", "I"} and 0 < number <= _MOST_ROMAN:
        roman, left = "", number
        for value, letters in _ROMAN:
            times, left = divmod(left, value)
            roman += letters * times
        return roman.upper() if form == "I" else roman
    return str(number)
