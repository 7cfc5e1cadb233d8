"""JSON lines, also compressed, as objects and as documents."""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

from chunkwright.errors import ReadError
from chunkwright.io.carried import Fields
from chunkwright.io.rows import NAMES, RowNames, clashing, name_of_row
from chunkwright.io.sources import STDIN, Entry, Failure, Reading, Source, standard_input
from chunkwright.io.table_files import pyarrow
from chunkwright.io.texts import entry_of_row

# Less deep is surely written as easily as read.
DEEP = 200


class _NoFieldError(ReadError):
    """A row lacks a field."""

    def __init__(self, field: str, place: str, known: str) -> None:
        self.field, self.place, self.known = field, place, known
        super().__init__(f"{place}: no field {field!r}; there are {known}")

    def of_many(self, name: str, count: int) -> ReadError:
        """Return what says so of many rows of an input, of which this is the first."""
        if count == 1:
            return self
        where = f"{count:,} rows, the first of them {self.place}"
        return ReadError(f"{name}: no field {self.field!r} in {where}: there are {self.known}")


def json_rows(source: Source, reading: Reading) -> Iterator[Entry | Failure]:
    """Read JSON lines one object at a time, holding one line in memory.

    Yields
    ------
    Entry or Failure
        A line's document, or why it has none. Lines that lack a field are counted, and told
        together at the end, unless the first failure is to end the run.

    Raises
    ------
    ReadError
        If the file cannot be read further.
    """
    first, counts = dict[str, _NoFieldError](), Counter[str]()
    broken: ReadError | None = None
    try:
        for place, line in lines_of(source):
            try:
                yield _entry(line, source, reading, place)
            except _NoFieldError as error:
                if reading.fail_fast:
                    yield source.failure(error)
                else:
                    first.setdefault(error.field, error)
                    counts[error.field] += 1
            except ReadError as error:
                yield source.failure(error)
    except ReadError as error:
        broken = error
    for field, missing in first.items():
        yield source.failure(missing.of_many(source.name, counts[field]))
    if broken is not None:
        raise broken


def lines_of(source: Source) -> Iterator[tuple[str, bytes]]:
    """Read the lines that are not blank, each with its place for messages.

    Raises
    ------
    ReadError
        If the file cannot be read further.
    """
    source.check()
    try:
        with _opened(source) as file:
            yield from filter(is_filled, placed_lines(file, source.name))
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"{source.name}: {reason}") from error


@contextmanager
def _opened(source: Source) -> Iterator[BinaryIO]:
    if source.name == STDIN:
        # Not ours to close.
        yield standard_input()
        return
    with Path(source.name).open("rb") as file, decompressed(file, source.name) as lines:
        yield lines


def decompressed(file: BinaryIO, name: str) -> BinaryIO:
    """Return what a file holds, decompressed if its name ends in ``.gz`` or ``.zst``.

    Raises
    ------
    MissingExtraError
        If that needs pyarrow, which is not installed.
    """
    name = name.lower()
    if name.endswith(".gz"):
        # Unlike pyarrow it reads files of several members.
        return cast("BinaryIO", gzip.open(file, "rb"))
    if not name.endswith(".zst"):
        return file
    pa = pyarrow("reading .zst")
    # By itself it cannot read lines.
    return BufferedReader(pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd"))


def placed_lines(
    file: BinaryIO, name: str, part: tuple[int, int] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the lines of a file, or those that begin in a part of its bytes, each with its place.

    Parameters
    ----------
    file
        The file, at its beginning.
    name
        What it is called.
    part
        Bytes, from and up to; None: all.
    """
    start, end = part or (0, None)
    names, at = RowNames(name), _next_line(file, start)
    for row, line in enumerate(file):
        if end is not None and at >= end:
            return
        whole = line.rstrip(b"\r\n")
        place = f"{name}, byte {at}" if start else names[row]
        yield place, whole if at else whole.removeprefix(codecs.BOM_UTF8)
        at += len(line)


def is_filled(line: tuple[str, bytes]) -> bool:
    """Return whether a line that has its place is not blank."""
    return bool(line[1]) and not line[1].isspace()


def _next_line(file: BinaryIO, start: int) -> int:
    """Go to the first line that begins at a byte or behind it; return where that is."""
    if start == 0:
        return 0
    file.seek(start - 1)
    return start - 1 + len(file.readline())


def object_of(line: bytes, reading: Reading, place: str) -> dict[str, Any]:
    """Return the JSON object in a line.

    Raises
    ------
    ReadError
        If it is none; names the place.
    """
    text = reading.decode(line, place)
    try:
        value = json.loads(text, parse_constant=_no_json)
        if text.count("[") + text.count("{") > DEEP:
            json.dumps(value)
    except json.JSONDecodeError as error:
        raise ReadError(f"{place}: not JSON at column {error.colno}: {error.msg}") from error
    except ValueError as error:
        raise ReadError(f"{place}: not JSON: {error}") from error
    except RecursionError as error:
        raise ReadError(f"{place}: nested too deeply") from error
    if not isinstance(value, dict):
        raise ReadError(f"{place}: not a JSON object, but {kind_of_value(value)}")
    return value


def _no_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON value")


def _entry(line: bytes, source: Source, reading: Reading, place: str) -> Entry:
    fields = object_of(line, reading, place)
    text = text_of(fields, reading, place)
    name = f"{source.document}{place.removeprefix(source.name)}"
    if reading.id_column is not None:
        name = name_of(field_of(fields, reading.id_column, place), reading.id_column, place)
    carried = {key: value for key, value in fields.items() if key not in reading.not_carried}
    if clash := clashing(NAMES, carried):
        raise ReadError(f"{place}: field ", *clash)
    n_chars = len(text) if isinstance(text, str) else 0
    return entry_of_row(text, reading, name, place, Fields(carried, len(line) - n_chars))


def text_of(fields: Mapping[str, Any], reading: Reading, place: str) -> str | list[Any]:
    """Return the text of an object, or its list of elements where one is allowed.

    Raises
    ------
    ReadError
        If there is none; names the place.
    """
    text = field_of(fields, reading.text_column, place)
    if isinstance(text, str) or (isinstance(text, list) and reading.takes_lists):
        return text
    wrong = f"field {reading.text_column!r} is {kind_of_value(text)}"
    raise ReadError(f"{place}: {wrong}, not a string")


def field_of(fields: Mapping[str, Any], name: str, place: str) -> Any:
    """Return a field of an object.

    Raises
    ------
    ReadError
        If there is none; names the place and what there is.
    """
    if name not in fields:
        known = ", ".join(map(repr, fields)) or "none"
        raise _NoFieldError(name, place, known)
    return fields[name]


def name_of(value: Any, column: str, place: str) -> str:
    """Return the name of a document from a field.

    Raises
    ------
    ReadError
        If it is neither a string nor an integer; names the place.
    """
    return name_of_row(value, lambda: f"{place}: field {column!r} is {kind_of_value(value)}")


def kind_of_value(value: Any) -> str:
    """Return the kind of a JSON value, in words."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
