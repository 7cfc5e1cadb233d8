"""Limits of tasks: how many, how large, and for how long."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
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
