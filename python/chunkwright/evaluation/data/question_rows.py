"""Rows of question files, parsed before their excerpts are looked for in a corpus."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkwright.errors import ConfigError, ReadError, nearest
from chunkwright.messages.values import short_repr
from chunkwright.readers.text import decode, read_bytes

_QUESTION = ("question",)
_CORPUS = ("corpus", "corpus_id")
_EXCERPTS = ("excerpts", "references")
_TEXT = ("text", "content")
_START = ("start", "start_index")
_END = ("end", "end_index")


class RowError(ValueError):
    """A row is not what it should be; says how."""


@dataclass(frozen=True, slots=True)
class GivenExcerpt:
    """An excerpt as a file has it: its text, its place, or both."""

    text: str | None
    place: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question as a file has it, and where it has it."""

    place: str
    question: str
    corpus: str | None
    excerpts: tuple[GivenExcerpt, ...]


def rows_of(path: Path) -> Iterator[QuestionRow]:
    """Yield the rows of a file of questions.

    Raises
    ------
    ConfigError
        If its name ends neither in ``.jsonl`` nor in ``.csv``.
    ReadError
        If it cannot be read, or a row is not what it should be; names file, line and value.
    """
    records = _RECORDS.get(path.suffix.lower())
    if records is None:
        hint = nearest(path.suffix, list(_RECORDS))
        raise ConfigError(f"questions are not read from {path.name!r} by its ending: {hint}")
    # Spreadsheets put a byte order mark in front.
    text = decode(read_bytes(path), encoding="utf-8-sig", name=str(path))
    for line, record in records(text, str(path)):
        place = f"{path.name}, line {line}"
        try:
            yield _question_row(record, place)
        except RowError as error:
            raise ReadError(f"{path}, line {line}: {error}") from error


def _jsonl(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    # Other characters that end a line may stand within one.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                record = parsed(line)
            except RowError as error:
                raise ReadError(f"{name}, line {number}: {error}") from error
            if not isinstance(record, dict):
                raise ReadError(f"{name}, line {number}: {short_repr(record)} is no object")
            yield number, record


def _csv(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for record in reader:
            yield reader.line_num, record
    except csv.Error as error:
        raise ReadError(f"{name}, line {reader.line_num}: {error}") from error


_RECORDS: dict[str, Callable[[str, str], Iterator[tuple[int, Mapping[str, Any]]]]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
}


def _question_row(record: Mapping[str, Any], place: str) -> QuestionRow:
    """Return what a record says.

    Raises
    ------
    RowError
        If it says it wrongly.
    """
    question = _one_of(record, _QUESTION)
    if not isinstance(question, str) or not question.strip():
        raise RowError(f"'question' must be a text, got {short_repr(question)}")
    corpus = _one_of(record, _CORPUS)
    if corpus is not None and not isinstance(corpus, str):
        raise RowError(f"'corpus' must be a text, got {short_repr(corpus)}")
    excerpts = _one_of(record, _EXCERPTS)
    if isinstance(excerpts, str):
        # A cell of a CSV holds JSON.
        excerpts = parsed(excerpts) if excerpts.strip() else None
    if not isinstance(excerpts, list | None):
        raise RowError(f"'excerpts' must be a list, got {short_repr(excerpts)}")
    return QuestionRow(
        place, question, corpus or None, tuple(_excerpt(given) for given in excerpts or ())
    )


def _excerpt(excerpt: object) -> GivenExcerpt:
    if isinstance(excerpt, str):
        return GivenExcerpt(excerpt, None)
    if not isinstance(excerpt, dict):
        raise RowError(f"an excerpt must be a text or an object, got {short_repr(excerpt)}")
    text = _one_of(excerpt, _TEXT)
    if not isinstance(text, str | None):
        raise RowError(f"an excerpt's 'text' must be a text, got {short_repr(text)}")
    place = _excerpt_place(excerpt)
    if text is None and place is None:
        raise RowError(f"an excerpt needs a 'text', got {short_repr(excerpt)}")
    return GivenExcerpt(text, place)


def _excerpt_place(excerpt: Mapping[str, Any]) -> tuple[int, int] | None:
    start, end = _one_of(excerpt, _START), _one_of(excerpt, _END)
    if start is None and end is None:
        return None
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        got = f"start={short_repr(start)} and end={short_repr(end)}"
        raise RowError(f"an excerpt must start at an int and end at a larger one, got {got}")
    return start, end


def _one_of(record: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """Return the value of the first key that there is; None if there is none of them."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def parsed(text: str) -> Any:
    """Return what a JSON text says.

    Raises
    ------
    RowError
        If it is no JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise RowError(f"{short_repr(text)} is nested too deeply") from error
    except ValueError as error:
        raise RowError(f"{short_repr(text)} is no JSON: {error}") from error
