"""Strategies of other packages: entry points of the group ``chunkwright.strategies``.

They are looked for when a name is asked for that is none of a built-in strategy, not before.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from chunkwright._strategies import CLASSES
from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from chunkwright.chunking.bases.strategy import Strategy

GROUP = "chunkwright.strategies"
"""The group of entry points by which a package adds a strategy."""


class Plugin(NamedTuple):
    """A strategy that another package adds.

    Attributes
    ----------
    name
        The name of the strategy.
    package
        The name of the package, and its version.
    entry_point
        What the package says of it.
    """

    name: str
    package: str
    entry_point: EntryPoint

    @property
    def target(self) -> str:
        """The module and the class: ``"package.module:Class"``."""
        return self.entry_point.value

    def load(self) -> type[Strategy]:
        """Return the class of the strategy.

        Raises
        ------
        ConfigError
            If it takes the name of a built-in strategy, cannot be imported, is no strategy, or is
            called otherwise; names the strategy, the package and the class.
        """
        from chunkwright.chunking.bases.strategy import Strategy

        if self.name in CLASSES:
            raise self._error("has the name of a built-in strategy")
        try:
            found = self.entry_point.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise self._error(f"cannot be imported: {reason}") from error
        if not isinstance(found, type) or not issubclass(found, Strategy):
            raise self._error(f"must be a class derived from Strategy, got {found!r}")
        called = getattr(found, "name", None)
        if called != self.name:
            raise self._error(f"must have the attribute name = {self.name!r}, got {called!r}")
        return found

    def _error(self, what: str) -> ConfigError:
        message = f"strategy {self.name!r} of {self.package}, {self.target}, {what}"
        return ConfigError(message, option="strategy")


def plugins() -> tuple[Plugin, ...]:
    """Return the strategies that the installed packages add, by name; none of them is imported."""
    return _on_path(tuple(sys.path))


def plugin_class(name: str) -> type[Strategy] | None:
    """Return the class of the strategy that a package adds under a name; None if none does.

    Raises
    ------
    ConfigError
        If two packages do, or as :meth:`Plugin.load`.
    """
    found = [plugin for plugin in plugins() if plugin.name == name]
    if len(found) > 1:
        packages = " and ".join(plugin.package for plugin in found)
        raise ConfigError(f"strategy {name!r} is added by {packages}", option="strategy")
    return found[0].load() if found else None


@cache
def _on_path(path: tuple[str, ...]) -> tuple[Plugin, ...]:
    """Return the strategies that packages in these folders add."""
    from importlib.metadata import distributions

    # One distribution may be found in two folders: the first counts.
    found: dict[tuple[str, str], Plugin] = {}
    for of in distributions(path=list(path)):
        own = f"{of.name} {of.version}"
        for each in of.entry_points.select(group=GROUP):
            found.setdefault((each.name, of.name), Plugin(each.name, own, each))
    return tuple(sorted(found.values(), key=lambda plugin: plugin[:2]))
