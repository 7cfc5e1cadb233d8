"""Docstrings of classes and functions, also where Python leaves them out (``python -OO``)."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

_WITHOUT_DOCSTRINGS = 2
_Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstring(thing: type | Callable[..., Any]) -> str:
    """Return what a class or a function of a module says of itself, without what it inherits.

    Examples
    --------
    >>> docstring(docstring).partition(",")[0]
    'Return what a class or a function of a module says of itself'
    """
    if sys.flags.optimize >= _WITHOUT_DOCSTRINGS:
        return _in_source(thing.__module__).get(thing.__qualname__, "")
    own = vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__
    return inspect.cleandoc(own or "")


@cache
def _in_source(module: str) -> dict[str, str]:
    """Return the docstrings in the source of a module by name; none where there is no source."""
    spec = find_spec(module)
    loader: Any = None if spec is None else spec.loader
    source = loader.get_source(module) if hasattr(loader, "get_source") else None
    nodes = ast.parse(source or "").body
    documented = (node for node in nodes if isinstance(node, _Documented))
    return {node.name: ast.get_docstring(node) or "" for node in documented}
