"""Table of questions on disk, in the CSV form of Chroma's report: read, appended to, replaced."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from chunkwright.errors import ConfigError, ReadError
from chunkwright.evaluation.data.questions import Excerpt, Question
from chunkwright.evaluation.synthetic.journal import Journal, append, read
from chunkwright.files.atomic import replacing
from chunkwright.messages.terminal_text import short_repr

COLUMNS = ("question", "references", "corpus_id")
"""The columns that a table has; it may have others, too, which are left as they are."""

_KEYS = ("content", "start_index", "end_index")
_BOM = "\ufeff"

Row = dict[str, str]


class QuestionTable:
    """The rows of a file of questions.

    Parameters
    ----------
    path
        The file; it need not exist.
    unfinished
        A question whose writing may have been interrupted: a part of its row at the end of the file
        is left out, and cut off when the file is written next.

    Raises
    ------
    ReadError
        If it cannot be read, or is no table of questions; names the row.
    """

    def __init__(self, path: str | os.PathLike[str], unfinished: Question | None = None) -> None:
        self.path: Path = Path(path)
        self._text = read(self.path)
        self.columns: tuple[str, ...] = self._columns()
        if unfinished is not None:
            last = self._text[self._text.rfind(b"\n") + 1 :]
            if self._written([row_of(unfinished)]).startswith(last):
                self._text = self._text.removesuffix(last)
        self.rows: list[Row] = self._rows()

    def repair(self) -> None:
        """Make a file that rows can be appended to: with a header, and whole rows only.

        Raises
        ------
        ConfigError
            If nothing can be written there; names the path.
        """
        if not self._text.strip():
            self.replace(self.rows)
        elif not self._text.endswith(b"\n") or len(self._text) != self.path.stat().st_size:
            with replacing(self.path) as file:
                file.write(self._text.removesuffix(b"\n") + b"\n")

    def append(self, question: Question) -> None:
        """Append a question, and wait until the disk has it.

        Raises
        ------
        ConfigError
            If nothing can be written there; names the path.
        """
        row = row_of(question)
        append(self.path, self._written([row]))
        self.rows.append(row)

    def add_if_missing(self, question: Question) -> None:
        """Append a question if there is no row of it."""
        here = ((row["corpus_id"], row["question"]) for row in self.rows)
        if (question.corpus, question.text) not in here:
            self.append(question)

    def replace(self, rows: Iterable[Row]) -> None:
        """Write all rows anew; the old file is there until they are.

        Raises
        ------
        ConfigError
            If nothing can be written there; names the path.
        """
        self.rows = list(rows)
        with replacing(self.path) as file:
            file.write(self._written([dict(zip(self.columns, self.columns, strict=True))]))
            file.write(self._written(self.rows))

    def questions(self) -> list[Question]:
        """Return the rows as questions, with the excerpts as the file has them.

        Raises
        ------
        ReadError
            If a row has no list of excerpts; names it, from 1.
        """
        return [self._question(number, row) for number, row in enumerate(self.rows, 1)]

    def _written(self, rows: Sequence[Row]) -> bytes:
        text = io.StringIO(newline="")
        # As pandas writes it.
        csv.DictWriter(text, self.columns, restval="", lineterminator="\n").writerows(rows)
        return text.getvalue().encode()

    def _columns(self) -> tuple[str, ...]:
        try:
            head = self._text.split(b"\n", 1)[0].decode().removeprefix(_BOM)
            columns = tuple(next(csv.reader([head], strict=True), ())) or COLUMNS
        except (csv.Error, ValueError) as error:
            raise ReadError(f"{self.path}: {error}") from error
        missing = [name for name in COLUMNS if name not in columns]
        if missing:
            raise ReadError(f"{self.path}: there is no column {missing[0]!r}")
        return columns

    def _rows(self) -> list[Row]:
        try:
            lines = io.StringIO(self._text.decode(), newline="")
            # Lines without anything are no rows.
            cells = [each for each in csv.reader(lines, strict=True) if each][1:]
        except (csv.Error, ValueError) as error:
            raise ReadError(f"{self.path}: {error}") from error
        for number, row in enumerate(cells, 1):
            if len(row) != len(self.columns):
                said = f"{len(row)} cells, and there are {len(self.columns)} columns"
                raise ReadError(f"{self.path}, row {number}: it has {said}")
        return [dict(zip(self.columns, row, strict=True)) for row in cells]

    def _question(self, number: int, row: Row) -> Question:
        question, references, corpus = (row[name] for name in COLUMNS)
        try:
            excerpts = tuple(map(_excerpt, json.loads(references)))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            where = f"{self.path}, row {number}"
            raise ReadError(
                f"{where}: {short_repr(references)} is no list of references"
            ) from error
        return Question(question, corpus, excerpts)


def row_of(question: Question) -> Row:
    """Return a question as the report has it: references as JSON, as Python writes it."""
    references = [
        dict(zip(_KEYS, (each.text, each.start, each.end), strict=True))
        for each in question.excerpts
    ]
    cells = (question.text, json.dumps(references), question.corpus)
    return dict(zip(COLUMNS, cells, strict=True))


def _excerpt(reference: dict[str, object]) -> Excerpt:
    text, start, end = (reference[key] for key in _KEYS)
    if not isinstance(text, str) or type(start) is not int or type(end) is not int:
        raise TypeError
    return Excerpt(text, start, end)


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
