"""Two ways to cut one text, side by side: the text in two columns, and what ends chunks in each."""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from chunkwright.messages.terminal_text import printable_lines

SIDES = ("A", "B")
COLOURS = ("cyan", "yellow")
BETWEEN = " │ "
RULE = "─"
TAB_CELLS = 4
# Lines of text that are shown before and behind a boundary that only one side has.
CONTEXT_LINES = 3
# Below that, two columns cannot be read.
LEAST_CELLS = 24
# Where nobody looks, and nothing says how wide it is.
PIPED_CELLS = 100
# Characters of a line that are looked at: more than that are marks without a width.
CHARS_PER_CELL = 4

# Of each side: where it cuts, and the chunk that ends there.
Cuts = Sequence[dict[int, int]]
Describe = Callable[[int, int], str]


class _Part(NamedTuple):
    """Rows, and which part of the text they are; none for what ends a chunk."""

    start: int
    end: int
    rows: list[Text]


class SideBySide:
    """A text in two columns, with the ends of the chunks of either side.

    Parameters
    ----------
    text
        The text.
    cuts
        For each side: where it cuts, and the number of the chunk that ends there.
    describe
        Says of a side's chunk, by both numbers, how large it is and why it ends.
    console
        Where it is shown.
    """

    def __init__(self, text: str, cuts: Cuts, describe: Describe, console: Console) -> None:
        self._text, self._cuts, self._describe = text, cuts, describe
        self._console = console
        self._width = (width_of(console) - len(BETWEEN)) // 2

    def rows(self, *, everything: bool = False) -> Iterator[Text]:
        """Yield rows: those around boundaries that only one side has, or all.

        What is held at once is the text between two boundaries.
        """
        line, counted, end = 1, 0, 0
        for part in self._parts(everything=everything):
            if part.start > end or part.start == 0:
                line, counted = line + self._text.count("\n", counted, part.start), part.start
                yield Text(f"{'⋯ ' if part.start else ''}line {line:,}", "dim")
            end = max(end, part.end)
            yield from part.rows

    def _parts(self, *, everything: bool) -> Iterator[_Part]:
        a, b = self._cuts
        odd = a.keys() ^ b.keys()
        places = [0, *sorted(a.keys() | b.keys()), len(self._text)]
        was_whole = False
        for start, end in pairwise(places):
            parts = self._between(start, end, start in odd, end in odd, everything=everything)
            is_whole = len(parts) == 1 and (parts[0].start, parts[0].end) == (start, end)
            if start in odd or (start and (was_whole or is_whole)):
                yield _Part(start, start, self._rule(start))
            yield from parts
            was_whole = is_whole
        if was_whole or everything or places[-2] in odd:
            yield _Part(places[-1], places[-1], self._rule(places[-1]))

    def _between(
        self, start: int, end: int, is_odd: bool, is_odd_behind: bool, *, everything: bool
    ) -> list[_Part]:
        """Return what is shown of the text between two boundaries."""
        if not (everything or is_odd or is_odd_behind):
            return []
        # A long text is not looked at as a whole for a few lines of it.
        reach = CHARS_PER_CELL * self._width * (2 * CONTEXT_LINES + 2)
        if everything or end - start <= 2 * reach:
            lines = self._lines(start, end)
            if everything or len(lines) <= 2 * CONTEXT_LINES + 1:
                return [_Part(start, end, [row for _, row in lines])]
            head, tail = lines[:CONTEXT_LINES], lines[-CONTEXT_LINES:]
        else:
            head = self._lines(start, start + reach)[:CONTEXT_LINES]
            tail = self._lines(end - reach, end)[-CONTEXT_LINES:]
        parts = [_Part(start, start, [row for _, row in head])] if is_odd else []
        if is_odd_behind:
            parts.append(_Part(tail[0][0], end, [row for _, row in tail]))
        return parts

    def _lines(self, start: int, end: int) -> list[tuple[int, Text]]:
        """Return rows with the same text on both sides, and where the line of each begins."""
        found: list[tuple[int, Text]] = []
        # A boundary is behind the whitespace before it, which would be rows of nothing.
        for raw in self._text[start:end].rstrip("\r\n").split("\n"):
            shown = printable_lines(raw.removesuffix("\r")).replace("\t", " " * TAB_CELLS)
            found += ((start, self._row(line, line)) for line in self._wrapped(shown))
            start += len(raw) + 1
        return found

    def _rule(self, position: int) -> list[Text]:
        """Return rows that say which chunks end here; of a side that does not cut, nothing."""
        at_end = position == len(self._text)
        numbers = [cuts.get(position) for cuts in self._cuts]
        is_shared = None not in numbers
        sides: list[list[Text]] = []
        for side, number in enumerate(numbers):
            if number is None:
                sides.append([])
                continue
            style = "dim" if is_shared or at_end else f"bold {COLOURS[side]}"
            label = f"{RULE * 2} {SIDES[side]} {self._describe(side, number)}"
            *above, last = self._wrapped(label)
            last.append(" " + RULE * max(0, self._width - last.cell_len - 1))
            sides.append([Text(line.plain, style) for line in (*above, last)])
        return [self._row(*pair) for pair in zip_longest(*sides, fillvalue=Text())]

    def _wrapped(self, line: str) -> list[Text]:
        return list(Text(line).wrap(self._console, self._width, overflow="fold")) or [Text()]

    def _row(self, left: Text, right: Text) -> Text:
        padded, right = left.copy(), right.copy()
        padded.truncate(self._width, pad=True)
        right.rstrip()
        return Text.assemble(padded, (BETWEEN.rstrip(), "dim"), " " if right else "", right)


def width_of(console: Console) -> int:
    """Return how many cells wide a console is; of a pipe, what the environment says, or 100."""
    return console.width if console.is_terminal or "COLUMNS" in os.environ else PIPED_CELLS


def fits(console: Console) -> bool:
    """Return whether there is room for two columns."""
    return width_of(console) >= 2 * LEAST_CELLS + len(BETWEEN)
