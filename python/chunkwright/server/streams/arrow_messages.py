"""Messages of a stream of Arrow, passed on one by one when they are within limits."""

from __future__ import annotations

import struct
from io import BufferedReader, RawIOBase

from chunkwright.server.problems import Problem, too_large

# The format's own numbers: Apache Arrow columnar format, "Encapsulated message format".
_CONTINUATION = 0xFFFF_FFFF
_MOST_METADATA = 16 << 20
_BODY_LENGTH, _HEADER_KIND, _HEADER = 3, 1, 2
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
_DICTIONARY_DATA = 1
_BUFFERS, _COMPRESSION = 2, 3
_BUFFER_SIZE = 16


class ArrowMessages(RawIOBase):
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
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: memoryview | bytearray) -> int:  # type: ignore[override]
        """Fill a buffer from the message that is at hand; wait for the next one if none is."""
        if not self._rest:
            self._rest = memoryview(self._message())
        n = min(len(buffer), len(self._rest))
        buffer[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n

    def read(self, size: int = -1) -> bytes:
        """Return as many bytes as are asked for, or those that are left."""
        parts: list[bytes] = []
        while size != 0:
            if not self._rest and not (message := self._message()):
                break
            if not self._rest:
                self._rest = memoryview(message)
            part = self._rest if size < 0 else self._rest[:size]
            self._rest = self._rest[len(part) :]
            size -= len(part) if size > 0 else 0
            parts.append(bytes(part))
        return b"".join(parts)

    def _message(self) -> bytes:
        """Return the next message, whole; empty at the end."""
        prefix = self._source.read(8)
        if not prefix:
            return b""
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
            table = _Table.root(metadata)
            size = table.int64(_BODY_LENGTH)
            self._check(size)
            body = self._exactly(size)
            self._check_unpacked(table, body)
        except (struct.error, IndexError) as error:
            raise _damaged() from error
        return b"".join((prefix, metadata, body))

    def _check(self, size: int) -> None:
        if size < 0:
            raise _damaged()
        if size > self._most:
            raise too_large("a message of the stream", self._most)

    def _check_unpacked(self, message: _Table, body: bytes) -> None:
        kind, batch = message.byte(_HEADER_KIND), message.table(_HEADER)
        if batch is not None and kind == _DICTIONARY_BATCH:
            batch = batch.table(_DICTIONARY_DATA)
        elif kind != _RECORD_BATCH:
            return
        if batch is None or batch.table(_COMPRESSION) is None:
            return
        # Each compressed buffer begins with its size.
        starts = [at for at, size in batch.pairs(_BUFFERS) if size > 0]
        stated = (struct.unpack_from("<q", body, at)[0] for at in starts)
        if sum(max(size, 0) for size in stated) > self._most_unpacked:
            raise too_large("an unpacked message of the stream", self._most_unpacked)

    def _exactly(self, size: int) -> bytes:
        data = self._source.read(size)
        if len(data) < size:
            raise _damaged()
        return data


class _Table:
    """A table of a flatbuffer: its fields by their numbers."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at
        self._fields = at - struct.unpack_from("<i", data, at)[0]
        if self._fields < 0:
            raise IndexError
        self._size = struct.unpack_from("<H", data, self._fields)[0]

    @classmethod
    def root(cls, data: bytes) -> _Table:
        return cls(data, struct.unpack_from("<I", data, 0)[0])

    def byte(self, field: int) -> int:
        at = self._place(field)
        return 0 if at is None else self._data[at]

    def int64(self, field: int) -> int:
        at = self._place(field)
        found: int = 0 if at is None else struct.unpack_from("<q", self._data, at)[0]
        return found

    def table(self, field: int) -> _Table | None:
        at = self._place(field)
        return None if at is None else _Table(self._data, self._target(at))

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """Return a vector of structs of two numbers."""
        at = self._place(field)
        if at is None:
            return []
        at = self._target(at)
        n = struct.unpack_from("<I", self._data, at)[0]
        if at + 4 + n * _BUFFER_SIZE > len(self._data):
            raise IndexError
        return [struct.unpack_from("<qq", self._data, at + 4 + i * _BUFFER_SIZE) for i in range(n)]

    def _target(self, at: int) -> int:
        offset: int = struct.unpack_from("<I", self._data, at)[0]
        return at + offset

    def _place(self, field: int) -> int | None:
        entry = 4 + 2 * field
        if entry >= self._size:
            return None
        offset: int = struct.unpack_from("<H", self._data, self._fields + entry)[0]
        return self._at + offset if offset else None


def _damaged() -> Problem:
    return Problem(422, "unreadable", "the stream is no stream of Arrow, or is damaged")
