"""Pictures of what strategies found; they need the extra ``[plots]``."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright.boundaries import Boundaries
    from chunkwright.chunks import Chunks

# Dark enough on white, and told apart by the colour-blind.
CURVE = "#4c72b0"
CUTS = {"score": "#c44e52", "limit": "#8c8c8c", "given": "#8172b3", "structure": "#937860"}
THRESHOLD = "#55a868"

# Distances that differ by less are equal.
TOLERANCE = 1e-6

# Inches: wide, as a text is long.
SIZE = (10, 3)


def plot_boundaries(chunks: Chunks, ax: Any = None, *, document: int = 0) -> Any:
    """Draw the distances between the pieces of a text, their threshold, and where it was cut.

    Parameters
    ----------
    chunks
        Those of a semantic strategy.
    ax
        The Matplotlib ``Axes`` to draw on; those of a new figure by default.
    document
        The number of the document, if there are several.

    Returns
    -------
    matplotlib.axes.Axes
        With the positions in code points from left to right, and the cosine distances from bottom
        to top. Cuts are vertical lines: those for the score, those for the limit, those that a
        language model set, and those for the structure of the document. The threshold is drawn
        where it tells the distances of the first from all others: not for ``"gradient"`` and
        :class:`chunkwright.Cluster`, which compare something else with it.

    Raises
    ------
    ConfigError
        If the chunks are those of a strategy that scores no boundaries, or there is no such
        document.
    MissingExtraError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.plots import plot_boundaries
    >>> chunks = cw.Cluster(max_tokens=100)("Cats purr. Cats nap. Engines hum. " * 40)
    >>> ax = plot_boundaries(chunks)  # doctest: +SKIP
    >>> ax.figure.savefig("boundaries.svg")  # doctest: +SKIP
    """
    boundaries = _of_document(chunks, document)
    ax = new_axes("plot_boundaries", SIZE) if ax is None else ax
    _draw_cuts(ax, boundaries)
    ax.plot(boundaries.positions, boundaries.scores, color=CURVE, linewidth=1)
    threshold = float(boundaries.thresholds[0])
    if _divides(threshold, boundaries):
        ax.axhline(threshold, color=THRESHOLD, linewidth=1, label="threshold")
    ax.set_xlabel("position (code points)")
    ax.set_ylabel("cosine distance")
    ax.set_xlim(0, max(len(chunks.sources[document]), 1))
    if ax.get_legend_handles_labels()[0]:
        # Beside the curve, not on it.
        ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False)
    return ax


def _of_document(chunks: Chunks, document: int) -> Boundaries:
    boundaries = chunks.boundaries
    if boundaries is None:
        raise ConfigError(
            "these chunks have no boundaries: their strategy does not say why it cuts"
        )
    n_documents = len(boundaries.thresholds)
    if not 0 <= document < n_documents:
        raise ConfigError(f"document must be between 0 and {n_documents - 1}, got {document!r}")
    return boundaries.of_document(document)


def _divides(threshold: float, boundaries: Boundaries) -> bool:
    """Return whether cuts for the score are just where the distance is over the threshold."""
    if isnan(threshold):
        return False
    cuts = boundaries.verdicts == "score"
    are_over = bool((boundaries.scores[cuts] > threshold).all())
    # Scores that exceed it by no more are equal to it.
    return are_over and bool((boundaries.scores[~cuts] <= threshold + TOLERANCE).all())


def new_axes(caller: str, size: tuple[int, int]) -> Any:
    """Return the axes of a new figure.

    Parameters
    ----------
    caller
        Who asks.
    size
        Width and height in inches.

    Raises
    ------
    MissingExtraError
        If Matplotlib is not installed; names the caller.
    """
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise MissingExtraError(caller, "plots") from error
    return plt.subplots(figsize=size, layout="constrained")[1]


def _draw_cuts(ax: Any, boundaries: Boundaries) -> None:
    for verdict, colour in CUTS.items():
        at: NDArray[np.int64] = boundaries.positions[boundaries.verdicts == verdict]
        if len(at):
            # In the axes' own height, whatever the distances are.
            top = ax.get_xaxis_transform()
            ax.vlines(at, 0, 1, transform=top, color=colour, linewidth=0.8, label=f"cut: {verdict}")
