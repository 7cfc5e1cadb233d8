"""Search of a passage in a text with other whitespace or wording."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from chunkwright import _core
from chunkwright.errors import MissingExtraError
from chunkwright.evaluation.loose_match import Place, Squeezed

# So many of a hundred letters two sentences must share, in order.
_ALIKE = 98
# What is less than this rounds to less.
_CUTOFF = (_ALIKE - 1) / 100
# Longer ones are not compared: two take a time that grows with the product of their lengths.
_LONGEST = 10_000
_SENTENCE_ENDS = re.compile(r"[.!?]\s*|\n")
_NO_LETTERS = re.compile(r"\W")


def locate(document: str, target: str) -> Place | None:
    r"""Return where a target stands in a document: its start and end in code points.

    This is the search of the Chroma report. A last ``"."`` of the target is dropped; then its first
    exact occurrence is taken, or else the first one that differs by case and by the whitespace
    between words, or else the single sentence that says almost the same, in whatever order of
    words.

    Parameters
    ----------
    document
        The text to be searched.
    target
        What is looked for.

    Raises
    ------
    MissingExtraError
        If sentences have to be compared, and the library rapidfuzz is not installed.

    Examples
    --------
    >>> from chunkwright.evaluation.locating import locate
    >>> locate("It was built in 1743. It burnt\ndown twice.", "it burnt down twice.")
    (22, 41)
    >>> locate("It was built in 1743. It burnt down twice.", "twice it burnt down")
    (22, 41)
    """
    return Searched(document).locate(target)


class Searched:
    """A document in which many targets are looked for.

    What a search needs of it is made when the first target needs it.

    Parameters
    ----------
    document
        The text.
    """

    def __init__(self, document: str) -> None:
        self.document = document

    def locate(self, target: str) -> Place | None:
        """Return the place of a target; see :func:`locate`."""
        return self.locate_all([target])[0]

    def locate_all(self, targets: Iterable[str]) -> list[Place | None]:
        """Return the place of each target; see :func:`locate`.

        Takes linear time as long as no sentences have to be compared.
        """
        sought = [target.removesuffix(".") for target in targets]
        places = self.exact_all(sought)
        missing = [i for i, place in enumerate(places) if place is None]
        if missing:
            for i, place in zip(
                missing, self.squeezed.first(sought[i] for i in missing), strict=True
            ):
                places[i] = place or self.sentence(sought[i])
        return places

    def exact_all(self, targets: Iterable[str]) -> list[Place | None]:
        """Return the first place where each target stands as it is; that of none is the start."""
        sought = list(targets)
        starts = np.asarray(_core.first_occurrences(self.document, sought)).tolist()
        return [
            (start, start + len(target)) if start >= 0 else None if target else (0, 0)
            for target, start in zip(sought, starts, strict=True)
        ]

    def exact(self, target: str) -> Place | None:
        """Return the first place where a target stands as it is."""
        return self.exact_all([target])[0]

    def spaced(self, target: str) -> Place | None:
        """Return the first place that differs by case and the whitespace between words only."""
        return self.squeezed.find(target)

    def in_order(self, targets: Iterable[str]) -> list[Place | None]:
        """Return the places of passages that stand one behind the other, and may overlap.

        If all stand there as they are and in this order, so they are found; else they are all
        looked for whatever their case and the whitespace between words, as an exact place further
        on may be wrong.
        """
        sought = list(targets)
        starts = np.asarray(_core.next_occurrences(self.document, sought))
        if (np.diff(starts, prepend=-1) <= 0).any():
            return self.squeezed.next(sought)
        return [
            (start, start + len(target))
            for target, start in zip(sought, starts.tolist(), strict=True)
        ]

    def sentence(self, target: str) -> Place | None:
        """Return the place of the sentence that is most like a target, if one is enough so.

        Raises
        ------
        MissingExtraError
            If the library rapidfuzz is not installed.
        """
        return self._sentences.find(sorted_words(target)) if len(target) <= _LONGEST else None

    @cached_property
    def squeezed(self) -> Squeezed:
        """The document without whitespace and case."""
        return Squeezed(self.document)

    @cached_property
    def _sentences(self) -> Sentences:
        return Sentences(self.document, longest=_LONGEST)


def sorted_words(text: str) -> str:
    """Return a text's words in lower case and the order of the alphabet."""
    return " ".join(sorted(_NO_LETTERS.sub(" ", text).lower().split()))


class Sentences:
    """The sentences of a document, found by their words in any order.

    Parameters
    ----------
    document
        The text.
    words
        Returns what is compared of a sentence.
    longest
        Sentences of more code points are not compared; None: all are.
    """

    def __init__(
        self,
        document: str,
        words: Callable[[str], str] = sorted_words,
        longest: int | None = None,
    ) -> None:
        split = _SENTENCE_ENDS.split(document)
        self._document = document
        self._sentences = [each for each in split if longest is None or len(each) <= longest]
        self._words = [words(sentence) for sentence in self._sentences]

    def find(self, words: str, *, blank: bool = False) -> Place | None:
        """Return the place of the sentence that is most like words, the first of equal ones.

        Parameters
        ----------
        words
            What is compared with the words of sentences.
        blank
            Whether no words are found, too: where the first sentence without any stands.

        Raises
        ------
        MissingExtraError
            If the library rapidfuzz is not installed.
        """
        try:
            from rapidfuzz import distance, process
        except ImportError as error:
            raise MissingExtraError(
                "the search for a sentence by its words", "evaluation"
            ) from error

        best, at = _ALIKE - 1, -1
        likeness = distance.Indel.normalized_similarity
        alike = process.extract_iter(words, self._words, scorer=likeness, score_cutoff=_CUTOFF)
        for _, similarity, number in alike if words or blank else ():
            # Rounded first: of sentences that round to the same, the first is found.
            if round(100 * similarity) > best:
                best, at = round(100 * similarity), number
        if at == -1:
            return None
        start = self._document.find(self._sentences[at])
        return start, start + len(self._sentences[at])
