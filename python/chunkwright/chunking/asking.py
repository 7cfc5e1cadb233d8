"""Boundaries from a language model: windows of pieces, a request for each, failures counted."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

from chunkwright.errors import ModelError
from chunkwright.llm.framing import Frames, inline
from chunkwright.llm.prompt import Prompt, PromptLike, as_prompt
from chunkwright.llm.protocol import Reply
from chunkwright.llm.request import InvalidReplyError, Request, member
from chunkwright.llm.run.ledger import FailureSummary
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.llm.run.runner import Runner
    from chunkwright.tokens.tokenizer import Tokenizer

# Of a window so much, on each side, may be shown for the sake of what lies between.
_CONTEXT = 5


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces that are shown together.

    Parameters
    ----------
    shown
        The numbers of the pieces.
    own
        The numbers of those that may begin a chunk, as the window says; the others are in the own
        part of another one.
    """

    shown: range
    own: range


def windows(pieces: Sequence[str], sizes: Sequence[int], most: int) -> Iterator[Window]:
    """Yield windows over the pieces of a text: each piece but the first is in one own part.

    A window is as large as ``most`` allows, a fifth of that on each side for pieces that are shown
    and not decided on; at least one such piece is shown on each side where there is one, and at
    least one is decided on. Where an own part ends depends on the pieces near its end alone, so
    that an edit of a text changes the windows near by and, before long, no others.

    Parameters
    ----------
    pieces
        Their texts.
    sizes
        Their sizes.
    most
        The size of a window, in the same unit.
    """
    n, context = len(pieces), most // _CONTEXT
    ends = [0, *accumulate(max(size, 1) for size in sizes)]
    start = 0
    while start < n:
        first = max(min(bisect_left(ends, ends[start] - context), start - 1), 0)
        room = ends[first] + most
        stop = bisect_right(ends, room) - 1
        last = n
        if stop < n:
            stop = _end(pieces, start, bisect_right(ends, room - context) - 1)
            last = min(max(bisect_right(ends, ends[stop] + context) - 1, stop + 1), n)
        own = range(max(start, 1), stop)
        if own:
            yield Window(range(first, last), own)
        start = stop


def _end(pieces: Sequence[str], start: int, most: int) -> int:
    """Return where an own part from ``start`` on ends: in the last third of what it may have."""
    if most <= start + 1:
        return start + 1
    ends = range(start + 1 + (most - start) * 2 // 3, most + 1)
    return min(ends, key=lambda end: crc32(pieces[end].encode()))


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


Texts: TypeAlias = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Asking:
    """Asks a model where the chunks of texts begin; what the core calls.

    Parameters
    ----------
    runner
        Asks the model.
    prompt
        What it is asked.
    tokenizer
        Counts what a window holds.
    window_tokens
        What a window may hold.
    """

    runner: Runner
    prompt: Prompt
    tokenizer: Tokenizer
    window_tokens: int

    def requests(self, texts: Texts) -> Iterator[Request[list[int]]]:
        """Yield the requests about some texts."""
        for pieces in texts:
            for window in self._windows(pieces):
                yield boundary_request(self.prompt, pieces, window)

    def __call__(self, texts: Texts) -> list[list[int] | Exception]:
        """Return the numbers of the pieces that the chunks of each text begin with.

        A text whose pieces cannot be counted has that error. Where the model refuses to go on,
        texts that have not all their answers have its error.
        """
        found: list[list[int] | Exception] = [[] for _ in texts]
        places: list[tuple[int, Window]] = []
        for number, pieces in enumerate(texts):
            try:
                places += ((number, window) for window in self._windows(pieces))
            except Exception as error:  # noqa: BLE001 - a tokenizer of the caller's raises any
                found[number] = error
        requests = (boundary_request(self.prompt, texts[number], each) for number, each in places)
        n_answers, failures = 0, FailureSummary()
        try:
            for answer in self.runner.ask(requests):
                starts = found[places[n_answers][0]]
                n_answers += 1
                if answer.value is None:
                    failures.add(answer)
                elif isinstance(starts, list):
                    starts += answer.value
        except ModelError as error:
            for number, _ in places[n_answers:]:
                found[number] = error
        failures.warn(
            f"the model set no boundaries in {{}} of {counted(n_answers, 'window')}",
            "without them the text is cut by the limit alone",
        )
        return found

    def _windows(self, pieces: Sequence[str]) -> list[Window]:
        sizes = self.tokenizer.count_batch(pieces)
        return list(windows(pieces, sizes, self.window_tokens))
