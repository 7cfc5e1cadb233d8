"""Scoring of the chunks of an index for questions: by words, by vectors, or by their sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.options import Questions
from chunkwright.retrieval.steps.bm25 import Bm25Index
from chunkwright.retrieval.steps.fusion import fuse, standardise
from chunkwright.retrieval.steps.top_k import best_of
from chunkwright.retrieval.stop_words import without_stop_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.retrieval.options import Options
    from chunkwright.retrieval.steps.fields import Fields
    from chunkwright.retrieval.vectors import Vectors

# Scores are held for so many questions at once that they take no more than this.
SCORES_BYTES = 64 * 2**20
# Of words, of vectors, of both.
_TABLES = 3
_SCORE_BYTES = 4
# Of so many chunks, at even distances, cosines are the background of those of a question.
_BACKGROUND = 512


class Reasons(NamedTuple):
    """The parts of scores of chunks, as they enter a sum; what does not count is zeros.

    Attributes
    ----------
    words
        The scores of their words, as shares of the best that the question could have: 0 to 1.
        In a sum they are multiplied by the weight of words.
    vectors
        What their vectors give, from -1 to 1: in a sum with words their cosines as
        :func:`standardise` has them, or else the cosines.
    """

    words: NDArray[np.float64]
    vectors: NDArray[np.float64]


class Scoring:
    """The parts of an index that give chunks their scores.

    Parameters
    ----------
    options
        How scores become one.
    n_chunks
        How many chunks there are.
    words
        Finds them by their words; None if these do not count.
    vectors
        Finds them by their vectors; None if these do not count.
    groups
        A number below ``n_chunks`` for each, equal for those of which only the best is found;
        None: all are.
    """

    def __init__(
        self,
        options: Options,
        n_chunks: int,
        *,
        words: Bm25Index | None,
        vectors: Vectors | None,
        groups: NDArray[np.int64] | None,
    ) -> None:
        self._options = options
        self._n_chunks = n_chunks
        self._words = words
        # Of some chunks they are numbered anew, of all they are read once.
        self._numbers = groups
        self._groups = None if groups is None else _core.Groups(groups.data)
        self.vectors = vectors

    def best(self, questions: Questions, k: int) -> Hits:
        """Return the best chunks for each question."""
        words, rows = self._words, questions.rows
        is_plain = self.vectors is None and self._groups is None and rows is None
        if words is not None and is_plain and not (words.is_smoothed or words.has_fields):
            return words.search(self._asked(questions), k)
        groups = self._groups_at(rows)
        found = Hits.joined([best_of(scores, k, groups) for scores in self.scores(questions)])
        if rows is not None:
            found = found.numbered(rows)
        return found if self.vectors is not None else found.over(0.0)

    def scores(self, questions: Questions) -> Iterator[NDArray[np.float32]]:
        """Yield the scores of a few questions after those of the few before.

        They have a column for each chunk, or for each that may be found.
        """
        n_questions = max(1, SCORES_BYTES // (_TABLES * _SCORE_BYTES * max(1, self._n_chunks)))
        for part in questions.parts(n_questions):
            yield self._scored(part)

    def reasons(self, questions: Questions) -> Reasons:
        """Return the parts of the scores of the chunks that one question may find."""
        import numpy as np

        rows = questions.rows
        n = self._n_chunks if rows is None else len(rows)
        words = np.zeros(n)
        if self._words is not None:
            (scores,), (bound,) = self._words.bounded_scores(self._asked(questions))
            words = _at(scores, rows).astype(np.float64) / (bound if bound > 0 else 1.0)
        return Reasons(words, self._of_vectors(questions)[0])

    def _of_vectors(self, questions: Questions) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what vectors give to the chunks that one question may find, and their cosines."""
        import numpy as np

        cosines = self._cosines(questions, questions.rows)
        if cosines is None:
            zeros = np.zeros(self._n_chunks if questions.rows is None else len(questions.rows))
            return zeros, zeros
        given = self._given(questions, cosines, questions.rows)
        return given[0].astype(np.float64), cosines[0].astype(np.float64)

    def parts(self, questions: Questions, hits: Hits) -> dict[int, tuple[float, float, float]]:
        """Return what words and what vectors gave to hits, and their cosines, by their numbers.

        In a sum they are told from the vectors of the hits alone; no other chunk is scored again.

        Parameters
        ----------
        questions
            One question.
        hits
            Its hits, before reranking.
        """
        import numpy as np

        order = np.argsort(hits.indices)
        rows = hits.indices[order]
        parts = self._parts(questions, rows, hits.scores[order])
        each = zip(*(part.tolist() for part in parts), strict=True)
        return dict(zip(rows.tolist(), each, strict=True))

    def _parts(
        self, questions: Questions, rows: NDArray[np.int64], scores: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the parts of the scores of chunks, whose numbers ascend, and their cosines."""
        import numpy as np

        if self.vectors is None:
            asked = self._asked(questions)
            bound = 1.0 if self._words is None else float(self._words.bounds(asked)[0])
            zeros = np.zeros(len(rows))
            return scores / (bound if bound > 0 else 1.0), zeros, zeros
        of_rows = replace(questions, rows=rows)
        vectors, cosines = self._of_vectors(of_rows)
        if self._words is not None and self._options.fusion != "sum":
            return self.reasons(of_rows).words, vectors, cosines
        weight = self._options.word_weight
        words = (scores - vectors) / weight if self._words is not None and weight else 0 * vectors
        return np.maximum(words, 0.0), vectors, cosines

    def word_shares(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return what texts that are not in the index have of a question's words, 0 to 1."""
        import numpy as np

        if self._words is None:
            return np.zeros(len(texts))
        (asked,) = without_stop_words([question], tuple(self._options.stop_words))
        return self._words.shares(asked, list(texts))

    def _asked(self, questions: Questions) -> list[str]:
        """Return the words of questions that count."""
        return without_stop_words(questions.texts, tuple(self._options.stop_words))

    def _scored(self, questions: Questions) -> NDArray[np.float32]:

        own, rows = self._options, questions.rows
        # Ranks are those among all chunks.
        early = None if own.fusion == "rank" else rows
        found, bounds = [], None
        cosines = self._cosines(questions, early)
        if cosines is not None:
            found.append(self._given(questions, cosines, early))
        if self._words is not None:
            scores, bounds = self._words.bounded_scores(self._asked(questions))
            found.append(_at(scores, early))
        if not found:
            return self._nothing(questions)
        if len(found) == 1:
            return found[0] if early is rows else _at(found[0], rows)
        fused = fuse(*found, fusion=own.fusion, word_weight=own.word_weight, scale=bounds)
        return fused if early is rows else _at(fused, rows)

    def _nothing(self, questions: Questions) -> NDArray[np.float32]:
        """Return scores of questions where neither words nor vectors are there."""
        import numpy as np

        n = self._n_chunks if questions.rows is None else len(questions.rows)
        return np.zeros((len(questions), n), np.float32)

    def _cosines(
        self, questions: Questions, rows: NDArray[np.int64] | None
    ) -> NDArray[np.float32] | None:
        """Return the cosines of questions with some chunks; None if vectors do not count."""
        if self.vectors is None or questions.vectors is None:
            return None
        return self.vectors.cosines(questions.vectors, rows)

    def _given(
        self,
        questions: Questions,
        cosines: NDArray[np.float32],
        rows: NDArray[np.int64] | None,
    ) -> NDArray[np.float32]:
        """Return what the cosines with some chunks give to a score.

        In a sum they are standardised, by chunks that do not depend on which may be found.
        """
        if self._words is None or self._options.fusion != "sum":
            return cosines
        among = self._background
        others = _at(cosines, among) if rows is None else self._cosines(questions, among)
        return standardise(cosines, others)

    @cached_property
    def _background(self) -> NDArray[np.int64] | None:
        """The chunks whose cosines are the background; None: all."""
        import numpy as np

        n = self._n_chunks
        return np.arange(_BACKGROUND) * n // _BACKGROUND if n > _BACKGROUND else None

    def _groups_at(self, rows: NDArray[np.int64] | None) -> _core.Groups | None:
        """Return the groups of the chunks that may be found, numbered anew among them."""
        import numpy as np

        if self._numbers is None or rows is None:
            return self._groups
        numbers = np.unique(self._numbers[rows], return_inverse=True)[1]
        return _core.Groups(numbers.astype(np.int64).data)


def _at(scores: NDArray[np.float32], rows: NDArray[np.int64] | None) -> NDArray[np.float32]:
    """Return the scores of these chunks."""
    import numpy as np

    return scores if rows is None else np.ascontiguousarray(scores[..., rows])


def words_of(
    options: Options,
    texts: list[str],
    neighbours: _core.Neighbours | None,
    fields: Fields | None = None,
) -> Bm25Index | None:
    """Return what finds texts by their words; None if these do not count."""
    if not options.words:
        return None
    return Bm25Index.of_texts(
        texts,
        k1=options.k1,
        b=options.b,
        subwords=options.subwords,
        fields=fields,
        field_weights=options.field_weights,
        neighbours=neighbours,
        neighbour_smoothing=options.neighbour_smoothing,
    )
