"""Words of a report: its conclusion, and what its columns and marks mean, a plain line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.evaluation.confidence.failures import METRIC, TOP
from chunkwright.evaluation.report.score_tables import ABOUT, ABOUT_OMEGA, ABOUT_TOKENS, described
from chunkwright.evaluation.scores.cutoffs import cutoff_of, is_filled
from chunkwright.messages.terminal_text import counted
from chunkwright.render import clipped

if TYPE_CHECKING:
    from chunkwright.evaluation.confidence.bootstrap import Interval
    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.cutoffs import Cutoff


UNKNOWN = "No question was asked, so the numbers say nothing of what a search finds."
# Runs that a sentence names before it only counts them, and code points of a name.
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
    verdicts = [
        _scores(runs, side) for runs, side in ((higher, "higher"), (lower, "lower")) if runs
    ]
    than = f"than the baseline {_named([baseline])}"
    if not verdicts:
        return f"By {metric}, {asked} do not show that any run is better or worse {than}."
    rest = f"; of {_named(unsure)} the difference may be chance" if unsure else ""
    percent = f"{100 * report.confidence:g} %"
    verdict = " and ".join(verdicts)
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


Lines = list[tuple[str, str]]
"""A term, and its explanation."""

BAR = (
    "the interval, drawn: right of the line in its middle is more than the baseline, left of it "
    "less; green is better, red is worse, and a grey bar may be chance"
)
MISSED = (
    f"mean over questions of the share of the excerpts that is not in the first {TOP} hits: less "
    "is better"
)
SMOOTHED = (
    "the score of a chunk takes in a part of those of the chunks beside it in the text, which "
    "often speak of the same"
)


def brief_legend(report: Report) -> Lines:
    """Explain the table that a first reader sees."""
    lines = []
    if report.base is not None:
        lines += _of_differences(report)
    lines += [
        ("chunks", "how many there are, of all corpora"),
        ("size", "mean tokens of a chunk"),
        ("recall", f"{ABOUT['recall']}: whether the answer can be given"),
        ("tokens read", ABOUT_TOKENS),
    ]
    shown = {cutoff_of(metric) for metric in (report.ranked_by, *report.compared)}
    return lines + _cutoffs([cutoff for cutoff in report.cutoffs if cutoff in shown])


def _of_differences(report: Report) -> Lines:
    percent = f"{100 * report.confidence:g} %"
    return [
        ("baseline", f"the run that the others are compared with: {report.baseline}"),
        ("Δ", f"difference to the baseline in points of percent, with its {percent} interval"),
        ("bar", BAR),
    ]


def twin_legend(report: Report) -> Lines:
    """Explain the table of twins."""
    percent = f"{100 * report.confidence:g} %"
    return [
        ("twin", "the same run without contexts, or without a reranker"),
        (METRIC, MISSED),
        ("reduction", "what is less than the twin's, as a part of that"),
        ("Δ", f"the share less the twin's, in points of percent, with its {percent} interval"),
    ]


def full_legend(report: Report) -> Lines:
    """Explain what the table of all metrics has besides."""
    lines = [
        ("precision", f"{ABOUT['precision']}: low where hits hold much else"),
        ("IoU", f"{ABOUT['iou']}: high where hits hold the answer and little else"),
        ("Ω", f"omega: {ABOUT_OMEGA}"),
        ("±", "standard deviation over the questions"),
        ("bold", "the best of its column"),
    ]
    if report.recommendation is not None:
        about = "share of resamples of the questions in which a run is the best of all by"
        last = "of equal ones, that which reads the fewest tokens"
        lines.append(("P(best)", f"{about} {report.ranked_by}; {last}"))
    return lines + _cutoffs([each for each in report.cutoffs if str(each) == "min"])


def retriever_legend(report: Report) -> Lines:
    """Explain words in the descriptions of retrievers."""
    is_smoothed = any("smoothed" in run.retriever for run in report.evaluations)
    return [("smoothed", SMOOTHED)] if is_smoothed else []


def _cutoffs(cutoffs: list[Cutoff]) -> Lines:
    return [(described(cutoff), _about(cutoff)) for cutoff in cutoffs]


def _about(cutoff: Cutoff) -> str:
    shown = str(cutoff)
    if shown == "min":
        return "as many of the first hits count as there are chunks with a part of the answer"
    if is_filled(cutoff):
        rest = "and of the next one the best run of whole sentences that does"
        return f"as many of the first hits count as fit into so many tokens, {rest}"
    if shown.endswith("t"):
        fair = "the fair way to compare sizes"
        return f"as many of the first hits count as fit into so many tokens: {fair}"
    return "so many of the first hits count"
