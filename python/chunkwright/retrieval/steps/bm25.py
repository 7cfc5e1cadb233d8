"""BM25 index over texts: the search by words, with those of neighbouring chunks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from chunkwright import _core
from chunkwright.checks import checked_int, checked_name, checked_number
from chunkwright.embed.texts import checked_texts
from chunkwright.retrieval.hits import Hits
from chunkwright.retrieval.steps.checks import checked_queries
from chunkwright.retrieval.steps.fields import FIELD_WEIGHTS, Fields, checked_weights, core_fields
from chunkwright.retrieval.steps.neighbours import (
    NEIGHBOUR_SMOOTHING,
    REACH,
    known_ids,
    neighbours_of,
)
from chunkwright.retrieval.steps.top_k import best_of
from chunkwright.tokens.tokenizer import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Subwords = Literal["prefix", "4-grams"]
"""Parts of a word that count beside it: its first letters, or each four in a row."""

SUBWORDS: Subwords = "prefix"
# How soon a word that is repeated ceases to count, and how much long texts are made up for.
K1 = 1.2
B = 0.75
# The greatest `k1`, and what neighbours count at most, that the core takes.
MOST = 1e6
# What sizes are counted in that nobody gave.
TOKENIZER = "cl100k_base"


def bm25(  # noqa: PLR0913 - options by name
    texts: Sequence[str],
    *,
    k1: float = K1,
    b: float = B,
    subwords: Subwords | None = SUBWORDS,
    field_weights: Mapping[str, float] = FIELD_WEIGHTS,
    doc_ids: Iterable[Hashable] | None = None,
    n_tokens: ArrayLike | None = None,
    neighbour_smoothing: float = NEIGHBOUR_SMOOTHING,
    reach: float = REACH,
) -> Bm25Index:
    """Index texts by their words: BM25, with the words of neighbours if documents are given.

    Parameters
    ----------
    texts
        Those of the chunks, in the order of the documents.
    k1
        How much a word that is repeated counts: 0 is not at all.
    b
        How much long texts are made up for, 0 (not at all) to 1.
    subwords
        What finds a word in another inflection. ``"prefix"``: of each word with more than five
        letters, the first five count as a term of their own beside the word. ``"4-grams"``: of each
        word with more than four letters, each four in a row do. None: words count as they are. An
        identifier has the subwords of its parts; numbers, and scripts without spaces, have none.
    field_weights
        What fields of chunks count beside their texts, by name: ``"path"``, the path of a source
        file; ``"document"``, all words of a source file together; ``"scope"``, which no text says
        of itself. One that is not named counts what it does by default; 0 is not at all.
    doc_ids
        The document of each chunk; where it is the name of a source file, such as ``"src/a.py"``,
        the chunk has fields. With them, words of neighbours count as well, before the count
        of a word is made a score: so a word that a chunk has itself gains little by them. None:
        each chunk is by itself.
    n_tokens
        The sizes of the chunks; None: they are counted.
    neighbour_smoothing
        What a word of a neighbour counts at no distance.
    reach
        How far neighbours count, in tokens; see :func:`smooth`.

    Returns
    -------
    Bm25Index
        What finds them.

    Raises
    ------
    ConfigError
        If an option is out of range, ``texts`` holds something else than str, or there is not one
        of each for every text.

    Examples
    --------
    >>> index = bm25(["Cats sleep all day.", "Engines hum.", "Dogs bark at engines."])
    >>> index.search("Which engines hum?", k=5).indices.tolist()
    [1, 2]
    """
    given = checked_texts(texts)
    checked_number("neighbour_smoothing", neighbour_smoothing, least=0, most=MOST)
    checked_number("reach", reach, least=0)
    neighbours = fields = None
    weights = checked_weights(field_weights)
    if doc_ids is not None:
        doc_ids = known_ids(doc_ids)
        fields = Fields.of_names(doc_ids)
        sizes = token_counts(given) if n_tokens is None else n_tokens
        neighbours = neighbours_of(doc_ids, len(given), sizes, reach)
    return Bm25Index.of_texts(
        given,
        k1=k1,
        b=b,
        subwords=subwords,
        fields=fields,
        field_weights=weights,
        neighbours=neighbours,
        neighbour_smoothing=neighbour_smoothing,
    )


class Bm25Index:
    """Texts indexed by their words; made by :func:`bm25`."""

    __slots__ = ("_context", "_core", "_fields")

    def __init__(
        self,
        core: _core.Bm25,
        context: _core.Bm25Context | None,
        fields: _core.Bm25Fields | None = None,
    ) -> None:
        self._core = core
        self._context = context
        self._fields = fields

    @classmethod
    def of_texts(  # noqa: PLR0913 - options by name
        cls,
        texts: list[str],
        *,
        k1: float,
        b: float,
        subwords: Subwords | None,
        neighbours: _core.Neighbours | None,
        neighbour_smoothing: float,
        fields: Fields | None = None,
        field_weights: Mapping[str, float] = FIELD_WEIGHTS,
    ) -> Bm25Index:
        """Index texts; options are those of :func:`bm25`, which makes two of ``doc_ids``."""
        core = _core.Bm25(texts, **_options(k1, b, subwords))
        own = None if fields is None else fields.core(core, field_weights, subwords)
        return cls(core, _context(core, neighbours, neighbour_smoothing), own)

    @classmethod
    def of_segments(  # noqa: PLR0913 - options by name
        cls,
        segments: Sequence[_core.Bm25Segment],
        *,
        k1: float = K1,
        b: float = B,
        subwords: Subwords | None = SUBWORDS,
        neighbours: _core.Neighbours | None = None,
        neighbour_smoothing: float = NEIGHBOUR_SMOOTHING,
        fields: Mapping[str, Sequence[_core.Bm25Segment]] | None = None,
        documents: NDArray[np.int64] | None = None,
        field_weights: Mapping[str, float] = FIELD_WEIGHTS,
    ) -> Bm25Index:
        """Join segments, one behind the other, to the index that all their texts would make.

        Nothing of a segment is made anew, so one that changed is exchanged by joining all again.

        Parameters
        ----------
        segments
            Each of a few thousand texts.
        k1, b, subwords
            As for :func:`bm25`; segments have these subwords.
        neighbours, neighbour_smoothing
            What texts count for each other; None: each is by itself.
        fields
            Segments of the texts of fields, by the names of these.
        documents
            The number of each text's document, -1 for one whose words do not count together; None:
            no text has fields.
        field_weights
            As for :func:`bm25`.

        Raises
        ------
        ConfigError
            If an option is out of range, or a segment has other subwords.
        """
        core = _core.Bm25.of_segments(segments, **_options(k1, b, subwords))
        own = None
        if documents is not None:
            own = core_fields(core, field_weights, fields or {}, documents)
        return cls(core, _context(core, neighbours, neighbour_smoothing), own)

    @property
    def n_texts(self) -> int:
        """The number of texts."""
        return self._core.n_texts

    @property
    def n_terms(self) -> int:
        """The number of different terms, subwords included."""
        return self._core.n_terms

    @property
    def is_smoothed(self) -> bool:
        """Whether words of neighbours count as well."""
        return self._context is not None

    @property
    def has_fields(self) -> bool:
        """Whether fields of texts count as well."""
        return self._fields is not None

    def scores(self, queries: str | Sequence[str]) -> NDArray[np.float32]:
        """Return the score of each text for each question, shape ``(q, n)``."""
        return self.bounded_scores(queries)[0]

    def bounded_scores(
        self, queries: str | Sequence[str]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return the same, and what no text's score for each question exceeds, shape ``(q,)``."""
        import numpy as np

        questions = checked_queries(queries)
        scores, bounds = self._core.scores(questions, self._context, self._fields)
        # A matrix without columns does not know its rows.
        return np.asarray(scores).reshape(len(questions), self.n_texts), np.asarray(bounds)

    def bounds(self, queries: str | Sequence[str]) -> NDArray[np.float64]:
        """Return what no text's score for each question exceeds, shape ``(q,)``."""
        import numpy as np

        return np.asarray(self._core.bounds(checked_queries(queries), self._fields))

    def shares(self, question: str, texts: list[str]) -> NDArray[np.float64]:
        """Return the scores of texts that are not in the index, divided by what none exceeds.

        Fields do not count.

        Parameters
        ----------
        question
            One question.
        texts
            Any texts; each is by itself.
        """
        import numpy as np

        return np.asarray(self._core.shares(question, texts))

    def search(self, queries: str | Sequence[str], k: int) -> Hits:
        """Return the best texts for each question; those with a score of 0 are none.

        Parameters
        ----------
        queries
            One question or several.
        k
            How many texts, at most.
        """
        questions, n_hits = checked_queries(queries), checked_int("k", k, least=1)
        if self.is_smoothed or self.has_fields:
            return best_of(self.scores(questions), n_hits, None).over(0.0)
        return Hits.of(self._core.top(questions, n_hits))

    def __len__(self) -> int:
        return self.n_texts

    def __repr__(self) -> str:
        return f"<Bm25Index of {self.n_texts} texts, {self.n_terms} terms>"


def _context(
    core: _core.Bm25, neighbours: _core.Neighbours | None, neighbour_smoothing: float
) -> _core.Bm25Context | None:
    return None if neighbours is None else core.context(neighbours, float(neighbour_smoothing))


def _options(k1: float, b: float, subwords: Subwords | None) -> dict[str, Any]:
    """Return the options of the core, checked."""
    if subwords is not None:
        checked_name("subwords", subwords, get_args(Subwords))
    return {
        "k1": checked_number("k1", k1, least=0, most=MOST),
        "b": checked_number("b", b, least=0, most=1.0),
        "subwords": subwords,
    }


def token_counts(texts: list[str]) -> NDArray[np.int64]:
    """Return the sizes of texts in tokens."""
    import numpy as np

    return np.array(Tokenizer(TOKENIZER).count_batch(texts), np.int64)
