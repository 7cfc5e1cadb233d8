"""Language models for tests that always say the same of the same pieces."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any

Messages = list[dict[str, str]]

# Messages before there is an answer.
_FIRST = 2

_PIECE = r"<p(\d+){code}>(.*?)</p\1{code}>"
# What stands behind the names of tags where the text holds such tags.
_CODE = re.compile(r"<p1(-[a-p]{8})>")
_ASKED = re.compile(r"each from (\d+) to (\d+)\.")


def asked(messages: Messages) -> tuple[dict[int, str], range]:
    """Return the pieces that a prompt shows, by their numbers, and the numbers that it asks for."""
    said = messages[1]["content"]
    code = _CODE.search(said)
    piece = _PIECE.format(code=code[1] if code else "")
    pieces = {int(number): text for number, text in re.findall(piece, said, re.DOTALL)}
    [(first, last)] = _ASKED.findall(said)
    return pieces, range(int(first), int(last) + 1)


async def silent(messages: Messages) -> dict[str, Any]:
    """Find no boundary."""
    asked(messages)
    return {"starts": []}


async def by_words(messages: Messages) -> dict[str, Any]:
    """Begin a chunk with every third piece or so, as its text says."""
    pieces, numbers = asked(messages)
    return {"starts": [n for n in numbers if zlib.crc32(pieces[n].encode()) % 3 == 0]}


def odd(messages: Messages) -> Any:
    """Answer by the pieces: often wrongly, often well when asked again, or not at all."""
    pieces, numbers = asked(messages)
    seed = zlib.crc32("".join(pieces.values()).encode())
    every = [n for n in numbers if (seed >> n % 16) & 1]
    good = {"starts": every}
    replies: list[Any] = [
        good,
        json.dumps(good),
        f"Here it is:\n```json\n{json.dumps(good)}\n```",
        {"starts": every[::-1]},
        {"starts": [n for n in every for _ in range(2)]},
        {"starts": [*every, numbers.stop]},
        {"starts": [numbers.start - 1, *every]},
        {"starts": [-1, 0, 10**400]},
        {"starts": [True]},
        {"starts": [float(n) for n in every]},
        {"starts": [str(n) for n in every]},
        {"starts": None},
        {"starts": {"1": 2}},
        {"split_after": every},
        [every],
        "",
        "split_after: 3, 5",
        '{"starts": [1, 2',
        "\ud800 I am sorry.",
        pieces[numbers.start],
        None,
        RuntimeError("out of order"),
    ]
    reply = replies[seed % len(replies)]
    # A wrong reply, and what was wrong with it, come before the second one.
    if len(messages) > _FIRST and seed % 2:
        reply = good
    if isinstance(reply, Exception):
        raise reply
    return reply
