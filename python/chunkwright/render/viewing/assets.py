"""Scripts and style sheets of the viewer, each joined to one."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import NamedTuple

# In the order in which they need each other.
SCRIPTS = (
    "viewer-text.js",
    "viewer-dom.js",
    "viewer-packing.js",
    "viewer-model.js",
    "viewer-tables.js",
    "viewer-list.js",
    "viewer-chunks.js",
    "viewer-compare.js",
    "viewer-charts.js",
    "viewer-normal.js",
    "viewer-terms.js",
    "viewer-bm25.js",
    "viewer-questions.js",
    "viewer-search.js",
    "viewer-panels.js",
    "viewer-pages.js",
    "viewer-keys.js",
    "viewer.js",
    "viewer-page.js",
)
# Stands for the marks that accents are, which scripts have no name for.
_ACCENTS = "/* ACCENTS */"
_ACCENT_CLASSES = frozenset({1, *range(10, 37), *range(202, 241)})
# Where all marks are.
_MARKS = range(0x300, 0x1F000)
STYLES = ("viewer-colours.css", "viewer.css", "viewer-pages.css", "viewer-text.css")


@cache
def viewer_script() -> str:
    """Return the script that gives ``ChunkwrightViewer``.

    It starts by itself in a page that has elements ``view-data`` and ``viewer``.
    """
    parts = "\n".join(_read(name) for name in SCRIPTS).replace(_ACCENTS, _accents())
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


@cache
def viewer_style() -> str:
    """Return the style sheet; all of its classes begin with ``cw-``."""
    return "\n".join(_read(name) for name in STYLES)


class Colour(NamedTuple):
    """A colour in the light scheme and in the dark one.

    Attributes
    ----------
    light, dark
        The colours, as CSS writes them.
    """

    light: str
    dark: str

    def style(self, name: str) -> str:
        """Return a declaration of CSS, for programs that do not know both schemes as well."""
        return f"{name}:{self.light};{name}:light-dark({self.light},{self.dark})"


@cache
def colours() -> dict[str, Colour]:
    """Return the colours by their names, such as ``"tone-0"``."""
    light, _, dark = _read("viewer-colours.css").partition("@media")
    both = (dict(re.findall(r"--cw-([\w-]+): (#[0-9a-f]{6})", part)) for part in (light, dark))
    light_ones, dark_ones = both
    return {name: Colour(colour, dark_ones[name]) for name, colour in light_ones.items()}


def _accents() -> str:
    """Return the marks that accents are, as a class of characters in a pattern of JavaScript."""
    found = [code for code in _MARKS if unicodedata.combining(chr(code)) in _ACCENT_CLASSES]
    return "".join(f"\\u{{{code:x}}}" for code in found)


def _read(name: str) -> str:
    return (files("chunkwright.render") / "assets" / name).read_text("utf-8")
