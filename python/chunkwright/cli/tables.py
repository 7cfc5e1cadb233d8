"""Rows as Arrow and Parquet files, through pyarrow."""

import re
from itertools import chain, groupby
from typing import Any, BinaryIO

from chunkwright.cli.rows import NAMES, Carried, Columns
from chunkwright.cli.tablerows import TableRow
from chunkwright.errors import MissingExtraError

BATCH_ROWS = 16_384
BATCH_CHARS = 32 * 1024 * 1024
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
STRINGS = ("id", "document", "text")


class Table:
    """Writes rows to a file, many documents to a batch.

    The first batch decides which columns are carried, and of what type they are.

    Parameters
    ----------
    file
        Where to.
    format_
        ``"arrow"`` (the IPC file format) or ``"parquet"``.

    Raises
    ------
    MissingExtraError
        If pyarrow is not installed.
    """

    def __init__(self, file: BinaryIO, format_: str) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError as error:
            raise MissingExtraError(f"writing {format_}", "arrow") from error
        self._pa, self._file = pa, file
        self._make = pa.ipc.new_file if format_ == "arrow" else pq.ParquetWriter
        self._own, self._more = _schema(pa), _More(pa)
        self._writer: Any = None
        self._begin()

    def write(self, columns: Columns, carried: Carried | None = None) -> None:
        """Take the rows of one document, and write a batch if there are enough.

        Raises
        ------
        OSError
            If a carried column has no place in the table; names it.
        """
        for name, values in columns.items():
            self._pending[name] += _well_formed(values) if name in STRINGS else values
        self._carried.append((carried, len(columns["id"])))
        self._chars += sum(map(len, columns["text"]))
        if len(self._pending["id"]) >= BATCH_ROWS or self._chars >= BATCH_CHARS:
            self._flush()

    def close(self) -> None:
        """Write what is left, and the file's footer."""
        self._flush()
        self._writer.close()

    def _begin(self) -> None:
        self._pending: Columns = {name: [] for name in NAMES}
        self._carried: list[tuple[Carried | None, int]] = []
        self._chars = 0

    def _flush(self) -> None:
        if self._writer is not None and not self._pending["id"]:
            return
        pending, carried = self._pending, self._carried
        # What fails is not tried again when the file is closed.
        self._begin()
        table = self._pa.table(pending, schema=self._own)
        for name, column in self._more.columns(carried).items():
            table = table.append_column(name, column)
        if self._writer is None:
            self._writer = self._make(self._file, table.schema)
        self._writer.write_table(table)


class _More:
    """Carried columns; their types stay those of the first batch."""

    def __init__(self, pa: Any) -> None:
        self._pa = pa
        self._types: dict[str, Any] | None = None

    def columns(self, carried: list[tuple[Carried | None, int]]) -> dict[str, Any]:
        """Return the columns of a batch: each document's values, once for each of its chunks."""
        parts = [self._part(list(run)) for _, run in groupby(carried, key=_batch_of)]
        names = dict.fromkeys(chain.from_iterable(part.column_names for part in parts))
        if self._types is None:
            self._types = {name: self._type(name, parts) for name in names}
        if strange := next((name for name in names if name not in self._types), None):
            raise OSError(f"column {strange!r} was not in the first rows{_ADVICE.format(strange)}")
        return {name: self._column(name, type_, parts) for name, type_ in self._types.items()}

    def _part(self, run: list[tuple[Carried | None, int]]) -> Any:
        """Make a table of what documents of one origin carry."""
        repeated = [row for row, n in run for _ in range(n)]
        first = run[0][0]
        if isinstance(first, TableRow):
            rows = self._pa.array([row.index for row in repeated], type=self._pa.int64())  # type: ignore[union-attr]
            return self._pa.Table.from_batches([first.batch.take(rows)])
        values = [{} if row is None else row.values() for row in repeated]
        names = dict.fromkeys(chain.from_iterable(values))
        # A column of its own keeps the number of rows where nothing is carried.
        columns = {name: self._array(name, [row.get(name) for row in values]) for name in names}
        return _Rows(columns, len(values))

    def _array(self, name: str, values: list[Any]) -> Any:
        try:
            return self._pa.array(values)
        except (self._pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            reason = " ".join(str(error).split())
            raise OSError(
                f"column {name!r} is no column: {reason}{_ADVICE.format(name)}"
            ) from error

    def _type(self, name: str, parts: list[Any]) -> Any:
        types = (part.column(name).type for part in parts if name in part.column_names)
        # Where nothing is known yet, text is the likeliest.
        return next((t for t in types if not self._pa.types.is_null(t)), self._pa.string())

    def _column(self, name: str, type_: Any, parts: list[Any]) -> Any:
        arrays = (
            self._cast(name, part.column(name), type_)
            if name in part.column_names
            else [self._pa.nulls(part.num_rows, type_)]
            for part in parts
        )
        return self._pa.chunked_array(list(chain.from_iterable(arrays)), type=type_)

    def _cast(self, name: str, column: Any, type_: Any) -> list[Any]:
        types = self._pa.types
        alike = types.is_null(column.type) or all(
            types.is_integer(t) or types.is_floating(t) for t in (column.type, type_)
        )
        if column.type != type_ and not alike:
            raise OSError(
                f"column {name!r} holds {column.type}, and {type_} before{_ADVICE.format(name)}"
            )
        try:
            cast = column.cast(type_)
        except self._pa.ArrowException as error:
            reason = " ".join(str(error).split())
            raise OSError(f"column {name!r}: {reason}{_ADVICE.format(name)}") from error
        return list(cast.chunks) if hasattr(cast, "chunks") else [cast]


_ADVICE = ": leave it out with --drop-column {}, or write .jsonl"


class _Rows:
    """Columns that may be none, and how many rows they have all the same."""

    def __init__(self, columns: dict[str, Any], num_rows: int) -> None:
        self._columns = columns
        self.column_names = list(columns)
        self.num_rows = num_rows

    def column(self, name: str) -> Any:
        return self._columns[name]


def _batch_of(item: tuple[Carried | None, int]) -> int | None:
    row = item[0]
    return id(row.batch) if isinstance(row, TableRow) else None


def _schema(pa: Any) -> Any:
    kinds = {**dict.fromkeys(STRINGS, pa.string()), "oversize": pa.bool_()}
    return pa.schema([(name, kinds.get(name, pa.int64())) for name in NAMES])


def _well_formed(texts: list[str]) -> list[str]:
    """Replace each lone surrogate, which UTF-8 cannot say, by U+FFFD: offsets stay right."""
    return [text if _is_utf8(text) else LONE_SURROGATE.sub("\ufffd", text) for text in texts]


def _is_utf8(text: str) -> bool:
    return text.isascii() or not LONE_SURROGATE.search(text)
