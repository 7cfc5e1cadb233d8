"""Journal beside a table of questions: what was asked and came of it, and by which model."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from chunkwright.errors import ConfigError, ReadError
from chunkwright.evaluation.data.questions import Excerpt, Question
from chunkwright.files.atomic import replacing

SUFFIX = ".journal"
"""Suffix of a journal behind the name of its table."""

Outcome: TypeAlias = Literal["kept", "repeated", "rejected"]


class Attempt(NamedTuple):
    """A try to get a question.

    Parameters
    ----------
    corpus
        What it is about.
    number
        That of the question among those about the corpus, from 0.
    n_before
        How often it was tried before.
    """

    corpus: str
    number: int
    n_before: int


class Journal:
    """Lines of JSON that tell what was done for a table, in order.

    Each is an object with one key: ``found``, the rows that were there at first, by corpus;
    ``run``, the options and fingerprints of the attempts that follow; ``attempt``, with its
    outcome; ``done``, the counts of a run that came to its end; ``filter``, what was left out
    later. An attempt is noted before its question is put into the table: at most one row is missing
    there.

    Parameters
    ----------
    table
        The path of the table. If there is none, an older journal is not read.

    Raises
    ------
    ReadError
        If it cannot be read, or is no journal; names the line.
    """

    def __init__(self, table: Path) -> None:
        self.path: Path = table.with_name(table.name + SUFFIX)
        self.found: Counter[str] = Counter()
        self.outcomes: dict[Attempt, Outcome] = {}
        self.questions: dict[Attempt, Question] = {}
        self.corpora: dict[str, str] = {}
        self._last: Attempt | None = None
        text = read(self.path) if table.exists() else b""
        # What stands behind the last newline was being written when the machine stopped.
        self._text = text[: text.rfind(b"\n") + 1]
        for number, line in enumerate(self._text.split(b"\n")[:-1], 1):
            try:
                self._take(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise ReadError(f"{self.path}, line {number}: {error!r}") from error

    @property
    def unfinished(self) -> Question | None:
        """The question that the table may not have, or not all of; None if it has all."""
        return None if self._last is None else self.questions.get(self._last)

    def begin(self, corpora_of_rows: Iterable[str]) -> None:
        """Make a file that lines can be appended to.

        Parameters
        ----------
        corpora_of_rows
            The corpus of each row that the table has.

        Raises
        ------
        ConfigError
            If nothing can be written there; names the path.
        """
        is_new = not self._text
        with replacing(self.path) as file:
            file.write(self._text)
        if is_new:
            self.note("found", dict(Counter(corpora_of_rows)))

    def note(self, kind: str, value: Mapping[str, Any]) -> None:
        """Append a line, and wait until the disk has it.

        Raises
        ------
        ConfigError
            If nothing can be written there; names the path.
        """
        entry = {kind: value}
        append(self.path, json.dumps(entry).encode() + b"\n")
        self._take(entry)

    def note_attempt(self, attempt: Attempt, outcome: Outcome, question: Question | None) -> None:
        """Append what came of an attempt; `question` is the one that was kept."""
        excerpts = [] if question is None else [[e.text, e.start, e.end] for e in question.excerpts]
        kept = {} if question is None else {"question": question.text, "excerpts": excerpts}
        self.note("attempt", {"of": list(attempt), "outcome": outcome, **kept})

    def _take(self, entry: dict[str, Any]) -> None:
        ((kind, value),) = entry.items()
        self._last = None
        if kind == "found":
            self.found = Counter(value)
        elif kind == "run":
            self.corpora |= value["corpora"]
        elif kind == "attempt":
            attempt = self._last = Attempt(*value["of"])
            self.outcomes[attempt] = value["outcome"]
            if "question" in value:
                excerpts = tuple(Excerpt(*each) for each in value["excerpts"])
                self.questions[attempt] = Question(value["question"], attempt.corpus, excerpts)


def append(path: Path, data: bytes) -> None:
    """Append bytes to a file, and wait until the disk has them.

    What was in the file stays. If the machine stops in the middle, some of the bytes may be there.

    Raises
    ------
    ConfigError
        If nothing can be written there; names the path.
    """
    try:
        with path.open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror or error}") from error


def read(path: Path) -> bytes:
    """Return what a file holds; nothing if there is none.

    Raises
    ------
    ReadError
        If it cannot be read; names it.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}") from error
