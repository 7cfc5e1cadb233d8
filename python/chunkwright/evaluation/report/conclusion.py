"""Conclusion of a report: one plain sentence that says what its numbers allow to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.messages.terminal_text import counted
from chunkwright.render import clipped

if TYPE_CHECKING:
    from chunkwright.evaluation.confidence.bootstrap import Interval
    from chunkwright.evaluation.report.report import Report

UNKNOWN = "No question was asked, so the numbers say nothing of what a search finds."
# Of more runs the number is said; of a name so many code points.
_MOST_NAMED, _LONGEST_NAME = 3, 80


def conclusion(report: Report) -> str:
    """Return what the numbers allow to conclude, as one sentence.

    With a baseline it says which runs score higher or lower than that, and of which the questions
    do not tell; without one, whether the questions allow to choose a run. Nothing is concluded of
    a single run.
    """
    n_questions = len(report.dataset.questions)
    if not n_questions:
        return UNKNOWN
    asked = counted(n_questions, "question")
    if len(report.evaluations) == 1:
        return f"One run was asked {asked}: with none beside it, it is neither better nor worse."
    if report.baseline is not None:
        return _against(report.baseline, report, asked)
    found = report.recommendation
    if found is None or found.recommended is None:
        return f"By {report.ranked_by}, {asked} do not show which run to take."
    taken = _named([found.recommended])
    return f"By {report.ranked_by}, {asked} show that {taken} is the run to take."


def _against(baseline: str, report: Report, asked: str) -> str:
    """Sort the runs by what their intervals say of the baseline, and name them."""
    metric = report.led_by
    found = [(run.name, report.intervals.get((run.name, metric))) for run in report.evaluations]
    known = [(name, interval) for name, interval in found if interval is not None]
    higher = [each for each in known if each[1].low > 0]
    lower = [each for each in known if each[1].high < 0]
    unsure = [name for name, each in known if not each.excludes_zero]
    said = [_scores(runs, side) for runs, side in ((higher, "higher"), (lower, "lower")) if runs]
    than = f"than the baseline {_named([baseline])}"
    if not said:
        return f"By {metric}, {asked} do not show that any run is better or worse {than}."
    rest = f"; of {_named(unsure)} the difference may be chance" if unsure else ""
    percent = f"{100 * report.confidence:g} %"
    verdict = " and ".join(said)
    return f"By {metric} and {asked}, {verdict} {than}, with {percent} confidence{rest}."


def _scores(runs: list[tuple[str, Interval]], side: str) -> str:
    if len(runs) > 1:
        return f"{_named([name for name, _ in runs])} score {side}"
    ((name, interval),) = runs
    return f"{_named([name])} scores {100 * abs(interval.difference):.1f} points {side}"


def _named(names: list[str]) -> str:
    if len(names) > _MOST_NAMED:
        return f"{len(names):,} runs"
    *most, last = (f"“{clipped(name, _LONGEST_NAME)}”" for name in names)
    return f"{', '.join(most)} and {last}" if most else last
