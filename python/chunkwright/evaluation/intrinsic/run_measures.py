"""Measures of the runs of a plan, with or without the evaluations that were made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from chunkwright.evaluation.chunkers.adapter import chunker_text
from chunkwright.evaluation.chunkers.placing import PlacedChunks, place, warn_of_lost_structure
from chunkwright.evaluation.intrinsic.measures import (
    Measures,
    checked_limit,
    cuts_of,
    measure_chunks,
)
from chunkwright.evaluation.intrinsic.shares import SizeLimit, limit_of
from chunkwright.evaluation.locating import Searched

if TYPE_CHECKING:
    from chunkwright.evaluation.intrinsic.structure import Structure
    from chunkwright.evaluation.run.plan import Plan, Run
    from chunkwright.evaluation.scores.result import Evaluation


def measure_run(run: Run, plan: Plan, structures: Sequence[Structure]) -> Measures:
    """Cut the corpora of a plan by one of its runs, and measure the chunks.

    Parameters
    ----------
    run, plan
        The run, and the plan that it is of.
    structures
        Those of the plan's corpora.

    Raises
    ------
    ConfigError, ModelError, TokenizerError
        As :func:`chunkwright.evaluation.measure`.
    """
    warn_of_lost_structure(run.name, run.chunker, plan.dataset)
    cuts = cuts_of(run.chunker, plan.dataset)
    chunks = place(cuts, plan.dataset.corpora, "offsets", plan.tokenizer)
    described, limit = chunker_text(run.chunker), _limit(run, plan)
    return measure_chunks(chunks, structures, name=run.name, chunker=described, limit=limit)


def measure_evaluation(
    evaluation: Evaluation, run: Run, plan: Plan, structures: Sequence[Structure]
) -> Measures:
    """Measure the chunks that were evaluated.

    Chunks that were placed where their texts stand first are placed in order again: what is
    measured is where they came from.

    Parameters
    ----------
    evaluation
        What was made of the run.
    run, plan, structures
        See :func:`measure_run`.

    Raises
    ------
    ConfigError
        If texts that begin alike cannot be found in reasonable time.
    """
    chunks = evaluation.chunks
    if evaluation.placement == "first_occurrence":
        chunks = _in_order(chunks, list(plan.dataset.corpora.values()))
    return measure_chunks(
        chunks,
        structures,
        name=evaluation.name,
        chunker=evaluation.chunker,
        limit=_limit(run, plan),
    )


def _limit(run: Run, plan: Plan) -> SizeLimit | None:
    if plan.size_limit is None:
        return limit_of(run.chunker)
    return checked_limit(plan.size_limit, plan.tokenizer)


def _in_order(chunks: PlacedChunks, corpora: Sequence[str]) -> PlacedChunks:
    """Return chunks where they are found one behind the other in what they were cut from."""
    places = []
    for corpus, text in enumerate(corpora):
        numbers = np.flatnonzero(chunks.cut_from == corpus).tolist()
        places += Searched(text).in_order(chunks.texts[i] for i in numbers)
    ranges = [found or (0, 0) for found in places]
    starts, ends = np.array(ranges, dtype=np.int64).reshape(-1, 2).T.copy()
    is_found = np.array([found is not None for found in places], dtype=np.bool_)
    return replace(
        chunks, corpora=np.where(is_found, chunks.cut_from, -1), starts=starts, ends=ends
    )
