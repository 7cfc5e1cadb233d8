"""Sentence splitting: the sentences of a text, which together are the text."""

from __future__ import annotations

from itertools import pairwise

from chunkwright import _core
from chunkwright.checks import checked_language


def split_sentences(text: str, *, language: str = "en") -> list[str]:
    """Split ``text`` into sentences.

    Joined, the sentences are the text: whitespace after a sentence belongs to it, and whitespace at
    the beginning of the text to the first one. A blank line ends a sentence, and so does a line
    break before a list item or after a heading; any other line break counts as a blank. Sentences
    within a short quotation or parenthesis stay together.

    Takes linear time on any text.

    Parameters
    ----------
    text
        Any text.
    language
        An ISO 639-1 code, such as ``"de"`` or ``"pt-BR"``. The rules are best for English; for
        other languages they know abbreviations, or only punctuation.

    Returns
    -------
    list of str
        The sentences, none of them empty.

    Raises
    ------
    ConfigError
        If the language is not known.

    Examples
    --------
    >>> import chunkwright as cw
    >>> cw.split_sentences("Dr. Ames paid $3.50. She left at 5 p.m. It rained.")
    ['Dr. Ames paid $3.50. ', 'She left at 5 p.m. ', 'It rained.']
    >>> cw.split_sentences("Sie kam am 3. Mai an. Es schneite.", language="de")
    ['Sie kam am 3. Mai an. ', 'Es schneite.']
    """
    ends = _core.sentence_ends(text, checked_language(language))
    return [text[start:end] for start, end in pairwise([0, *ends])]
