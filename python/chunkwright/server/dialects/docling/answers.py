"""Answer to a job: chunks or documents, as JSON or as an archive; the same by every route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from chunkwright.concurrency.background import in_time
from chunkwright.errors import ReadError
from chunkwright.server.answers import JSON, ZIP, json_bytes
from chunkwright.server.problems import Problem

from .cutting import Cutter
from .exports import Written, archive_of_chunks, archive_of_documents, content
from .jobs import ConversionJob, Source
from .options import ConvertOptions
from .progress import Outcome, Progress, counts_of
from .reading import read_source
from .writing.formats import CHUNKS

Fetch: TypeAlias = Callable[[str, Mapping[str, str]], bytes]
"""Fetches a file: its address, and the headers to send."""

Put: TypeAlias = Callable[[str, bytes, str], None]
"""Puts a file to an address: what it holds, and its media type."""


class Outside(NamedTuple):
    """What a job has to do with other machines."""

    fetch: Fetch
    put: Put


class Answer(NamedTuple):
    """What a job comes to.

    Attributes
    ----------
    media_type
        Of the body, as HTTP has it.
    body
        The answer itself.
    n_chunks
        How many chunks were made.
    warnings
        What was asked for and not done.
    """

    media_type: str
    body: bytes
    n_chunks: int
    warnings: tuple[str, ...] = ()


def answer(
    job: ConversionJob,
    cutter: Cutter | None,
    outside: Outside,
    progress: Progress,
    max_chunks: int,
) -> Answer:
    """Return the answer to a job.

    A document that cannot be read has the status ``"failure"`` and an error in the answer, as
    Docling has it, unless the job is to end at the first error.

    Parameters
    ----------
    job
        What is asked for.
    cutter
        What cuts the documents; None: they are only converted.
    outside
        Fetches sources from elsewhere, and puts archives there.
    progress
        Who is told of each document.
    max_chunks
        Chunks of the answer, at most.

    Raises
    ------
    Problem
        If there would be more chunks, or a source cannot be fetched.
    ReadError
        If a document cannot be read, and the job is to end at the first error.
    """
    began = perf_counter()
    outcomes: list[Outcome] = []
    n_chunks = 0
    progress.begun(len(job.sources))
    for source in job.sources:
        begun = perf_counter()
        outcomes.append(_outcome(job, source, cutter, outside.fetch))
        progress.done(outcomes[-1], perf_counter() - begun)
        n_chunks += len(outcomes[-1].chunks)
        if n_chunks > max_chunks:
            message = f"the answer would have more than {max_chunks:,} chunks"
            raise Problem(413, "too_many_chunks", message)
    media_type, body = _body(job, outcomes, began)
    if job.put_url is not None:
        outside.put(job.put_url, body, media_type)
        media_type, body = JSON, json_bytes(_counts(outcomes, began))
    progress.all_done()
    notes = (note for outcome in outcomes for note in outcome.notes)
    warnings = dict.fromkeys((*(each.text for each in job.ignored), *notes))
    return Answer(media_type, body, n_chunks, tuple(warnings))


def _counts(outcomes: list[Outcome], began: float) -> dict[str, Any]:
    """Return what docling-serve answers whose archive was put elsewhere."""
    counts = counts_of([outcome.status for outcome in outcomes])
    return {"processing_time": perf_counter() - began, "num_converted": len(outcomes), **counts}


def _body(job: ConversionJob, outcomes: list[Outcome], began: float) -> tuple[str, bytes]:
    if job.chunker is not None:
        body: dict[str, Any] = {
            "chunks": [chunk for outcome in outcomes for chunk in outcome.chunks],
            "documents": [
                {"kind": "ExportResult", "content": outcome.content, **_facts(job, outcome)}
                for outcome in outcomes
            ],
        }
        if job.is_archive:
            return ZIP, archive_of_chunks(body, job.chunker.model_dump(mode="json"))
        return JSON, json_bytes({**body, "processing_time": perf_counter() - began})
    if job.is_archive:
        given = [Written(outcome.name, outcome.document, outcome.chunks) for outcome in outcomes]
        wrong = [
            {"filename": outcome.name, "status": outcome.status, "errors": outcome.errors}
            for outcome in outcomes
            if outcome.errors
        ]
        return ZIP, archive_of_documents(given, job.convert, wrong)
    (only,) = outcomes
    body = {
        "document": only.content,
        **_facts(job, only),
        "processing_time": perf_counter() - began,
    }
    if CHUNKS in job.convert.to_formats:
        body["chunks"] = only.chunks
    return JSON, json_bytes(body)


def _facts(job: ConversionJob, outcome: Outcome) -> dict[str, Any]:
    """Return what an answer says of a document, fields of the request that are ignored included."""
    ignored = [error_row(each.text) for each in job.ignored]
    return {
        "status": outcome.status,
        "errors": [*outcome.errors, *map(error_row, outcome.notes), *ignored],
        "timings": {},
        "confidence": None,
    }


def _outcome(job: ConversionJob, source: Source, cutter: Cutter | None, fetch: Fetch) -> Outcome:
    name = source.name
    try:
        return _in_time(job, source, lambda: _success(job, source, cutter, fetch))
    except ReadError as error:
        message = str(error)
        message = message if message.startswith(name) else f"{name}: {message}"
        if job.convert.abort_on_error:
            raise ReadError(message) from error
        return _without(name, "failure", message)


def _in_time(job: ConversionJob, source: Source, call: Callable[[], Outcome]) -> Outcome:
    """Return what a call returns; its work ends when the time of one document is up."""
    most = job.convert.document_timeout
    if most is None:
        return call()
    try:
        return in_time(call, most)
    except TimeoutError:
        late = f"{source.name}: it took longer than document_timeout, {most:g} seconds"
        raise ReadError(late) from None


def _success(job: ConversionJob, source: Source, cutter: Cutter | None, fetch: Fetch) -> Outcome:
    name = source.name
    data = source.data if source.url is None else fetch(source.url, source.headers)
    read = read_source(data, name, job.convert)
    if read.format not in job.convert.from_formats:
        said = f"{name}: its format {read.format} is none of from_formats"
        if job.convert.abort_on_error:
            raise ReadError(said)
        return _without(name, "skipped", said)
    chunks = [] if cutter is None else cutter.cut(read.json, name)
    # A client that turns OCR off does not expect the text that OCR would read.
    missed = read.unread if job.convert.do_ocr else ()
    is_whole = read.is_whole and not missed
    return Outcome(
        name,
        "success" if is_whole else "partial_success",
        [_missed(name, page) for page in missed],
        read.notes,
        read.json,
        chunks,
        content(read.json, name, job.convert, _formats(job)),
    )


def _formats(job: ConversionJob) -> list[str]:
    """Return the formats whose content an answer of JSON has."""
    if job.chunker is not None:
        return ["json"] if job.include_converted_doc else []
    # In an archive, files take the place of these fields.
    return [] if job.is_archive else list(job.convert.to_formats)


def _without(name: str, status: str, message: str) -> Outcome:
    empty = content(None, name, ConvertOptions(), ())
    return Outcome(name, status, [error_row(message)], (), None, [], empty)


def _missed(name: str, page: int) -> dict[str, Any]:
    return error_row(f"{name}: the text of page {page} is in a picture: it needs OCR", page)


def error_row(message: str, page: int | None = None) -> dict[str, Any]:
    """Return an error as Docling says it: of what was sent, or of a page that no model read."""
    return {
        "component_type": "user_input" if page is None else "model",
        "module_name": "chunkwright",
        "error_message": message,
        "category": "unknown",
        "page_no": page,
    }
