"""Tables of a stream of Arrow in, tables of chunks as a stream of Arrow out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.errors import MissingExtraError
from chunkwright.io.batches import ROWS
from chunkwright.server.answers import json_bytes
from chunkwright.server.problems import Problem
from chunkwright.server.streams.arrow_messages import ArrowMessages

if TYPE_CHECKING:
    from chunkwright.server.streams.work import Columns, Stream


def arrow_parts(stream: Stream, columns: Columns, *, as_lines: bool = False) -> Iterator[bytes]:
    """Yield the parts of a stream with the chunks of a stream of Arrow, some documents at a time.

    A document that cannot be cut has a row that says why.

    Parameters
    ----------
    stream, columns
        The stream of documents, and its columns.
    as_lines
        Whether the chunks are JSON lines; else they are a stream of Arrow.

    Raises
    ------
    Problem
        If the stream is damaged, or a message of it is too large.
    ConfigError
        If a column is missing, or of a wrong type.
    """
    with _read(stream, columns) as (schema, batches):
        yield from _lines(batches) if as_lines else _tables(schema, batches)


def _tables(schema: Any, batches: Iterator[Any]) -> Iterator[bytes]:
    pa = _pyarrow()
    parts = _Parts()
    with pa.ipc.new_stream(pa.PythonFile(parts, "w"), schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
            yield parts.taken()
    yield parts.taken()


def _lines(batches: Iterator[Any]) -> Iterator[bytes]:
    for batch in batches:
        yield b"".join(json_bytes(row) + b"\n" for row in batch.to_pylist())


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError("a stream of Arrow", "arrow") from error
    return pa


@contextmanager
def _read(stream: Stream, columns: Columns) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Give the schema of the chunks of a stream of Arrow, and the chunks, batch by batch."""
    pa = _pyarrow()
    settings = stream.service.settings
    messages = ArrowMessages(stream.feed, settings.max_body, settings.max_unpacked)
    chunker = ArrowChunker(
        stream.strategy,
        text_column=columns.text,
        id_column=columns.id,
        kind=columns.kind,
        workers=settings.threads,
        batch_bytes=ROWS.n_bytes,
    )
    try:
        with pa.ipc.open_stream(pa.PythonFile(BufferedReader(messages), "r")) as reader:
            yield chunker.schema(reader.schema), _chunked(reader, chunker, stream)
    except (pa.ArrowException, OSError, UnicodeDecodeError, KeyError) as error:
        message = "the stream is no stream of Arrow, or is damaged"
        raise Problem(422, "unreadable", message) from error


def _chunked(reader: Any, chunker: ArrowChunker, stream: Stream) -> Iterator[Any]:
    for batch in reader:
        # Nobody else looks at the offsets before they are followed.
        batch.validate(full=True)
        for chunks in chunker.map_iter([batch]):
            stream.service.metrics.chunks(chunks.num_rows)
            yield chunks


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
