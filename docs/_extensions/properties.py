"""Docstrings of properties, whose first sentence Napoleon would take for a type up to a colon."""  # noqa: INP001

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.ext.napoleon.docstring import NumpyDocstring

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_KINDS = {"attribute", "data", "property"}
_BEFORE_NAPOLEON, _AFTER_NAPOLEON = 400, 600

_written: dict[str, list[str]] = {}


def setup(app: Sphinx) -> dict[str, bool]:
    """Have docstrings kept before Napoleon reads them, and read once more behind it."""
    app.connect("autodoc-process-docstring", keep, _BEFORE_NAPOLEON)
    app.connect("autodoc-process-docstring", read_again, _AFTER_NAPOLEON)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def keep(  # noqa: PLR0913, PLR0917 - Sphinx calls it
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Keep a property's docstring as it is written."""
    del app, value, options
    if what in _KINDS:
        _written[name] = list(lines)


def read_again(  # noqa: PLR0913, PLR0917 - Sphinx calls it
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Read a property's docstring as that of a method."""
    if what in _KINDS:
        written = _written.pop(name)
        read = NumpyDocstring(written, app.config, app, "method", name, value, options)
        lines[:] = read.lines()
