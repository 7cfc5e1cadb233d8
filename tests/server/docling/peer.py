"""What docling-serve answers: the chunks of docling-core's chunkers in its models of answers."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

NEEDED = "docling-core with docling-slim is the judge of docling-serve's answers"

with warnings.catch_warnings():
    # Their own modules use what they have deprecated.
    warnings.simplefilter("ignore")
    pytest.importorskip("docling_core.transforms.chunker.hybrid_chunker", reason=NEEDED)
    pytest.importorskip("docling.service_client", reason=NEEDED)
    pytest.importorskip("transformers", reason=NEEDED)

    from docling.datamodel.service.chunking import HierarchicalChunkerOptions, HybridChunkerOptions
    from docling.datamodel.service.responses import ChunkedDocumentResultItem
    from docling.service_client import DoclingServiceClient
    from docling.service_client.client import ChunkerKind, StatusWatcherKind
    from docling_core.transforms.chunker.hierarchical_chunker import (
        ChunkingDocSerializer,
        ChunkingSerializerProvider,
        HierarchicalChunker,
    )
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.huggingface import HuggingFaceTokenizer
    from docling_core.transforms.serializer.markdown import MarkdownTableSerializer
    from docling_core.types.doc.document import DoclingDocument

    from tests.parity.docling_pair import theirs_of, word_pieces

__all__ = [
    "ChunkerKind",
    "DoclingDocument",
    "DoclingServiceClient",
    "StatusWatcherKind",
    "expected",
]

LIMIT = 96
"""Tokens that the model of `word_pieces` is said to take."""


class _Provider(ChunkingSerializerProvider):
    """Writes tables and pictures as a request asks for them."""

    def __init__(self, options: Any) -> None:
        self._options = options

    def get_serializer(self, doc: DoclingDocument) -> Any:
        options = self._options
        params = ChunkingDocSerializer.model_fields["params"].default
        if options.use_markdown_images:
            params = params.model_copy(update={"image_placeholder": options.image_placeholder})
        tables: Any = (
            {"table_serializer": MarkdownTableSerializer()} if options.use_markdown_tables else {}
        )
        return ChunkingDocSerializer(doc=doc, params=params, **tables)


def options_of(chunker: str, options: dict[str, Any]) -> Any:
    """Return the peer's model of options."""
    kind = HybridChunkerOptions if chunker == "hybrid" else HierarchicalChunkerOptions
    return kind.model_validate(options)


def expected(source: str | bytes, name: str, chunker: str, options: dict[str, Any]) -> Any:
    """Return the chunks of a document as docling-serve has them; what it raises, if it does."""
    document = DoclingDocument.model_validate_json(source)
    asked = options_of(chunker, options)
    found, _ = theirs_of(lambda: _rows(document, name, asked))
    return found


def _rows(document: DoclingDocument, name: str, options: Any) -> list[dict[str, Any]]:
    cutter: Any
    count: Any = None
    if isinstance(options, HybridChunkerOptions):
        most = options.max_tokens or LIMIT
        tokenizer = HuggingFaceTokenizer(tokenizer=word_pieces(), max_tokens=most)
        count = tokenizer.count_tokens
        cutter = HybridChunker(
            tokenizer=tokenizer,
            merge_peers=options.merge_peers,
            serializer_provider=_Provider(options),
        )
    else:
        cutter = HierarchicalChunker(serializer_provider=_Provider(options))
    rows = []
    for i, chunk in enumerate(cutter.chunk(document)):
        items, text = chunk.meta.doc_items, cutter.contextualize(chunk)
        metadata: dict[str, Any] = {"origin": chunk.meta.origin} if chunk.meta.origin else {}
        metadata["has_image"] = any(item.self_ref.startswith("#/pictures/") for item in items)
        row = ChunkedDocumentResultItem(
            filename=name,
            chunk_index=i,
            text=text,
            raw_text=chunk.text if options.include_raw_text else None,
            num_tokens=None if count is None else count(text),
            headings=chunk.meta.headings,
            captions=chunk.meta.captions,
            doc_items=[item.self_ref for item in items],
            page_numbers=sorted({place.page_no for item in items for place in item.prov}),
            metadata=metadata,
        )
        rows.append(row.model_dump(mode="json"))
    return rows
