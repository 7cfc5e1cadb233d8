"""Messages of a stream of Arrow, passed on one by one when they are within limits."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from typing import Any

from flatbuffers.number_types import Int64Flags, Uint8Flags
from flatbuffers.table import Table

from chunkwright.server.problems import Problem, too_large
from chunkwright.server.streams.work import Pieces

# The format's own numbers: Apache Arrow columnar format, "Encapsulated message format".
_CONTINUATION = 0xFFFF_FFFF
_MOST_METADATA = 16 << 20
_BODY_LENGTH, _HEADER_KIND, _HEADER = 3, 1, 2
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
_DICTIONARY_DATA = 1
_BUFFERS, _COMPRESSION = 2, 3
_BUFFER = struct.Struct("<qq")


class ArrowMessages(Pieces):
    """A stream of Arrow, of which no message is larger than it may be, also when unpacked.

    The library takes each length that a message states, and makes room for it.

    Parameters
    ----------
    source
        The stream.
    most
        Bytes of a message.
    most_unpacked
        Bytes of a message whose buffers are compressed, when they are not.

    Raises
    ------
    Problem
        When it is read: if a message is larger, or no message of Arrow.
    """

    def __init__(self, source: RawIOBase, most: int, most_unpacked: int) -> None:
        super().__init__()
        self._source = BufferedReader(source, 1 << 18)
        self._most = most
        self._most_unpacked = most_unpacked

    def _next(self) -> bytes | None:
        """Return the next message, whole."""
        prefix = self._source.read(8)
        if not prefix:
            return None
        if len(prefix) < 8:  # noqa: PLR2004 - two numbers of four bytes
            raise _damaged()
        mark, length = struct.unpack("<II", prefix)
        if mark != _CONTINUATION:
            raise _damaged()
        if length == 0:
            return prefix
        if length > _MOST_METADATA:
            raise too_large("the head of a message", _MOST_METADATA)
        metadata = self._exactly(length)
        try:
            table = Table(metadata, struct.unpack_from("<I", metadata)[0])
            size = _number(table, _BODY_LENGTH, Int64Flags)
            self._check(size)
            body = self._exactly(size)
            self._check_unpacked(table, body)
        except (struct.error, TypeError) as error:  # an offset leads out of it, or before it
            raise _damaged() from error
        return b"".join((prefix, metadata, body))

    def _check(self, size: int) -> None:
        if size < 0:
            raise _damaged()
        if size > self._most:
            raise too_large("a message of the stream", self._most)

    def _check_unpacked(self, message: Table, body: bytes) -> None:
        kind, batch = _number(message, _HEADER_KIND, Uint8Flags), _inner(message, _HEADER)
        if batch is not None and kind == _DICTIONARY_BATCH:
            batch = _inner(batch, _DICTIONARY_DATA)
        elif kind != _RECORD_BATCH:
            return
        if batch is None or not _offset(batch, _COMPRESSION):
            return
        # Each compressed buffer begins with its size.
        starts = [at for at, size in _buffers(batch) if size > 0]
        stated = (struct.unpack_from("<q", body, at)[0] for at in starts)
        if sum(max(size, 0) for size in stated) > self._most_unpacked:
            raise too_large("an unpacked message of the stream", self._most_unpacked)

    def _exactly(self, size: int) -> bytes:
        data = self._source.read(size)
        if len(data) < size:
            raise _damaged()
        return data


def _offset(table: Table, field: int) -> int:
    """Return where in a table a field stands, by its number; 0 if it is not there."""
    return int(table.Offset(4 + 2 * field))


def _number(table: Table, field: int, kind: Any) -> int:
    return int(table.GetSlot(4 + 2 * field, 0, kind))


def _inner(table: Table, field: int) -> Table | None:
    offset = _offset(table, field)
    return Table(table.Bytes, table.Indirect(table.Pos + offset)) if offset else None


def _buffers(batch: Table) -> Iterator[tuple[int, int]]:
    """Yield where the buffers of a batch begin in the body, and how long each is."""
    if offset := _offset(batch, _BUFFERS):
        begin, size = batch.Vector(offset), batch.VectorLen(offset) * _BUFFER.size
        if begin + size > len(batch.Bytes):
            raise struct.error
        yield from _BUFFER.iter_unpack(batch.Bytes[begin : begin + size])


def _damaged() -> Problem:
    return Problem(422, "unreadable", "the stream is no stream of Arrow, or is damaged")
