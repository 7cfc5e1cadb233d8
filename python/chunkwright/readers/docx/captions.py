"""Captions of tables and figures: which of the blocks beside it each belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunkwright.readers.blocks import Block

_OBJECTS = frozenset({"table", "figure"})
# What captions of tables begin with, and what counts them.
_OF_TABLE = re.compile(
    r"tab(?:[.:\s\d]|$)|tab(?:le|elle|leau|la|ela|ella|el)\b|таблица|表|표", re.IGNORECASE
)


def with_captions(blocks: Sequence[Block], sequences: dict[int, str]) -> list[Block]:
    """Return the blocks, captions with what they are of. O(n).

    A caption belongs to the table or figure beside it. Between two it belongs to that of its kind;
    of the same kind, a table's caption stands above it, and a figure's below.

    Parameters
    ----------
    blocks
        The blocks.
    sequences
        What the numbers of captions count, by the numbers of their blocks.
    """
    found, taken = list(blocks), set[int]()
    for at, block in enumerate(blocks):
        if block.kind == "caption":
            of = _object_of(blocks, at, sequences.get(at, ""), taken)
            if of is not None:
                taken.add(of)
                found[at] = block._replace(caption_of=of)
    return found


def _object_of(blocks: Sequence[Block], at: int, sequence: str, taken: set[int]) -> int | None:
    before, after = _top(blocks, at - 1), at + 1
    beside = [
        each
        for each in (before, after)
        if 0 <= each < len(blocks) and blocks[each].kind in _OBJECTS and each not in taken
    ]
    if len(beside) < 2:  # noqa: PLR2004 - no choice
        return beside[0] if beside else None
    is_of_table = _OF_TABLE.match(sequence or blocks[at].text) is not None
    kind = "table" if is_of_table else "figure"
    alike = [each for each in beside if blocks[each].kind == kind]
    if len(alike) == 1:
        return alike[0]
    return beside[1] if is_of_table else beside[0]


def _top(blocks: Sequence[Block], at: int) -> int:
    """Return the table or figure in which a block stands, else the block."""
    parent = blocks[at].parent if at >= 0 else None
    if parent is not None and blocks[parent].kind in _OBJECTS:
        return parent
    return at
