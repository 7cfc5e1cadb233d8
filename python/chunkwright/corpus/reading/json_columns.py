"""Columns of JSON lines: texts, ids and carried fields, as a batch of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.failures import Failure
from chunkwright.corpus.reading.batch import DocumentBatch
from chunkwright.errors import ReadError
from chunkwright.frames import without_surrogates
from chunkwright.io.json_lines import field_of, name_of, object_of, text_of
from chunkwright.io.sources import COMPRESSED

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.unit import Unit
    from chunkwright.io.sources import Reading

_ADVICE = "leave the column out with drop_columns"


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
            raise ReadError(f"{place}: no field {unknown!r} in the first rows; {_ADVICE}")
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
            self._fail(ReadError(f"{problem}; {_ADVICE}"), place)
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
