"""Excerpts of a reply, placed in the window that the model was shown."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwright.evaluation.data.dataset import disjoint
from chunkwright.evaluation.data.questions import Excerpt
from chunkwright.evaluation.locating import Searched
from chunkwright.evaluation.loose_match import Place
from chunkwright.evaluation.synthetic.windows import Window
from chunkwright.llm.request import InvalidReplyError
from chunkwright.messages.values import short_repr

# All excerpts of a question together: a cell of a CSV has its limits.
_MAX_CHARS = 10_000


def quoted(quotes: Sequence[str], window: Window) -> tuple[Excerpt, ...]:
    """Return the places of passages that were copied from a window.

    Each is looked for as it is, then whatever its case and whitespace, then as the single sentence
    that says almost the same.

    Raises
    ------
    InvalidReplyError
        If one does not stand in the window; says which.
    """
    searched = Searched(window.text)
    return _excerpts([_place(searched, quote.strip()) for quote in quotes], window)


def numbered(
    ranges: Sequence[tuple[int, int]], starts: Sequence[int], window: Window
) -> tuple[Excerpt, ...]:
    """Return the places of runs of pieces of a window, without the whitespace at their ends.

    Parameters
    ----------
    ranges
        For each run the numbers of its first and its last piece.
    starts
        Where pieces begin in the window, and where the last one ends.
    window
        What the pieces are of.

    Raises
    ------
    InvalidReplyError
        If there is nothing but whitespace in a run.
    """
    return _excerpts(
        [_trimmed(window.text, starts[first], starts[last + 1]) for first, last in ranges], window
    )


def _place(searched: Searched, quote: str) -> Place:
    place = searched.exact(quote) or searched.spaced(quote) or searched.sentence(quote)
    if place is None or place[0] == place[1]:
        raise InvalidReplyError(f"the excerpt {short_repr(quote)} does not stand in the document")
    return place


def _trimmed(text: str, start: int, end: int) -> Place:
    stripped = text[start:end].lstrip()
    if not stripped:
        raise InvalidReplyError("an excerpt is blank")
    begin = end - len(stripped)
    return begin, begin + len(stripped.rstrip())


def _excerpts(places: Sequence[Place], window: Window) -> tuple[Excerpt, ...]:
    """Return excerpts in the order of the text, those that overlap made one."""
    text = window.text
    found = disjoint((Excerpt(text[start:end], start, end) for start, end in places), text)
    if sum(len(each.text) for each in found) > _MAX_CHARS:
        raise InvalidReplyError(f"the excerpts have more than {_MAX_CHARS} characters")
    return tuple(
        Excerpt(each.text, window.start + each.start, window.start + each.end) for each in found
    )
