"""Haystack's splitter over a strategy: metadata, pages, pipelines and their files."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.embed import Lexical
from chunkwright.errors import ConfigError

pytest.importorskip("haystack", reason="haystack-ai is not installed")

from haystack import Document, Pipeline
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore

from chunkwright.adapters.haystack import ChunkwrightSplitter

ALLOWED = ["chunkwright.adapters.haystack"]
TEXT = "One two.\fThree four.\fFive six."


def split(splitter: Any, *documents: Document) -> list[Document]:
    found: list[Document] = splitter.run(documents=[*documents])["documents"]
    return found


def test_metadata_say_where_a_chunk_is_from() -> None:
    document = Document(content=TEXT, meta={"year": 1921, "page_number": 4})
    found = split(ChunkwrightSplitter("recursive", max_chars=12, separators=["\f"]), document)
    assert [each.content for each in found] == ["One two.", "Three four.", "Five six."]
    assert found[1].meta == {
        "year": 1921,
        "source_id": document.id,
        "page_number": 5,
        "split_id": 1,
        "split_idx_start": 9,
        "split_idx_end": 20,
        "token_count": cw.count_tokens("Three four.", "cl100k_base"),
    }
    assert len({each.id for each in found}) == 3


def test_pages_and_headings_that_were_read_come_first() -> None:
    elements = '[{"type": "Title", "text": "Rain", "metadata": {"page_number": 7}}]'
    [found] = split(ChunkwrightSplitter("by_title"), Document(content=elements))
    meta = {name: found.meta[name] for name in ("page_number", "headings", "split_idx_start")}
    assert meta == {"page_number": 7, "headings": "Rain", "split_idx_start": None}


def test_chunks_are_split_again() -> None:
    outer = split(ChunkwrightSplitter("window", max_chars=20), Document(content=TEXT))
    inner = split(ChunkwrightSplitter("recursive", max_chars=9), *outer)
    assert [each.meta["source_id"] for each in inner] == [
        outer[0].id, outer[0].id, outer[0].id, outer[1].id,
    ]  # fmt: skip


@pytest.mark.parametrize("documents", [[Document(content=None)], ["text"], [None]])
def test_what_has_no_content_is_named(documents: Any) -> None:
    with pytest.raises(ConfigError, match=r"documents\[0\] must be a Document with content"):
        ChunkwrightSplitter().run(documents)


def test_pipelines_are_written_and_read() -> None:
    pipeline = Pipeline()
    pipeline.add_component("splitter", ChunkwrightSplitter("hybrid", kind="html", max_chars=20))
    store = InMemoryDocumentStore()
    pipeline.add_component("writer", DocumentWriter(store))
    pipeline.connect("splitter", "writer")
    written = pipeline.dumps()
    assert "max_chars: 20" in written
    again = Pipeline.loads(written, allowed_modules=ALLOWED)
    page = Document(content="<h1>Rain</h1><p>It rained. <p>It rained.")
    done = again.run({"splitter": {"documents": [page]}})
    assert done == {"writer": {"documents_written": 2}}
    assert again.dumps() == written


def test_what_no_file_holds_is_named() -> None:
    splitter = ChunkwrightSplitter(cw.Cluster(embedder=Lexical(), max_chars=20))
    with pytest.raises(ConfigError, match=r"embedder must be what JSON knows .* got Lexical"):
        splitter.to_dict()


def test_pipelines_that_are_awaited_work() -> None:
    pipeline = Pipeline()
    pipeline.add_component("splitter", ChunkwrightSplitter("window", max_chars=9))
    found = asyncio.run(pipeline.run_async({"splitter": {"documents": [Document(content=TEXT)]}}))
    assert len(found["splitter"]["documents"]) == 4
