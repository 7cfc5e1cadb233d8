"""Archives of answers: files of documents and chunks in one zip file."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from chunkwright.server.problems import Problem

from .exports import exported

ZIP = "application/zip"
"""Media type of archives."""

_SUFFIXES = {"md": ".md", "json": ".json", "text": ".txt"}


def archive_of_chunks(found: dict[str, Any], info: dict[str, Any]) -> bytes:
    """Return an archive with one file, ``chunked_result.json``.

    Parameters
    ----------
    found
        The chunks and the documents.
    info
        The options of the chunker.
    """
    whole = {"kind": "ChunkedDocumentResponse", **found, "chunking_info": info}
    return _zipped([("chunked_result.json", _json(whole, indent=2))])


def archive_of_documents(
    documents: Iterable[tuple[str, bytes | None, list[dict[str, Any]]]],
    formats: list[str],
    wrong: list[dict[str, Any]],
) -> bytes:
    """Return an archive with a file for each document and format, named after the document.

    What is not in it, or lacks a part of its document, stands in ``errors.json``.

    Parameters
    ----------
    documents
        The name of each file, its DoclingDocument's JSON if it was read, and its chunks.
    formats
        Docling's names of the formats; chunks are lines of JSON in ``.chunks.jsonl``.
    wrong
        Names, statuses and errors of documents that were not read, or not wholly.

    Raises
    ------
    Problem
        If none of the documents was read.
    """
    files: list[tuple[str, bytes]] = []
    stems = {"errors"} if wrong else set[str]()
    for name, document, chunks in documents:
        if document is not None:
            stem = _free(name.rpartition(".")[0] or name, stems)
            files += _files(stem, document, chunks, formats)
    if not files:
        raise Problem(422, "unreadable", "none of the documents could be read")
    if wrong:
        files.append(("errors.json", _json(wrong, indent=2)))
    return _zipped(files)


def _files(
    stem: str, document: bytes, chunks: list[dict[str, Any]], formats: list[str]
) -> Iterator[tuple[str, bytes]]:
    for to in dict.fromkeys(formats):
        if to == "chunks":
            lines = [_json(chunk) for chunk in chunks]
            yield f"{stem}.chunks.jsonl", b"".join(line + b"\n" for line in lines)
            continue
        found = exported(document, to)
        body = found.encode() if isinstance(found, str) else _json(found)
        yield f"{stem}{_SUFFIXES[to]}", body


def _free(stem: str, taken: set[str]) -> str:
    """Return a name that no other document has: two files may be called the same."""
    found, n = stem, 1
    while found in taken:
        n += 1
        found = f"{stem}_{n}"
    taken.add(found)
    return found


def _json(value: Any, indent: int | None = None) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text.encode("utf-8", "backslashreplace")


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files:
            archive.writestr(name, body)
    return packed.getvalue()
