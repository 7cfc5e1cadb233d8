"""Parquet and Arrow files: how they are opened and read, and which errors mean damage."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from chunkwright.errors import MissingExtraError, ReadError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from chunkwright.io.batches import Limits

# Parquet's pages are read through a buffer of so many bytes, not column by column.
_BUFFER_BYTES = 2**20
_MAGIC = b"ARROW1"

TableFile: TypeAlias = "str | BinaryIO"
"""The path of a table, or a file, of Python's or pyarrow's, in which one can seek."""


def pyarrow(feature: str) -> Any:
    """Return the library; raises MissingExtraError, which names the feature, if it is missing."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError(feature, "arrow") from error
    return pa


@contextmanager
def opened_parquet(file: TableFile) -> Iterator[Any]:
    """Open a Parquet file as a ``pyarrow.parquet.ParquetFile``; raises what pyarrow raises."""
    import pyarrow.parquet as pq

    with _opened(file) as opened, pq.ParquetFile(opened, buffer_size=_BUFFER_BYTES) as table:
        yield table


@contextmanager
def _opened_arrow(file: TableFile) -> Iterator[Any]:
    """Open an Arrow file as pyarrow's reader of such files, or of streams if it holds one."""
    import pyarrow as pa

    with _opened(file) as opened:
        yield pa.ipc.open_file(opened) if is_file_format(opened) else pa.ipc.open_stream(opened)


def schema_of(file: TableFile, format_: str) -> Any:
    """Return the ``pyarrow.Schema`` of a table; raises what opening the file raises."""
    if format_ == "parquet":
        with opened_parquet(file) as table:
            return table.schema_arrow
    with _opened_arrow(file) as reader:
        return reader.schema


def batches_of(
    file: TableFile,
    format_: str,
    limits: Limits,
    part: tuple[int, int] | None = None,
    without: Collection[str] = (),
) -> Iterator[tuple[Any, int | None]]:
    """Read a table, or a part of it, as Arrow batches.

    Parameters
    ----------
    file, format_
        The table, and ``"parquet"`` or ``"arrow"``.
    limits
        Bounds of a batch of Parquet's rows; Arrow's are as long as they were written.
    part
        Row groups (Parquet) or batches (Arrow), from and up to; None: all.
    without
        Columns that are left out.

    Yields
    ------
    tuple
        A ``pyarrow.RecordBatch``, and about how many rows all of it has; None where there is no
        telling.
    """
    read = _parquet_batches if format_ == "parquet" else _arrow_batches
    return read(file, limits, part, without)


def _parquet_batches(
    file: TableFile, limits: Limits, part: tuple[int, int] | None, without: Collection[str]
) -> Iterator[tuple[Any, int]]:
    with opened_parquet(file) as table:
        numbers = range(*(part or (0, table.num_row_groups)))
        groups = [table.metadata.row_group(i) for i in numbers]
        n_rows = sum(group.num_rows for group in groups)
        n_bytes = sum(group.total_byte_size for group in groups)
        size = min(limits.n, max(1, limits.n_bytes * n_rows // max(1, n_bytes)))
        columns = [name for name in table.schema_arrow.names if name not in without]
        for batch in table.iter_batches(size, row_groups=list(numbers), columns=columns):
            yield batch, n_rows


def _arrow_batches(
    file: TableFile, _: Limits, part: tuple[int, int] | None, without: Collection[str]
) -> Iterator[tuple[Any, int | None]]:
    with _opened_arrow(file) as reader:
        start, end = part or (0, getattr(reader, "num_record_batches", None))
        for batch in reader if end is None else map(reader.get_batch, range(start, end)):
            dropped = [name for name in without if name in batch.schema.names]
            # As if all batches were as long.
            yield batch.drop_columns(dropped), end and (end - start) * batch.num_rows


def is_file_format(file: BinaryIO) -> bool:
    """Return whether an Arrow file has the file format, not that of streams."""
    found = file.read(len(_MAGIC)) == _MAGIC
    file.seek(0)
    return found


def _opened(file: TableFile) -> AbstractContextManager[Any]:
    import pyarrow as pa

    # Bytes of a path that are no UTF-8 are escaped in a str.
    return pa.OSFile(os.fsencode(file)) if isinstance(file, str) else file


def validate(batch: Any, text_column: str) -> None:
    """Check that no offset or index points outside the batch, as a damaged file's may.

    A text that is not UTF-8 passes: only its own row fails.
    """
    import pyarrow as pa

    as_bytes = {
        pa.string(): pa.binary(),
        pa.large_string(): pa.large_binary(),
        pa.string_view(): pa.binary_view(),
    }
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        is_text = name == text_column and column.type in as_bytes
        (column.view(as_bytes[column.type]) if is_text else column).validate(full=True)


def is_string(kind: Any) -> bool:
    """Return whether values of a type are strings, plain or in a dictionary."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return is_string(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_damage(error: Exception) -> bool:
    """Return whether an error is due to what a file holds, not to the system that gives it."""
    # Libraries that read tables raise OSError of both; that of the system has a number, or, if
    # another library gives the file, a class of its own.
    is_system = isinstance(
        error, FileNotFoundError | PermissionError | ConnectionError | TimeoutError
    )
    return not isinstance(error, OSError) or (error.errno is None and not is_system)


def unreadable(name: str, format_: str, error: Exception) -> ReadError:
    """Return the error of a table that cannot be read."""
    reason = getattr(error, "strerror", None) or " ".join(str(error).split())
    return ReadError(f"{name}: not readable as {format_}: {reason}")
