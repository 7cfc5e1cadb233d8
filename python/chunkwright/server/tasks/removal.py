"""Removal of tasks from their file: those that are deleted, and those that have expired."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Literal

# Tasks that are gone of which it is known what became of them.
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
