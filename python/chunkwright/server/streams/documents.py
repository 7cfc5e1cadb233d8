"""Documents of a stream of JSON lines in, rows of chunks as JSON lines out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BufferedReader
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from chunkwright.document import Document
from chunkwright.io.batches import STREAMED, batches
from chunkwright.rows import well_formed
from chunkwright.server.answers import json_bytes
from chunkwright.server.bodies.request_documents import document_of
from chunkwright.server.problems import Problem, problem_of, too_large
from chunkwright.server.refusals import problem_of_errors
from chunkwright.server.schemas.requests import SourceFields

if TYPE_CHECKING:
    from chunkwright.server.streams.work import Stream

_BUFFER = 1 << 18


class Line(NamedTuple):
    """A line of the stream: its document, or what is wrong with it."""

    number: int
    size: int
    document: Document | None
    problem: Problem | None


def json_lines(stream: Stream) -> Iterator[bytes]:
    """Yield the rows of a stream of JSON lines, those of some documents at a time.

    A line that is no document has a row that says why, and so has a document that cannot be cut.

    Raises
    ------
    Problem
        If a line is larger than a request may be.
    """
    for batch in batches(_lines(stream), STREAMED, lambda line: line.size):
        yield b"".join(_rows(stream, batch))


def _lines(stream: Stream) -> Iterator[Line]:
    most = stream.service.settings.max_body
    reader = BufferedReader(stream.feed, _BUFFER)
    number = 0
    while line := reader.readline(most + 1):
        if len(line) > most:
            raise too_large(f"line {number + 1}", most)
        if not line.strip():
            continue
        yield _line(number, line, stream)
        number += 1


def _line(number: int, line: bytes, stream: Stream) -> Line:
    try:
        document = document_of(_source(line), stream.service)
    except Exception as error:  # noqa: BLE001 - the other lines go on
        return Line(number, len(line), None, problem_of(error))
    return Line(number, len(line), document, None)


def _source(line: bytes) -> SourceFields:
    try:
        return SourceFields.model_validate(json.loads(line))
    except ValidationError as error:
        raise problem_of_errors(error.errors(), SourceFields) from error
    except (ValueError, RecursionError):
        raise Problem(422, "invalid_json", "the line is no JSON object") from None


def _rows(stream: Stream, batch: list[Line]) -> Iterator[bytes]:
    """Yield the rows of some lines, in the lines' order."""
    documents = [line.document for line in batch if line.document is not None]
    numbers = [line.number for line in batch if line.document is not None]
    # Columns have one type for all documents: in a row, metadata are what its own line says.
    metadata = {number: _carried(of) for number, of in zip(numbers, documents, strict=True)}
    chunks: Any = stream.strategy.batch(
        [document.without_metadata() for document in documents],
        workers=stream.service.settings.threads,
        errors="collect",
    )
    stream.service.metrics.chunks(len(chunks))
    problems = {numbers[i]: problem_of(error) for i, error in chunks.errors.items()}
    problems |= {line.number: line.problem for line in batch if line.problem is not None}
    rows = iter(chunks.to_dicts())
    row = next(rows, None)
    for line in batch:
        if (problem := problems.get(line.number)) is not None:
            yield json_bytes(_problem_row(line, problem)) + b"\n"
        while row is not None and numbers[row["doc_index"]] == line.number:
            own = {"doc_index": line.number, **metadata[line.number]}
            yield json_bytes(row | own) + b"\n"
            row = next(rows, None)


def _carried(document: Document) -> dict[str, Any]:
    return {name: well_formed(value) for name, value in document.metadata.items()}


def _problem_row(line: Line, problem: Problem) -> dict[str, Any]:
    return {
        "doc_index": line.number,
        "document": None if line.document is None else line.document.name,
        **problem.body,
    }
