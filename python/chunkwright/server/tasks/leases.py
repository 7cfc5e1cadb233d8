"""Leases of tasks: how workers take tasks from the file, keep them and end them.

A worker holds a task by a lease, which it renews while it works. If it is killed, the lease ends,
and another worker takes the task; what the first one might still write is refused.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Iterable
from typing import Literal
from uuid import uuid4

from chunkwright.server.problems import Problem
from chunkwright.server.tasks.database import TaskDatabase
from chunkwright.server.tasks.task import Claim, Result, TaskLimits

# A lease that ends too late was made before the clock was set back.
_IS_UNHELD = (
    "(state = 'pending' OR lease_ends <= :now OR lease_ends > :now + 2 * :length) AND ended IS NULL"
)


class Leases:
    """Leases of the tasks in a file, by the clocks of its workers.

    All methods raise :class:`chunkwright.StoreError` if the file cannot be read or written.

    Parameters
    ----------
    database
        The file.
    limits
        How long leases last, how many attempts there are, and how long results are kept.
    clock
        Gives the seconds since 1970.
    """

    def __init__(
        self, database: TaskDatabase, limits: TaskLimits, clock: Callable[[], float] = time.time
    ) -> None:
        self.limits = limits
        self._database = database
        self._clock = clock

    def claim(self, kinds: Collection[str]) -> Claim | None:
        """Take the task that waits longest; None if there is none of these kinds."""
        # Most of the time there is nothing to do, and nothing to write.
        with self._database.reading() as connection:
            if self._next(connection, kinds) is None:
                return None
        with self._database.writing() as connection:
            while (number := self._next(connection, kinds)) is not None:
                claim = self._claimed(connection, number)
                if claim is not None:
                    return claim
        return None

    def renew(self, leases: Collection[str]) -> None:
        """Let leases that are held last longer."""
        ends = self._clock() + self.limits.lease
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE tasks SET lease_ends = ? WHERE lease = ?", [(ends, each) for each in leases]
            )

    def held(self, leases: Collection[str]) -> set[str]:
        """Return the leases that are still held: the tasks of others are deleted or taken away."""
        with self._database.reading() as connection:
            return {each for each in leases if _number(connection, each) is not None}

    def succeed(self, lease: str, result: Result) -> bool:
        """Keep what a task gave; return whether the lease was still held."""
        body = result.body
        with self._database.writing() as connection:
            number = _number(connection, lease)
            if number is None:
                return False
            connection.execute("DELETE FROM bodies WHERE number = ?", (number,))
            connection.execute(
                "INSERT INTO bodies VALUES (?, 'result', ?, ?)", (number, len(body), body)
            )
            connection.execute(
                "UPDATE tasks SET state = 'success', ended = ?, media_type = ?,"
                " lease = NULL, lease_ends = NULL WHERE number = ?",
                (self._clock(), result.media_type, number),
            )
            return True

    def fail(self, lease: str, problem: Problem) -> bool:
        """Keep why a task failed; return whether the lease was still held."""
        with self._database.writing() as connection:
            number = _number(connection, lease)
            if number is not None:
                self._failed(connection, number, problem)
            return number is not None

    def give_back(self, lease: str) -> None:
        """Let a task wait again, as if it had not been begun."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE tasks SET state = 'pending', attempts = attempts - 1, started = NULL,"
                " lease = NULL, lease_ends = NULL WHERE lease = ?",
                (lease,),
            )

    def sweep(self) -> None:
        """Remove results that have expired."""
        now = self._clock()
        with self._database.reading() as connection:
            (first,) = connection.execute("SELECT min(ended) FROM tasks").fetchone()
        if first is not None and first + self.limits.keep <= now:
            with self._database.writing() as connection:
                sweep(connection, now, self.limits.keep)

    def _next(self, connection: sqlite3.Connection, kinds: Collection[str]) -> int | None:
        """Return the number of the first task that nobody does; None if there is none."""
        times = {"now": self._clock(), "length": self.limits.lease}
        names = {f"kind{i}": kind for i, kind in enumerate(kinds)}
        marks = ", ".join(f":{name}" for name in names)
        row = connection.execute(
            f"SELECT number FROM tasks WHERE {_IS_UNHELD} AND kind IN ({marks})"  # noqa: S608
            " ORDER BY number LIMIT 1",
            {**times, **names},
        ).fetchone()
        return None if row is None else int(row[0])

    def _claimed(self, connection: sqlite3.Connection, number: int) -> Claim | None:
        """Take a task; None if it was taken too often, and has failed now."""
        attempts, task_id, kind, request = connection.execute(
            "SELECT attempts, id, kind, body FROM tasks JOIN bodies USING (number)"
            " WHERE number = ? AND part = 'request'",
            (number,),
        ).fetchone()
        if attempts >= self.limits.attempts:
            message = (
                f"{attempts} workers ended while they did the task: does it need too much memory?"
            )
            self._failed(connection, number, Problem(500, "worker_ended", message))
            return None
        lease, now = str(uuid4()), self._clock()
        connection.execute(
            "UPDATE tasks SET state = 'started', attempts = attempts + 1, started = ?, lease = ?,"
            " lease_ends = ? WHERE number = ?",
            (now, lease, now + self.limits.lease, number),
        )
        return Claim(lease, task_id, kind, request)

    def _failed(self, connection: sqlite3.Connection, number: int, problem: Problem) -> None:
        connection.execute("DELETE FROM bodies WHERE number = ?", (number,))
        connection.execute(
            "UPDATE tasks SET state = 'failure', ended = ?, status = ?, code = ?, message = ?,"
            " field = ?, lease = NULL, lease_ends = NULL WHERE number = ?",
            (
                self._clock(),
                problem.status,
                problem.code,
                _storable(problem.message),
                None if problem.field is None else _storable(problem.field),
                number,
            ),
        )


def _storable(text: str) -> str:
    """Return a text that can be kept: it may repeat a surrogate that a client has sent."""
    return text.encode("utf-8", "backslashreplace").decode()


def _number(connection: sqlite3.Connection, lease: str) -> int | None:
    """Return the number of the task that a lease is of; None if that has ended."""
    row = connection.execute("SELECT number FROM tasks WHERE lease = ?", (lease,)).fetchone()
    return None if row is None else int(row[0])


# Most tasks that are gone and still known by what became of them.
_MOST_GONE = 100_000
# Tasks that one transaction removes, so that nobody waits long for it.
_AT_ONCE = 500


def sweep(connection: sqlite3.Connection, now: float, keep: float) -> None:
    """Remove tasks that ended at least `keep` seconds ago, the first ones first.

    Parameters
    ----------
    connection
        In a transaction that writes.
    now
        The seconds since 1970.
    keep
        Seconds that results are kept.
    """
    rows = connection.execute(
        "SELECT number FROM tasks WHERE ended <= ? ORDER BY ended LIMIT ?", (now - keep, _AT_ONCE)
    ).fetchall()
    if rows:
        remove(connection, [number for (number,) in rows], "expired")


def remove(
    connection: sqlite3.Connection, numbers: Iterable[int], why: Literal["expired", "deleted"]
) -> None:
    """Remove tasks, and keep in mind why.

    Parameters
    ----------
    connection
        In a transaction that writes.
    numbers
        Those of the tasks.
    why
        What their owners are told who ask for them.
    """
    for number in numbers:
        connection.execute(
            "INSERT INTO gone SELECT number, id, owner, ? FROM tasks WHERE number = ?",
            (why, number),
        )
        connection.execute("DELETE FROM bodies WHERE number = ?", (number,))
        connection.execute("DELETE FROM tasks WHERE number = ?", (number,))
    connection.execute(
        "DELETE FROM gone WHERE number <= (SELECT max(number) FROM gone) - ?", (_MOST_GONE,)
    )
