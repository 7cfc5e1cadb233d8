"""Metrics of retrieval: recall, precision, intersection over union and omega of each question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, get_args

import numpy as np

from chunkwright import _core
from chunkwright.checks import checked_name
from chunkwright.errors import ConfigError
from chunkwright.evaluation.chunkers.placing import Placement
from chunkwright.evaluation.scores.cutoffs import KINDS, Cutoff, Ranked, hits_within, metric_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.chunkers.placing import PlacedChunks
    from chunkwright.evaluation.data.dataset import Dataset

OMEGA = "precision_omega"
"""The metric that depends on boundaries alone, and on no cutoff."""


def excerpts_of(dataset: Dataset, placement: Placement = "offsets") -> _core.Excerpts:
    """Return the excerpts of a dataset's questions, ready to score with.

    Parameters
    ----------
    dataset
        The corpora and questions.
    placement
        With ``"any_occurrence"`` an excerpt counts as covered wherever its text stands in its
        corpus, and each corpus is searched for it.

    Raises
    ------
    ConfigError
        If the placement is unknown.
    """
    check_placement(placement)
    questions = dataset.questions
    numbers = {name: i for i, name in enumerate(dataset.corpora)}
    excerpts = [excerpt for question in questions for excerpt in question.excerpts]
    columns = (
        _integers(numbers[question.corpus] for question in questions),
        _offsets(len(question.excerpts) for question in questions),
        _integers(excerpt.start for excerpt in excerpts),
        _integers(excerpt.end for excerpt in excerpts),
    )
    if placement != "any_occurrence":
        return _core.Excerpts(*columns)
    return _core.Excerpts(*columns, *_occurrences(dataset))


def _occurrences(dataset: Dataset) -> tuple[memoryview, memoryview]:
    """Return where the text of each excerpt stands: offsets and starts."""
    known: dict[tuple[str, str], NDArray[np.int64]] = {}
    starts = []
    for question in dataset.questions:
        for excerpt in question.excerpts:
            sought = (question.corpus, excerpt.text)
            if sought not in known:
                text = dataset.corpora[question.corpus]
                known[sought] = np.asarray(_core.all_occurrences(text, excerpt.text))
            starts.append(known[sought])
    flat = np.concatenate([np.empty(0, dtype=np.int64), *starts])
    return _offsets(map(len, starts)), flat.data


def omega(
    excerpts: _core.Excerpts, chunks: PlacedChunks
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return precision omega of each question, and how many chunks hold one of its excerpts.

    Omega is the intersection over union of the excerpts and all chunks that hold a part of one, or
    touch one: what a search that finds just these could reach. Only the places where excerpts were
    recorded are looked at, with every placement.

    Parameters
    ----------
    excerpts
        Those of all questions.
    chunks
        All chunks and their places.
    """
    omegas, holding = excerpts.omega(places_of(chunks))
    return np.asarray(omegas), np.asarray(holding)


def score(
    excerpts: _core.Excerpts,
    passages: PlacedChunks,
    hits: Ranked,
    cutoffs: Iterable[Cutoff],
    holding: NDArray[np.int64],
) -> dict[str, NDArray[np.float64]]:
    """Score what was found for each question.

    Parameters
    ----------
    excerpts
        Those of all questions.
    passages
        What hits are numbers of, with places: the chunks, or what was left of them.
    hits
        What was found for each question, at least as much as the largest cutoff takes.
    cutoffs
        How many hits count.
    holding
        How many chunks hold one of each question's excerpts; see :func:`omega`.

    Returns
    -------
    dict
        For each metric a number from 0 to 1 for each question.

    Raises
    ------
    ConfigError
        If hits are not of these questions and passages.
    """
    if len(hits.offsets) != len(holding) + 1:
        raise ConfigError(f"hits of {len(hits.offsets) - 1} questions, scored for {len(holding)}")
    places = places_of(passages)
    scores = {}
    for cutoff in cutoffs:
        offsets, indices = hits_within(cutoff, hits, passages.n_tokens, holding)
        columns = excerpts.score(places, offsets.data, indices.data)
        for kind, column in zip(KINDS, columns, strict=True):
            scores[metric_name(kind, cutoff)] = np.asarray(column)
    return scores


def places_of(chunks: PlacedChunks) -> _core.Places:
    """Return where chunks stand, ready to score with.

    Parameters
    ----------
    chunks
        All chunks and their places.

    Raises
    ------
    ConfigError
        If a place is none, naming it.
    """
    columns = (chunks.corpora, chunks.starts, chunks.ends)
    corpora, starts, ends = (np.asarray(column, dtype=np.int64).data for column in columns)
    return _core.Places(corpora, starts, ends)


def check_placement(placement: str) -> None:
    """Raise :class:`ConfigError` if there is no such placement.

    Parameters
    ----------
    placement
        Its name.
    """
    checked_name("placement", placement, get_args(Placement))


def _integers(values: Iterable[int]) -> memoryview:
    return np.fromiter(values, dtype=np.int64).data


def _offsets(sizes: Iterable[int]) -> memoryview:
    return np.cumsum([0, *sizes], dtype=np.int64).data
