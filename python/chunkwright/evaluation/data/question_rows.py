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
from chunkwright.messages.terminal_text import short_repr
from chunkwright.readers.text import decode, read_bytes

# Names of each key, our own first; those of spreadsheets and data sets behind.
_QUESTION = ("question", "query", "user_input")
_CORPUS = ("corpus", "corpus_id")
_LISTS = ("excerpts", "references")
_EXCERPTS = (
    *(*_LISTS, "excerpt", "answer", "passage", "context", "answers", "passages", "contexts"),
    *("reference_contexts", "ground_truth", "ground_truths", "reference"),
)
_TEXT = ("text", "content")
# Where a comma is the mark of decimals, spreadsheets part columns by the others.
_DELIMITERS = (",", ";", "\t")
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
    keys: tuple[str, ...] = ()


def needed_key(row: QuestionRow) -> str:
    """Say of a row without excerpts which key it needs, or that it is empty."""
    if not row.keys or {key.strip().lower() for key in row.keys} & set(_EXCERPTS):
        return "it has no excerpts"
    has = ", ".join(short_repr(key) for key in row.keys)
    return f"it has no excerpts: the key {_EXCERPTS[0]!r} or {_EXCERPTS[3]!r} is needed, got {has}"


def rows_of(path: Path) -> Iterator[QuestionRow]:
    """Yield the rows of a file of questions.

    Raises
    ------
    ConfigError
        If its name ends in none of ``.jsonl``, ``.csv`` and ``.json``.
    ReadError
        If it cannot be read, or a row is not what it should be; names file, line and value.
    """
    records = _RECORDS.get(path.suffix.lower())
    if records is None:
        hint = nearest(path.suffix, list(_RECORDS))
        raise ConfigError(f"questions are not read from {path.name!r} by its ending: {hint}")
    # Spreadsheets put a byte order mark in front.
    text = decode(read_bytes(path), encoding="utf-8-sig", name=str(path))
    for at, record in records(text, str(path)):
        place = f"{path.name}, {at}"
        try:
            yield _question_row(record, place)
        except RowError as error:
            raise ReadError(f"{path}, {at}: {error}") from error


def _jsonl(text: str, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    # Other characters that end a line may stand within one.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                record = parsed(line)
            except RowError as error:
                raise ReadError(f"{name}, line {number}: {error}") from error
            if not isinstance(record, dict):
                raise ReadError(f"{name}, line {number}: {short_repr(record)} is no object")
            yield f"line {number}", record


def _csv(text: str, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    lines = io.StringIO(text, newline="")
    reader = csv.DictReader(lines, delimiter=_delimiter(text), strict=True)
    try:
        for record in reader:
            # Spreadsheets write rows that have no content.
            if not all(map(_is_blank, record.values())):
                yield f"line {reader.line_num}", record
    except csv.Error as error:
        raise ReadError(f"{name}, line {reader.line_num}: {error}") from error


def _delimiter(text: str) -> str:
    """Return what parts the columns of a table: a comma, or what a key of questions stands beside.

    Examples
    --------
    >>> _delimiter("Question;Answer"), _delimiter("id,question")
    (';', ',')
    """
    head = text.lstrip().partition("\n")[0].lower()
    for mark in _DELIMITERS:
        keys = {cell.strip(' \r"') for cell in head.split(mark)}
        if len(keys) > 1 and keys & set(_QUESTION):
            return mark
    return ","


def _json(text: str, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        records = parsed(text)
    except RowError as error:
        raise ReadError(f"{name}: {error}") from error
    if not isinstance(records, list):
        raise ReadError(f"{name}: it must hold a list of questions, got {short_repr(records)}")
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise ReadError(f"{name}, item {number}: {short_repr(record)} is no object")
        yield f"item {number}", record


_RECORDS: dict[str, Callable[[str, str], Iterator[tuple[str, Mapping[str, Any]]]]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".json": _json,
}


def _question_row(record: Mapping[str, Any], place: str) -> QuestionRow:
    """Return what a record says.

    Raises
    ------
    RowError
        If it says it wrongly.
    """
    keys = tuple(key for key in record if isinstance(key, str))
    record = _with_plain_keys(record)
    question = _one_of(record, _QUESTION)
    if not isinstance(question, str) or not question.strip():
        raise RowError(f"'question' must be a text, got {short_repr(question)}")
    corpus = _one_of(record, _CORPUS)
    if corpus is not None and not isinstance(corpus, str):
        raise RowError(f"'corpus' must be a text, got {short_repr(corpus)}")
    excerpts = tuple(_excerpt(given) for given in _excerpts(record))
    return QuestionRow(place, question, corpus or None, excerpts, keys)


def _with_plain_keys(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with keys in lower case, too: columns of spreadsheets are titles."""
    plain = dict(record)
    for key, value in record.items():
        # Surplus cells of a row of CSV have no key.
        named = key.strip().lower() if isinstance(key, str) else key
        if _is_blank(plain.get(named)):
            plain[named] = value
    return plain


def _excerpts(record: Mapping[str, Any]) -> list[Any]:
    """Return what a record has as excerpts: a list, a single passage, or a cell that holds one."""
    key = next((each for each in _EXCERPTS if not _is_blank(record.get(each))), None)
    if key is None:
        return []
    given = record[key]
    if isinstance(given, str):
        # A cell of a CSV holds a list as JSON; what is called by the name of one passage is one.
        is_json = key in _LISTS and given.lstrip()[:1] in {"[", "{"}
        given = parsed(given) if is_json else [given]
    elif isinstance(given, dict) and key not in _LISTS:
        given = [given]
    if not isinstance(given, list):
        raise RowError(f"{key!r} must be a list, got {short_repr(given)}")
    return given


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


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
    """Return the value of the first key that there is, if possible one that is not blank."""
    given = [record[key] for key in keys if record.get(key) is not None]
    return next((value for value in given if not _is_blank(value)), next(iter(given), None))


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
