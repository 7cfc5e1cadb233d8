"""Lazy front door of a package: a module is imported when one of its names is asked for."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # as type checkers read it, without the import of typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def attach(
    package: str, names: Mapping[str, Sequence[str]], peers: str | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Make what a package needs to give its names, and its modules, lazily.

    Type checkers read the package's stub instead.

    Parameters
    ----------
    package
        The package's ``__name__``.
    names
        The public names, by the module of the package that defines them.
    peers
        The module of the package whose ``peers_class`` says what a class of another library is
        called here; None: there is none.

    Returns
    -------
    tuple
        The package's ``__getattr__``, ``__dir__`` and ``__all__``.
    """
    modules = {name: module for module, given in names.items() for name in given}

    def get(name: str) -> object:
        if name in modules:
            found: object = getattr(import_module(f"{package}.{modules[name]}"), name)
            # The next look-up finds it without coming here.
            setattr(sys.modules[package], name, found)
            return found
        try:
            return _module(package, name)
        except AttributeError as error:
            if peers is None or not name[:1].isupper():
                raise
            ours = import_module(f"{package}.{peers}").peers_class(name)
            if ours is None:
                raise
            raise AttributeError(f"{error}: {ours}") from None

    def names_of_package() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return get, names_of_package, sorted(modules)


def _module(package: str, name: str) -> object:
    """Return a module of the package; tools ask for dunder names, of which none is a module."""
    wanted = f"{package}.{name}"
    try:
        if not name.startswith("__"):
            return import_module(wanted)
    except ModuleNotFoundError as error:
        if error.name != wanted:
            raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
