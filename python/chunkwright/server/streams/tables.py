"""Tables of a stream of Arrow in, tables of chunks as a stream of Arrow out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.errors import MissingExtraError
from chunkwright.server.problems import Problem
from chunkwright.server.streams.arrow_messages import ArrowMessages

if TYPE_CHECKING:
    from chunkwright.server.streams.work import Columns, Stream

_BATCH_BYTES = 8 << 20


def arrow_tables(stream: Stream, columns: Columns) -> Iterator[bytes]:
    """Yield the parts of a stream of Arrow with the chunks of another one.

    A document that cannot be cut has a row that says why.

    Raises
    ------
    Problem
        If the stream is damaged, or a message of it is too large.
    ConfigError
        If a column is missing, or of a wrong type.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError("a stream of Arrow", "arrow") from error
    settings = stream.service.settings
    messages = ArrowMessages(stream.feed, settings.max_body, settings.max_unpacked)
    chunker = ArrowChunker(
        stream.strategy,
        text_column=columns.text,
        id_column=columns.id,
        kind=columns.kind,
        workers=settings.threads,
        batch_bytes=_BATCH_BYTES,
    )
    parts = _Parts()
    try:
        with pa.ipc.open_stream(pa.PythonFile(messages, "r")) as reader:
            schema = chunker.schema(reader.schema)
            with pa.ipc.new_stream(pa.PythonFile(parts, "w"), schema) as writer:
                for batch in _chunked(reader, chunker):
                    writer.write_batch(batch)
                    stream.service.metrics.chunks(batch.num_rows)
                    yield parts.taken()
        yield parts.taken()
    except (pa.ArrowException, OSError, UnicodeDecodeError, KeyError) as error:
        message = "the stream is no stream of Arrow, or is damaged"
        raise Problem(422, "unreadable", message) from error


def _chunked(reader: Any, chunker: ArrowChunker) -> Iterator[Any]:
    for batch in reader:
        # Nobody else looks at the offsets before they are followed.
        batch.validate(full=True)
        yield from chunker.map_iter([batch])


class _Parts:
    """What has been written since it was last taken, as a file."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        """Do nothing: it is in memory."""

    def close(self) -> None:
        """Do nothing: what was written is still to be taken."""

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)
