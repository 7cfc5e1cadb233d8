"""A report as one page of HTML that needs nothing else: no script, no font, no connection."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from chunkwright.evaluation.cutoffs import KINDS, Kind, metric_name
from chunkwright.evaluation.report.json import versions
from chunkwright.evaluation.report.markup import clipped, element, escaped, named, percent
from chunkwright.evaluation.report.page import case, table
from chunkwright.evaluation.report.style import STYLE
from chunkwright.evaluation.report.svg.bars import Bar, interval_bars
from chunkwright.evaluation.report.svg.scatter import Point, scatter
from chunkwright.evaluation.report.tables import corpus_table, described, in_words, summary_table
from chunkwright.evaluation.report.worst import worst_cases
from chunkwright.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.evaluation.report.facts import Report
    from chunkwright.evaluation.result import Evaluation

# What is listed and not counted: problems, chunks that stand nowhere, and code points of each.
MOST_LISTED, MOST_CHARS = 50, 300
SHOWN = {"recall": "Recall", "iou": "IoU"}


def to_html(report: Report, *, worst: int = 5) -> str:
    """Return a report as a page of HTML.

    Parameters
    ----------
    report
        The report.
    worst
        How many questions are shown of each run: those with the largest loss against the
        baseline, else those with the lowest recall.

    Returns
    -------
    str
        A whole document, with all that it needs in it, and everything that is a text escaped. The
        same report gives the same page.
    """
    title = f"Evaluation: {report.dataset.name}" if report.dataset.name else "Evaluation"
    parts = [
        _head(report, title),
        *_runs(report),
        *_charts(report),
        *_differences(report),
        *_corpora(report),
        *_worst(report, worst),
        *_left_out(report),
        *_settings(report),
        _foot(),
    ]
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = f"<style>{STYLE}</style>"
    head = element("head", meta, element("title", escaped(clipped(title, 200))), style)
    body = element("body", "\n".join(parts))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _head(report: Report, title: str) -> str:
    dataset = report.dataset
    about = ", ".join(
        [
            counted(len(report.evaluations), "run"),
            counted(len(dataset.questions), "question"),
            counted(dataset.n_excerpts, "excerpt"),
            f"{len(dataset.corpora):,} {'corpus' if len(dataset.corpora) == 1 else 'corpora'}",
        ]
    )
    placements = " and ".join(dict.fromkeys(run.placement for run in report.evaluations))
    places = f"places of chunks: {placements}"
    return element(
        "header",
        element("h1", named(clipped(title, 200))),
        element("p", escaped(f"{about}; {places}")),
    )


def _runs(report: Report) -> Iterator[str]:
    yield element("h2", "Runs")
    note = (
        "Percent; R is recall, P precision, IoU what hits and excerpts share of all that either "
        "holds, Ω the IoU of all chunks that hold an excerpt. ± is the standard deviation over "
        "questions. The best of a column is bold."
    )
    if report.base is not None:
        note += f" Δ is the difference to {report.baseline}, in points, with its 95 % interval."
    yield element("p", escaped(note))
    yield table(summary_table(report))


def _charts(report: Report) -> Iterator[str]:
    if not report.dataset.questions:
        return
    yield element("h2", "Quality and size")
    yield element(
        "div", *(_scatter(report, kind) for kind in KINDS if kind != "precision"), class_="charts"
    )


def _scatter(report: Report, kind: Kind) -> str:
    metric = metric_name(kind, report.lead)
    title = f"{SHOWN[kind]} of {described(report.lead)} against the mean size of a chunk"
    points = [_point(run, metric, run is report.base) for run in report.evaluations]
    return _figure(title, scatter(points, title, y_title=f"{metric}, %"))


def _point(run: Evaluation, metric: str, is_baseline: bool) -> Point:
    mean, tokens = run.mean(metric), run.mean_tokens
    about = f"{run.name}: {metric} {percent(mean)} %, {tokens:,.0f} tokens"
    return Point(run.name, tokens, 100 * mean, about, is_baseline)


def _figure(title: str, picture: str) -> str:
    return element("figure", element("figcaption", escaped(title)), picture)


def _differences(report: Report) -> Iterator[str]:
    if not report.intervals:
        return
    yield element("h2", named(f"Differences to {report.baseline}"))
    note = (
        "Each question is asked in both runs, so they are compared question by question "
        "(paired bootstrap, 95 %). A bar that crosses zero says that the difference may be chance."
    )
    yield element("p", escaped(note))
    yield element("div", *(_bars(report, metric) for metric in report.compared), class_="charts")


def _bars(report: Report, metric: str) -> str:
    found = [(run, report.intervals.get((run.name, metric))) for run in report.evaluations]
    bars = [
        Bar(
            run.name,
            100 * interval.difference,
            100 * interval.low,
            100 * interval.high,
            in_words(interval),
        )
        for run, interval in found
        if interval is not None
    ]
    title = f"{metric}, difference to {report.baseline}"
    return _figure(title, interval_bars(bars, title, x_title="points of percent"))


def _corpora(report: Report) -> Iterator[str]:
    if len(report.dataset.corpora) < 2 or not report.dataset.questions:  # noqa: PLR2004
        return
    yield element("h2", "By corpus")
    for metric in report.compared[:2]:
        yield table(corpus_table(report, metric))


def _worst(report: Report, most: int) -> Iterator[str]:
    if not report.dataset.questions or most <= 0:
        return
    metric = metric_name("recall", report.lead)
    yield element("h2", "Where it goes wrong")
    note = "What was found of an excerpt, and what a hit holds of one, is marked."
    yield element("p", note)
    for run in report.evaluations:
        cases = worst_cases(report, run, most)
        if not cases:
            yield element("p", named(run.name), ": everything was found")
            continue
        is_loss = report.base is not None and run is not report.base
        what = f"largest losses against {report.baseline}" if is_loss else "lowest recall"
        summary = element("summary", named(f"{run.name}: {what}"))
        yield element("details", summary, *(case(each, metric) for each in cases))


def _left_out(report: Report) -> Iterator[str]:
    problems = [
        f"{problem.place}: {problem.what} ({problem.question})"
        for problem in report.dataset.problems
    ]
    if problems:
        yield element("h2", "Problems with the questions")
        yield _listed(problems)
    for run in report.evaluations:
        if run.unplaced:
            yield element("h2", named(f"{run.name}: chunks that stand nowhere"))
            yield element("p", "Their text is not the corpus's, so they cover nothing.")
            yield _listed(run.unplaced)


def _listed(texts: Sequence[str]) -> str:
    shown = [element("li", named(clipped(text, MOST_CHARS))) for text in texts[:MOST_LISTED]]
    more = len(texts) - len(shown)
    rest = [element("li", f"{more:,} more", class_="left-out")] if more else []
    return element("ul", *shown, *rest)


def _settings(report: Report) -> Iterator[str]:
    rows = "".join(
        element(
            "li", named(run.name), ": ", named(f"{run.chunker}; {run.retriever}; {run.placement}")
        )
        for run in report.evaluations
    )
    yield element("h2", "Settings")
    yield element("ul", rows)
    if report.settings:
        written = json.dumps(report.settings, indent=2, ensure_ascii=False)
        summary = element("summary", "All of them")
        yield element("details", summary, element("pre", escaped(written)))


def _foot() -> str:
    at_work = ", ".join(f"{name} {version}" for name, version in versions().items())
    return element("footer", escaped(at_work))
