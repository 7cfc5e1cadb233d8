"""Sources of a job as DoclingDocument JSON, each read by the reader of its kind."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.kinds import is_docling, kind_of, kind_of_file
from chunkwright.readers.pages import unread_pages
from chunkwright.readers.read import read_data

from .document_json import document_json
from .options import ConvertOptions

_FORMATS = {
    "docling": "json_docling",
    "docx": "docx",
    "html": "html",
    "markdown": "md",
    "pdf": "pdf",
    "csv": "csv",
    "tsv": "csv",
    "text": "md",
}
_SUFFIXES = {"eml": "email", "msg": "email", "pptm": "pptx", "xlsm": "xlsx"}
_HEAD = 4096


class Read(NamedTuple):
    """A document that was read.

    Attributes
    ----------
    json
        The DoclingDocument's JSON.
    format
        Docling's name of the format that it came in.
    unread
        Numbers of pages whose text is in pictures, which are not read.
    """

    json: bytes
    format: str
    unread: tuple[int, ...] = ()


def read_source(data: bytes, name: str, options: ConvertOptions) -> Read:
    """Read a file as a DoclingDocument; one that is such a document is taken as it is.

    Parameters
    ----------
    data
        What the file holds.
    name
        Its name, by which the kind is told where content does not tell it.
    options
        Those of the conversion: which pages of a PDF are read.

    Raises
    ------
    ReadError
        If it cannot be read, or pages are asked of what has none; names the file.
    MissingExtraError
        If the reader of its kind is not installed.
    """
    if _is_docling(data, name):
        if options.pages is not None:
            raise ReadError(f"{name}: page_range is for PDF; this is a DoclingDocument")
        return Read(data.removeprefix(b"\xef\xbb\xbf"), _FORMATS["docling"])
    pages = options.pages
    try:
        document, kind = read_data(
            data, None, name, name, encoding=None, errors="strict", options={"pages": pages}
        )
    except ConfigError as error:
        # The one option is the range of pages, which another file may have.
        raise ReadError(f"{name}: page_range: {error}") from error
    made: dict[str, Any] = document_json(document, name, kind, data)
    return Read(json.dumps(made).encode(), _format(kind, name), tuple(unread_pages(document)))


def _is_docling(data: bytes, name: str) -> bool:
    """Return whether a file holds a DoclingDocument's JSON."""
    plain = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not plain.startswith(b"{") or kind_of_file(data, name) is not None:
        return False
    try:
        if kind_of(plain[:_HEAD].decode("utf-8", "replace"), name) == "docling":
            return True
        return is_docling(json.loads(plain))
    except (ValueError, RecursionError):
        return False


def _format(kind: str, name: str) -> str:
    suffix = name.rpartition(".")[2].lower()
    return _FORMATS.get(kind) or _SUFFIXES.get(suffix, suffix)
