"""Routes of an application by their templates: bounded names of requests for logs and metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

UNMATCHED = "unmatched"
"""What a request is called that no route answers."""


class KnownRoutes:
    """The routes of an application, which tell what a path is without repeating it.

    Parameters
    ----------
    routes
        The routes, and the routers among them.
    """

    def __init__(self, routes: Iterable[Any]) -> None:
        self._known = tuple(dict.fromkeys(_known(routes)))
        self._begun = {begun for each in self._known for begun in each.beginnings}

    def template(self, path: str) -> str:
        """Return the template of the route that a path leads to; ``"unmatched"`` if none does."""
        return next((each.path for each in self._known if each.regex.match(path)), UNMATCHED)

    def methods(self, path: str) -> list[str]:
        """Return the methods that a path is asked by, those of all its routes, in order."""
        here = [each for each in self._known if each.regex.match(path)]
        # Beside one that is described, others only refuse a method in the words of an original.
        shown = [each for each in here if each.is_shown] or here
        found = {way for each in shown for way in each.methods}
        return sorted(found | ({"HEAD"} if "GET" in found else set()))

    def shortened(self, path: str) -> str:
        """Return as much of a path as routes begin with: the rest may be a client's secret."""
        found, parts = "", path.split("/")[1:]
        for part in parts:
            if f"{found}/{part}" not in self._begun:
                return f"{found}/..."
            found = f"{found}/{part}"
        return found


class _Known(NamedTuple):
    path: str
    regex: re.Pattern[str]
    methods: frozenset[str]
    is_shown: bool

    @property
    def beginnings(self) -> Iterator[str]:
        """The paths that it begins with, up to its first parameter."""
        found = ""
        for part in self.path.split("/")[1:]:
            if "{" in part:
                return
            found = f"{found}/{part}"
            yield found


def _known(routes: Iterable[Any]) -> Iterator[_Known]:
    for route in routes:
        # FastAPI keeps a router that is included as one route.
        router = getattr(route, "original_router", None)
        if router is not None:
            yield from _known(router.routes)
        elif hasattr(route, "path_regex"):
            ways = frozenset(getattr(route, "methods", None) or ())
            is_shown = getattr(route, "include_in_schema", False)
            yield _Known(route.path, route.path_regex, ways, is_shown)
