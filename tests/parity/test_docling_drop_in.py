"""Docling's names from chunkwright: what they are taken for, load, refuse and call back."""

from __future__ import annotations

import copy
import itertools
import pickle
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("docling_core")
pytest.importorskip("semchunk")
pytest.importorskip("transformers")

from docling_core.transforms.chunker import base as their_base
from docling_core.transforms.chunker import chunk_expander, hierarchical_chunker, page_chunker
from docling_core.transforms.chunker.doc_chunk import DocChunk
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker as TheirHybrid
from docling_core.transforms.serializer.markdown import MarkdownTextSerializer
from docling_core.types.doc.common.origin import DocumentOrigin
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.labels import DocItemLabel
from hypothesis import given

from chunkwright.compat import docling as ours
from chunkwright.compat.docling import core_documents as stock

from .docling_documents import documents, table_of
from .docling_pair import MarkdownTables, dumped, outcome, pair_of, same, same_hybrid, word_pieces


def _document() -> DoclingDocument:
    document = DoclingDocument(name="rivers")
    document.add_heading("Rivers of the north")
    for _ in range(5):
        document.add_text(DocItemLabel.TEXT, "The Elbe is long, and the lake is one. " * 4)
    document.add_table(table_of(12, 3))
    return document


def _loaded(statement: str) -> str:
    program = f"import sys\n{statement}\nprint(*sorted(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return f" {result.stdout.strip()} "


@pytest.mark.slow
def test_a_tokenizer_file_needs_no_transformers(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(word_pieces().backend_tokenizer.to_str(), "utf-8")
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 33}', "utf-8")
    program = f"""
from chunkwright.compat.docling import HuggingFaceTokenizer, HybridChunker
from docling_core.types.doc import DoclingDocument, DocItemLabel
document = DoclingDocument(name="a")
document.add_text(DocItemLabel.TEXT, "the river and the lake " * 30)
chunker = HybridChunker(tokenizer=HuggingFaceTokenizer.from_pretrained({str(tmp_path)!r}))
assert chunker.max_tokens == 33
assert len(list(chunker.chunk(document))) > 3
"""
    loaded = _loaded(program)
    assert " transformers " not in loaded
    assert " torch " not in loaded
    # Who asks for it gets it as ever.
    asked = "from docling_core.transforms.chunker.tokenizer import huggingface as h"
    check = "assert h.HuggingFaceTokenizer.__module__ == h.__name__"
    assert " transformers " in _loaded(f"{program}\n{asked}\n{check}")


def test_the_package_loads_nothing_until_it_is_used() -> None:
    loaded = _loaded("import chunkwright.compat.docling")
    assert " docling_core " not in loaded
    assert " pydantic " not in loaded


def test_chunkers_are_taken_for_doclings() -> None:
    tokenizer, _ = pair_of("word pieces", 20)
    hybrid = ours.HybridChunker(tokenizer=tokenizer)
    assert isinstance(hybrid, their_base.BaseChunker)
    assert isinstance(hybrid, TheirHybrid)
    assert isinstance(ours.HierarchicalChunker(), hierarchical_chunker.HierarchicalChunker)
    assert isinstance(ours.PageChunker(), page_chunker.PageChunker)
    assert ours.TreeChunkExpander is chunk_expander.TreeChunkExpander
    chunk = next(hybrid.chunk(_document()))
    assert type(chunk) is DocChunk
    with pytest.deprecated_call():
        assert hybrid.serialize(chunk) == hybrid.contextualize(chunk)


def test_chunkers_are_copied_and_pickled() -> None:
    tokenizer, _ = pair_of("cl100k_base", 40)
    chunker = ours.HybridChunker(tokenizer=tokenizer)
    expected = dumped(chunker, _document())
    assert dumped(copy.deepcopy(chunker), _document()) == expected
    assert dumped(pickle.loads(pickle.dumps(chunker)), _document()) == expected


def test_chunks_are_equal_objects() -> None:
    mine, theirs = pair_of("word pieces", 60)
    document = _document()
    found: list[Any] = list(ours.HybridChunker(tokenizer=mine).chunk(document))
    expected: list[Any] = list(TheirHybrid(tokenizer=theirs).chunk(document))
    assert found == expected
    for one, other in zip(found, expected, strict=True):
        kinds = [type(item) for item in other.meta.doc_items]
        assert [type(item) for item in one.meta.doc_items] == kinds


def test_fields_that_are_set_are_the_peers() -> None:
    document = _document()
    document.add_heading("Lakes")
    document.origin = DocumentOrigin(
        mimetype="text/html", binary_hash=1, filename="a.html", uri=None
    )
    document.add_heading("the river and the lake " * 9)
    document.add_text(DocItemLabel.TEXT, "The Elbe is long. " * 30)
    seen = set()
    for merge_peers, max_tokens in itertools.product((True, False), (20, 60, 300)):
        pair = pair_of("word pieces", max_tokens)
        for cls, tokenizer in zip((ours.HybridChunker, TheirHybrid), pair, strict=True):
            chunker: Any = cls(tokenizer=tokenizer, merge_peers=merge_peers)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = [pickle.loads(pickle.dumps(chunk)) for chunk in chunker.chunk(document)]
            kinds = [
                (frozenset(c.meta.model_fields_set), frozenset(c.meta.origin.model_fields_set))
                for c in found
            ]
            if cls is ours.HybridChunker:
                mine = kinds
        assert mine == kinds
        seen |= set(kinds)
    # Made of items and of JSON, and of JSON whose headings were dropped; with both origins.
    assert len(seen) >= 4


def test_each_chunk_has_its_own_set_of_fields() -> None:
    tokenizer, _ = pair_of("word pieces", 40)
    first, second, *_ = ours.HybridChunker(tokenizer=tokenizer).chunk(_document())
    assert isinstance(first, DocChunk)
    assert isinstance(second, DocChunk)
    first.meta.captions = ["of mine"]
    assert "captions" not in second.meta.model_fields_set


@given(documents())
def test_hierarchical_and_page_chunks_are_the_same(document: Any) -> None:
    for options in ({}, {"always_emit_headings": True}, {"serializer_provider": MarkdownTables()}):
        theirs = hierarchical_chunker.HierarchicalChunker(**options)
        same(ours.HierarchicalChunker(**options), theirs, document)
    same(ours.PageChunker(), page_chunker.PageChunker(), document)


class _Shouting(MarkdownTextSerializer):
    def serialize(self, **kwargs: Any) -> Any:
        result = super().serialize(**kwargs)
        result.text = result.text.upper()
        return result


class _ShoutingProvider(hierarchical_chunker.ChunkingSerializerProvider):
    def get_serializer(self, doc: DoclingDocument) -> Any:
        return hierarchical_chunker.ChunkingDocSerializer(doc=doc, text_serializer=_Shouting())


@pytest.mark.parametrize("max_tokens", [20, 60, 300])
def test_serializers_of_users_are_called(max_tokens: int) -> None:
    provider = _ShoutingProvider()
    found = same_hybrid(_document(), "word pieces", max_tokens, serializer_provider=provider)
    assert any("THE ELBE" in text for text, _ in found)
    same(
        ours.HierarchicalChunker(serializer_provider=provider),
        hierarchical_chunker.HierarchicalChunker(serializer_provider=provider),
        _document(),
    )


class _Letters(ours.BaseTokenizer):
    def count_tokens(self, text: str) -> int:
        return len(text.replace(" ", ""))

    def get_max_tokens(self) -> int:
        return 90

    def get_tokenizer(self) -> Any:
        return self.count_tokens


@given(documents())
def test_tokenizers_of_users_are_called(document: Any) -> None:
    tokenizer = _Letters()
    same(ours.HybridChunker(tokenizer=tokenizer), TheirHybrid(tokenizer=tokenizer), document)


def test_methods_of_users_are_called() -> None:
    class Mine(ours.HybridChunker):
        def contextualize(self, chunk: Any) -> str:
            return f"rivers rivers {super().contextualize(chunk)}"

    class Theirs(TheirHybrid):
        def contextualize(self, chunk: Any) -> str:
            return f"rivers rivers {super().contextualize(chunk)}"

    mine, theirs = pair_of("word pieces", 40)
    same(Mine(tokenizer=mine), Theirs(tokenizer=theirs), _document())


def test_options_that_leave_items_out_are_passed_on() -> None:
    mine, theirs = pair_of("word pieces", 40)
    pair = ours.HybridChunker(tokenizer=mine), TheirHybrid(tokenizer=theirs)
    same(*pair, _document(), labels={DocItemLabel.TEXT})
    same(*pair, _document(), stop_idx=3)


def test_special_tokens_are_the_same_error() -> None:
    document = DoclingDocument(name="rivers")
    document.add_text(DocItemLabel.TEXT, "a <|endoftext|> b")
    kind, message = same_hybrid(document, "cl100k_base", 64)
    assert kind is ValueError
    assert "<|endoftext|>" in message


def test_a_character_over_the_limit_is_named() -> None:
    document = DoclingDocument(name="rivers")
    document.add_heading("the the the the the a\\|b")
    document.add_text(DocItemLabel.TEXT, "🦀")
    tokenizer, theirs = pair_of("cl100k_base", 12)
    with pytest.raises(RecursionError):
        list(TheirHybrid(tokenizer=theirs).chunk(document))
    with pytest.raises(RecursionError, match="🦀"):
        list(ours.HybridChunker(tokenizer=tokenizer).chunk(document))


def test_old_parameters_are_the_same(tmp_path: Path) -> None:
    word_pieces().save_pretrained(tmp_path)
    for parameters in (
        {"tokenizer": str(tmp_path), "max_tokens": 40},
        {"tokenizer": word_pieces(), "max_tokens": 40},
        {"tokenizer": 3},
    ):
        makers: list[Any] = [TheirHybrid, ours.HybridChunker]
        made = [outcome(partial(make, **parameters)) for make in makers]
        (theirs, expected), (mine, found) = made
        assert found == expected
        if isinstance(theirs, tuple):
            assert mine == theirs
        else:
            same(mine, theirs, _document())
    tokenizer, _ = pair_of("word pieces", 20)
    make: Any = ours.HybridChunker
    assert make(tokenizer=tokenizer, max_tokens=99, unknown=1).max_tokens == 20


def test_a_length_that_is_not_found_is_doclings_error() -> None:
    with pytest.raises(RuntimeError, match="could not be determined automatically"):
        ours.HuggingFaceTokenizer(tokenizer=word_pieces().backend_tokenizer)


def test_expanders_take_our_chunks() -> None:
    document = _document()
    tokenizer, _ = pair_of("word pieces", 40)
    chunk = next(ours.HybridChunker(tokenizer=tokenizer).chunk(document))
    serializer = hierarchical_chunker.ChunkingDocSerializer(doc=document)
    expanded = ours.TreeChunkExpander().expand(chunk, document, serializer)
    assert chunk.text.split()[0] in expanded.text


def test_pandas_has_nothing_to_warn_of() -> None:
    tokenizer, _ = pair_of("word pieces", 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(ours.HybridChunker(tokenizer=tokenizer).chunk(_document()))


def test_stock_documents_are_read_by_the_core() -> None:
    document = _document()
    provider = hierarchical_chunker.ChunkingSerializerProvider()
    assert stock.tables_of(provider.get_serializer(document)) == "triplets"
    assert stock.tables_of(MarkdownTables().get_serializer(document)) == "markdown"
    assert stock.tables_of(_ShoutingProvider().get_serializer(document)) is None
    assert stock.read(document) is not None


@pytest.mark.parametrize("name", ["HierarchicalChunker", "HybridChunker", "PageChunker"])
def test_chunks_keep_the_items_of_a_document_that_changes(name: str) -> None:
    counted: Any = {"tokenizer": pair_of("word pieces", 40)[0]} if name == "HybridChunker" else {}
    chunker = getattr(ours, name)(**counted)
    expected = list(chunker.chunk(_document()))
    document = _document()
    chunks = chunker.chunk(document)
    found = [next(chunks)]
    for items in (document.texts, document.tables, document.body.children):
        items.clear()
    assert [*found, *chunks] == expected


def test_hybrid_chunks_are_cut_when_they_are_asked_for() -> None:
    mine, theirs = pair_of("word pieces", 40)
    for chunker in (ours.HybridChunker(tokenizer=mine), TheirHybrid(tokenizer=theirs)):
        expected = list(chunker.chunk(_document()))
        document = _document()
        chunks = chunker.chunk(document)
        document.texts.clear()
        document.body.children.clear()
        assert list(chunks) == expected
