"""JSON lines, also compressed, as batches of rows: texts, ids and carried fields in columns."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.inputs.places import place_of
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.corpus.report import Failure
from chunkwright.errors import OptionName, ReadError
from chunkwright.frames import without_surrogates
from chunkwright.io import json_lines
from chunkwright.io.batches import LINES, batches
from chunkwright.io.json_lines import field_of, name_of, object_of, text_of
from chunkwright.io.sources import COMPRESSED
from chunkwright.io.table_files import is_damage, unreadable

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Unit
    from chunkwright.io.sources import Reading

_ADVICE = "; leave the column out with ", OptionName("drop_columns")


def json_batches(
    unit: Unit, reading: Reading, carried: Any, most: int | None = None
) -> Iterator[DocumentBatch]:
    """Read a unit of JSON lines: those that begin in its bytes.

    Parameters
    ----------
    unit
        The unit.
    reading
        How it is read.
    carried
        The ``pyarrow.Schema`` of the fields that are carried.
    most
        Bytes of the lines of a batch, or one line that has more; None for some megabytes.

    Yields
    ------
    DocumentBatch
        Some rows; lines that are no rows are failures in it.

    Raises
    ------
    ReadError
        If it cannot be decompressed further.
    OSError
        If the file is not there, or cannot be reached.
    """
    limits = LINES if most is None else LINES._replace(n_bytes=most)
    for lines in batches(_lines(unit), limits, lambda line: len(line[1])):
        columns, damage = JsonColumns(unit, reading, carried), None
        for place, line in lines:
            if isinstance(place, ReadError):
                damage = place
            else:
                columns.add(line, place)
        # What was read before damage is not lost.
        yield columns.batch(sum(len(line) for _, line in lines))
        if damage is not None:
            raise damage


def _lines(unit: Unit) -> Iterator[tuple[str | ReadError, bytes]]:
    """Yield lines that are not blank, each with its place; or why there are no more of them."""
    try:
        yield from filter(json_lines.is_filled, placed_lines(unit))
    except (OSError, EOFError, zlib.error) as error:
        if not is_damage(error):
            raise
        yield unreadable(unit.name, unit.format, error), b""


def placed_lines(unit: Unit) -> Iterator[tuple[str, bytes]]:
    """Yield the lines that begin in a unit's bytes, each with its place."""
    with (
        place_of(unit.path).open(unit.path) as file,
        json_lines.decompressed(file, unit.path) as lines,
    ):
        yield from json_lines.placed_lines(lines, unit.name, unit.part)


def sample(unit: Unit, reading: Reading, n_rows: int) -> list[dict[str, Any]]:
    """Return the first rows of a unit without their texts, those left out that are none."""
    rows: list[dict[str, Any]] = []
    # What cannot be read is told of when all rows are.
    with suppress(OSError, EOFError, zlib.error):
        for place, line in filter(json_lines.is_filled, placed_lines(unit)):
            if len(rows) == n_rows:
                break
            with suppress(ReadError):
                rows.append(object_of(line, reading, place))
                rows[-1].pop(reading.text_column, None)
    return rows


class JsonColumns:
    """Rows of JSON on their way to a batch.

    Parameters
    ----------
    unit
        Where they are from.
    reading
        How they are read.
    carried
        The ``pyarrow.Schema`` of the fields that are carried.
    """

    def __init__(self, unit: Unit, reading: Reading, carried: Any) -> None:
        import pyarrow as pa

        self.failures: list[Failure] = []
        self._unit, self._reading, self._carried = unit, reading, carried
        self._strings = [f.name for f in carried if pa.types.is_string(f.type)]
        self._known = {*reading.not_carried, *carried.names}
        self._rows: list[Mapping[str, Any]] = []
        self._places: list[str] = []

    def __len__(self) -> int:
        return len(self._rows) + len(self.failures)

    def add(self, line: bytes, place: str) -> None:
        """Add a row; what is none, or has a field that the first rows lack, is a failure."""
        try:
            self._rows.append(self._row(object_of(line, self._reading, place), place))
            self._places.append(place)
        except ReadError as error:
            self._fail(error, place)

    def _row(self, fields: Mapping[str, Any], place: str) -> Mapping[str, Any]:
        row = {name: fields.get(name) for name in self._carried.names}
        for name in self._strings:
            row[name] = _as_string(row[name])
        row[self._reading.text_column] = self._text(fields, place)
        if (column := self._reading.id_column) is not None:
            row[column] = name_of(field_of(fields, column, place), column, place)
        unknown = next((name for name in fields if name not in self._known), None)
        if unknown is not None:
            raise ReadError(f"{place}: no field {unknown!r} in the first rows", *_ADVICE)
        return row

    def batch(self, n_bytes: int) -> DocumentBatch:
        """Return the rows; those whose fields have no place in their columns are failures."""
        import pyarrow as pa

        strings = [self._reading.text_column, self._reading.id_column]
        schema = pa.schema(
            [(name, pa.string()) for name in strings if name is not None] + list(self._carried)
        )
        rows, places = self._rows, self._places
        try:
            batch = pa.RecordBatch.from_pylist(rows, schema=schema)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            rows, places = self._fitting(schema)
            batch = pa.RecordBatch.from_pylist(rows, schema=schema)
        is_plain = not self._unit.path.lower().endswith(COMPRESSED)
        return DocumentBatch(
            self._unit,
            batch,
            places,
            failures=self.failures,
            n_bytes=n_bytes,
            input_bytes=n_bytes if is_plain else 0,
        )

    def _text(self, fields: Mapping[str, Any], place: str) -> str | None:
        # A text that is null fails where those of tables do.
        is_null = fields.get(self._reading.text_column, "") is None
        return None if is_null else _as_string(text_of(fields, self._reading, place))

    def _fitting(self, schema: Any) -> tuple[list[Mapping[str, Any]], list[str]]:
        """Return the rows that fit into their columns, and put down why others do not."""
        rows: list[Mapping[str, Any]] = []
        places: list[str] = []
        for row, place in zip(self._rows, self._places, strict=True):
            wrong = next((field for field in schema if not _fits(row[field.name], field)), None)
            if wrong is None:
                rows.append(row)
                places.append(place)
                continue
            problem = f"{place}: field {wrong.name!r} is not {wrong.type}, as in the first rows"
            self._fail(ReadError(problem, *_ADVICE), place)
        return rows, places

    def _fail(self, error: ReadError, place: str) -> None:
        self.failures.append(Failure.of(error, "read", self._unit.label, place))


def _as_string(value: Any) -> str | None:
    """Return a value of a column of strings: those of other types are JSON in it."""
    if value is None:
        return None
    # UTF-8 has no lone surrogates, which JSON can say.
    return without_surrogates(value if isinstance(value, str) else json.dumps(value))


def _fits(value: Any, field: Any) -> bool:
    import pyarrow as pa

    try:
        pa.array([value], field.type)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return False
    return True
