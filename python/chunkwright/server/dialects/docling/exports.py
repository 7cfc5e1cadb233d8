"""Exports of documents: their content in Docling's formats, and files of it in an archive."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from chunkwright.readers.docling import read_docling
from chunkwright.server.problems import Problem

from .options import ConvertOptions
from .writing.formats import CHUNKS, FORMATS
from .writing.markdown import markdown
from .writing.pictures import has_pictures, referenced
from .writing.rendered import rendered


def content(
    document: bytes | None, name: str, options: ConvertOptions, formats: Iterable[str]
) -> dict[str, Any]:
    """Return a document's content in some formats, and null for each of the others.

    Parameters
    ----------
    document
        A DoclingDocument's JSON; None: of a file that could not be read.
    name
        The name of the file.
    options
        Those of the conversion.
    formats
        Docling's names of the formats.

    Raises
    ------
    ReadError
        If the JSON is no DoclingDocument, or a broken one; names the item.
    MissingExtraError
        If docling-core is needed, and not installed.
    """
    wanted = set(formats) if document is not None else set()
    contents: dict[str, Any] = {"filename": name}
    mode = "embedded" if options.image_export_mode == "embedded" else "placeholder"
    for each, format_ in FORMATS.items():
        if each in wanted:
            contents[f"{each}_content"] = exported(document or b"", each, options, mode)
        elif format_.is_field:
            contents[f"{each}_content"] = None
    return contents


def exported(document: bytes, to: str, options: ConvertOptions, mode: str) -> Any:
    """Return a document as text of a format, or as the values of its JSON.

    Parameters
    ----------
    document
        A DoclingDocument's JSON.
    to
        Docling's name of the format.
    options
        Those of the conversion.
    mode
        What becomes of pictures: ``"placeholder"``, ``"embedded"`` or ``"referenced"``.

    Raises
    ------
    ReadError
        If the JSON is no DoclingDocument, or a broken one; names the item.
    MissingExtraError
        If docling-core is needed, and not installed.
    """
    if to == "json":
        read_docling(document)
        return json.loads(document)
    shows_pictures = to == "md" and mode != "placeholder" and has_pictures(document)
    if FORMATS[to].is_rendered or shows_pictures:
        return rendered(document, to, mode, options.md_page_break_placeholder)
    read = read_docling(document)
    if to == "text" or read.elements is None:
        return read.text
    return markdown(list(read.elements), read.text, options.md_page_break_placeholder)


class Written(NamedTuple):
    """A document of an archive: its name, its DoclingDocument's JSON if it was read, its chunks."""

    name: str
    document: bytes | None
    chunks: list[dict[str, Any]]


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
    return _zipped({"chunked_result.json": _json(whole, indent=2)})


def archive_of_documents(
    documents: Iterable[Written], options: ConvertOptions, wrong: list[dict[str, Any]]
) -> bytes:
    """Return an archive with a file for each document and format, named after the document.

    Pictures that are referenced stand in the folder ``artifacts``. What is not in the archive, or
    lacks a part of its document, stands in ``errors.json``.

    Parameters
    ----------
    documents
        The documents.
    options
        Those of the conversion.
    wrong
        Names, statuses and errors of documents that were not read, or not wholly.

    Raises
    ------
    Problem
        If none of the documents was read.
    """
    files: dict[str, bytes] = {}
    stems = {"errors"} if wrong else set[str]()
    for each in documents:
        if each.document is not None:
            stem = _free(each.name.rpartition(".")[0] or each.name, stems)
            files.update(_files(stem, each.document, each.chunks, options))
    if not files:
        raise Problem(422, "unreadable", "none of the documents could be read")
    if wrong:
        files["errors.json"] = _json(wrong, indent=2)
    return _zipped(files)


def _files(
    stem: str, document: bytes, chunks: list[dict[str, Any]], options: ConvertOptions
) -> Iterator[tuple[str, bytes]]:
    mode = options.image_export_mode
    if mode == "referenced":
        document, pictures = referenced(document)
        yield from pictures.items()
    for to in dict.fromkeys(options.to_formats):
        if to == CHUNKS:
            lines = [_json(chunk) for chunk in chunks]
            yield f"{stem}.chunks.jsonl", b"".join(line + b"\n" for line in lines)
        elif to in FORMATS:
            found = exported(document, to, options, mode)
            body = found.encode() if isinstance(found, str) else _json(found)
            yield f"{stem}{FORMATS[to].suffix}", body


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


def _zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return packed.getvalue()
