"""Texts with some of their parts marked, short enough to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

# Code points. What lies between marks shows so much at each of its ends; a mark shows more.
CONTEXT, MARKED = 120, 400
# Of a text that has more parts, the first are shown.
MOST_PARTS = 30

Range = tuple[int, int]


class Part(NamedTuple):
    """A part of a text, and whether it is marked; None in the place of what is left out."""

    text: str | None
    is_marked: bool
    left_out: int = 0


def marked(text: str, ranges: Iterable[Range]) -> list[Part]:
    """Take a text apart into what is marked and what is not.

    Parameters
    ----------
    text
        The text.
    ranges
        What is to be marked, in code points; they may overlap, and reach over the text's ends.

    Returns
    -------
    list of Part
        In order; long ones are without their middle, and the last parts of very many missing.

    Examples
    --------
    >>> from chunkwright.evaluation.report.highlights import marked
    >>> [(part.text, part.is_marked) for part in marked("cats purr", [(-3, 2), (1, 4)])]
    [('cats', True), (' purr', False)]
    """
    parts: list[Part] = []
    at = 0
    for start, end in [*union(text, ranges), (len(text), len(text))]:
        if len(parts) >= MOST_PARTS:
            parts.append(Part(None, is_marked=False, left_out=len(text) - at))
            break
        parts += _shortened(text[at:start], is_marked=False, most=2 * CONTEXT)
        parts += _shortened(text[start:end], is_marked=True, most=MARKED)
        at = end
    return parts


def union(text: str, ranges: Iterable[Range]) -> Iterator[Range]:
    """Yield what ranges cover of a text, in order and apart from each other."""
    within = [(max(start, 0), min(end, len(text))) for start, end in ranges]
    at: Range | None = None
    for start, end in sorted(pair for pair in within if pair[0] < pair[1]):
        if at is not None and start <= at[1]:
            at = at[0], max(at[1], end)
            continue
        if at is not None:
            yield at
        at = start, end
    if at is not None:
        yield at


def _shortened(text: str, *, is_marked: bool, most: int) -> Iterator[Part]:
    if not text:
        return
    left_out = len(text) - most
    # A few letters more are less to read than how many are missing.
    if left_out <= CONTEXT // 2:
        yield Part(text, is_marked)
        return
    half = most // 2
    yield Part(text[:half], is_marked)
    yield Part(None, is_marked, left_out)
    yield Part(text[-half:], is_marked)
