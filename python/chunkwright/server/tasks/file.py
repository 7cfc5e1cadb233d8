"""File of tasks, as those see it who submit tasks and fetch results."""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable
from typing import Any
from uuid import UUID, uuid4

from chunkwright.server.problems import Problem, busy
from chunkwright.server.tasks.database import TaskDatabase
from chunkwright.server.tasks.leases import remove, sweep
from chunkwright.server.tasks.task import Result, Task, TaskLimits

# What SQLite takes in one statement, whatever its version.
_PARAMETERS = 500
# Seconds after which to try again where nothing says when there is room.
_SOON = 5
_COLUMNS = (
    "number, id, kind, state, created, started, ended, attempts, status, code, message, field"
)


class TaskFile:
    """Tasks in a file, with bounds.

    All methods raise :class:`chunkwright.StoreError` if the file cannot be read or written.

    Parameters
    ----------
    database
        The file.
    limits
        How much is kept, and for how long.
    clock
        Gives the seconds since 1970.
    """

    def __init__(
        self, database: TaskDatabase, limits: TaskLimits, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._limits = limits
        self._clock = clock

    def submit(self, kind: str, request: bytes, owner: str, name: str | None = None) -> Task:
        """Keep a task that waits, and return it.

        Raises
        ------
        Problem
            If too many wait (429), or there is no room for the request (503, or 413 for ever).
        """
        if len(request) > self._limits.most_bytes:
            message = (
                f"a task's request may have {self._limits.most_bytes:,} bytes, got {len(request):,}"
            )
            raise Problem(413, "too_large", message)
        now = self._clock()
        with self._database.writing() as connection:
            sweep(connection, now, self._limits.keep)
            self._check_room(connection, len(request), now)
            number = connection.execute(
                "INSERT INTO tasks (id, owner, kind, state, created) VALUES (?, ?, ?, ?, ?)",
                (name or str(uuid4()), owner, kind, "pending", now),
            ).lastrowid
            connection.execute(
                "INSERT INTO bodies VALUES (?, 'request', ?, ?)", (number, len(request), request)
            )
            row = _one(connection, f"SELECT {_COLUMNS} FROM tasks WHERE number = ?", number)  # noqa: S608
            return _task(connection, row)

    def get(self, name: str, owner: str) -> Task:
        """Return a task by its id.

        Raises
        ------
        Problem
            404 if the owner has none of that id, or no longer.
        """
        with self._database.reading() as connection:
            return _task(connection, self._found(connection, name, owner))

    def result(self, name: str, owner: str) -> Result:
        """Return what a task gave.

        Raises
        ------
        Problem
            404 as `get`; 409 if it has not ended; if it failed, its error.
        """
        with self._database.reading() as connection:
            task = _task(connection, row := self._found(connection, name, owner))
            if task.error is not None:
                raise task.error
            if not task.is_over:
                raise Problem(409, "not_ended", f"task {task.id} has not ended: it is {task.state}")
            media_type, body = _one(
                connection,
                "SELECT media_type, body FROM tasks JOIN bodies USING (number)"
                " WHERE number = ? AND part = 'result'",
                row[0],
            )
            return Result(media_type, body)

    def delete(self, name: str, owner: str) -> None:
        """Forget a task, whatever its state; the worker that does it finds its lease gone.

        Raises
        ------
        Problem
            404 as `get`.
        """
        with self._database.writing() as connection:
            number, *_ = self._found(connection, name, owner)
            remove(connection, [number], "deleted")

    def clear(self, owner: str, kinds: Collection[str], seconds: float) -> None:
        """Forget the tasks of an owner, of some kinds, that ended at least so long ago."""
        before = self._clock() - seconds
        with self._database.writing() as connection:
            rows = connection.execute(
                "SELECT number, kind FROM tasks WHERE owner = ? AND ended <= ?", (owner, before)
            ).fetchall()
            remove(connection, [number for number, kind in rows if kind in kinds], "deleted")

    def unfinished(self, names: Iterable[str]) -> set[str]:
        """Return those ids whose tasks are there and have not ended."""
        kinds: set[str] = set()
        wanted = list(names)
        with self._database.reading() as connection:
            for start in range(0, len(wanted), _PARAMETERS):
                some = wanted[start : start + _PARAMETERS]
                marks = ", ".join("?" * len(some))
                rows = connection.execute(
                    f"SELECT id FROM tasks WHERE ended IS NULL AND id IN ({marks})",  # noqa: S608
                    some,
                )
                kinds.update(name for (name,) in rows)
        return kinds

    def _check_room(self, connection: sqlite3.Connection, size: int, now: float) -> None:
        n_waiting, _ = _one(
            connection,
            "SELECT count(*), NULL FROM tasks WHERE ended IS NULL AND state = 'pending'",
        )
        if n_waiting >= self._limits.most_waiting:
            message = f"{n_waiting:,} tasks wait, and more may not: try again later"
            raise busy(message, seconds=_SOON)
        kept, first = _one(connection, "SELECT bytes, (SELECT min(ended) FROM tasks) FROM totals")
        if kept + size > self._limits.most_bytes:
            wait = _SOON if first is None else math.ceil(first + self._limits.keep - now)
            message = "the service keeps too many requests and results of tasks: delete results"
            message += " that are fetched"
            raise busy(message, 503, code="tasks_full", seconds=max(1, wait))

    def _found(self, connection: sqlite3.Connection, name: str, owner: str) -> tuple[Any, ...]:
        """Return the row of a task, of which its owner alone learns."""
        task_id = _checked(name)
        row: tuple[Any, ...] | None = connection.execute(
            f"SELECT {_COLUMNS} FROM tasks WHERE id = ? AND owner = ?",  # noqa: S608
            (task_id, owner),
        ).fetchone()
        why = None
        if row is None:
            why = connection.execute(
                "SELECT why FROM gone WHERE id = ? AND owner = ?", (task_id, owner)
            ).fetchone()
        elif row[6] is None or row[6] + self._limits.keep > self._clock():
            return row
        if why == ("deleted",):
            raise Problem(404, "task_deleted", f"task {task_id} was deleted")
        if row is not None or why is not None:
            message = (
                f"task {task_id} has expired: results are kept for {self._limits.keep:g} seconds"
            )
            raise Problem(404, "task_expired", message)
        raise _no_task(name)


def _checked(name: str) -> str:
    """Return an id if it is one; SQLite refuses some texts."""
    try:
        is_id = str(UUID(name)) == name
    except ValueError:
        is_id = False
    if not is_id:
        raise _no_task(name)
    return name


def _no_task(name: str) -> Problem:
    return Problem(404, "no_task", f"there is no task {name!r}")


def _one(connection: sqlite3.Connection, sql: str, *parameters: object) -> tuple[Any, ...]:
    """Return the row that a query has, whatever is asked for."""
    row: tuple[Any, ...] = connection.execute(sql, parameters).fetchone()
    return row


def _task(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Task:
    number, task_id, kind, state, created, started, ended, attempts, *error = row
    position = None
    if state == "pending":
        (position,) = _one(
            connection,
            "SELECT count(*) FROM tasks WHERE ended IS NULL AND state = 'pending' AND number <= ?",
            number,
        )
    status, code, message, field = error
    problem = None if code is None else Problem(status, code, message, field=field)
    return Task(task_id, kind, state, position, created, started, ended, attempts, problem)
