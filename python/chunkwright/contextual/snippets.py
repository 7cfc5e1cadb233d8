"""Snippets: what a model says of where a chunk stands, as it goes in front of the chunk."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from chunkwright.frames import without_surrogates
from chunkwright.llm.protocol import Reply
from chunkwright.llm.request import InvalidReplyError, Outcome
from chunkwright.tokenizer import Tokenizer

SnippetOutcome: TypeAlias = Outcome | Literal["structure"]

# What models put around an answer.
_PAIRS = {"[": "]", "(": ")", '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "„": "“"}

# They do not stand in texts for readers; terminals and databases trip over them.
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")


class Snippet(NamedTuple):
    """A snippet, and how it came about.

    Attributes
    ----------
    text
        One line; empty where there is none.
    outcome
        That of the request, see `chunkwright.llm.Answer`; ``"structure"`` if no model was asked.
    prompt
        The fingerprint of the prompt; empty if no model was asked.
    why
        Why there is none, if a model was asked.
    """

    text: str
    outcome: SnippetOutcome
    prompt: str = ""
    why: str = ""


def with_snippet(snippet: str, text: str) -> str:
    """Return the text of a chunk with its snippet; a text without snippet stays as it is.

    Examples
    --------
    >>> with_snippet("On ACME in 2023.", "Revenue grew."), with_snippet("", "Revenue grew.")
    ('[On ACME in 2023.] Revenue grew.', 'Revenue grew.')
    """
    return f"[{snippet}] {text}" if snippet else text


def cleaned(said: str, tokenizer: Tokenizer, max_tokens: int) -> str:
    r"""Return what a model said as a snippet: one line without brackets or quotes around it.

    Control characters become blanks.

    Parameters
    ----------
    said
        The reply.
    tokenizer
        Counts.
    max_tokens
        What is over so many tokens is cut off.

    Examples
    --------
    >>> from chunkwright import Tokenizer
    >>> cleaned(' ["From the report\n of ACME."] ', Tokenizer("cl100k_base"), 100)
    'From the report of ACME.'
    """
    line = " ".join(without_surrogates(said).translate(_CONTROLS).split())
    while (inner := _without_pair(line)) != line:
        line = inner
    return cut(line, tokenizer, max_tokens)


def cut(line: str, tokenizer: Tokenizer, max_tokens: int) -> str:
    """Return the beginning of a line that has so many tokens at most: all of it, if it has."""
    while tokenizer.count(line) > max_tokens and line:
        longest = tokenizer.index(line).longest(0, max_tokens)
        # Without the blank at its end it might, in theory, have more tokens.
        line = line[: min(longest, len(line) - 1)].rstrip()
    return line


def checked(tokenizer: Tokenizer, max_tokens: int, reply: Reply) -> str:
    """Return the snippet that a reply is.

    Raises
    ------
    InvalidReplyError
        If nothing is left of it.
    """
    if snippet := cleaned(reply.text, tokenizer, max_tokens):
        return snippet
    raise InvalidReplyError("it is empty")


def _without_pair(line: str) -> str:
    """Return what stands between brackets or quotes, if one pair is around all of it."""
    inner = line[1:-1]
    closing = _PAIRS.get(line[:1])
    if len(line) < 2 or line[-1] != closing or line[0] in inner or closing in inner:  # noqa: PLR2004
        return line
    return inner.strip()
