"""Search of a passage in one text or in all corpora, with other whitespace or wording."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import PurePath

import numpy as np

from chunkwright import _core
from chunkwright.errors import MissingExtraError
from chunkwright.evaluation.loose_match import Place, Squeezed

# Percent of letters that two sentences must share, in order.
_ALIKE = 98
# Shares below this round to less than that.
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


class Lookup:
    """Corpora by name, in which passages are looked for.

    Parameters
    ----------
    corpora
        The texts, by name.
    """

    def __init__(self, corpora: Mapping[str, str]) -> None:
        self.searched: dict[str, Searched] = {
            name: Searched(text) for name, text in corpora.items()
        }

    def named(self, corpus: str) -> str:
        """Return the name of the corpus that is meant: that itself, or the name of its file."""
        path = PurePath(corpus)
        names = (corpus, path.with_suffix("").as_posix() if path.name else corpus, path.stem)
        return next((name for name in names if name in self.searched), corpus)

    def holding(self, passages: Iterable[str]) -> list[str]:
        """Return the names of the corpora that hold the most of some passages; [] if none has one.

        They stand there as they are, else but for case and whitespace, else as a similar sentence.

        Raises
        ------
        MissingExtraError
            If sentences have to be compared, and the library rapidfuzz is not installed.
        """
        sought = [passage for passage in passages if passage.strip()]
        for is_in in (self._is_exact, self._is_spaced, self._is_similar):
            if found := self._most(sought, is_in):
                return found
        return []

    def elsewhere(self, passage: str, corpus: str) -> str | None:
        """Return the first other corpus in which a passage stands, but for case and whitespace."""
        others = [name for name in self.searched if name != corpus]
        ways = (self._is_exact, self._is_spaced)
        return next((name for is_in in ways for name in others if is_in(passage, name)), None)

    def _most(self, passages: list[str], is_in: Callable[[str, str], bool]) -> list[str]:
        counts = {name: sum(is_in(each, name) for each in passages) for name in self.searched}
        most = max(counts.values(), default=0)
        return [name for name, count in counts.items() if count == most] if most else []

    def _is_exact(self, passage: str, corpus: str) -> bool:
        return passage in self.searched[corpus].document

    def _is_spaced(self, passage: str, corpus: str) -> bool:
        # A search without whitespace costs memory: it is made only where it may find something.
        return (
            _without_spaces(passage) in self._bare[corpus]
            and self.searched[corpus].spaced(passage) is not None
        )

    def _is_similar(self, passage: str, corpus: str) -> bool:
        return self.searched[corpus].sentence(passage) is not None

    @cached_property
    def _bare(self) -> dict[str, str]:
        return {name: _without_spaces(each.document) for name, each in self.searched.items()}


def _without_spaces(text: str) -> str:
    return "".join(text.lower().split())
