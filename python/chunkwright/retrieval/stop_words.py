"""Stop words of questions: words that ask and tell nothing of what is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from chunkwright.errors import ConfigError

ENGLISH = frozenset(
    {
        *("a", "about", "all", "also", "an", "and", "answer", "any", "are"),
        *("as", "ask", "asked", "at", "be", "been", "being", "but", "by"),
        *(
            "can",
            "conclusion",
            "could",
            "describe",
            "did",
            "discuss",
            "discussed",
            "discussing",
            "discussion",
        ),
        *("do", "does", "explain", "for", "from", "give", "group", "had", "has"),
        *("have", "he", "her", "him", "his", "how", "i", "if", "in"),
        *("into", "is", "it", "its", "me", "meeting", "mention", "mentioned", "my"),
        *("of", "on", "opinion", "opinions", "or", "our", "said", "say", "says"),
        *("she", "so", "some", "summarise", "summarize", "summary", "talk", "talked", "talking"),
        *("team", "tell", "than", "that", "the", "their", "them", "then", "there"),
        *("these", "they", "think", "thinks", "this", "those", "thought", "thoughts", "to"),
        *("us", "view", "views", "was", "we", "were", "what", "when", "where"),
        *("which", "who", "whom", "whose", "why", "will", "with", "would", "you"),
        *("your",),
    }
)
"""English ones, for questions of people's words: what somebody said, thought or discussed."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


def checked_stop_words(words: object) -> tuple[str, ...]:
    """Return stop words in lower case, in their order.

    Raises
    ------
    ConfigError
        If they are no words; names the first value that is none.
    """
    if isinstance(words, str | bytes) or not isinstance(words, Iterable):
        raise ConfigError(f"stop_words must be a list of words, got {words!r:.80}")
    given = list(words)
    for word in given:
        if not isinstance(word, str) or not _WORD.fullmatch(word):
            raise ConfigError(f"stop_words must be words, got {word!r:.80}")
    return tuple(sorted({word.lower() for word in given}))


def without_stop_words(questions: Sequence[str], stop_words: Sequence[str]) -> list[str]:
    """Return questions without such words; one that has no others stays as it is.

    Examples
    --------
    >>> without_stop_words(["What did they say about the mill?", "What?"], ["about", "what", "the"])
    [' did they say   mill?', 'What?']
    """
    if not stop_words:
        return list(questions)
    stopped = frozenset(stop_words)

    def left(question: str) -> str:
        kept = _WORD.sub(lambda found: "" if found[0].lower() in stopped else found[0], question)
        return kept if _WORD.search(kept) else question

    return [left(question) for question in questions]
