"""Tasks and their results, as clients are told of them, and their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chunkwright.server.problems import Problem
from chunkwright.server.schemas.answers import State


@dataclass(frozen=True, kw_only=True)
class TaskLimits:
    """Limits that hold for all tasks in a file, and for the worker of one process.

    Parameters
    ----------
    most_waiting
        Tasks that may wait for a worker; one more is a problem of status 429.
    most_bytes
        Bytes of all requests and results from which on no task is taken (503). Results of tasks
        that were taken before are kept whatever their size.
    keep
        Seconds that results are kept and can be fetched, as often as wanted.
    at_once
        Tasks that a process does at once.
    timeout
        Seconds that a task may take.
    lease
        Seconds after which another worker takes the tasks of one that was killed.
    attempts
        How many times a task is begun whose workers are killed; then it has failed.
    """

    most_waiting: int = 1000
    most_bytes: int = 4 << 30
    keep: float = 3600.0
    at_once: int = 1
    timeout: float = 600.0
    lease: float = 10.0
    attempts: int = 3


class Result(NamedTuple):
    """What a task gave.

    Parameters
    ----------
    media_type
        Of the body, as HTTP has it.
    body
        The answer itself.
    """

    media_type: str
    body: bytes


class Task(NamedTuple):
    """State of a task.

    Times are seconds since 1970, by the clock of the process that wrote them.

    Parameters
    ----------
    id
        A UUID, version 4.
    kind
        The name of the function that does it.
    state
        ``pending`` until a worker takes it, ``started`` while it works, then ``success`` or
        ``failure``.
    position
        Its place among those that wait, the next one being 1; None if it waits no more.
    created
        When it was submitted.
    started
        When a worker took it, for the last time; None before.
    ended
        When it ended; None before.
    attempts
        How many times a worker began it.
    error
        Why it failed; None if it did not.
    """

    id: str
    kind: str
    state: State
    position: int | None
    created: float
    started: float | None
    ended: float | None
    attempts: int
    error: Problem | None

    @property
    def is_over(self) -> bool:
        """Whether it has ended, well or not."""
        return self.ended is not None


class Claim(NamedTuple):
    """Task that a worker has taken, for as long as its lease lasts.

    Parameters
    ----------
    lease
        The name of the lease, which each attempt has anew.
    id
        That of the task.
    kind
        The name of the function that does it.
    request
        What that function is given.
    """

    lease: str
    id: str
    kind: str
    request: bytes
