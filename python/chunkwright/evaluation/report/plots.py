"""Plots of evaluations with Matplotlib, of the extra ``plots``; also as SVG within a page."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.evaluation.confidence.bootstrap import in_words
from chunkwright.plots import CURVE, CUTS, THRESHOLD, new_axes
from chunkwright.render import clipped, visible

if TYPE_CHECKING:
    from markupsafe import Markup

    from chunkwright.evaluation.report.report import Report
    from chunkwright.evaluation.scores.result import Evaluation


# Inches.
SIZE = (8, 6)
# Code points of a name.
MOST_NAME = 40
# What dots are called in a picture's file.
DOTS = "dots"
FAINT = "#b0b0b0"
# From a dot to the left end of its name.
LEADER: dict[str, Any] = {
    "arrowstyle": "-",
    "color": FAINT,
    "linewidth": 0.6,
    "relpos": (0, 0.5),
    "zorder": 1,
}
# A size that is this many times as large is the end of the scale.
MARGIN = 1.25


def plot_evaluations(
    evaluations: Sequence[Evaluation],
    ax: Any = None,
    *,
    metric: str | None = None,
    baseline: str | None = None,
) -> Any:
    """Draw how good each run of an evaluation is, against the size of its chunks.

    Parameters
    ----------
    evaluations
        What :func:`chunkwright.evaluation.evaluate` returned.
    ax
        The Matplotlib ``Axes`` to draw on; those of a new figure by default.
    metric
        What counts, such as ``"iou@5"``; None: recall at the first cutoff.
    baseline
        The name of the run whose dot is hollow.

    Returns
    -------
    matplotlib.axes.Axes
        With the mean tokens of a chunk from left to right, in a logarithmic scale, the mean of the
        metric in percent from bottom to top, and a dot for each run; the names stand at the right,
        in the order of the metric.

    Raises
    ------
    ConfigError
        If there is no run, or one has no such metric.
    MissingExtraError
        If Matplotlib is not installed.

    Examples
    --------
    >>> from chunkwright.evaluation.report.plots import plot_evaluations
    >>> ax = plot_evaluations(runs, metric="iou@5")  # doctest: +SKIP
    >>> ax.figure.savefig("runs.svg")  # doctest: +SKIP
    """
    if not evaluations:
        raise ConfigError("there is no run to draw")
    shown = metric or next(iter(evaluations[0].scores))
    # No size is drawn at 0, of which there is no logarithm.
    sizes = [max(run.mean_tokens, 1) for run in evaluations]
    means = [100 * run.mean(shown) for run in evaluations]
    ax = new_axes("plot_evaluations", SIZE) if ax is None else ax
    inside = ["none" if run.name == baseline else CURVE for run in evaluations]
    ax.scatter(sizes, means, facecolors=inside, edgecolors=CURVE, zorder=2, gid=DOTS)
    ax.set_xscale("log")
    ax.set_xlim(min(sizes) / MARGIN, max(sizes) * MARGIN)
    _label_sizes(ax)
    order = sorted(range(len(means)), key=lambda i: (means[i], -i))
    for i, run in enumerate(evaluations):
        ax.annotate(
            _named(run),
            (sizes[i], means[i]),
            (1.04, (order.index(i) + 0.5) / len(means)),
            textcoords="axes fraction",
            va="center",
            arrowprops=LEADER,
            parse_math=False,
        )
    ax.set_xlabel("mean tokens of a chunk")
    ax.set_ylabel(f"{shown} (%)", parse_math=False)
    ax.grid(alpha=0.3)
    return ax


def plot_differences(report: Report, ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw how much better or worse than the baseline each run is, and how sure that is.

    Parameters
    ----------
    report
        The report, with a baseline.
    ax
        The Matplotlib ``Axes`` to draw on; those of a new figure by default.
    metric
        One of ``report.compared``; None: the first.

    Returns
    -------
    matplotlib.axes.Axes
        With a row for each other run, from top to bottom: a dot at the difference, in points of
        percent, and a line as long as its 95 % interval, in a colour of its own if all of that is
        above or below zero.

    Raises
    ------
    ConfigError
        If there is nothing to compare, or not by this metric.
    MissingExtraError
        If Matplotlib is not installed.
    """
    shown = metric or report.compared[0]
    found = {run: report.intervals.get((run.name, shown)) for run in report.evaluations}
    rows = [(run, interval) for run, interval in found.items() if interval is not None]
    if not rows:
        raise ConfigError(f"there is no difference in {shown!r} to draw")
    ax = new_axes("plot_differences", SIZE) if ax is None else ax
    ax.axvline(0, color=FAINT)
    for row, (_, gap) in enumerate(rows):
        middle, low, high = (100 * end for end in (gap.difference, gap.low, gap.high))
        # The mean of all draws may lie beside the difference.
        beyond = [[max(middle - low, 0)], [max(high - middle, 0)]]
        colour = THRESHOLD if low > 0 else CUTS["score"] if high < 0 else CUTS["limit"]
        ax.errorbar([middle], [row], xerr=beyond, fmt="o", color=colour, capsize=3)
        beside = ax.get_yaxis_transform()
        ax.text(1.02, row, in_words(gap), transform=beside, va="center", parse_math=False)
    ax.set_yticks(range(len(rows)), [_named(run) for run, _ in rows], parse_math=False)
    ax.invert_yaxis()
    ax.set_xlabel("points of percent")
    ax.grid(axis="x", alpha=0.3)
    return ax


def _named(run: Evaluation) -> str:
    return clipped(visible(" ".join(run.name.splitlines())), MOST_NAME)


def _label_sizes(ax: Any) -> None:
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    ax.xaxis.set_minor_locator(NullLocator())


# Inches; and of each row of names.
WIDTH, LEAST_HEIGHT, ROW = 6.5, 3.6, 0.19
# Of the page's style sheet.
COLOURS = {
    "#000000": "var(--soft)",
    "#b0b0b0": "var(--faint)",
    CURVE: "var(--accent)",
    THRESHOLD: "var(--good)",
    CUTS["score"]: "var(--bad)",
    CUTS["limit"]: "var(--soft)",
}
# The same ids each time, and texts that can be read, searched and copied.
SETTINGS: dict[Any, Any] = {"svg.hashsalt": "chunkwright", "svg.fonttype": "none", "font.size": 9}
NAMESPACE = "http://www.w3.org/2000/svg"
_COLOUR = re.compile("|".join(COLOURS))
_REFERENCE = re.compile(r"#([\w-]+)")


def svg(
    draw: Callable[[Any], object], title: str, *, n_rows: int, about: Sequence[str] = ()
) -> Markup:
    """Draw a picture that can stand in a page with others.

    Parameters
    ----------
    draw
        Draws on Matplotlib's axes.
    title
        What the picture shows, for those who cannot see it.
    n_rows
        How many names stand one below the other.
    about
        What a pointer over each of the dots shows.

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed.
    """
    from markupsafe import Markup

    root = ET.fromstring(_drawn(draw, n_rows))  # noqa: S314 - written by Matplotlib
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        # `xlink:href` is just `href` by now.
        named = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
        element.attrib.clear()
        element.attrib.update(named)
    for dot, text in zip(root.iterfind(f".//*[@id='{DOTS}']//use"), about, strict=False):
        ET.SubElement(dot, "title").text = visible(text)
    _make_own(root, title)
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 - ElementTree escapes


def _drawn(draw: Callable[[Any], object], n_rows: int) -> str:
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("drawing", "plots") from error

    file = io.StringIO()
    with rc_context(SETTINGS), warnings.catch_warnings():
        # A letter that Matplotlib's font lacks is the browser's to find.
        warnings.simplefilter("ignore", UserWarning)
        size = (WIDTH, max(LEAST_HEIGHT, 1 + ROW * n_rows))
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return file.getvalue()


def _make_own(root: ET.Element, title: str) -> None:
    """Leave out what is for a file alone, and ids that another picture has as well."""
    for parent in list(root.iter()):
        for child in [each for each in parent if each.tag in {"metadata", "style"}]:
            parent.remove(child)
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {name for value in values for name in _REFERENCE.findall(value)}
    # A picture is told from others by what it shows.
    prefix = "p" + sha256(title.encode("utf-8", "replace")).hexdigest()[:8]
    for element in root.iter():
        own = element.attrib.pop("id", None)
        for key, value in element.attrib.items():
            coloured = _COLOUR.sub(lambda match: COLOURS[match[0]], value)
            if key == "href" or "url(#" in value:
                coloured = _REFERENCE.sub(rf"#{prefix}-\1", coloured)
            element.set(key, coloured)
        if own in used:
            element.set("id", f"{prefix}-{own}")
    # As wide as the page lets it be.
    for key in ("width", "height"):
        del root.attrib[key]
    root.attrib |= {"xmlns": NAMESPACE, "role": "img", "class": "chart"}
    shown = ET.Element("title")
    shown.text = visible(title)
    root.insert(0, shown)
