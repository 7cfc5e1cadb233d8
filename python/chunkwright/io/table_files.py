"""Parquet and Arrow files: how they are opened, and what is damage in them."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from chunkwright.errors import MissingExtraError, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator

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
def opened_arrow(file: TableFile) -> Iterator[Any]:
    """Open an Arrow file as pyarrow's reader of such files, or of streams if it holds one."""
    import pyarrow as pa

    with _opened(file) as opened:
        yield pa.ipc.open_file(opened) if is_file_format(opened) else pa.ipc.open_stream(opened)


def arrow_batches(reader: Any, part: tuple[int, int] | None = None) -> Iterator[Any]:
    """Return the batches of a reader, or, of a file, those from and up to a number."""
    n_batches = getattr(reader, "num_record_batches", None)
    numbers = range(*(part or (0, n_batches or 0)))
    return iter(reader) if n_batches is None else map(reader.get_batch, numbers)


def is_file_format(file: BinaryIO) -> bool:
    """Return whether Arrow's file is no stream, which tells nothing of what is in it."""
    found = file.read(len(_MAGIC)) == _MAGIC
    file.seek(0)
    return found


def _opened(file: TableFile) -> AbstractContextManager[Any]:
    import pyarrow as pa

    # Bytes of a path that are no UTF-8 are escaped in a str.
    return pa.OSFile(os.fsencode(file)) if isinstance(file, str) else file


def validate(batch: Any, text_column: str) -> None:
    """Check that no offset or index of the batch leads out of it, as a damaged file's may.

    A text that is no UTF-8 is no error here: it is one row's.
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
    """Return whether values of a type are strings, each for itself or by a dictionary."""
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
