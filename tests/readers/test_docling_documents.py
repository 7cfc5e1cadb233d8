"""DoclingDocuments, real, made and hostile: nothing is lost, and the laws of chunks hold."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws
from tests.support.hostile_cases import load, minilm
from tests.support.long_texts import NO_SHARED_DATA, shared_data

LISTS = (
    "groups",
    "texts",
    "pictures",
    "tables",
    "key_value_items",
    "form_items",
    "field_regions",
    "field_items",
)
STRATEGIES: tuple[Any, ...] = ("hierarchical", "hybrid", "basic", "by_title")
SIZES = (64, 256, 8192)
HOSTILE_SCALE = 0.2

hostile = load()


def texts_of(source: dict[str, Any]) -> list[str]:
    """Return what the items of the body say, and the plain cells of its tables."""
    nodes = {node["self_ref"]: node for where in LISTS for node in source.get(where, [])}
    is_first_version = source.get("version") == "1.0.0"
    texts, open_nodes = [], [source["body"]]
    while open_nodes:
        node = open_nodes.pop()
        children = [child.get("$ref", child.get("cref")) for child in node.get("children", [])]
        open_nodes += [nodes[child] for child in children]
        is_furniture = is_first_version and node.get("label") in {"page_header", "page_footer"}
        if node.get("content_layer", "body") != "body" or is_furniture:
            continue
        texts.append(node.get("text", ""))
        if "table_cells" in (node.get("data") or {}):
            cells = node["data"]["table_cells"]
            texts += [cell["text"] for cell in cells if not cell.get("ref")]
    return texts


def letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def holds(document: cw.Document, strategy: Any, size: int, tokenizer: Any) -> None:
    chunks = cw.chunk(document, strategy, max_tokens=size, tokenizer=tokenizer)
    options = {
        "max_tokens": size,
        "tokenizer": tokenizer,
        "overlap": 0,
        "repeat_headings": True,
        "repeat_headers": True,
    }
    laws.hold(document.text, chunks, options)
    if strategy in {"basic", "by_title"}:
        laws.hold_for_elements(chunks)
    else:
        laws.hold_for_sections(chunks, options)
        cells_are_whole(document, chunks, size)


def cells_are_whole(document: cw.Document, chunks: cw.Chunks, size: int) -> None:
    """Parts of a table begin with a row or a cell, unless one is too long to be whole."""
    for chunk in chunks:
        if chunk.kind != "table" or chunk.part == 0:
            continue
        body = chunk.pieces[-1]
        cell = document.text[: body.start].rstrip(" ").endswith(("\n", "|"))
        row = document.text[document.text.rfind("\n", 0, body.start) + 1 :].partition("\n")[0]
        assert cell or cw.count_tokens(row, "cl100k_base") > size // 4


# ---------------------------------------------------------------------- real documents


def real() -> list[Path]:
    folder = (shared_data() or Path("nowhere")) / "data" / "docling-documents"
    return sorted(folder.glob("*.json"))


needs_real = pytest.mark.skipif(not real(), reason=NO_SHARED_DATA)


@pytest.mark.shared
@needs_real
@pytest.mark.parametrize("tokenizer", ["minilm", "cl100k_base"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_laws_hold_for_real_documents(strategy: Any, tokenizer: str) -> None:
    of_pieces = minilm() if tokenizer == "minilm" else tokenizer
    for path in real():
        document = cw.read(path)
        for size in SIZES:
            holds(document, strategy, size, of_pieces)


@pytest.mark.shared
@needs_real
def test_no_text_of_real_documents_is_lost() -> None:
    assert len(real()) >= 128
    for path in real():
        document = cw.read(path)
        said = letters(document.text)
        chunks = letters("".join(cw.Hybrid(max_tokens=64)(document).texts()))
        texts = [letters(text) for text in texts_of(json.loads(path.read_bytes()))]
        assert [text for text in texts if text not in said] == [], path.name
        assert not Counter(said) - Counter(chunks), path.name
        # What is said twice is so in the source.
        assert not Counter("".join(texts)) - Counter(said), path.name


@pytest.mark.shared
@needs_real
def test_objects_are_read_as_their_json_and_have_the_headings_of_docling() -> None:
    pytest.importorskip("docling_core.transforms.chunker.hierarchical_chunker")
    from docling_core.transforms.chunker.hierarchical_chunker import HierarchicalChunker
    from docling_core.types.doc.document import DoclingDocument

    n_compared = 0
    for path in real():
        with warnings.catch_warnings():
            # Boxes beyond their page, and old versions.
            warnings.simplefilter("ignore")
            live = DoclingDocument.load_from_json(path)
            chunks: list[Any] = list(HierarchicalChunker().chunk(live))
            document, of_live = cw.read_docling(path.read_bytes()), cw.read_docling(live)
        assert of_live == document, path.name
        assert seen(of_live) == seen(document), path.name
        assert cw.read_docling(json.loads(path.read_bytes())) == document
        ours = {one.item: one for one in document.elements or () if one.kind != "heading"}
        for chunk in chunks:
            headings = [" ".join(text.split()) for text in chunk.meta.headings or ()]
            element = ours.get(chunk.meta.doc_items[0].self_ref)
            # Docling loses headings that are made of inline pieces.
            if element is not None and "" not in headings:
                assert list(element.headings) == headings, (path.name, element)
                n_compared += 1
    assert n_compared > 2_000


def seen(document: cw.Document) -> list[tuple[Any, ...]]:
    return [
        (one.item, one.kind, one.level, one.start, one.end, one.pages, one.boxes, one.language)
        for one in document.elements or ()
    ]


# ---------------------------------------------------------------------- made documents


def made() -> st.SearchStrategy[Any]:
    pytest.importorskip("docling_core.types.doc.document")
    from tests.parity import docling_documents, docling_generated

    return docling_generated.documents() | docling_documents.documents()


@given(data=st.data())
def test_made_documents(data: st.DataObject) -> None:
    document = data.draw(made())
    source = document.model_dump_json(by_alias=True)
    try:
        ours = cw.read_docling(source)
    except cw.ReadError:
        with pytest.raises(ValueError, match=r"."):
            type(document).model_validate_json(source)
        return
    assert seen(cw.read_docling(document)) == seen(ours)
    texts = texts_of(json.loads(source))
    assert not Counter(letters("".join(texts))) - Counter(letters(ours.text))
    strategy = data.draw(st.sampled_from(STRATEGIES))
    holds(ours, strategy, data.draw(st.sampled_from([8, 24, 64])), "cl100k_base")


# ---------------------------------------------------------------------- hostile documents


@pytest.mark.shared
@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
@pytest.mark.cpu_seconds(60)
@pytest.mark.parametrize("number", range(4))
def test_hostile_documents(number: int) -> None:
    cases = list(hostile.cases(kind="docling"))
    assert len(cases) >= 12
    for case in cases[number::4]:
        source = case.make(HOSTILE_SCALE)
        try:
            document = cw.read_docling(source)
        except cw.ReadError:
            assert case.expect != "chunks", case.name
            continue
        assert case.expect != "error", case.name
        assert not Counter(letters("".join(texts_of(source)))) - Counter(letters(document.text))
        for strategy in STRATEGIES:
            chunks = cw.chunk(document, strategy, max_tokens=64)
            laws.bodies_cover_the_text(document.text, chunks)
            laws.limits_hold(
                chunks[:50], {"max_tokens": 64, "overlap": 0, "tokenizer": "cl100k_base"}
            )
