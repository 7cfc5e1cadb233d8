"""Dialect of the service: routes that clients of one kind speak, and how errors are said there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from fastapi import APIRouter
    from starlette.responses import Response

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
    answer
        Makes the answer that says a problem.
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
    """

    name: str
    router: Callable[[], APIRouter]
    owns: Callable[[str], bool]
    answer: Callable[[Problem], Response]
    key_headers: tuple[str, ...] = ("x-api-key",)
    key_parameter: str | None = None
    open_paths: frozenset[str] = frozenset()
    add_handlers: Callable[[Service], None] | None = None
    reads: Callable[[str], bool] = _never
