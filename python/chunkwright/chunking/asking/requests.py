"""Requests for boundaries: numbered pieces of a text, shown to a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from chunkwright.chunking.asking.windows import Window
from chunkwright.llm.framing import Frames, inline
from chunkwright.llm.prompt import Prompt, PromptLike, as_prompt
from chunkwright.llm.protocol import Reply
from chunkwright.llm.request import InvalidReplyError, Request, member

PROMPT = "boundaries-1"
_PLACES = ("pieces", "first", "last")
# Tokens of a reply: for its frame, and for each number in it, spread over lines as some models do.
_FRAME = 64
_NUMBER = 8
# Of a window, so much says in messages which one it is.
_SHOWN_CHARS = 40
_FRAMES = Frames("p#")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"starts": {"type": "array", "items": {"type": "integer"}}},
    "required": ["starts"],
    "additionalProperties": False,
}
"""JSON Schema of a reply."""


def boundary_prompt(like: PromptLike | None) -> Prompt:
    """Return the prompt that asks for boundaries: that of the package, or one of one's own.

    Raises
    ------
    ReadError
        If a file cannot be read.
    ConfigError
        If the prompt lacks the place of a text, or has one that is not known.
    """
    prompt = as_prompt(like, PROMPT)
    prompt.check_placeholders(_PLACES, _PLACES)
    return prompt


def boundary_request(prompt: Prompt, pieces: Sequence[str], window: Window) -> Request[list[int]]:
    """Return the request to say which pieces of a window's own part begin a chunk.

    Pieces are numbered from 1 in each window: so equal windows are equal requests, wherever they
    stand.

    Parameters
    ----------
    prompt
        What is said; it has places for ``pieces``, ``first`` and ``last``.
    pieces
        The texts of all pieces.
    window
        Those that are shown.
    """
    base = window.shown.start - 1
    numbered = _Numbered(base, window.own.start - base, window.own.stop - 1 - base)
    code = _FRAMES.code(pieces[number] for number in window.shown)
    shown = (inline(f"p{number - base}", pieces[number], code) for number in window.shown)
    messages = _FRAMES.prompt(prompt, code).messages(
        pieces="\n".join(shown), first=numbered.first, last=numbered.last
    )
    max_tokens = _FRAME + _NUMBER * len(window.own)
    about = f"the text from {pieces[window.own.start][:_SHOWN_CHARS]!r} on"
    return Request(messages, numbered.checked, SCHEMA, max_tokens=max_tokens, about=about)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """The pieces of a window that may begin a chunk, by their numbers in it."""

    base: int
    first: int
    last: int

    def checked(self, reply: Reply) -> list[int]:
        """Return the pieces that a reply names, by their numbers in the text.

        Raises
        ------
        InvalidReplyError
            If it does not name such pieces, in rising order.
        """
        starts = member(reply, "starts")
        # The type of True is bool.
        if not isinstance(starts, list) or any(type(number) is not int for number in starts):
            raise InvalidReplyError('"starts" must be a list of integers')
        if any(a >= b for a, b in pairwise(starts)):
            raise InvalidReplyError('the numbers in "starts" must rise')
        if starts and not self.first <= starts[0] <= starts[-1] <= self.last:
            raise InvalidReplyError(f"each number must be from {self.first} to {self.last}")
        return [self.base + number for number in starts]
