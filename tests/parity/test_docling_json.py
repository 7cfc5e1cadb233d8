"""Docling's chunkers over JSON, as `DocChunk`s and as plain rows."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("docling_core")
pytest.importorskip("semchunk")
pytest.importorskip("transformers")

import tiktoken
from docling_core.transforms.chunker.hierarchical_chunker import (
    ChunkingSerializerProvider,
)
from docling_core.transforms.chunker.hierarchical_chunker import HierarchicalChunker as TheirTree
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker as TheirHybrid
from docling_core.transforms.chunker.line_chunker import LineBasedTokenChunker as TheirLines
from docling_core.transforms.chunker.page_chunker import PageChunker as ThesePages
from docling_core.types.doc.document import DoclingDocument
from pydantic import ValidationError

from chunkwright.compat.docling import (
    HierarchicalChunker,
    HybridChunker,
    LineBasedTokenChunker,
    OpenAITokenizer,
    PageChunker,
    chunk_json,
)
from chunkwright.errors import ConfigError, ReadError

from .docling_documents import documents
from .docling_generated import documents as all_kinds
from .docling_pair import MarkdownTables, outcome, theirs_of

CHUNKERS = ("hybrid", "hierarchical", "page", "line")


def _tokenizer(max_tokens: int) -> OpenAITokenizer:
    return OpenAITokenizer(tokenizer=tiktoken.get_encoding("cl100k_base"), max_tokens=max_tokens)


def _pair(name: str, max_tokens: int, provider: Any) -> tuple[Any, Any]:
    """Our chunker of that name and theirs."""
    counted: Any = {"tokenizer": _tokenizer(max_tokens)} if name in {"hybrid", "line"} else {}
    options = {"serializer_provider": provider, **counted}
    kinds: dict[str, tuple[Any, Any]] = {
        "hybrid": (HybridChunker, TheirHybrid),
        "hierarchical": (HierarchicalChunker, TheirTree),
        "page": (PageChunker, ThesePages),
        "line": (LineBasedTokenChunker, TheirLines),
    }
    ours, theirs = kinds[name]
    return ours(**options), theirs(**options)


def _rows_of(chunker: Any, chunks: Any) -> list[dict[str, Any]]:
    return [
        {**chunk.export_json_dict(), "contextualized": chunker.contextualize(chunk)}
        for chunk in chunks
    ]


def _compare(source: str, name: str, max_tokens: int, *, markdown: bool) -> None:
    """Compare rows and chunks of JSON with the peer's chunks of the document that it holds."""
    provider = MarkdownTables() if markdown else ChunkingSerializerProvider()
    ours, theirs = _pair(name, max_tokens, provider)
    options: Any = {"tables": "markdown" if markdown else "triplets"}
    if name in {"hybrid", "line"}:
        options |= {"tokenizer": "cl100k_base", "max_tokens": max_tokens}
    document = DoclingDocument.model_validate_json(source)
    expected, _ = theirs_of(lambda: list(theirs.chunk(document)))
    if not isinstance(expected, list):
        return
    chunks, _ = outcome(lambda: list(ours.chunk(source)))
    assert chunks == expected
    set_only = [[c.model_dump(exclude_unset=True) for c in of] for of in (chunks, expected)]
    assert set_only[0] == set_only[1]
    assert [[type(item) for item in chunk.meta.doc_items] for chunk in chunks] == [
        [type(item) for item in chunk.meta.doc_items] for chunk in expected
    ]
    rows, _ = outcome(lambda: chunk_json(source, name, **options))  # type: ignore[arg-type]
    wanted = _rows_of(theirs, expected)
    assert rows == wanted
    assert repr(rows) == repr(wanted), "keys are in another order"


@given(
    st.one_of(documents(), all_kinds()),
    st.sampled_from(CHUNKERS),
    st.sampled_from([24, 96, 300]),
    st.booleans(),
)
def test_made_documents_are_the_same(
    document: Any, name: str, max_tokens: int, markdown: bool
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = document.model_dump_json(by_alias=True)
        try:
            DoclingDocument.model_validate_json(source)
        except ValidationError:
            return
        _compare(source, name, max_tokens, markdown=markdown)


@pytest.mark.parametrize("name", CHUNKERS)
def test_real_documents_are_the_same(shared: Path, name: str) -> None:
    files = sorted((shared / "data" / "docling-documents").glob("*.json"))
    small = [file for file in files if file.stat().st_size < 300_000]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for file in small[::4]:
            _compare(file.read_text("utf-8"), name, 256, markdown=False)


def _rivers() -> dict[str, Any]:
    document = DoclingDocument(name="rivers")
    document.add_heading("Rivers")
    document.add_text(label=_text_label(), text="The Elbe is long.")
    dumped: dict[str, Any] = document.model_dump(mode="json", by_alias=True)
    return dumped


def _text_label() -> Any:
    from docling_core.types.doc.labels import DocItemLabel

    return DocItemLabel.TEXT


@pytest.mark.parametrize("name", CHUNKERS)
def test_text_bytes_and_dicts_are_one(name: str) -> None:
    ours, _ = _pair(name, 64, ChunkingSerializerProvider())
    source = _rivers()
    text = json.dumps(source)
    live = list(ours.chunk(DoclingDocument.model_validate(source)))
    assert live
    for given_ in (source, text, text.encode()):
        assert list(ours.chunk(dl_doc=given_)) == live
        assert chunk_json(given_, name) == _rows_of(ours, live)  # type: ignore[arg-type]
    assert source == _rivers(), "the caller's dict was changed"


class _Loud(ChunkingSerializerProvider):
    """A serializer of a user's."""

    def get_serializer(self, doc: Any) -> Any:
        serializer: Any = super().get_serializer(doc)
        serializer.params = serializer.params.model_copy(update={"image_placeholder": "!"})
        return serializer


@pytest.mark.parametrize("name", CHUNKERS)
def test_json_goes_to_a_users_own_serializer(name: str) -> None:
    ours, theirs = _pair(name, 64, _Loud())
    document = DoclingDocument(name="d")
    document.add_picture()
    document.add_text(label=_text_label(), text="word")
    source = document.model_dump_json(by_alias=True)
    expected = list(theirs.chunk(DoclingDocument.model_validate_json(source)))
    assert list(ours.chunk(source)) == expected
    assert any("!" in chunk.text for chunk in expected)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("no JSON", "not a JSON object"),
        (b"\xff", "not a JSON object"),
        ({"name": "d", "version": "9.0.0"}, "9.0.0"),
        ({"name": {1, 2}}, "set"),
        ({"name": float("nan")}, "dict is no DoclingDocument"),
        (
            {"name": "d", "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/7"}]}},
            "#/texts/7",
        ),
    ],
)
@pytest.mark.parametrize("name", CHUNKERS)
def test_broken_json_is_named(source: Any, named: str, name: str) -> None:
    ours, _ = _pair(name, 64, ChunkingSerializerProvider())
    with pytest.raises(ReadError, match=named):
        chunk_json(source, name)  # type: ignore[arg-type]
    with pytest.raises(ReadError, match=named):
        list(ours.chunk(source))


@pytest.mark.parametrize(
    ("name", "options", "named"),
    [
        ("hybird", {}, "hybird"),
        ("hybrid", {"max_token": 3}, "max_tokens"),
        ("hybrid", {"max_tokens": 0}, "max_tokens"),
        ("hybrid", {"merge_peers": 1}, "merge_peers"),
        ("hybrid", {"tokenizer": "cl100k"}, "cl100k"),
        ("hybrid", {"tables": "html"}, "html"),
        ("line", {"prefix": 3}, "prefix"),
        ("page", {"max_tokens": 3}, "max_tokens is no option"),
    ],
)
def test_wrong_options_are_named(name: Any, options: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        chunk_json(_rivers(), name, **options)


@pytest.mark.parametrize("given_", ["file", "tiktoken", "transformers", "callable"])
def test_tokenizers_count_as_docling_counts_with_them(given_: str, tmp_path: Path) -> None:
    from docling_core.transforms.chunker.tokenizer.huggingface import HuggingFaceTokenizer

    from .docling_pair import word_pieces

    document = DoclingDocument(name="d")
    document.add_heading("the river")
    document.add_text(label=_text_label(), text="one two (the lake), and the elbe. " * 30)
    source = document.model_dump_json(by_alias=True)
    pieces = word_pieces()
    pieces.backend_tokenizer.save(str(tmp_path / "tokenizer.json"))
    theirs: Any = HuggingFaceTokenizer(tokenizer=pieces, max_tokens=40)
    ours: Any = {
        "file": tmp_path / "tokenizer.json",
        "tiktoken": tiktoken.get_encoding("cl100k_base"),
        "transformers": pieces,
        "callable": lambda text: len(pieces.tokenize(text)),
    }[given_]
    if given_ == "tiktoken":
        theirs = _tokenizer(40)
    chunker = TheirHybrid(tokenizer=theirs)
    expected = _rows_of(chunker, chunker.chunk(document))
    assert len(expected) > 3
    assert chunk_json(source, tokenizer=ours, max_tokens=40) == expected


def test_headings_over_the_limit_are_warned_of() -> None:
    document = DoclingDocument(name="d")
    document.add_heading("a very long heading " * 9)
    document.add_text(label=_text_label(), text="text")
    source = document.model_dump_json(by_alias=True)
    with pytest.warns(UserWarning, match="Headers and captions .*doc_chunk.text='text'"):
        rows = chunk_json(source, max_tokens=12)
    assert rows[0]["text"] == "text"


def test_lone_surrogates_are_docling_cores_error_and_replaced_without_it() -> None:
    source = _rivers()
    source["texts"][1]["text"] = "The \ud800 and \ud83d\ude80."
    for given_ in (source, json.dumps(source), json.dumps(source).encode()):
        (row,) = chunk_json(given_, max_tokens=64)
        assert row["text"] == "The \ufffd and \U0001f680."
        with pytest.raises(ValidationError, match="hex escape"):
            list(HybridChunker(tokenizer=_tokenizer(64)).chunk(given_))


def test_special_tokens_are_text() -> None:
    document = DoclingDocument(name="d")
    document.add_text(label=_text_label(), text="before <|endoftext|> behind")
    source = document.model_dump_json(by_alias=True)
    assert [row["text"] for row in chunk_json(source, max_tokens=64)] == [
        "before <|endoftext|> behind"
    ]
    with pytest.raises(ValueError, match="endoftext"):
        list(HybridChunker(tokenizer=_tokenizer(64)).chunk(source))


def _lines_of_doclings_command(stem: str, chunker: Any, document: Any) -> list[str]:
    """What ``docling --to chunks`` of Docling 2.143 writes for a document."""
    lines = []
    for index, chunk in enumerate(chunker.chunk(dl_doc=document)):
        pages = sorted({prov.page_no for item in chunk.meta.doc_items for prov in item.prov})
        origin = chunk.meta.origin
        text = chunker.contextualize(chunk)
        is_hybrid = isinstance(chunker, TheirHybrid)
        line = {
            "filename": stem,
            "chunk_index": index,
            "text": text,
            "raw_text": chunk.text,
            "num_tokens": chunker.tokenizer.count_tokens(text) if is_hybrid else None,
            "headings": chunk.meta.headings,
            "captions": None,
            "doc_items": [item.self_ref for item in chunk.meta.doc_items],
            "page_numbers": pages,
            "metadata": {} if origin is None else {"origin": origin.model_dump(mode="json")},
        }
        lines.append(json.dumps(line, ensure_ascii=False))
    return lines


@pytest.mark.parametrize("strategy", ["hybrid", "hierarchical"])
def test_lines_are_those_of_doclings_command(shared: Path, strategy: str, tmp_path: Path) -> None:
    files = sorted((shared / "data" / "docling-documents").glob("*.json"))
    files = [file for file in files if file.stat().st_size < 200_000][::12]
    out = tmp_path / "out.jsonl"
    options = ["--strategy", strategy, "--format", "docling", "--out", str(out), "--quiet"]
    limit = ["--max-tokens", "128"] if strategy == "hybrid" else []
    command = [sys.executable, "-m", "chunkwright", "chunk", *map(str, files), *options, *limit]
    subprocess.run(command, check=True)
    _, theirs = _pair(strategy, 128, ChunkingSerializerProvider())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            line
            for file in files
            for line in _lines_of_doclings_command(
                file.stem, theirs, DoclingDocument.load_from_json(file)
            )
        ]
    assert out.read_text("utf-8").splitlines() == expected


def test_rows_need_no_docling_core() -> None:
    program = """
import sys
sys.modules["docling_core"] = None
from chunkwright.compat.docling import chunk_json
rows = chunk_json(sys.stdin.read(), max_tokens=64)
print(rows[0]["contextualized"], sorted({"pydantic", "transformers", "torch"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(_rivers()),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "Rivers\nThe Elbe is long. []\n"
