"""Pictures of boundaries and scores, written to a file."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.files.atomic import replacing

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

SUFFIXES = (".png", ".svg", ".pdf")
INCHES = 10, 3
DOTS_PER_INCH = 150


def check_plot(path: Path) -> None:
    """Check that a picture can be drawn and is of a kind that is known, before anything is read.

    Raises
    ------
    ConfigError
        If its suffix is unknown; names it.
    MissingExtraError
        If Matplotlib is not installed.
    """
    from importlib.util import find_spec

    if path.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"cannot tell the format of {path}: end it in {', '.join(SUFFIXES)}")
    if find_spec("matplotlib") is None:
        raise MissingExtraError("--plot", "plots")


def write_plot(chunks: "Chunks", path: Path) -> None:
    """Draw the boundaries of one document.

    Raises
    ------
    ConfigError
        If the file cannot be written; names it.
    """
    from chunkwright.plots import plot_boundaries

    save_plot(lambda ax: plot_boundaries(chunks, ax), path, INCHES)


def save_plot(draw: Callable[[Any], Any], path: Path, inches: tuple[float, float]) -> None:
    """Draw on axes of that size, and keep the picture.

    Raises
    ------
    ConfigError
        If the file cannot be written; names it.
    """
    from matplotlib.figure import Figure

    # Not pyplot, which may ask for a window.
    figure = Figure(figsize=inches, dpi=DOTS_PER_INCH, layout="constrained")
    draw(figure.add_subplot())
    with replacing(path) as file:
        figure.savefig(file, format=path.suffix.lower().removeprefix("."))
