"""Short names in the reference, made the full names of what they mean where they stand."""  # noqa: INP001

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from rooms import ROOMS, sections
from sphinx import addnodes

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the names of a page made full when it has been read."""
    app.connect("doctree-read", qualify)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def qualify(app: Sphinx, doctree: nodes.document) -> None:
    """Make the names of a page full, so that of two classes with one name the nearer is linked."""
    del app
    for reference in doctree.findall(addnodes.pending_xref):
        if reference.get("refdomain") == "py":
            target, module = reference["reftarget"], reference.get("py:module") or ""
            if "." not in target and target not in documented():
                # A member of the class that the docstring is of.
                target = f"{reference.get('py:class') or ''}.{target}"
            reference["reftarget"] = full_name(target, module) or reference["reftarget"]


def full_name(target: str, module: str) -> str | None:
    """Return the full name of a class or function, or of a class's method where it is inherited."""
    if target in documented():
        return nearest(documented()[target], module)
    path, _, member = target.rpartition(".")
    owner = path.rpartition(".")[2]
    if owner in documented() and (owner == path or path in documented()[owner]):
        return _member(path if owner != path else nearest(documented()[owner], module), member)
    return None


def _member(owner: str, member: str) -> str | None:
    """Return the full name of a member of a class, as one of the base that the reference shows."""
    shown = {id(_value_of(name)): name for names in documented().values() for name in names}
    below = owner
    for base in getattr(_value_of(owner), "__mro__", ()):
        below = shown.get(id(base), below)
        if member in vars(base):
            return f"{below}.{member}"
    return None


@cache
def documented() -> Mapping[str, list[str]]:
    """Return the full names of everything in the reference, by its short name."""
    found: dict[str, list[str]] = {}
    for room in ROOMS:
        for module, names in sections(room):
            for name in names:
                found.setdefault(name, []).append(f"{module}.{name}")
    return found


def nearest(names: list[str], module: str) -> str:
    """Return the name that has most packages in common with a module, the first one of equals."""
    return max(names, key=lambda name: _n_shared(name.split("."), module.split(".")))


def _n_shared(first: list[str], second: list[str]) -> int:
    """Return how many packages two paths have in common, from the first one on."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _value_of(name: str) -> Any:
    module, _, short = name.rpartition(".")
    return getattr(import_module(module), short)
