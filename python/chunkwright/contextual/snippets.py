"""Replies of a model as contexts of chunks: cleaned, cut to the limit, refusals told."""

from __future__ import annotations

import re

from chunkwright.frames import without_surrogates
from chunkwright.llm.protocol import RefusalError, Reply
from chunkwright.llm.request import InvalidReplyError
from chunkwright.tokens.tokenizer import Tokenizer

# What models put around an answer.
_PAIRS = {"[": "]", "(": ")", '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "„": "“"}

_UNABLE = (
    *("i cannot", "i can't", "i am unable to", "i'm unable to"),
    *("i am not able to", "i'm not able to"),
)
_DEMANDS = (
    *("help with", "assist", "comply", "fulfill", "provide", "answer", "do"),
    *("determine", "summarize", "generate"),
)
_REGRETS = ("i am sorry, ", "i'm sorry, ", "sorry, ", "i apologize, ")
_MODELS = ("an ai language model", "an ai assistant", "a language model", "a large language model")

REFUSALS = (
    *(f"{unable} {demand}" for unable in _UNABLE for demand in _DEMANDS),
    *(
        f"{regret}{but}{unable}"
        for regret in _REGRETS
        for but in ("", "but ")
        for unable in _UNABLE
    ),
    *(f"unfortunately, {unable}" for unable in _UNABLE),
    *(f"as {model}" for model in _MODELS),
    *("as an ai, i", "i won't help", "i will not help", "i won't do that", "i must decline"),
    *("this request violates", "your request violates"),
    *("es tut mir leid, aber ", "ich kann dabei nicht helfen", "dabei kann ich nicht helfen"),
    *("je suis désolé, mais je ne p", "je ne peux pas vous aider", "lo siento, pero no puedo"),
    *("mi dispiace, ma non posso", "извините, но я не могу", "к сожалению, я не могу"),
    *("抱歉,我无法", "抱歉，我无法", "对不起，我无法", "很抱歉，我"),
)
"""How replies begin that are refusals, in lower case."""
_REFUSAL_CHARS = 300
_REFUSAL = re.compile(
    "[\\s\"'`“”‘’\\[(*]*(?:" + "|".join(map(re.escape, REFUSALS)).replace("'", "['’]") + ")",
    re.IGNORECASE,
)

# They do not stand in texts for readers; terminals and databases trip over them.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


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
    line = " ".join(_CONTROLS.sub(" ", without_surrogates(said)).split())
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
    RefusalError
        If the model refuses to write one: see `is_refusal`.
    """
    snippet = cleaned(reply.text, tokenizer, max_tokens)
    if not snippet:
        raise InvalidReplyError("it is empty")
    if is_refusal(reply.text):
        raise RefusalError(reply.text)
    return snippet


def is_refusal(said: str) -> bool:
    """Return whether a model says that it will not answer: briefly, and in the usual words.

    A snippet says where a chunk stands, and nothing about who writes it: so a short reply (300
    code points) that begins with one of `REFUSALS` is none.

    Examples
    --------
    >>> is_refusal("I'm sorry, but I can't help with that.")
    True
    >>> is_refusal("I am unable to attend: the letter in which Ada resigns.")
    False
    """
    return len(said) <= _REFUSAL_CHARS and _REFUSAL.match(said) is not None


def _without_pair(line: str) -> str:
    """Return what stands between brackets or quotes, if one pair is around all of it."""
    inner = line[1:-1]
    closing = _PAIRS.get(line[:1])
    if len(line) < 2 or line[-1] != closing or line[0] in inner or closing in inner:  # noqa: PLR2004
        return line
    return inner.strip()
