"""Results of an evaluation: a number for each question and metric, with means and spreads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chunkwright.errors import ConfigError, nearest
from chunkwright.evaluation.scores.cutoffs import Cutoff, Ranked, hits_within, tokens_name
from chunkwright.evaluation.scores.passages import passages_of, with_parts
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.chunkers.placing import PlacedChunks
    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.scores.cutoffs import Cutoff, Ranked
    from chunkwright.evaluation.scores.passages import Parts
    from chunkwright.retrieval import Hits


def retrieved_tokens(
    cutoff: Cutoff, hits: Ranked, n_tokens: NDArray[np.int64], holding: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many tokens the hits of each question have that a cutoff takes.

    Each hit is counted, also where hits overlap or say the same.

    Parameters
    ----------
    cutoff
        How many hits count.
    hits
        What was found.
    n_tokens
        Tokens of what hits are numbers of.
    holding
        For each question, how many chunks hold one of its excerpts.
    """
    offsets, taken = hits_within(cutoff, hits, n_tokens, holding)
    sums = np.zeros(len(taken) + 1, dtype=np.int64)
    np.cumsum(n_tokens[taken], out=sums[1:])
    return np.diff(sums[offsets])


def check_names(names: Sequence[str]) -> None:
    """Raise :class:`ConfigError` if two runs have one name."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ConfigError(f"two runs are called {name!r}: give each a name of its own")


STEPS = ("chunking", "embedding", "searching", "scoring")
"""Steps that time is spent on."""

# What a repr shows of the scores.
_SHOWN = 3


class Spread(NamedTuple):
    """The mean and the spread of the scores of some questions.

    Attributes
    ----------
    mean
        Their mean.
    std
        Their standard deviation, that of a population (the report's ±).
    n
        The number of questions.
    """

    mean: float
    std: float
    n: int


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The result of evaluating a chunker and a retriever on a dataset; see :func:`evaluate`.

    Parameters
    ----------
    name
        The name of the run.
    chunker, retriever
        The chunker and the retriever, in words.
    placement
        How chunks got their places.
    dataset
        The corpora and questions.
    cutoffs
        The cutoffs: how many hits count.
    scores
        For each metric, a score from 0 to 1 for each question, float64, shape ``(q,)``.
    chunks
        The chunks and their places.
    hits
        The hits of each question, as many as the largest cutoff needs.
    holding
        For each question, the number of chunks that contain a part of its excerpts.
    seconds
        The time spent on ``"chunking"``, ``"embedding"``, ``"searching"`` and ``"scoring"``.
    hit_tokens
        The tokens of each trimmed hit; None if hits are whole chunks.
    twins
        The names of the runs with which its retrieval failures are compared.
    parts
        The parts of hits that fill each filled budget, such as ``"500f"``.
    """

    name: str
    chunker: str
    retriever: str
    placement: str
    dataset: Dataset
    cutoffs: tuple[Cutoff, ...]
    scores: Mapping[str, NDArray[np.float64]]
    chunks: PlacedChunks
    hits: Hits
    holding: NDArray[np.int64]
    seconds: Mapping[str, float]
    hit_tokens: NDArray[np.int64] | None = None
    twins: tuple[str, ...] = ()
    parts: Mapping[Cutoff, Parts] = field(default_factory=dict)

    @property
    def metrics(self) -> list[str]:
        """The names of all metrics."""
        return list(self.scores)

    @property
    def n_chunks(self) -> int:
        """The number of chunks."""
        return len(self.chunks)

    @property
    def mean_tokens(self) -> float:
        """Mean tokens of a chunk; 0 without chunks."""
        return float(self.chunks.n_tokens.mean()) if self.n_chunks else 0.0

    @property
    def unplaced(self) -> list[str]:
        """The texts of the chunks that are not found in their corpus, and so cover nothing."""
        return self.chunks.unplaced

    @property
    def passages(self) -> tuple[Ranked, PlacedChunks]:
        """The hits as numbers of passages, and the passages: chunks, or the parts that are left."""
        found = passages_of(self.hits, self.chunks, self.hit_tokens)
        return with_parts(*found, self.parts, self.chunks)

    @cached_property
    def retrieved_tokens(self) -> Mapping[str, NDArray[np.int64]]:
        """The tokens of each question's hits at each cutoff, as ``"retrieved_tokens@5"``.

        It is the cost of an answer, since a model, or a person, reads all of them. `mean`, `std`
        and `by_corpus` take these names, too.
        """
        hits, passages = self.passages
        return {
            tokens_name(cutoff): retrieved_tokens(cutoff, hits, passages.n_tokens, self.holding)
            for cutoff in self.cutoffs
        }

    def mean(self, metric: str) -> float:
        """Return the mean of a metric over all questions; 0 without questions.

        Raises
        ------
        ConfigError
            If there is no such metric.
        """
        return _spread(self._column(metric)).mean

    def std(self, metric: str) -> float:
        """Return the standard deviation of a metric over all questions (of a population).

        Raises
        ------
        ConfigError
            If there is no such metric.
        """
        return _spread(self._column(metric)).std

    def by_corpus(self, metric: str) -> dict[str, Spread]:
        """Return mean, standard deviation and number of the questions of each corpus.

        Corpora without questions are left out.

        Raises
        ------
        ConfigError
            If there is no such metric.
        """
        column = self._column(metric)
        return {name: _spread(column[rows]) for name, rows in self._rows().items()}

    def summary(self) -> dict[str, Any]:
        """Return all numbers except those of single questions, as plain values for JSON."""
        return {
            "name": self.name,
            "chunker": self.chunker,
            "retriever": self.retriever,
            "placement": self.placement,
            "cutoffs": list(self.cutoffs),
            "dataset": {
                "name": self.dataset.name,
                "fingerprint": self.dataset.fingerprint,
                "n_corpora": len(self.dataset.corpora),
                "n_questions": len(self.dataset.questions),
                "n_problems": len(self.dataset.problems),
            },
            "n_chunks": self.n_chunks,
            "mean_tokens": self.mean_tokens,
            "n_unplaced": len(self.unplaced),
            "scores": {metric: _spread(self.scores[metric])._asdict() for metric in self.scores},
            "retrieved_tokens": {
                name: _spread(n_tokens)._asdict()
                for name, n_tokens in self.retrieved_tokens.items()
            },
            "corpora": self._corpora(),
            "seconds": dict(self.seconds),
        }

    def _corpora(self) -> dict[str, dict[str, dict[str, float]]]:
        rows, columns = self._rows(), {**self.scores, **self.retrieved_tokens}
        return {
            name: {column: _spread(each[own])._asdict() for column, each in columns.items()}
            for name, own in rows.items()
        }

    def _rows(self) -> dict[str, list[int]]:
        """Return the numbers of the questions of each corpus that has some."""
        rows: dict[str, list[int]] = {name: [] for name in self.dataset.corpora}
        for row, question in enumerate(self.dataset.questions):
            rows[question.corpus].append(row)
        return {name: own for name, own in rows.items() if own}

    def _column(self, metric: str) -> NDArray[np.float64] | NDArray[np.int64]:
        if metric in self.scores:
            return self.scores[metric]
        if metric not in self.retrieved_tokens:
            raise ConfigError(f"unknown metric {metric!r}: {nearest(metric, self.metrics)}")
        return self.retrieved_tokens[metric]

    def _repr_html_(self) -> str:
        from chunkwright.render.notebook import scores_display

        facts = [
            f"{self.n_chunks:,} chunks of {self.mean_tokens:.0f} tokens on average",
            counted(len(self.dataset.questions), "question"),
            self.chunker,
            self.retriever,
        ]
        return scores_display(self.name, facts, {each: self.mean(each) for each in self.metrics})

    def __repr__(self) -> str:
        means = [f"{metric} {self.mean(metric):.3f}" for metric in self.metrics[:_SHOWN]]
        of = f"{self.n_chunks} chunks, {len(self.dataset.questions)} questions"
        return f"<Evaluation {self.name!r}: {', '.join([*means, of])}>"


def _spread(scores: NDArray[Any]) -> Spread:
    if not len(scores):
        return Spread(0.0, 0.0, 0)
    return Spread(float(scores.mean()), float(scores.std()), len(scores))
