"""Content of a report: runs over the same questions, and their differences from a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict

from chunkwright.errors import ConfigError, nearest
from chunkwright.evaluation.confidence import Interval, Recommendation, compare, recommend
from chunkwright.evaluation.confidence.bootstrap import check_draws, check_share
from chunkwright.evaluation.confidence.recommendation import MARGIN
from chunkwright.evaluation.scores.cutoffs import checked_metric, cutoff_of, metric_name
from chunkwright.evaluation.scores.result import check_names

if TYPE_CHECKING:
    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.intrinsic import Measures
    from chunkwright.evaluation.scores.cutoffs import Cutoff
    from chunkwright.evaluation.scores.result import Evaluation


# Mean sizes that differ by more are not compared by numbers of hits.
_ALIKE_IN_SIZE = 1.1


class Resampling(TypedDict):
    """Options of all that resamples questions."""

    confidence: float
    n_resamples: int
    seed: int


@dataclass(frozen=True)
class Report:
    """A report of runs over the same questions, side by side.

    Parameters
    ----------
    evaluations
        The runs, in the order in which they are shown: at least one, each with a name of its own.
    baseline
        The name of the run with which the others are compared; None: no comparison.
    settings
        The configuration of the runs, if known, ready for JSON.
    rank_by
        The metric that ranks runs; None: recall at the first cutoff, or at the first budget of
        tokens if the mean sizes of runs differ by more than 10 %.
    confidence, n_resamples, seed
        Options of all intervals and probabilities; see :func:`chunkwright.evaluation.compare`.
    measures
        The results of :func:`chunkwright.evaluation.measure`, by the names of runs.
    margin
        How much worse than the best a run may be and still count as as good; see
        :func:`chunkwright.evaluation.recommend`.

    Raises
    ------
    ConfigError
        If two runs have the same name, or differ in questions or cutoffs; if no run has the name of
        the baseline; if an option makes no sense. It names what is wrong.
    """

    evaluations: Sequence[Evaluation]
    baseline: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    rank_by: str | None = None
    confidence: float = 0.95
    n_resamples: int = 10_000
    seed: int = 0
    measures: Sequence[Measures] = ()
    margin: float = MARGIN

    def __post_init__(self) -> None:
        if not self.evaluations:
            raise ConfigError("a report needs at least one run, got none")
        names = [run.name for run in self.evaluations]
        check_names(names)
        if self.baseline is not None and self.baseline not in names:
            raise ConfigError(
                f"no run is called {self.baseline!r}; {nearest(self.baseline, names)}"
            )
        for run in self.evaluations[1:]:
            self._check_alike(run)
        if self.rank_by is not None:
            checked_metric(self.rank_by, self.cutoffs)
        for each in self.measures:
            if each.name not in names:
                raise ConfigError(f"no run is called {each.name!r}; {nearest(each.name, names)}")
        check_share("confidence", self.confidence)
        check_share("margin", self.margin)
        check_draws(self.n_resamples, self.seed)

    def _check_alike(self, run: Evaluation) -> None:
        first = self.evaluations[0]
        if run.cutoffs != first.cutoffs:
            raise ConfigError(
                f"{run.name!r} has cutoffs {run.cutoffs!r}, {first.name!r} has {first.cutoffs!r}"
            )
        if run.dataset is not first.dataset and run.dataset.fingerprint != self.dataset.fingerprint:
            raise ConfigError(f"{run.name!r} was asked other questions than {first.name!r}")

    @property
    def dataset(self) -> Dataset:
        """The questions of all runs, and their corpora."""
        return self.evaluations[0].dataset

    @property
    def cutoffs(self) -> tuple[Cutoff, ...]:
        """The cutoffs of all runs."""
        return self.evaluations[0].cutoffs

    @property
    def lead(self) -> Cutoff:
        """The first cutoff, which pictures and comparisons use."""
        return self.cutoffs[0]

    @property
    def compared(self) -> list[str]:
        """The metrics that compare runs: recall and IoU."""
        budget = next(filter(_is_budget, self.cutoffs[1:]), None)
        names = [metric_name("recall", self.lead), metric_name("iou", self.lead)]
        return names if budget is None else [*names, metric_name("recall", budget)]

    @property
    def ranked_by(self) -> str:
        """The metric that ranks runs."""
        budget = next(filter(_is_budget, self.cutoffs), None)
        fair = budget if budget is not None and self._are_sizes_mixed else self.lead
        return self.rank_by or metric_name("recall", fair)

    @cached_property
    def _are_sizes_mixed(self) -> bool:
        """Whether a number of hits is more text in one run than in another."""
        sizes = [run.mean_tokens for run in self.evaluations if run.n_chunks]
        return bool(sizes) and max(sizes) > _ALIKE_IN_SIZE * min(sizes)

    @property
    def ranking_note(self) -> str:
        """A sentence on what runs are ranked by, and why; empty if nothing is ranked."""
        if self.recommendation is None:
            return ""
        sentence = f"Runs are ranked by {self.ranked_by}"
        cutoff = cutoff_of(self.ranked_by)
        if not self._are_sizes_mixed or (cutoff is not None and _is_budget(cutoff)):
            why = "their mean sizes differ by more than 10 %, and as many hits of larger chunks"
            is_why = self._are_sizes_mixed and self.rank_by is None and not _is_budget(self.lead)
            return f"{sentence}: {why} are more text." if is_why else f"{sentence}."
        favours = "which favours larger chunks, and their mean sizes differ by more than 10 %"
        return (
            f"{sentence}, {favours}: recall of a budget of tokens, such as recall@500t, is fairer."
        )

    @property
    def led_by(self) -> str:
        """The metric of the conclusion: that of the ranking, if runs are compared by it."""
        return self.ranked_by if self.ranked_by in self.compared else self.compared[0]

    @property
    def base(self) -> Evaluation | None:
        """The run with which the others are compared."""
        return next((run for run in self.evaluations if run.name == self.baseline), None)

    @cached_property
    def intervals(self) -> dict[tuple[str, str], Interval]:
        """The differences of the other runs from the baseline, by the names of run and metric.

        Without questions there are none.
        """
        base = self.base
        if base is None or not self.dataset.questions:
            return {}
        return {
            (run.name, metric): compare(run, base, metric, **self.resampling)
            for run in self.evaluations
            if run is not base
            for metric in self.compared
        }

    @cached_property
    def recommendation(self) -> Recommendation | None:
        """The recommendation of a run; None for a single run, or without questions."""
        if len(self.evaluations) == 1 or not self.dataset.questions:
            return None
        return recommend(self.evaluations, self.ranked_by, margin=self.margin, **self.resampling)

    @property
    def resampling(self) -> Resampling:
        """The options of all intervals and probabilities."""
        return {
            "confidence": self.confidence,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
        }


def _is_budget(cutoff: Cutoff) -> bool:
    return str(cutoff).endswith(("t", "f"))
