"""Numbered pieces of a text, of which a model names those that answer a question."""

from __future__ import annotations

from itertools import pairwise

from chunkwright.llm.framing import inline

_PIECE_CHARS = 100


def piece_starts(text: str) -> list[int]:
    """Return where the pieces of a text begin, and where the last one ends.

    A piece has 100 code points at most, and ends behind a space if there is one in it.

    Examples
    --------
    >>> piece_starts("word " * 30)
    [0, 100, 150]
    """
    starts = [0]
    while starts[-1] < len(text):
        end = starts[-1] + _PIECE_CHARS
        behind_space = text.rfind(" ", starts[-1], end) + 1 if end < len(text) else 0
        starts.append(behind_space or min(end, len(text)))
    return starts


def tagged(text: str, code: str = "") -> str:
    """Return the pieces of a text, each between tags with its number.

    Parameters
    ----------
    text
        The text.
    code
        What stands behind the names of the tags: see `chunkwright.llm.framing.Frames.code`.

    Examples
    --------
    >>> tagged("It rained.")
    '<piece 0>It rained.</piece 0>'
    """
    return "".join(
        inline(f"piece {number}", text[start:end], code)
        for number, (start, end) in enumerate(pairwise(piece_starts(text)))
    )
