"""Legend of a report: what its columns and marks mean, a plain line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.evaluation.confidence.failures import METRIC, TOP
from chunkwright.evaluation.report.tables import ABOUT, ABOUT_OMEGA, ABOUT_TOKENS, described
from chunkwright.evaluation.scores.cutoffs import cutoff_of, is_filled

if TYPE_CHECKING:
    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.cutoffs import Cutoff

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
