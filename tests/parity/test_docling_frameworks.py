"""Our chunkers where LlamaIndex's and LangChain's integrations of Docling take Docling's."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

pytest.importorskip("docling_core")

import tiktoken
from docling_core.transforms.chunker.base import BaseChunker
from docling_core.transforms.chunker.code_chunking.standard_code_chunking_strategy import (
    StandardCodeChunkingStrategy,
)
from docling_core.transforms.chunker.hierarchical_chunker import HierarchicalChunker as TheirTree
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker as TheirHybrid
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.labels import DocItemLabel
from pydantic import BaseModel, SerializeAsAny

from chunkwright.compat import docling
from chunkwright.compat.docling import (
    HierarchicalChunker,
    HybridChunker,
    LineBasedTokenChunker,
    OpenAITokenizer,
    PageChunker,
)


def _tokenizer() -> OpenAITokenizer:
    return OpenAITokenizer(tokenizer=tiktoken.get_encoding("cl100k_base"), max_tokens=64)


def _chunkers() -> list[BaseChunker]:
    lines: Any = LineBasedTokenChunker
    return [
        HierarchicalChunker(),
        HybridChunker(tokenizer=_tokenizer()),
        PageChunker(),
        lines(tokenizer=_tokenizer()),
    ]


@pytest.fixture
def document() -> DoclingDocument:
    """A document with a heading, two paragraphs and a table."""
    made = DoclingDocument(name="rivers")
    made.add_title("Rivers")
    made.add_heading("Long ones")
    made.add_text(DocItemLabel.TEXT, "The Elbe is long. " * 40)
    made.add_text(DocItemLabel.TEXT, "So is the Oder.")
    return made


class Loader:
    """A stand-in that uses a chunker as LangChain's loader does."""

    def __init__(self, chunker: BaseChunker) -> None:
        assert isinstance(chunker, BaseChunker)
        self._chunker = chunker

    def lazy_load(self, document: DoclingDocument) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the page content and the metadata of documents."""
        for chunk in self._chunker.chunk(document):
            metadata = {"source": "a.pdf", "dl_meta": chunk.meta.export_json_dict()}
            yield self._chunker.contextualize(chunk=chunk), metadata


class Parser(BaseModel):
    """A stand-in that has a chunker as LlamaIndex's parser has one: a field of its base class."""

    chunker: SerializeAsAny[BaseChunker]

    def nodes(self, contents: Sequence[str]) -> list[dict[str, Any]]:
        """Return nodes of documents in JSON."""
        nodes = []
        for content in contents:
            document = DoclingDocument.model_validate_json(content)
            for chunk in self.chunker.chunk(dl_doc=document):
                metadata = chunk.meta.export_json_dict()
                hidden = [key for key in chunk.meta.excluded_embed if key in metadata]
                excluded = [key for key in chunk.meta.excluded_llm if key in metadata]
                node = {"text": chunk.text, "metadata": metadata, "embed": hidden, "llm": excluded}
                nodes.append(node)
        return nodes


@pytest.mark.parametrize("index", range(4))
def test_a_loader_takes_our_chunkers(document: DoclingDocument, index: int) -> None:
    loaded = list(Loader(_chunkers()[index]).lazy_load(document))
    assert loaded
    assert all(text and metadata["dl_meta"]["doc_items"] for text, metadata in loaded)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (
            lambda: HybridChunker(tokenizer=_tokenizer()),
            lambda: TheirHybrid(tokenizer=_tokenizer()),
        ),
        (HierarchicalChunker, TheirTree),
    ],
)
def test_frameworks_get_the_same(ours: Any, theirs: Any, document: DoclingDocument) -> None:
    expected = list(Loader(theirs()).lazy_load(document))
    assert list(Loader(ours()).lazy_load(document)) == expected
    content = document.model_dump_json(by_alias=True)
    nodes = Parser(chunker=ours()).nodes([content])
    assert nodes == Parser(chunker=theirs()).nodes([content])
    assert any("headings" in node["metadata"] for node in nodes)


@pytest.mark.parametrize("index", range(4))
def test_fields_of_the_base_class_keep_our_chunkers(index: int) -> None:
    chunker = _chunkers()[index]
    parser = Parser(chunker=chunker)
    assert parser.chunker is chunker
    assert "delim" in Parser.model_json_schema()["$defs"]["BaseChunker"]["properties"]
    assert type(parser.model_copy(deep=True).chunker) is type(chunker)


def test_chunkers_go_to_other_processes(document: DoclingDocument) -> None:
    for chunker in (HierarchicalChunker(), PageChunker()):
        again = pickle.loads(pickle.dumps(chunker))
        assert list(again.chunk(document)) == list(chunker.chunk(document))


def test_the_old_name_of_contextualize_warns(document: DoclingDocument) -> None:
    chunker: Any = HierarchicalChunker()
    chunk = next(iter(chunker.chunk(document)))
    with pytest.warns(DeprecationWarning, match="contextualize"):
        assert chunker.serialize(chunk) == chunker.contextualize(chunk)


def test_a_llamaindex_parser_takes_our_chunkers(document: DoclingDocument) -> None:
    core = pytest.importorskip("llama_index.core.node_parser")
    schema = pytest.importorskip("llama_index.core.schema")

    class DoclingParser(core.NodeParser):  # type: ignore[misc, name-defined]
        """Nodes of Docling's chunks."""

        chunker: SerializeAsAny[BaseChunker]

        def _parse_nodes(self, nodes: Any, show_progress: bool = False, **kwargs: Any) -> Any:
            del show_progress, kwargs
            return [
                schema.TextNode(text=chunk.text, metadata=chunk.meta.export_json_dict())
                for node in nodes
                for chunk in self.chunker.chunk(
                    dl_doc=DoclingDocument.model_validate_json(node.get_content())
                )
            ]

    parser = DoclingParser(chunker=HybridChunker(tokenizer=_tokenizer()))
    content = document.model_dump_json(by_alias=True)
    nodes = parser.get_nodes_from_documents([schema.Document(text=content)])
    chunks = list(HybridChunker(tokenizer=_tokenizer()).chunk(document))
    assert [node.text for node in nodes] == [chunk.text for chunk in chunks]


def test_code_strategies_are_doclings_own() -> None:
    assert docling.StandardCodeChunkingStrategy is StandardCodeChunkingStrategy
