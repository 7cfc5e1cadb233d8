"""Replies of a model that was asked for a question: their form, and what is wrong with them."""

from __future__ import annotations

import unicodedata
from typing import Any

from chunkwright.llm.protocol import Reply, Schema
from chunkwright.llm.request import InvalidReplyError, member
from chunkwright.messages.values import short_repr

MAX_QUESTION_CHARS = 400
"""Code points of a question at most."""

# What is in no text that people read: control characters, and halves of surrogate pairs.
_UNREADABLE = {"Cc", "Cs"}


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _schema(excerpt: dict[str, Any]) -> Schema:
    excerpts = {"type": "array", "items": excerpt}
    return _object({"question": {"type": "string"}, "excerpts": excerpts})


QUOTING = _schema({"type": "string"})
"""The form of a reply with the passages themselves."""

NUMBERING = _schema(_object({"first": {"type": "integer"}, "last": {"type": "integer"}}))
"""The form of a reply with the numbers of pieces."""


def question_of(reply: Reply) -> str:
    """Return the question in a reply, as it stands there.

    Raises
    ------
    InvalidReplyError
        If there is none that can be asked.
    """
    question = member(reply, "question")
    if not isinstance(question, str) or not question.strip():
        raise InvalidReplyError('"question" must be a text that is not empty')
    if len(question) > MAX_QUESTION_CHARS:
        raise InvalidReplyError(f"the question has more than {MAX_QUESTION_CHARS} characters")
    if any(unicodedata.category(c) in _UNREADABLE and not c.isspace() for c in question):
        raise InvalidReplyError("the question has characters that cannot be read")
    return question


def quotes_of(reply: Reply, most: int) -> list[str]:
    """Return the passages in a reply.

    Raises
    ------
    InvalidReplyError
        If there is none, or one is no text, or there are too many.
    """
    quotes = _excerpts(reply, most)
    for quote in quotes:
        if not isinstance(quote, str) or not quote.strip():
            raise InvalidReplyError(
                f"an excerpt must be a text of the document, not {short_repr(quote)}"
            )
    return quotes


def ranges_of(reply: Reply, most: int, n_pieces: int) -> list[tuple[int, int]]:
    """Return the numbers of the first and the last piece of each passage in a reply.

    Raises
    ------
    InvalidReplyError
        If there is no passage, or there are too many, or a number is that of no piece.
    """
    return [_range(each, n_pieces) for each in _excerpts(reply, most)]


def _excerpts(reply: Reply, most: int) -> list[Any]:
    excerpts = member(reply, "excerpts")
    if not isinstance(excerpts, list) or not excerpts:
        raise InvalidReplyError('"excerpts" must be a list with an excerpt at least')
    if len(excerpts) > most:
        raise InvalidReplyError(f"there are {len(excerpts)} excerpts, and may be {most} at most")
    return excerpts


def _range(excerpt: object, n_pieces: int) -> tuple[int, int]:
    if isinstance(excerpt, dict):
        first, last = excerpt.get("first"), excerpt.get("last")
        # True is an int, too.
        if type(first) is int and type(last) is int and 0 <= first <= last < n_pieces:
            return first, last
    said = f'"first" and "last" must be numbers of pieces, from 0 to {n_pieces - 1}, in this order'
    raise InvalidReplyError(f"{said}, not {short_repr(excerpt)}")
