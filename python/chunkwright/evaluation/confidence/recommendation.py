"""Recommendation of one run: the best, or of those as good the one that retrieves fewest tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError
from chunkwright.evaluation.confidence.bootstrap import check_share, scores_of
from chunkwright.evaluation.confidence.probability_best import Criteria, probability_best
from chunkwright.evaluation.confidence.questions_needed import POWER, questions_needed
from chunkwright.evaluation.scores.cutoffs import cutoff_of, tokens_name
from chunkwright.evaluation.scores.result import check_names
from chunkwright.messages.terminal_text import counted
from chunkwright.render import clipped

if TYPE_CHECKING:
    from chunkwright.evaluation.scores.cutoffs import Cutoff
    from chunkwright.evaluation.scores.result import Evaluation

MARGIN = 0.02
"""Default margin: how much worse than the best a run may be that is called as good."""

# Means that differ by less differ by rounding.
_DIGITS = 12
# Nobody asks more questions than these.
_MANY = 1_000_000
# Runs that a sentence names, and code points of each name.
_SHOWN, _LONGEST_NAME = 4, 80


@dataclass(frozen=True, kw_only=True)
class Recommendation:
    """A recommendation of a run, and how certain it is.

    Parameters
    ----------
    metric
        The metric that ranks runs.
    confidence
        The confidence of the intervals, from 0 to 1.
    margin
        How much worse than the best a run may be and still count as as good, from 0 to 1.
    power
        The probability with which `questions_needed` and `questions_to_choose` are enough.
    n_questions
        The number of questions.
    ranking
        The names of all runs, the highest mean first; of equal means, the run that retrieves fewer
        tokens comes first.
    tied
        The best run, and those that are shown to be as good, within the margin.
    undecided
        The runs that are shown to be neither as good nor worse.
    recommended
        The tied run that retrieves the fewest tokens. None if the questions are too few to choose:
        no run is shown to be as good as the best, and at least one is not shown to be worse.
    means, tokens
        The mean of the metric, and the mean of the tokens that a question retrieves, by name.
    probability_best
        The share of resamples in which a run is the best of all, by name.
    questions_needed
        The number of questions that would separate the first two runs; None if none would.
    questions_to_choose
        The number of questions that would be enough for a recommendation; None if there is one, or
        if only one question was asked.
    """

    metric: str
    confidence: float
    margin: float
    power: float
    n_questions: int
    ranking: tuple[str, ...]
    tied: tuple[str, ...]
    undecided: tuple[str, ...]
    recommended: str | None
    means: Mapping[str, float]
    tokens: Mapping[str, float]
    probability_best: Mapping[str, float]
    questions_needed: int | None
    questions_to_choose: int | None

    @property
    def best(self) -> str:
        """The name of the run with the highest mean."""
        return self.ranking[0]

    def sentences(self) -> list[str]:
        """Return the recommendation in words, as sentences; long names are shortened.

        The conclusion comes first, then the reasons.
        """
        said = (self._choice(), self._rank(), self._outlook())
        return [sentence for sentence in said if sentence]

    def _choice(self) -> str:
        if self.recommended is None:
            return self._too_few()
        percent = f"{100 * self.confidence:g} %"
        if not (others := self.tied[1:]):
            return (
                f"Take {_named(self.recommended)}: the {percent} interval of its difference to "
                f"each other run excludes 0."
            )
        unsure = ""
        if self.undecided:
            unsure = f" Of {_listed(self.undecided)} the questions do not tell."
        return (
            f"Take {_named(self.recommended)}: of {_listed(self.tied)} it retrieves the fewest "
            f"tokens, {self.tokens[self.recommended]:,.0f} a question. {_listed(others)} "
            f"{'is' if len(others) == 1 else 'are'} as good as {_named(self.best)}: worse by no "
            f"more than {_in_points(self.margin)}, by {percent} intervals."
            f"{unsure}"
        )

    def _too_few(self) -> str:
        needed, unsure = "", _listed(self.undecided)
        if self.questions_to_choose is not None:
            needed = (
                f": about {_number(self.questions_to_choose)} would do in {100 * self.power:g} % "
                "of evaluations, if the runs differ as they do here"
            )
        one = "The one asked does"
        asked = one if self.n_questions == 1 else f"The {self.n_questions:,} asked do"
        return (
            f"Too few questions to choose{needed}. {asked} not show whether {unsure} "
            f"{'is' if len(self.undecided) == 1 else 'are'} worse than {_named(self.best)}, or as "
            f"good within {_in_points(self.margin)}."
        )

    def _rank(self) -> str:
        mean = f"{100 * self.means[self.best]:.1f} %"
        first = round(self.means[self.best], _DIGITS)
        equal = [name for name in self.ranking if round(self.means[name], _DIGITS) == first]
        if len(equal) > 1:
            return (
                f"By {self.metric}, {_listed(equal)} lead with {mean} each; the one that "
                f"retrieves the fewest tokens is named first."
            )
        share = f"{100 * self.probability_best[self.best]:.0f} %"
        return (
            f"By {self.metric}, {_named(self.best)} leads with {mean}: it is the best of the "
            f"{len(self.ranking)} runs in {share} of resamples of the "
            f"{counted(self.n_questions, 'question')}."
        )

    def _outlook(self) -> str:
        """Say what would separate the first two, where they are not separated."""
        first, second = self.ranking[:2]
        if self.recommended is None or self.questions_needed is None or second not in self.tied:
            return ""
        return (
            f"About {_number(self.questions_needed)} questions separate {_named(first)} from "
            f"{_named(second)}, the second, in {100 * self.power:g} % of evaluations, if the "
            "difference is the one measured."
        )


def _named(name: str) -> str:
    return clipped(name, _LONGEST_NAME)


def _listed(names: Sequence[str]) -> str:
    """Name some runs: all, or the first of them and how many more there are."""
    shown = [_named(name) for name in names]
    if len(shown) > _SHOWN + 1:
        shown = [*shown[:_SHOWN], f"{len(shown) - _SHOWN} more"]
    *most, last = shown
    return f"{', '.join(most)} and {last}" if most else last


def _number(n: int) -> str:
    return f"{n:,}" if n <= _MANY else f"{_MANY:,} or more"


def _in_points(share: float) -> str:
    points = f"{100 * share:g}"
    return f"{points} {'point' if points == '1' else 'points'}"


def recommend(  # noqa: PLR0913 - options, all by name
    evaluations: Sequence[Evaluation],
    metric: str = "recall@5",
    *,
    confidence: float = 0.95,
    margin: float = MARGIN,
    power: float = POWER,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Recommendation:
    """Recommend one of several runs, or find that the questions are too few to choose.

    A run is *as good* as the best if it is at most the margin worse: the lower end of the interval
    of its paired difference to the best is not below ``-margin``, and there are enough questions to
    show this at all (183, for 2 points at 95 %). It is *worse* if the whole interval is below 0,
    and at least six questions differ. Otherwise it is *undecided*.

    Of the best run and those as good, the one that retrieves the fewest tokens is recommended: it
    gives the same answers for less. If all others are worse, the best is recommended. If none is as
    good and some are undecided, no run is recommended: there are too few questions.

    Parameters
    ----------
    evaluations
        Runs over the same questions, at least two, each with a name of its own.
    metric
        The metric that ranks them, with a cutoff, since others retrieve nothing.
    confidence, n_resamples, seed
        See :func:`chunkwright.evaluation.compare`.
    margin
        How much worse than the best a run may be and still count as as good, above 0 and below 1;
        0.02 is 2 percentage points.
    power
        See :func:`questions_needed`.

    Raises
    ------
    ConfigError
        If there are fewer than two runs, or two have one name; if the metric has no cutoff; if the
        margin is out of range; and as :func:`probability_best`.

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
    >>> found.best, found.undecided, found.recommended  # twelve questions tell little
    ('128 tokens', ('64 tokens',), None)
    """
    cutoff = _checked_cutoff(evaluations, metric)
    check_share("margin", margin)
    criteria = Criteria(
        confidence=confidence, margin=margin, power=power, n_resamples=n_resamples, seed=seed
    )
    shares = probability_best(evaluations, metric, n_resamples=n_resamples, seed=seed)
    means = {run.name: run.mean(metric) for run in evaluations}
    tokens = {run.name: run.mean(tokens_name(cutoff)) for run in evaluations}
    ranked = sorted(evaluations, key=lambda e: (-round(means[e.name], _DIGITS), tokens[e.name]))
    standings = criteria.standings(ranked, metric)
    tied = (ranked[0].name, *standings.as_good)
    is_open = bool(standings.undecided) and not standings.as_good
    return Recommendation(
        metric=metric,
        confidence=confidence,
        margin=margin,
        power=power,
        n_questions=len(ranked[0].dataset.questions),
        ranking=tuple(run.name for run in ranked),
        tied=tied,
        undecided=standings.undecided,
        # The first of equal ones is the better one.
        recommended=None if is_open else min(tied, key=lambda name: tokens[name]),
        means=means,
        tokens=tokens,
        probability_best=dict(zip(means, map(float, shares), strict=True)),
        questions_needed=questions_needed(
            ranked[0], ranked[1], metric, confidence=confidence, power=power
        ),
        questions_to_choose=standings.questions_to_choose,
    )


def _checked_cutoff(evaluations: Sequence[Evaluation], metric: str) -> Cutoff:
    names = [run.name for run in evaluations]
    if len(names) < 2:  # noqa: PLR2004
        raise ConfigError(f"a recommendation needs at least two runs, got {len(names)}")
    check_names(names)
    scores_of(evaluations[0], metric)
    cutoff = cutoff_of(metric)
    if cutoff is None:
        raise ConfigError(f"{metric} has no cutoff: nothing is retrieved that could settle a tie")
    return cutoff
