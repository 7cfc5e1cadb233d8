"""JSON lines: rows of documents read, rows of chunks written."""

from __future__ import annotations

import codecs
import gzip
import json
import os
import stat
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BufferedReader
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, cast

from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.io.carried import Fields
from chunkwright.io.rows import CLASH, NAMES, Carried, rows_of
from chunkwright.io.sources import STDIN, Entry, Reading, Source, standard_input
from chunkwright.io.texts import entry_of_row
from chunkwright.messages.terminal_text import escaped

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

# Less deep is surely written as easily as read.
DEEP = 200


class _NoFieldError(ReadError):
    """A row lacks a field."""

    def __init__(self, field: str, place: str, known: str) -> None:
        self.field, self.place, self.known = field, place, known
        super().__init__(f"{place}: no field {field!r}; there are {known}")


@dataclass
class _Lacking:
    """Rows that lack one field."""

    first: _NoFieldError
    count: int = 0

    def told(self, name: str) -> ReadError:
        """Return what says so of all of them, in the input of that name."""
        first = self.first
        if self.count == 1:
            return first
        where = f"{self.count:,} rows, the first of them {first.place}"
        return ReadError(f"{name}: no field {first.field!r} in {where}: there are {first.known}")


def json_rows(source: Source, reading: Reading) -> Iterator[Entry | ReadError]:
    """Read JSON lines, one object at a time; memory is that of a line.

    Yields
    ------
    Entry or ReadError
        A line's document, or why it has none. Lines that lack a field are counted, and told
        together at the end, unless the first failure is to end the run.

    Raises
    ------
    ReadError
        If the file cannot be read further.
    """
    lacking: dict[str, _Lacking] = {}
    broken: ReadError | None = None
    try:
        for number, line in enumerate(_lines(source), 1):
            if not line or line.isspace():
                continue
            place = f"{source.name}:{number}"
            try:
                fields = object_of(line, reading, place)
                yield _entry(fields, reading, place, f"{source.document}:{number}", len(line))
            except _NoFieldError as error:
                if reading.fail_fast:
                    yield error
                else:
                    lacking.setdefault(error.field, _Lacking(error)).count += 1
            except ReadError as error:
                yield error
    except ReadError as error:
        broken = error
    yield from (lack.told(source.name) for lack in lacking.values())
    if broken is not None:
        raise broken


def json_objects(
    source: Source, reading: Reading
) -> Iterator[tuple[str, dict[str, Any] | ReadError]]:
    """Read JSON lines as the objects that they are, one at a time.

    Yields
    ------
    tuple
        Where a line is, for messages, and its object, or why it has none.

    Raises
    ------
    ReadError
        If the file cannot be read further.
    """
    for number, line in enumerate(_lines(source), 1):
        if not line or line.isspace():
            continue
        place = f"{source.name}:{number}"
        try:
            found: dict[str, Any] | ReadError = object_of(line, reading, place)
        except ReadError as error:
            found = error
        yield place, found


def _lines(source: Source) -> Iterator[bytes]:
    source.check()
    try:
        with _opened(source) as file:
            for number, line in enumerate(file):
                whole = line.rstrip(b"\r\n")
                yield whole if number else whole.removeprefix(codecs.BOM_UTF8)
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
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError("reading .zst", "arrow") from error
    # By itself it cannot read lines.
    return BufferedReader(pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd"))


def object_of(line: bytes, reading: Reading, place: str) -> dict[str, Any]:
    """Return the object that a line is.

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
    raise ValueError(f"{constant} is no value of JSON")


def _entry(fields: dict[str, Any], reading: Reading, place: str, name: str, size: int) -> Entry:
    text = field_of(fields, reading.text_column, place)
    if not isinstance(text, str) and not (isinstance(text, list) and reading.takes_lists):
        wrong = f"field {reading.text_column!r} is {kind_of_value(text)}"
        raise ReadError(f"{place}: {wrong}, not a string")
    if reading.id_column is not None:
        name = name_of(field_of(fields, reading.id_column, place), reading.id_column, place)
    left = {reading.text_column, reading.id_column, *reading.drop_columns}
    carried = {key: value for key, value in fields.items() if key not in left}
    if clash := next((key for key in carried if key in NAMES), None):
        raise ReadError(f"{place}: field {clash!r} {CLASH.format(clash)}")
    n_chars = len(text) if isinstance(text, str) else 0
    entry = entry_of_row(text, reading, name, place, Fields(carried, size - n_chars))
    return entry if reading.id_column is None else replace(entry, document_id=name)


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
    """Return what a document is called by a field.

    Raises
    ------
    ReadError
        If it is neither a string nor an integer; names the place.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ReadError(
            f"{place}: field {column!r} is {kind_of_value(value)}, not a string or an integer"
        )
    return str(value)


def kind_of_value(value: Any) -> str:
    """Return what a value of JSON is, in words."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")


class JsonLines:
    """Writes rows to a file as UTF-8, one JSON object a line.

    Whoever reads a pipe or a terminal gets the rows of each document as soon as they are written.
    On a terminal, characters that could steer it are written as JSON's escapes of them.
    """

    def __init__(self, file: BinaryIO, names: Sequence[str] = NAMES) -> None:
        self._file, self._names = file, names
        self._is_awaited = not _is_regular(file)
        self._is_shown = file.isatty()
        self._encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

    def write(self, chunks: Chunks, number: int, carried: Carried | None = None) -> None:
        """Write the rows of one document. `oversize` is left out where it is false."""
        more = {} if carried is None else _finite(carried.values())
        rows = rows_of(chunks, number, self._names).to_dicts()
        # JSON says lone surrogates, too.
        for row, text in zip(rows, chunks.texts(), strict=True):
            row["text"] = text
            if not row["oversize"]:
                del row["oversize"]
            self._write(row | more)
        if self._is_awaited:
            self._file.flush()

    def write_row(self, row: Mapping[str, Any]) -> None:
        """Write one row as it is."""
        self._write(row)
        if self._is_awaited:
            self._file.flush()

    def close(self) -> None:
        """Hand on what is buffered."""
        self._file.flush()

    def _write(self, row: Mapping[str, Any]) -> None:
        line = self._encode(row)
        if self._is_shown:
            line = escaped(line)
        # A lone surrogate is no UTF-8; with a backslash it is JSON's own escape of it.
        self._file.write(line.encode("utf-8", "backslashreplace") + b"\n")


def _is_regular(file: BinaryIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    except OSError:
        # A stream that is no file of the system.
        return False


def _finite(value: Any) -> Any:
    """Put null where a float is none of JSON's."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
