"""Recommendation of one run: the best, or of those as good the one that retrieves fewest tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError
from chunkwright.evaluation.confidence.bootstrap import compare, scores_of
from chunkwright.evaluation.confidence.probability_best import probability_best
from chunkwright.evaluation.confidence.questions_needed import POWER, questions_needed
from chunkwright.evaluation.cutoffs import cutoff_of, tokens_name
from chunkwright.render import clipped
from chunkwright.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.evaluation.cutoffs import Cutoff
    from chunkwright.evaluation.result import Evaluation

# Means that differ by less differ by rounding.
_DIGITS = 12
# More questions than these nobody asks.
_MANY = 1_000_000
# Of the runs that are as good, so many are named, with so many code points each.
_SHOWN, _LONGEST_NAME = 4, 80


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """Which run to take, and how sure that is.

    Parameters
    ----------
    metric
        What runs are ranked by.
    confidence
        That of the intervals, from 0 to 1.
    power
        How often `questions_needed` questions would separate the first two.
    n_questions
        How many questions were asked.
    ranking
        The names of all runs, the highest mean first; of equal ones the one that retrieves fewer
        tokens.
    tied
        The first of them, and those whose difference to it has an interval that includes 0.
    recommended
        Of those tied, the one that retrieves the fewest tokens.
    means, tokens
        By name, the mean of the metric, and the mean tokens retrieved for a question.
    probability_best
        By name, the share of resamples in which a run is the best of all.
    questions_needed
        How many questions would separate the first two; None if they cannot be separated.
    """

    metric: str
    confidence: float
    power: float
    n_questions: int
    ranking: tuple[str, ...]
    tied: tuple[str, ...]
    recommended: str
    means: Mapping[str, float]
    tokens: Mapping[str, float]
    probability_best: Mapping[str, float]
    questions_needed: int | None

    @property
    def best(self) -> str:
        """The name of the run with the highest mean."""
        return self.ranking[0]

    def sentences(self) -> list[str]:
        """Say it in words, a sentence or two at a time; long names are shortened."""
        return [self._rank(), self._choice(), self._outlook()]

    def _rank(self) -> str:
        share = f"{100 * self.probability_best[self.best]:.0f} %"
        return (
            f"By {self.metric}, {_named(self.best)} leads with {100 * self.means[self.best]:.1f} "
            f"%: it is the best of the {len(self.ranking)} runs in {share} of resamples of the "
            f"{counted(self.n_questions, 'question')}."
        )

    def _choice(self) -> str:
        percent, others = f"{100 * self.confidence:g} %", self.tied[1:]
        if not others:
            return (
                f"Take {_named(self.recommended)}: the {percent} interval of its difference to "
                f"each other run excludes 0."
            )
        named = ", ".join(map(_named, others[:_SHOWN]))
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        return (
            f"The {percent} interval of its difference to {named}{more} includes 0. Of these and "
            f"{_named(self.best)}, take {_named(self.recommended)}, which retrieves the fewest "
            f"tokens: {self.tokens[self.recommended]:,.0f} a question."
        )

    def _outlook(self) -> str:
        first, second = map(_named, self.ranking[:2])
        if self.questions_needed is None:
            return f"{first} and {second}, the first two, cannot be separated."
        many = self.questions_needed > _MANY
        number = f"More than {_MANY:,}" if many else f"About {self.questions_needed:,}"
        return (
            f"{number} questions separate {first} from {second}, the second, in "
            f"{100 * self.power:g} % of evaluations, if the difference is the one measured."
        )


def _named(name: str) -> str:
    return clipped(name, _LONGEST_NAME)


def recommend(  # noqa: PLR0913 - options, all by name
    evaluations: Sequence[Evaluation],
    metric: str = "recall@5",
    *,
    confidence: float = 0.95,
    power: float = POWER,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Recommendation:
    """Say which of several runs to take, and how sure that is.

    A run is as good as the best if the interval of their paired difference includes 0. Of the best
    and all that are as good, the one is recommended that retrieves the fewest tokens: the same
    answers for less.

    Parameters
    ----------
    evaluations
        Runs over the same questions, at least two, each with a name of its own.
    metric
        What they are ranked by: one with a cutoff, as others retrieve nothing.
    confidence, n_resamples, seed
        See :func:`chunkwright.evaluation.compare`.
    power
        See :func:`questions_needed`.

    Raises
    ------
    ConfigError
        If there are less than two runs, or two of one name; if the metric has no cutoff, or as
        :func:`probability_best`.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, evaluate, recommend
    >>> folder = "examples/evaluation"
    >>> data = Dataset.read(f"{folder}/corpora", f"{folder}/questions.jsonl")
    >>> runs = [
    ...     evaluate(cw.Recursive(max_tokens=n), data, cutoffs=3, name=f"{n} tokens")
    ...     for n in (64, 128)
    ... ]
    >>> found = recommend(runs, "recall@3")
    >>> found.best, found.tied, found.recommended
    ('128 tokens', ('128 tokens', '64 tokens'), '64 tokens')
    """
    cutoff = _checked_cutoff(evaluations, metric)
    shares = probability_best(evaluations, metric, n_resamples=n_resamples, seed=seed)
    means = {run.name: run.mean(metric) for run in evaluations}
    tokens = {run.name: run.mean(tokens_name(cutoff)) for run in evaluations}
    ranked = sorted(evaluations, key=lambda e: (-round(means[e.name], _DIGITS), tokens[e.name]))
    best, *others = ranked
    tied = [best.name]
    for run in others:
        interval = compare(
            best, run, metric, confidence=confidence, n_resamples=n_resamples, seed=seed
        )
        if not interval.excludes_zero:
            tied.append(run.name)
    return Recommendation(
        metric=metric,
        confidence=confidence,
        power=power,
        n_questions=len(best.dataset.questions),
        ranking=tuple(run.name for run in ranked),
        tied=tuple(tied),
        # The first of equal ones is the better one.
        recommended=min(tied, key=lambda name: tokens[name]),
        means=means,
        tokens=tokens,
        probability_best={
            run.name: float(share) for run, share in zip(evaluations, shares, strict=True)
        },
        questions_needed=questions_needed(
            best, others[0], metric, confidence=confidence, power=power
        ),
    )


def _checked_cutoff(evaluations: Sequence[Evaluation], metric: str) -> Cutoff:
    names = [run.name for run in evaluations]
    if len(names) < 2:  # noqa: PLR2004
        raise ConfigError(f"a recommendation needs at least two runs, got {len(names)}")
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ConfigError(f"two runs are called {name!r}")
    scores_of(evaluations[0], metric)
    cutoff = cutoff_of(metric)
    if cutoff is None:
        raise ConfigError(f"{metric} has no cutoff: nothing is retrieved that could settle a tie")
    return cutoff
