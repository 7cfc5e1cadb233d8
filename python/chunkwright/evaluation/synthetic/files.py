"""Files of a generator: a table of questions and its journal, opened together."""

from __future__ import annotations

import os
from pathlib import Path

from chunkwright.errors import ConfigError
from chunkwright.evaluation.synthetic.journal import Journal
from chunkwright.evaluation.synthetic.table import QuestionTable


def read_files(path: str | os.PathLike[str]) -> tuple[QuestionTable, Journal]:
    """Return a table and its journal as they are; neither need exist.

    Raises
    ------
    ConfigError
        If the table's name does not end in ``.csv``.
    ReadError
        If one cannot be read, or is not what it should be.
    """
    if Path(path).suffix.lower() != ".csv":
        raise ConfigError(f"questions are kept in a file .csv, got {os.fspath(path)!r}")
    journal = Journal(Path(path))
    return QuestionTable(path, journal.unfinished), journal


def make_writable(table: QuestionTable, journal: Journal) -> None:
    """Make both files if they are not there, and finish what an interruption left undone.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    """
    journal.begin(row["corpus_id"] for row in table.rows)
    table.repair()
    if journal.unfinished is not None:
        table.add_if_missing(journal.unfinished)
