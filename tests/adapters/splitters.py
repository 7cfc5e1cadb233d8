"""Splitters of all frameworks under one interface, for the tests that all of them pass."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import chunkwright as cw
from chunkwright.readers.read import read_text


class Made(NamedTuple):
    """A chunk as a framework has it: its text, its place if it is told, the document's metadata."""

    text: str
    start: int | None
    end: int | None
    metadata: dict[str, Any]


class Framework:
    """A framework whose documents are texts with metadata; each has its number there, ``n``."""

    library: str
    copies_metadata = True

    def splitter(self, strategy: Any, **options: Any) -> Any:
        raise NotImplementedError

    def document(self, text: str, n: int) -> Any:
        raise NotImplementedError

    def native(self, document: Any, strategy: cw.chunking.Strategy) -> cw.Document:
        """Return what the strategy is given."""
        text = self.text(document)
        if "elements" not in strategy.takes:
            return cw.Document(text=text)
        # Any text has elements as Markdown, and some strategies cut nothing else.
        kind = None if "text" in strategy.takes else "markdown"
        return read_text(text, kind, "it", None).document

    def text(self, document: Any) -> str:
        raise NotImplementedError

    def split(self, splitter: Any, documents: list[Any]) -> list[Made]:
        raise NotImplementedError

    async def asplit(self, splitter: Any, documents: list[Any]) -> list[Made]:
        raise NotImplementedError

    def copies(self, splitter: Any) -> Iterator[Any]:
        """Give copies in all forms in which the framework writes a splitter."""
        yield pickle.loads(pickle.dumps(splitter))


class LangChain(Framework):
    library = "langchain_text_splitters"

    def splitter(self, strategy: Any, **options: Any) -> Any:
        from chunkwright.adapters.langchain import ChunkwrightTextSplitter

        return ChunkwrightTextSplitter(strategy, add_start_index=True, **options)

    def document(self, text: str, n: int) -> Any:
        from langchain_core.documents import Document

        return Document(page_content=text, metadata={"n": n, "tags": ["x"]})

    def text(self, document: Any) -> str:
        return str(document.page_content)

    def split(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return self._made(splitter.split_documents(documents))

    async def asplit(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return self._made(await splitter.atransform_documents(documents))

    def _made(self, documents: Sequence[Any]) -> list[Made]:
        return [
            Made(each.page_content, each.metadata["start_index"], None, each.metadata)
            for each in documents
        ]


class LlamaIndex(Framework):
    library = "llama_index.core"
    copies_metadata = False

    def splitter(self, strategy: Any, **options: Any) -> Any:
        from chunkwright.adapters.llama_index import ChunkwrightNodeParser

        return ChunkwrightNodeParser(strategy, **options)

    def document(self, text: str, n: int) -> Any:
        from llama_index.core.schema import Document

        return Document(text=text, metadata={"n": n, "tags": ["x"]})

    def text(self, document: Any) -> str:
        return str(document.text)

    def split(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return self._made(splitter(documents))

    async def asplit(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return self._made(await splitter.acall(documents))

    def _made(self, nodes: list[Any]) -> list[Made]:
        return [Made(n.text, n.start_char_idx, n.end_char_idx, n.metadata) for n in nodes]

    def copies(self, splitter: Any) -> Iterator[Any]:
        yield from super().copies(splitter)
        yield type(splitter).from_dict(splitter.to_dict())
        yield type(splitter).from_json(splitter.to_json())


class Haystack(Framework):
    library = "haystack"

    def splitter(self, strategy: Any, **options: Any) -> Any:
        from chunkwright.adapters.haystack import ChunkwrightSplitter

        return ChunkwrightSplitter(strategy, **options)

    def document(self, text: str, n: int) -> Any:
        from haystack import Document

        return Document(content=text, meta={"n": n, "tags": ["x"]})

    def text(self, document: Any) -> str:
        return str(document.content)

    def split(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return self._made(splitter.run(documents))

    async def asplit(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return self._made(await splitter.run_async(documents))

    def _made(self, found: dict[str, Any]) -> list[Made]:
        return [
            Made(d.content, d.meta["split_idx_start"], d.meta["split_idx_end"], d.meta)
            for d in found["documents"]
        ]

    def copies(self, splitter: Any) -> Iterator[Any]:
        from haystack.core.serialization import component_from_dict, component_to_dict

        yield from super().copies(splitter)
        written = json.dumps(component_to_dict(splitter, "splitter"))
        yield component_from_dict(type(splitter), json.loads(written), "splitter")


class Unstructured(Framework):
    library = "unstructured"

    def splitter(self, strategy: Any, **options: Any) -> Any:
        from chunkwright.adapters.unstructured import chunk_elements

        return partial(chunk_elements, strategy=strategy, **options)

    def document(self, text: str, n: int) -> Any:
        from unstructured.documents.elements import ElementMetadata, NarrativeText, Title

        return [
            (Title if part.startswith("#") else NarrativeText)(
                part.lstrip("# "), metadata=ElementMetadata(filename=str(n))
            )
            for part in text.split("\n\n")
            if part.strip()
        ]

    def native(self, document: Any, strategy: cw.chunking.Strategy) -> cw.Document:
        del strategy
        return cw.read_elements(document)

    def split(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return [
            Made(each.text, None, None, {"n": int(each.metadata.filename), "tags": ["x"]})
            for document in documents
            for each in splitter(document)
        ]


class Docling(Framework):
    library = "docling_core"

    def splitter(self, strategy: Any, **options: Any) -> Any:
        from chunkwright.adapters.docling import ChunkwrightChunker

        return ChunkwrightChunker(strategy, **options)

    def document(self, text: str, n: int) -> Any:
        from docling_core.types.doc import DoclingDocument, DocumentOrigin  # type: ignore[attr-defined]
        from docling_core.types.doc.labels import DocItemLabel

        origin = DocumentOrigin(mimetype="text/markdown", filename=str(n), binary_hash=n)
        document = DoclingDocument(name=str(n), origin=origin)
        for part in (part.strip() for part in text.split("\n\n")):
            if part.startswith("#"):
                document.add_heading(part.lstrip("# "))
            elif part:
                document.add_text(DocItemLabel.TEXT, part)
        return document

    def native(self, document: Any, strategy: cw.chunking.Strategy) -> cw.Document:
        del strategy
        return cw.read_docling(document)

    def split(self, splitter: Any, documents: list[Any]) -> list[Made]:
        return [
            Made(each.text, None, None, {"n": int(each.meta.origin.filename), "tags": ["x"]})
            for document in documents
            for each in splitter.chunk(document)
        ]

    def copies(self, splitter: Any) -> Iterator[Any]:
        yield from super().copies(splitter)
        yield type(splitter)(**splitter.model_dump())
        yield type(splitter).model_validate_json(splitter.model_dump_json())


OVER_TEXTS: list[Framework] = [LangChain(), LlamaIndex(), Haystack()]
"""Frameworks whose chunks have places in a text, and whose splitters can be awaited."""
FRAMEWORKS: list[Framework] = [*OVER_TEXTS, Unstructured(), Docling()]
