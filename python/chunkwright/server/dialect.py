"""Dialect of the service: routes that clients of one kind speak, and how errors are said there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.server.answers import json_answer
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from fastapi import APIRouter
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from chunkwright.server.service import Service


def _never(path: str) -> bool:
    del path
    return False


class Dialect(NamedTuple):
    """Routes with one way to say errors and to bring keys.

    Attributes
    ----------
    name
        What it is called in ``/v1/capabilities``.
    router
        Makes the routes.
    owns
        Whether a path is one of its own.
    said
        Makes the body, as values of JSON, that says a problem.
    statuses
        Statuses of answers that its clients know by other numbers.
    key_headers
        Headers that bring a key, in small letters, besides ``Authorization: Bearer``; the first
        that a request has counts.
    key_parameter
        Parameter of the query that brings the key of a websocket, for which browsers send no
        headers of a page's choice; None: there is none.
    open_paths
        Paths that are answered without a key.
    reads
        Whether the answer to a path is made of files and texts of the request alone, and may take
        memory without bounds: with ``--max-memory`` a child process makes it.
    add_handlers
        Has a service do the tasks that its routes submit, and what they have children do; None:
        there is nothing of both.
    quick_routes
        Makes routes that come before all others, for paths that are asked often; the router
        describes them.
    """

    name: str
    router: Callable[[], APIRouter]
    owns: Callable[[str], bool]
    said: Callable[[Problem], Any]
    statuses: Mapping[int, int] = MappingProxyType({})
    key_headers: tuple[str, ...] = ("x-api-key",)
    key_parameter: str | None = None
    open_paths: frozenset[str] = frozenset()
    add_handlers: Callable[[Service], None] | None = None
    reads: Callable[[str], bool] = _never
    quick_routes: Callable[[], Iterable[BaseRoute]] = tuple

    def answer(self, problem: Problem) -> Response:
        """Return the answer that says a problem."""
        status = self.statuses.get(problem.status, problem.status)
        return json_answer(self.said(problem), status, problem.headers)
