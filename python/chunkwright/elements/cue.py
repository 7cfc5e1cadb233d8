"""Cue of a turn: a time, and where in the text of a document what is said then begins."""

from __future__ import annotations

from typing import NamedTuple


class Cue(NamedTuple):
    """A time of a turn.

    Attributes
    ----------
    at
        Where in the document's text what is said then begins, in code points.
    start, end
        When it begins and ends, in seconds; None: the source tells no end.
    """

    at: int
    start: float
    end: float | None
