"""Work that a child process does: requests and tasks as values, and how it fails."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from chunkwright.server.problems import Problem

_KEPT = (
    *("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string"),
    *("root_path", "headers", "client", "server"),
)
_KEPT_STATE = ("owner", "body_size")


class RequestWork(NamedTuple):
    """A request whose body has been read.

    Attributes
    ----------
    scope
        What ASGI says of it, as far as that is data.
    body
        Its body.
    trace
        The trace that it is part of, as headers.
    """

    scope: dict[str, Any]
    body: bytes
    trace: Mapping[str, str]

    @classmethod
    def of(cls, scope: Mapping[str, Any], body: bytes, trace: Mapping[str, str]) -> RequestWork:
        """Return a request as a value."""
        state = scope.get("state", {})
        kept = {name: scope[name] for name in _KEPT if name in scope}
        kept["state"] = {name: state[name] for name in _KEPT_STATE if name in state}
        return cls(kept, body, trace)


class TaskWork(NamedTuple):
    """A task, or a part of a request.

    Attributes
    ----------
    kind
        Its kind, which says what does it.
    request
        What is asked for.
    trace
        The trace that it is part of, as headers.
    """

    kind: str
    request: bytes
    trace: Mapping[str, str]


Work: TypeAlias = RequestWork | TaskWork


class ChildEndedError(Exception):
    """The process ended before the work was done.

    Parameters
    ----------
    code
        What it ended with; a signal is a number below 0.
    is_over
        Whether it was ended for its memory.
    n_works
        How much work it was ever given.
    """

    def __init__(self, code: int, *, is_over: bool, n_works: int) -> None:
        super().__init__(code)
        self.code = code
        self.is_over = is_over
        self.n_works = n_works

    @property
    def is_clear(self) -> bool:
        """Whether the one piece of work that it had is to blame, and nobody from outside."""
        return self.n_works == 1 and (self.is_over or self.code != -signal.SIGKILL)

    @property
    def problem(self) -> Problem:
        """What the client of the work to blame is told."""
        if self.is_over:
            message = "the work took more memory than the service may have"
            return Problem(507, "too_much_memory", message)
        if self.code == -signal.SIGKILL:
            message = "the process of the work was killed: it may have taken too much memory"
            return Problem(507, "killed", message)
        name = f"code {self.code}"
        with suppress(ValueError):
            name = signal.Signals(-self.code).name
        message = f"the process of the work ended with {name}: a library failed on this document"
        return Problem(500, "crashed", message)
