"""SVG of Matplotlib to stand within a page: the page's colours, and titles for screen readers."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from chunkwright.errors import MissingExtraError
from chunkwright.evaluation.report.plots import DOTS
from chunkwright.plots import CURVE, CUTS, THRESHOLD
from chunkwright.render import visible

if TYPE_CHECKING:
    from markupsafe import Markup

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
