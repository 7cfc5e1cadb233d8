"""Boundaries of semantic strategies: places where a text could be cut, scores and verdicts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core

Reason = Literal["score", "limit", "given", "structure", "end"]
"""Why a chunk ends: for a score, for the limit, as a model said, for the structure of the document,
or because the text does."""

# By their numbers in the core.
VERDICTS = ("whole", "score", "limit", "given", "structure")


@dataclass(frozen=True, eq=False)
class Boundaries:
    """The boundaries between the pieces of one text, or of one text after another, as columns.

    Made by the semantic strategies, by :class:`chunkwright.LLM`, :class:`chunkwright.BySimilarity`
    and :class:`chunkwright.Structural`; see :attr:`chunkwright.Chunks.boundaries`.

    Attributes
    ----------
    positions
        For each boundary: where the piece before it ends, in code points of its document.
    scores
        For each boundary: the cosine distance of what meets there, 0 to 2; NaN if a language
        model was asked, or nobody.
    codes
        For each boundary: the place of its verdict in ``("whole", "score", "limit", "given",
        "structure")``.
    n_places
        For each boundary that was cut for the limit: among how many boundaries within reach it was
        chosen, itself included. 0 for every other boundary.
    doc_index
        For each boundary: the number of its document.
    thresholds
        For each document: what a score had to exceed to be a cut; NaN if there was no such number.
        For the threshold ``"gradient"`` it is what the scores' gradient had to exceed; for
        :class:`chunkwright.Cluster` the distance of pairs on average, with which each is compared.

    Examples
    --------
    >>> import chunkwright as cw
    >>> def embedder(texts):
    ...     return [[text.count("cat"), text.count("engine"), 0.1] for text in texts]
    >>> text = "A cat naps. A cat purrs. An engine hums."
    >>> boundaries = cw.Kamradt(max_chars=99, embedder=embedder, window=0)(text).boundaries
    >>> boundaries.positions.tolist(), boundaries.verdicts.tolist()
    ([11, 24], ['whole', 'score'])
    """

    positions: NDArray[np.int64]
    scores: NDArray[np.float64]
    codes: NDArray[np.int64]
    n_places: NDArray[np.int64]
    doc_index: NDArray[np.int64]
    thresholds: NDArray[np.float64]

    def __post_init__(self) -> None:
        for column in fields(self):
            getattr(self, column.name).flags.writeable = False

    @classmethod
    def of(cls, core: _core.Boundaries) -> Boundaries | None:
        """Return what the core found; None if it looked at no text."""
        import numpy as np

        text_ends = core.text_ends()
        if not text_ends:
            return None
        counts = np.diff(text_ends, prepend=0)
        return cls(
            positions=np.asarray(core.positions()),
            scores=np.asarray(core.scores()),
            codes=np.asarray(core.verdicts()),
            n_places=np.asarray(core.n_places()),
            doc_index=np.repeat(np.arange(len(text_ends)), counts),
            thresholds=np.array(core.thresholds()),
        )

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def verdicts(self) -> NDArray[np.str_]:
        """For each boundary ``"whole"``, or what the text was cut for, as a reason says."""
        import numpy as np

        verdicts = np.array(VERDICTS)[self.codes]
        verdicts.flags.writeable = False
        return verdicts

    def of_document(self, document: int) -> Boundaries:
        """Return those of one document, which then has the number 0."""
        first, last = self.doc_index.searchsorted([document, document + 1])
        rows = slice(int(first), int(last))
        return Boundaries(
            positions=self.positions[rows],
            scores=self.scores[rows],
            codes=self.codes[rows],
            n_places=self.n_places[rows],
            doc_index=self.doc_index[rows] - document,
            thresholds=self.thresholds[document : document + 1],
        )


class Endings(NamedTuple):
    """Ends of chunks, as the boundaries say.

    Attributes
    ----------
    scores
        For each chunk: the score of the boundary that it ends at; NaN if it ends at none.
    reasons
        For each chunk: why it ends there; None if no semantic strategy made it.
    n_places
        For each chunk that the limit ends: among how many boundaries within reach that one was
        chosen; 0 for every other chunk, and where it ends at no boundary.
    """

    scores: NDArray[np.float64]
    reasons: Sequence[Reason | None]
    n_places: NDArray[np.int64]

    @classmethod
    def of(cls, core: _core.Columns) -> Endings:
        """Return what the core found."""
        import numpy as np

        scores, reasons, n_places = core.endings()
        return cls(np.asarray(scores), reasons, np.asarray(n_places))

    @classmethod
    def unknown(cls, n_chunks: int) -> Endings:
        """Return those of chunks that no semantic strategy made."""
        import numpy as np

        nowhere = np.zeros(n_chunks, np.int64)
        return cls(np.full(n_chunks, np.nan), [None] * n_chunks, nowhere)
