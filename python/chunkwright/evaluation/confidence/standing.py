"""Standing of a run beside the best: as good, worse, or undecided, and what would decide it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwright.evaluation.confidence.bootstrap import interval, paired_differences
from chunkwright.evaluation.confidence.questions_needed import (
    least_to_differ,
    least_to_tie,
    n_needed,
    n_to_tie,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkwright.evaluation.scores.result import Evaluation

# Means that differ by less differ by rounding.
_ROUNDING = 1e-12


class Standing(Enum):
    """Verdict of the questions on a run beside the best."""

    AS_GOOD = "as good"
    WORSE = "worse"
    UNDECIDED = "undecided"


class Standings(NamedTuple):
    """Runs beside the best, by their standing.

    Parameters
    ----------
    as_good, undecided
        The names of those that are shown to be as good, and of those that are neither that nor
        shown to be worse.
    questions_to_choose
        How many questions would decide; None if a run is as good, if none is undecided, or if
        nothing follows from those asked.
    """

    as_good: tuple[str, ...]
    undecided: tuple[str, ...]
    questions_to_choose: int | None


@dataclass(frozen=True, kw_only=True)
class Criteria:
    """Options that decide whether a run is as good as the best.

    Parameters
    ----------
    confidence, n_resamples, seed
        Those of the intervals.
    margin
        How much worse than the best a run may be that is called as good.
    power
        How often a number of questions would do.
    """

    confidence: float
    margin: float
    power: float
    n_resamples: int
    seed: int

    def standing(self, differences: NDArray[np.float64]) -> Standing:
        """Return the standing of a run, by its scores less those of the best."""
        low, high = interval(
            differences,
            confidence=self.confidence,
            n_resamples=self.n_resamples,
            seed=self.seed,
        )
        n_least = least_to_tie(self.margin, self.confidence)
        if low >= -self.margin - _ROUNDING and len(differences) >= n_least:
            return Standing.AS_GOOD
        n_different = np.count_nonzero(np.abs(differences) > _ROUNDING)
        if high < 0 and n_different >= least_to_differ(self.confidence):
            return Standing.WORSE
        return Standing.UNDECIDED

    def standings(self, ranked: Sequence[Evaluation], metric: str) -> Standings:
        """Return the standings of runs beside the first of them."""
        best, *others = ranked
        differences = {run.name: paired_differences(run, best, metric) for run in others}
        found = {name: self.standing(each) for name, each in differences.items()}
        as_good = tuple(name for name, each in found.items() if each is Standing.AS_GOOD)
        unsure = tuple(name for name, each in found.items() if each is Standing.UNDECIDED)
        open_ones = [] if as_good else [differences[name] for name in unsure]
        return Standings(as_good, unsure, self._to_choose(open_ones) if open_ones else None)

    def _to_choose(self, undecided: Sequence[NDArray[np.float64]]) -> int | None:
        """Return how many questions show that one of these runs is as good, or all are worse."""
        likely = {"confidence": self.confidence, "power": self.power}
        ties = [n_to_tie(each, margin=self.margin, **likely) for each in undecided]
        losses = [n_needed(each, **likely) for each in undecided]
        enough = [n for n in ties if n is not None]
        known = [n for n in losses if n is not None]
        if len(known) == len(losses):
            enough.append(max(known))
        # The asked ones were not enough, whatever the approximation says.
        return max(min(enough), len(undecided[0]) + 1) if enough else None
