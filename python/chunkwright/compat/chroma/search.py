"""Search of a text in a document as Chroma's evaluation does it: exactly, then roughly."""

from __future__ import annotations

import re
from functools import lru_cache

from chunkwright.errors import MissingExtraError
from chunkwright.evaluation.locating import Searched

# A sentence that is found by its words alone has to be so like the text, in percent.
LEAST_RATIO = 98
_SENTENCE_END = re.compile(r"[.!?]\s*|\n")
_NO_WORD = re.compile(r"\W")
# The core reads a lone surrogate as what stands for it: for these an expression has to look.
_STAND_IN = re.compile("[\ud800-\udfff\ufffd]")
# What the peer leaves out of words for being no ASCII; letters beyond it stay.
_LATIN_1 = dict.fromkeys(range(0x80, 0x100))
# Sentences below this similarity round to less than the least ratio.
_CUTOFF = (LEAST_RATIO - 1) / 100

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
    """Find the sentence that is most like the target.

    Nothing is like nothing: a target without words is the first sentence without any.
    """
    try:
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import extract_iter
    except ImportError as error:
        raise MissingExtraError("the search for a sentence by its words", "evaluation") from error

    sentences, words = _sentences(document)
    wanted = _words(_cleaned(target))
    alike = extract_iter(
        wanted, words, scorer=Indel.normalized_similarity, score_cutoff=_CUTOFF, processor=None
    )
    best, at = LEAST_RATIO - 1, -1
    for _, similarity, number in alike:
        # Rounded first: of sentences that round to the same, the first is found.
        if round(100 * similarity) > best:
            best, at = round(100 * similarity), number
    if at == -1:
        return None
    start = document.find(sentences[at])
    return sentences[at], start, start + len(sentences[at])


@lru_cache(maxsize=1)
def _searched(document: str) -> Searched:
    return Searched(document)


@lru_cache(maxsize=1)
def _sentences(document: str) -> tuple[list[str], list[str]]:
    """Return a document's sentences, and of each the words; one document is searched many times."""
    sentences = _SENTENCE_END.split(document)
    return sentences, [_words(sentence) for sentence in sentences]


def _words(text: str) -> str:
    """Return what is compared: a text's words in order of the alphabet."""
    return " ".join(sorted(_cleaned(text.translate(_LATIN_1)).split()))


def _cleaned(text: str) -> str:
    return _NO_WORD.sub(" ", text).lower().strip()
