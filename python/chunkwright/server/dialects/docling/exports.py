"""Exports of documents: Markdown, plain text and JSON, alone or with chunks in one zip file."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from chunkwright.elements.element import Element
from chunkwright.readers.docling import read_docling
from chunkwright.server.problems import Problem

_CONTENTS = {"md": "md_content", "json": "json_content", "text": "text_content"}
_MOST_HASHES = 6
_TICKS = re.compile("`{3,}")


def content(document: bytes | None, name: str, formats: Iterable[str]) -> dict[str, Any]:
    """Return a document's content in some formats, and null for each of the others.

    Parameters
    ----------
    document
        A DoclingDocument's JSON; None: of a file that could not be read.
    name
        The name of the file.
    formats
        Docling's names of the formats.

    Raises
    ------
    ReadError
        If the JSON is no DoclingDocument, or a broken one; names the item.
    """
    wanted = set(formats) if document is not None else set()
    contents: dict[str, Any] = {
        "filename": name,
        "md_content": None,
        "json_content": None,
        "html_content": None,
        "text_content": None,
        "doctags_content": None,
        "doclang_content": None,
    }
    for each in wanted & _CONTENTS.keys():
        contents[_CONTENTS[each]] = exported(document or b"", each)
    return contents


def exported(document: bytes, to: str) -> Any:
    """Return a document as text, as Markdown, or as the values of its JSON.

    Raises
    ------
    ReadError
        If the JSON is no DoclingDocument, or a broken one; names the item.
    """
    read = read_docling(document)
    if to == "json":
        return json.loads(document.removeprefix(b"\xef\xbb\xbf"))
    if to == "text" or read.elements is None:
        return read.text
    return _markdown(list(read.elements), read.text)


def _markdown(elements: list[Element], text: str) -> str:
    """Return the text with the marks of headings and code, which it does not have."""
    parts, end = [], 0
    for element in elements:
        if not element.in_body:
            break
        parts += [text[end : element.start], _marked(element)]
        end = element.end
    return "".join(parts)


def _marked(element: Element) -> str:
    if element.kind == "heading" and element.text:
        return f"{'#' * min(element.level or 1, _MOST_HASHES)} {element.text}"
    if element.kind == "code":
        longest = max((len(found) for found in _TICKS.findall(element.text)), default=2)
        fence = "`" * (longest + 1)
        return f"{fence}{(element.language or '').lower()}\n{element.text}\n{fence}"
    return element.text


ZIP = "application/zip"
"""Media type of archives."""

_SUFFIXES = {"md": ".md", "json": ".json", "text": ".txt"}


def archive_of_chunks(answer: dict[str, Any], info: dict[str, Any]) -> bytes:
    """Return an archive with one file, ``chunked_result.json``.

    Parameters
    ----------
    answer
        The chunks and the documents.
    info
        The options of the chunker.
    """
    whole = {"kind": "ChunkedDocumentResponse", **answer, "chunking_info": info}
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
    free, n = stem, 1
    while free in taken:
        n += 1
        free = f"{stem}_{n}"
    taken.add(free)
    return free


def _json(value: Any, indent: int | None = None) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text.encode("utf-8", "backslashreplace")


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files:
            archive.writestr(name, body)
    return packed.getvalue()
