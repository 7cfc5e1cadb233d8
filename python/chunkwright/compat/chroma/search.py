"""Search of a text in a document as Chroma's evaluation does it: exactly, then roughly."""

from __future__ import annotations

import re
from functools import lru_cache

from chunkwright.evaluation.locating import Searched, Sentences, sorted_words

_NO_WORD = re.compile(r"\W")
# The core reads a lone surrogate as what stands for it: for these an expression has to look.
_STAND_IN = re.compile("[\ud800-\udfff\ufffd]")
# What the peer leaves out of words for being no ASCII; letters beyond it stay.
_LATIN_1 = dict.fromkeys(range(0x80, 0x100))

Found = tuple[str, int, int]


def find_query_despite_whitespace(document: str, query: str) -> Found | None:
    r"""Find a text whose words may be further apart, or nearer, and in other letter case.

    Returns
    -------
    tuple or None
        What stands in the document, and from where to where.

    Examples
    --------
    >>> from chunkwright.compat.chroma import find_query_despite_whitespace
    >>> find_query_despite_whitespace("It\nrained for  days.", "rained FOR days")
    ('rained for  days', 3, 19)
    """
    words = query.split()
    if not words:
        return "", 0, 0
    if _STAND_IN.search(query):
        match = re.search(r"\s*".join(map(re.escape, words)), document, re.IGNORECASE)
        return None if match is None else (match[0], *match.span())
    found = _searched(document).spaced(query)
    return None if found is None else (document[slice(*found)], *found)


def rigorous_document_search(document: str, target: str) -> Found | None:
    """Find a text in a document, without its last full stop.

    It is looked for as it is; then with other whitespace and letter case; then as the words of one
    sentence, in any order, where 98 % have to be the same.

    Returns
    -------
    tuple or None
        What stands in the document, and from where to where.

    Raises
    ------
    MissingExtraError
        If it comes to single sentences, and rapidfuzz is not installed.

    Examples
    --------
    >>> from chunkwright.compat.chroma import rigorous_document_search
    >>> rigorous_document_search("The cat sat. It rained.", "Sat the cat.")
    ('The cat sat', 0, 11)
    """
    target = target.removesuffix(".")
    start = document.find(target)
    if start != -1:
        return target, start, start + len(target)
    return find_query_despite_whitespace(document, target) or _find_sentence(document, target)


def _find_sentence(document: str, target: str) -> Found | None:
    # Nothing is like nothing: a target without words is the first sentence without any.
    cleaned = _NO_WORD.sub(" ", target).lower()
    place = _sentences(document).find(_words(cleaned), blank=True)
    return None if place is None else (document[slice(*place)], *place)


@lru_cache(maxsize=1)
def _searched(document: str) -> Searched:
    return Searched(document)


@lru_cache(maxsize=1)
def _sentences(document: str) -> Sentences:
    return Sentences(document, words=_words)


def _words(text: str) -> str:
    return sorted_words(text.translate(_LATIN_1))
