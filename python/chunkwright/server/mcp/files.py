"""Files and texts for tools: listed, read in parts, cut, and put into the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.checks import each_once
from chunkwright.chunking.registry import options_of
from chunkwright.readers.read import read
from chunkwright.server.bodies.request_documents import check_offered, document_of, strategy_of
from chunkwright.server.problems import Problem
from chunkwright.server.schemas.files import (
    USUAL_CHUNK,
    ChunkRow,
    ChunkTextAnswer,
    ChunkTextRequest,
    FileRow,
    ImportFileAnswer,
    ImportFileRequest,
    ListFilesAnswer,
    ListFilesRequest,
    ReadFileAnswer,
    ReadFileRequest,
)
from chunkwright.server.schemas.requests import Chunking, SourceFields
from chunkwright.server.stored.absent import NOT_FOUND, absent, advice_of
from chunkwright.server.stored.budget import AnswerBudget, left_out

if TYPE_CHECKING:
    from chunkwright.server.mcp.service import AgentService


def list_files(service: AgentService, request: ListFilesRequest) -> ListFilesAnswer:
    """Return the files that may be read, as many as fit.

    Raises
    ------
    Problem
        If there is no such folder.
    """
    known = service.roots.files(request.folder)
    wanted = known[request.offset : request.offset + request.limit]
    rows = (FileRow(path=each.path, n_bytes=each.n_bytes) for each in wanted)
    taken = AnswerBudget(request.max_tokens).fitting(rows, lambda row: row)
    around = left_out("files", request.offset + len(taken), len(known))
    return ListFilesAnswer(files=taken, n_total=len(known), **around)


def read_file(service: AgentService, request: ReadFileRequest) -> ReadFileAnswer:
    """Return a part of the text of a file.

    Raises
    ------
    Problem
        If there is no such file, or it is too large.
    ReadError, ConfigError
        If it cannot be read, or has no such pages.
    """
    data = _data(service, request.path)
    text = read(data, name=request.path, pages=request.pages).body
    rest = text[request.offset :]
    budget = AnswerBudget(request.max_tokens)

    def row_of(part: str) -> ReadFileAnswer:
        return ReadFileAnswer(
            path=request.path,
            text=part,
            offset=request.offset,
            n_chars=len(text),
            **left_out("characters", request.offset + len(part), len(text)),
        )

    return budget.cut(rest, row_of, end="")


def _data(service: AgentService, path: str) -> bytes:
    try:
        return service.roots.read(path, service.settings.max_body)
    except Problem as problem:
        if problem.code != NOT_FOUND:
            raise
        known = [each.path for each in service.roots.files()]
        advice = advice_of(path, known) or "see list_files"
        raise absent(problem.field or "path", f"{problem.message}: {advice}") from problem


def chunk_text(service: AgentService, request: ChunkTextRequest) -> ChunkTextAnswer:
    """Return the chunks of a text.

    Raises
    ------
    Problem, ConfigError, ReadError
        If the text cannot be read as what it is said to be, or the strategy or an option of it
        makes no sense.
    """
    strategy = strategy_of(_chunking(request), service)
    source = SourceFields.model_validate({"text": request.text, "kind": request.kind})
    chunks = strategy(document_of(source, service))
    wanted = chunks[request.offset : request.offset + request.limit]
    end = request.offset + len(wanted)
    return ChunkTextAnswer(
        chunks=[ChunkRow.model_validate(chunk) for chunk in wanted],
        n_total=len(chunks),
        **left_out("chunks", end, len(chunks), 0),
    )


def _chunking(request: ChunkTextRequest) -> Chunking:
    """Return the strategy with its options; one without a limit in tokens is given none."""
    own: dict[str, Any] = {"tokenizer": request.tokenizer, "max_tokens": request.max_tokens}
    said = {name: own[name] for name in request.model_fields_set & own.keys() if own[name]}
    each_once(said, request.options, place="options")
    check_offered(request.strategy, at="strategy")
    if request.max_tokens is None and "max_chars" not in request.options:
        own["max_tokens"] = USUAL_CHUNK
    known = options_of(request.strategy)
    is_asked = {"max_tokens": request.max_tokens is not None, "tokenizer": False}
    given = {
        name: value
        for name, value in own.items()
        if value is not None and (name in known or is_asked[name])
    }
    return Chunking(strategy=request.strategy, options={**given, **request.options})


def import_file(service: AgentService, request: ImportFileRequest) -> ImportFileAnswer:
    """Put a file into the store; of a document that has changed there is a new version.

    Raises
    ------
    Problem
        If there is no such file, or it is too large.
    ReadError
        If it cannot be read.
    StoreError, ModelError
        If the database or the embedder fails.
    """
    data = _data(service, request.path)
    document = read(data, name=_address(service, request.path))
    (report,) = service.store.add(document, metadata=request.metadata)
    if report.error is not None:
        raise report.error
    return ImportFileAnswer(
        document=report.uri,
        outcome=report.outcome,
        version=report.version,
        n_new=len(report.new),
        n_kept=len(report.kept),
        n_gone=len(report.gone),
        citations_moved=report.citations_moved,
        citations_broken=report.citations_broken,
        citations_altered=report.citations_altered,
        citation_changes=dict(report.citation_changes),
    )


def _address(service: AgentService, path: str) -> str:
    """Return what the store calls a file: ``index`` may have been given a longer path to it."""
    file = service.roots.place(path)
    for n in range(len(file.parts)):
        address = Path(*file.parts[n:]).as_posix()
        if address == path:
            break
        if any(each.is_current for each in service.store.versions(address)):
            known = service.store.original(address)
            if known is None or known.file in {None, str(file)}:
                return address
    return path
