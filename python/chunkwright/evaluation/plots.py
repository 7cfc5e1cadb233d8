"""Pictures of evaluations; they need the extra ``[plots]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError
from chunkwright.evaluation.report.svg.axes import log_ticks, padded_log
from chunkwright.plots import CURVE, new_axes

if TYPE_CHECKING:
    from chunkwright.evaluation.result import Evaluation

# Inches.
SIZE = (8, 6)
# Code points of a name, and points that it stands away from its dot.
MOST_NAME, AWAY = 40, 6


def plot_evaluations(
    evaluations: Sequence[Evaluation], ax: Any = None, *, metric: str | None = None
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

    Returns
    -------
    matplotlib.axes.Axes
        With the mean tokens of a chunk from left to right, in a logarithmic scale, the mean of the
        metric in percent from bottom to top, and a dot with a name for each run.

    Raises
    ------
    ConfigError
        If there is no run, or one has no such metric.
    MissingExtraError
        If Matplotlib is not installed.

    Examples
    --------
    >>> from chunkwright.evaluation.plots import plot_evaluations
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
    ax.scatter(sizes, means, color=CURVE, zorder=2)
    ax.set_xscale("log")
    for run, size, mean in zip(evaluations, sizes, means, strict=True):
        # A dollar sign would begin a formula.
        name = run.name[:MOST_NAME].replace("$", r"\$")
        ax.annotate(name, (size, mean), (AWAY, 0), textcoords="offset points", va="center")
    _label_sizes(ax, sizes)
    ax.set_xlabel("mean tokens of a chunk")
    ax.set_ylabel(f"{shown} (%)")
    ax.grid(alpha=0.3)
    return ax


def _label_sizes(ax: Any, sizes: list[float]) -> None:
    from matplotlib.ticker import NullFormatter, NullLocator

    low, high = padded_log(sizes)
    ticks = log_ticks(low, high)
    ax.set_xlim(low, high)
    ax.set_xticks(ticks, [f"{tick:,g}" for tick in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_minor_formatter(NullFormatter())
