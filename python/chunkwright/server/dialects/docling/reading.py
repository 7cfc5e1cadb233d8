"""Reader of the documents of a job as DoclingDocument JSON, also without a missing engine."""

from __future__ import annotations

import json
from typing import NamedTuple

from chunkwright.errors import ChunkwrightError, ConfigError, MissingExtraError, ReadError
from chunkwright.readers.kinds import FILES, is_docling, kind_of, kind_of_file
from chunkwright.readers.pages import unread_pages
from chunkwright.readers.read import Read, read_data

from .document_json import document_json
from .ignored import other_engine
from .options import ConvertOptions

_FORMATS = {
    "docling": "json_docling",
    "docx": "docx",
    "html": "html",
    "markdown": "md",
    "pdf": "pdf",
    "image": "image",
    "csv": "csv",
    "tsv": "csv",
    "text": "md",
    "rst": "md",
}
_SUFFIXES = {"eml": "email", "msg": "email", "pptm": "pptx", "xlsm": "xlsx"}
_HEAD = 4096
_BOM = b"\xef\xbb\xbf"


class ReadSource(NamedTuple):
    """A document that was read.

    Attributes
    ----------
    json
        The DoclingDocument's JSON.
    format
        Docling's name of the format that it came in.
    unread
        Numbers of pages whose text is in pictures, which are not read.
    notes
        What was asked for and is not there, so that it was read without.
    is_whole
        Whether what it was read without changes nothing in what is read.
    """

    json: bytes
    format: str
    unread: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    is_whole: bool = True


_RECOGNISING = ("ocr_engine", "ocr_languages")


def read_source(data: bytes, name: str, options: ConvertOptions) -> ReadSource:
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
        If it cannot be read, or has no page of those that are asked for; names the file.
    MissingExtraError
        If the reader of its kind is not installed.
    """
    if _is_docling(data, name):
        notes = () if options.pages is None else (_no_pages(name),)
        document = data.removeprefix(_BOM)
        return ReadSource(document, _FORMATS["docling"], notes=notes)
    attempt = _Attempt(data, name, options)
    read, kind = attempt.read()
    engine = other_engine(options)
    if engine is not None and any(page.ocr for page in read.pages):
        attempt.notes.append(f"{name}: {engine}")
    return ReadSource(
        json.dumps(document_json(read, name, kind, data)).encode(),
        _format(kind, name),
        tuple(unread_pages(read)),
        tuple(attempt.notes),
        attempt.is_whole,
    )


def _no_pages(name: str) -> str:
    return f"{name}: page_range is for PDF and images: all of it is read"


class _Attempt:
    """Reading of a file that goes on without what is not there."""

    def __init__(self, data: bytes, name: str, options: ConvertOptions) -> None:
        self._data, self._name = data, name
        self._reading = dict(options.reading)
        self._first = options.page_range[0]
        self.notes: list[str] = []
        kind = kind_of_file(data, name)
        if options.pages is not None and not (kind in FILES and FILES[kind].takes("pages")):
            self._reading["pages"] = None
            self.notes.append(_no_pages(name))
        self.is_whole: bool = True

    def read(self) -> Read:
        """Return the document and its kind."""
        data, name = self._data, self._name
        while True:
            try:
                return read_data(data, None, name, name, encoding=None, options=self._reading)
            except ConfigError as error:
                if error.option in _RECOGNISING:
                    self._recognise_less(error)
                else:
                    self._read_other_pages(error)
            except MissingExtraError as error:
                if error.extra != "ocr":
                    raise
                self._recognise_less(error)
            except ReadError as error:
                if self.is_whole:
                    raise
                # Of an image, nothing is left without OCR.
                raise ReadError(self.notes[-1]) from error

    def _recognise_less(self, error: ChunkwrightError) -> None:
        """Go on with the engine that is taken by default, else without OCR."""
        if not self.is_whole:
            raise ReadError(f"{self._name}: {error}") from error
        self.notes.append(f"{self._name}: {error}")
        if self._reading.get("ocr_engine") is not None and _option(error) != "ocr_languages":
            self._reading["ocr_engine"] = None
            return
        self._reading = {"pages": self._reading["pages"], "ocr": "off"}
        self.is_whole = False

    def _read_other_pages(self, error: ConfigError) -> None:
        """Go on with the pages that there are: a range may end behind the last one."""
        rest = f"{self._first}-"
        if self._reading["pages"] in {None, rest}:
            raise ReadError(f"{self._name}: page_range: {error}") from error
        self._reading["pages"] = rest


def _option(error: ChunkwrightError) -> str | None:
    return error.option if isinstance(error, ConfigError) else None


def _is_docling(data: bytes, name: str) -> bool:
    """Return whether a file holds a DoclingDocument's JSON."""
    plain = data.removeprefix(_BOM).lstrip()
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
