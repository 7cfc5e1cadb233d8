"""Documents of a job: read as DoclingDocument JSON, and cut into docling-serve's chunks."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any, NamedTuple

from chunkwright import Tokenizer, _core
from chunkwright.compat.docling.native import counting_of_source, read_json
from chunkwright.errors import ChunkwrightError, ConfigError, MissingExtraError, ReadError
from chunkwright.readers.kinds import is_docling, kind_of, kind_of_file
from chunkwright.readers.pages import unread_pages
from chunkwright.readers.read import read_data

from .document_json import document_json
from .options import AnyChunker, ConvertOptions, HybridOptions

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
    """

    json: bytes
    format: str
    unread: tuple[int, ...] = ()


_FIELDS = {"ocr_languages": "ocr_lang", "ocr_engine": "ocr_engine"}


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
        If it cannot be read, or pages are asked of what has none; names the file.
    MissingExtraError
        If the reader of its kind is not installed.
    """
    if _is_docling(data, name):
        if options.pages is not None:
            raise ReadError(f"{name}: page_range is for PDF; this is a DoclingDocument")
        return ReadSource(data.removeprefix(b"\xef\xbb\xbf"), _FORMATS["docling"])
    try:
        document, kind = read_data(data, None, name, name, encoding=None, options=options.reading)
    except ConfigError as error:
        # This file may not have those pages, or the engine not those languages.
        field = _FIELDS.get(error.option or "", "page_range")
        raise ReadError(f"{name}: {field}: {error}") from error
    except MissingExtraError as error:
        # One picture among documents is no reason to read none of them.
        if error.extra != "ocr":
            raise
        raise ReadError(f"{name}: {error}") from error
    made: dict[str, Any] = document_json(document, name, kind, data)
    return ReadSource(json.dumps(made).encode(), _format(kind, name), tuple(unread_pages(document)))


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


class Cutter(NamedTuple):
    """What cuts the documents of a job.

    Attributes
    ----------
    options
        Those of the chunker.
    tokenizer
        What counts; None: the hierarchical chunker counts nothing.
    max_tokens
        Tokens of a chunk, headings included.
    """

    options: AnyChunker
    tokenizer: Tokenizer | None
    max_tokens: int

    def cut(self, document: bytes, name: str) -> list[dict[str, Any]]:
        """Return the chunks of a document.

        Parameters
        ----------
        document
            A DoclingDocument's JSON.
        name
            The name of its file.

        Raises
        ------
        ReadError
            If the JSON is no DoclingDocument, or a broken one, naming the item; if a character has
            more tokens than a chunk may have.
        """
        read = read_json(self._with_images(document))
        try:
            chunks = self._chunks(read)
        except (RecursionError, ValueError) as error:
            # Docling's chunkers raise too where a single character does not fit.
            if isinstance(error, ChunkwrightError):
                raise
            raise ReadError(f"{name}: max_tokens is too small: {error}") from error
        items = _Items(read, chunks.references())
        columns = zip(
            chunks.texts(),
            chunks.references(),
            chunks.headings(),
            chunks.with_origin(),
            strict=True,
        )
        found = enumerate(map(_Chunk._make, columns))
        return [{"filename": name, "chunk_index": i, **self._row(each, items)} for i, each in found]

    def _chunks(self, document: _core.DoclingDocument) -> _core.DoclingChunks:
        tables = "markdown" if self.options.use_markdown_tables else "triplets"
        if self.tokenizer is None or not isinstance(self.options, HybridOptions):
            return document.hierarchical(tables=tables)
        counting = counting_of_source(self.tokenizer)
        # Its warnings repeat texts of the document, which must not reach a log.
        chunks, _ = document.hybrid(
            counting.unit,
            tables=tables,
            always_emit_headings=False,
            max_tokens=self.max_tokens,
            repeat_table_header=True,
            merge_peers=self.options.merge_peers,
            omit_header_on_overflow=False,
            max_token_chars=counting.max_token_chars,
        )
        return chunks

    def _with_images(self, document: bytes) -> bytes:
        """Return the document with a text for each picture, if one is wanted.

        Docling writes it below the captions, where it writes what summarizes a picture, too.
        """
        placeholder = self.options.image_placeholder
        if not self.options.use_markdown_images or not placeholder:
            return document
        try:
            read = json.loads(document)
        except (ValueError, RecursionError):
            # The reader refuses what is no JSON.
            return document
        pictures = read.get("pictures") if isinstance(read, dict) else None
        for picture in pictures if isinstance(pictures, list) else ():
            if isinstance(picture, dict):
                meta = picture.get("meta") or {}
                said = ((meta.get("summary") or {}) if isinstance(meta, dict) else {}).get("text")
                text = f"{placeholder}\n\n{said}" if said else placeholder
                picture["meta"] = {**meta, "summary": {"text": text}}
        return json.dumps(read).encode()

    def _row(self, chunk: _Chunk, items: _Items) -> dict[str, Any]:
        references = chunk.references
        whole = "\n".join([*chunk.headings, chunk.text]) if chunk.headings else chunk.text
        metadata: dict[str, Any] = {}
        if chunk.has_origin and items.origin is not None:
            metadata["origin"] = items.origin
        metadata["has_image"] = any(each.startswith("#/pictures/") for each in references)
        metadata["boxes"] = items.boxes(references)
        return {
            "text": whole,
            "raw_text": chunk.text if self.options.include_raw_text else None,
            "num_tokens": None if self.tokenizer is None else self.tokenizer.count(whole),
            "headings": chunk.headings,
            "captions": None,
            "doc_items": references,
            "page_numbers": items.pages(references),
            "metadata": metadata,
        }


class _Chunk(NamedTuple):
    """A chunk, as the core gives it."""

    text: str
    references: list[str]
    headings: list[str] | None
    has_origin: bool


class _Items:
    """The places of a document's items, and its origin."""

    def __init__(self, document: _core.DoclingDocument, references: list[list[str]]) -> None:
        names = list(dict.fromkeys(chain.from_iterable(references)))
        dumped = json.loads(document.items_json(names))
        self._places = {
            name: item.get("prov") or [] for name, item in zip(names, dumped, strict=True)
        }
        said = document.origin_json()
        origin = None if said is None else json.loads(said)
        self.origin = None if origin is None else {**origin, "uri": origin.get("uri")}

    def pages(self, references: list[str]) -> list[int]:
        """Return the pages that items stand on, each once, in order."""
        return sorted({place["page_no"] for each in references for place in self._places[each]})

    def boxes(self, references: list[str]) -> list[dict[str, Any]]:
        """Return where items stand on their pages, each once; boxes that hold nothing left out."""
        return [
            {"item": each, "page_no": place["page_no"], "bbox": place["bbox"]}
            for each in dict.fromkeys(references)
            for place in self._places[each]
            if _is_box(place.get("bbox"))
        ]


def _is_box(box: dict[str, Any] | None) -> bool:
    return box is not None and box["l"] != box["r"] and box["t"] != box["b"]
