"""Tables of a file of tasks."""

from __future__ import annotations

# Of files of this kind and of this layout, in their headers.
APPLICATION_ID = 0x63_77_74_6B
VERSION = 1

TABLES = (
    # Numbers are never used twice, so that they are the order of submission.
    """CREATE TABLE tasks (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        kind TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'started', 'success', 'failure')),
        attempts INTEGER NOT NULL DEFAULT 0,
        created REAL NOT NULL,
        started REAL,
        ended REAL,
        lease TEXT UNIQUE,
        lease_ends REAL,
        media_type TEXT,
        status INTEGER,
        code TEXT,
        message TEXT,
        field TEXT
    )""",
    "CREATE INDEX unfinished ON tasks (number) WHERE ended IS NULL",
    "CREATE INDEX finished ON tasks (ended) WHERE ended IS NOT NULL",
    # Apart from the tasks, so that looking through these reads no bodies.
    """CREATE TABLE bodies (
        number INTEGER NOT NULL,
        part TEXT NOT NULL CHECK (part IN ('request', 'result')),
        size INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (number, part)
    )""",
    # One row, so that nothing has to be added up when a task is submitted.
    "CREATE TABLE totals (bytes INTEGER NOT NULL)",
    "INSERT INTO totals VALUES (0)",
    """CREATE TRIGGER body_kept AFTER INSERT ON bodies BEGIN
        UPDATE totals SET bytes = bytes + NEW.size;
    END""",
    """CREATE TRIGGER body_dropped AFTER DELETE ON bodies BEGIN
        UPDATE totals SET bytes = bytes - OLD.size;
    END""",
    # What was here, so that its owner can be told what became of it.
    """CREATE TABLE gone (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        why TEXT NOT NULL CHECK (why IN ('expired', 'deleted'))
    )""",
)
