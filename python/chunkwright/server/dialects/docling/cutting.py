"""Chunks of DoclingDocuments, as docling-serve has them."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any, NamedTuple

from chunkwright import Tokenizer, _core
from chunkwright.compat.docling.native import counting_of_source, read_json
from chunkwright.errors import ChunkwrightError, ReadError
from chunkwright.telemetry import spanned

from .options import AnyChunker, HybridOptions


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

    @spanned("chunk")
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
