"""LangChain's text splitter over a strategy: start indexes, headings, kinds of texts, chains."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError

pytest.importorskip("langchain_text_splitters", reason="langchain-text-splitters is not installed")

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda
from langchain_text_splitters import TextSplitter

from chunkwright.adapters.langchain import ChunkwrightTextSplitter

MARKDOWN = "# Rain\n\nIt rained.\n\n## Days\n\nIt rained."


def test_texts_are_split() -> None:
    splitter = ChunkwrightTextSplitter("window", max_chars=4)
    assert isinstance(splitter, TextSplitter)
    assert splitter.split_text("One two.") == ["One ", "two."]
    assert splitter.split_text("") == []
    assert splitter.create_documents(["One two."])[1] == Document(page_content="two.")


def test_start_indexes_of_equal_chunks_differ() -> None:
    sizes: Any = {"max_chars": 4, "overlap": 2, "overlap_at": "any"}
    splitter = ChunkwrightTextSplitter("window", add_start_index=True, **sizes)
    found = splitter.create_documents(["abababab"], [{"n": 1}])
    assert [each.page_content for each in found] == ["abab", "abab", "abab"]
    starts = [{"n": 1, "start_index": start} for start in (0, 2, 4)]
    assert [each.metadata for each in found] == starts


def test_headings_and_pages_are_metadata() -> None:
    splitter = ChunkwrightTextSplitter("hybrid", max_chars=30, repeat_headings=False)
    found = splitter.create_documents([MARKDOWN])
    assert found[-1].metadata == {"headings": "Rain > Days"}
    elements = '[{"type": "Title", "text": "Rain", "metadata": {"page_number": 7}}]'
    [of_json] = ChunkwrightTextSplitter("by_title", add_start_index=True).create_documents(
        [elements]
    )
    # Elements in JSON stand nowhere in a text.
    assert of_json.metadata == {"headings": "Rain", "page_number": 7, "start_index": -1}


def test_a_kind_says_what_texts_are_read_as() -> None:
    page = "<h1>Rain</h1><p>It rained."
    [as_page] = ChunkwrightTextSplitter("hybrid", kind="html").create_documents([page])
    assert as_page.page_content == "Rain\n\nIt rained."
    [as_text] = ChunkwrightTextSplitter("hybrid").create_documents([page])
    assert as_text.page_content == page
    markdown = ChunkwrightTextSplitter("recursive", kind="markdown", max_chars=20)
    assert markdown.create_documents([MARKDOWN])[-1].metadata == {"headings": "Rain > Days"}
    with pytest.raises(ConfigError, match="kind"):
        ChunkwrightTextSplitter(kind="markdwn")


def test_metadata_must_be_as_many_as_texts() -> None:
    splitter = ChunkwrightTextSplitter()
    with pytest.raises(ConfigError, match="2 texts need as many metadatas, got 1"):
        splitter.create_documents(["One.", "Two."], [{}])
    with pytest.raises(ConfigError, match=r"texts\[1\] must be a str, got NoneType"):
        splitter.create_documents(["One.", None])  # type: ignore[list-item]


def test_counters_of_langchain_are_told_apart() -> None:
    with pytest.raises(ConfigError, match="here it is tokenizer"):
        ChunkwrightTextSplitter.from_tiktoken_encoder("cl100k_base", strategy="window")


def test_chains_take_the_splitter() -> None:
    splitter = ChunkwrightTextSplitter(cw.Sentence(max_chars=9))
    chain = RunnableLambda(splitter.split_text) | RunnableLambda(len)
    assert chain.invoke("One two. Three.") == 2
    assert len(splitter.transform_documents([Document(page_content="One two. Three.")])) == 2
