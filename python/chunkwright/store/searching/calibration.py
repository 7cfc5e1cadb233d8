"""Calibration of a search: the floor and the gate that suit labelled questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from chunkwright.embed import as_embedder
from chunkwright.store.searching.candidates import Thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.retrieval.options import Options
    from chunkwright.store.database.protocol import Session

# Of the hits that answer, so many are to be over the floor, and over the gate.
OVER_FLOOR, OVER_GATE = 0.98, 0.75


@dataclass(frozen=True)
class Calibration:
    """Floor and gate of a retriever, and what they were taken from.

    Attributes
    ----------
    floor
        The score that 98 of 100 hits that answer have at least.
    gate
        The score that 75 of 100 hits that answer have at least.
    n_questions
        How many questions there were.
    n_answered
        How many of them had a hit that answers.
    precision_over_gate
        The share of first hits over the gate that answer.
    """

    floor: float
    gate: float
    n_questions: int
    n_answered: int
    precision_over_gate: float


def calibration_of(scores: Sequence[tuple[float, bool]], n_questions: int) -> Calibration | None:
    """Return floor and gate by the scores of hits, and whether each answers its question.

    None: no hit answers.

    Parameters
    ----------
    scores
        For each question that has an answer among its hits the score of the best that answers,
        with True; for each question the score of the first hit that does not, with False.
    n_questions
        How many questions there were.
    """
    right = sorted(score for score, answers in scores if answers)
    if not right:
        return None
    floor, gate = (_quantile(right, 1 - share) for share in (OVER_FLOOR, OVER_GATE))
    over = [answers for score, answers in scores if score >= gate]
    return Calibration(
        floor, max(floor, gate), n_questions, len(right), sum(over) / max(1, len(over))
    )


def write_thresholds(session: Session, options: Options, found: Calibration) -> None:
    """Keep floor and gate for a retriever."""
    name = _name(options)
    session.run("DELETE FROM state WHERE name = ?", (name,))
    session.insert("state", [(name, json.dumps({"floor": found.floor, "gate": found.gate}))])


def thresholds_of(session: Session, options: Options) -> Thresholds:
    """Return the floor and the gate that are kept for a retriever, if any are."""
    row = session.row("SELECT value FROM state WHERE name = ?", (_name(options),))
    return Thresholds() if row is None else Thresholds(**json.loads(row[0]))


def _name(options: Options) -> str:
    """Return the name of what is kept for a retriever: scores of others mean something else."""
    embedder = "" if options.embedder is None else as_embedder(options.embedder).fingerprint
    scored = (
        *(options.words, options.k1, options.b, options.subwords, options.fusion),
        *(options.word_weight, options.neighbour_smoothing),
    )
    return f"thresholds {sha256(repr((embedder, scored)).encode()).hexdigest()[:32]}"


def _quantile(ascending: Sequence[float], share: float) -> float:
    """Return the greatest number that no more than that share of the others is below."""
    return ascending[min(len(ascending) - 1, int(share * len(ascending)))]
