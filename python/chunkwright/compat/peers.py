"""Peers' other names: paths of their modules, and hints for what a drop-in does not have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


def add_paths(package: str, paths: Mapping[str, Sequence[str]]) -> None:
    """Make a package's names importable under the paths of the peer's modules, too.

    A path is a module whose names are looked up in the package when they are asked for. What is
    above it is in the table, too, or a module of the package itself.

    Parameters
    ----------
    package
        The package's ``__name__``.
    paths
        The names of each module, by its path below the package: ``"chunking.title"``.
    """
    for path, names in paths.items():
        module = _Path(f"{package}.{path}", package, names)
        sys.modules[module.__name__] = module
        parent, _, last = module.__name__.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], last, module)


def with_hints(
    package: str, get: Callable[[str], object], hints: Mapping[str, str]
) -> Callable[[str], object]:
    """Make a module's ``__getattr__`` that says what to use in place of a peer's name.

    It raises `ImportError` for such a name: of any other error Python would drop the message in
    ``from package import name``.

    Parameters
    ----------
    package
        The module's ``__name__``.
    get
        What finds the names that are there.
    hints
        What to do instead, by the names that are not.
    """

    def get_or_hint(name: str) -> object:
        if name in hints:
            raise ImportError(f"{package} has no {name!r}: {hints[name]}", name=package)
        return get(name)

    return get_or_hint


class _Path(ModuleType):
    """A module of some names of a package."""

    def __init__(self, name: str, package: str, names: Sequence[str]) -> None:
        super().__init__(name, f"Names of `{package}` under the path of the peer.")
        self.__spec__ = ModuleSpec(name, None, is_package=True)
        self.__path__: list[str] = []
        self.__all__ = sorted(names)
        self._package = package

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(sys.modules[self._package], name)

    def __dir__(self) -> list[str]:
        return [*vars(self), *self.__all__]
