"""The hierarchical and the page chunker of the core against docling-core's."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from docling_core.transforms.chunker.hierarchical_chunker import (
    ChunkingDocSerializer,
    ChunkingSerializerProvider,
    HierarchicalChunker,
)
from docling_core.transforms.chunker.page_chunker import PageChunker
from docling_core.transforms.serializer.markdown import MarkdownParams, MarkdownTableSerializer
from docling_core.types.doc.base import ImageRefMode
from docling_core.types.doc.document import DoclingDocument
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from chunkwright import _core
from chunkwright.errors import ReadError
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA, shared_data

from .docling_generated import documents

# The peer logs each link that it drops.
logging.getLogger("docling_core").setLevel(logging.ERROR)

STYLES = ["triplets", "markdown", "compact markdown"]


class _MarkdownTables(ChunkingSerializerProvider):
    def __init__(self, *, compact: bool) -> None:
        self.compact = compact

    def get_serializer(self, doc: DoclingDocument) -> ChunkingDocSerializer:
        params = MarkdownParams(
            image_mode=ImageRefMode.PLACEHOLDER,
            image_placeholder="",
            escape_underscores=False,
            escape_html=False,
            compact_tables=self.compact,
        )
        tables = MarkdownTableSerializer()
        return ChunkingDocSerializer(doc=doc, table_serializer=tables, params=params)


PROVIDERS = {
    "triplets": ChunkingSerializerProvider(),
    "markdown": _MarkdownTables(compact=False),
    "compact markdown": _MarkdownTables(compact=True),
}


def _hostile() -> list[Any]:
    hostile = load()
    return [] if hostile is None else list(hostile.cases(kind="docling"))


Columns = list[tuple[str, list[str], list[str] | None]]


def _theirs(chunks: Iterable[Any]) -> Columns:
    return [
        (chunk.text, [item.self_ref for item in chunk.meta.doc_items], chunk.meta.headings)
        for chunk in chunks
    ]


def _ours(chunks: _core.DoclingChunks) -> Columns:
    return list(zip(chunks.texts(), chunks.references(), chunks.headings(), strict=True))


def _compare(theirs: DoclingDocument, ours: _core.DoclingDocument, style: str) -> None:
    provider = PROVIDERS[style]
    for always in [False, True]:
        chunker = HierarchicalChunker(serializer_provider=provider, always_emit_headings=always)
        expected = list(chunker.chunk(theirs))
        chunks = ours.hierarchical(tables=style, always_emit_headings=always)
        assert _ours(chunks) == _theirs(expected)
        if theirs.origin is not None:
            assert chunks.with_origin() == [
                getattr(chunk.meta, "origin", None) is not None for chunk in expected
            ]
    try:
        pages = _theirs(PageChunker(serializer_provider=provider).chunk(theirs))
    except ValidationError:
        # A text of no item: no chunk of theirs may have one.
        assert [] in ours.pages(tables=style).references()
    else:
        assert _ours(ours.pages(tables=style)) == pages


def _paths() -> list[Any]:
    shared = shared_data()
    folder = Path("nowhere") if shared is None else shared / "data" / "docling-documents"
    return [pytest.param(path, id=path.name) for path in sorted(folder.glob("*.json"))]


@pytest.mark.shared
@pytest.mark.skipif(not _paths(), reason=NO_SHARED_DATA)
@pytest.mark.parametrize("path", _paths())
def test_real_documents(path: Path) -> None:
    source = path.read_bytes()
    with warnings.catch_warnings():
        # Boxes beyond their page, and old versions.
        warnings.simplefilter("ignore")
        theirs = DoclingDocument.model_validate_json(source)
        ours = _core.DoclingDocument.of_json(source)
        for style in STYLES:
            _compare(theirs, ours, style)


@given(style=st.sampled_from(STYLES), document=documents())
def test_made_documents(style: str, document: DoclingDocument) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = document.model_dump_json(by_alias=True)
        # What is in memory is taken as it is; what is stored is repaired.
        _compare(document, _core.DoclingDocument.of_live(source), style)
        try:
            stored = DoclingDocument.model_validate_json(source)
        except ValidationError:
            return
        _compare(stored, _core.DoclingDocument.of_json(source.encode()), style)


@given(style=st.sampled_from(STYLES), document=documents())
def test_items_alone(style: str, document: DoclingDocument) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = _core.DoclingDocument.of_live(document.model_dump_json(by_alias=True))
        serializer = PROVIDERS[style].get_serializer(document)
        for item, _ in document.iterate_items(with_groups=True):
            if item.self_ref != "#/body":
                expected = serializer.serialize(item=item).text
                assert ours.item(item.self_ref, tables=style) == expected


def _text(reference: str, **fields: Any) -> dict[str, Any]:
    number = int(reference.rsplit("/", 1)[1])
    node = {
        "self_ref": reference,
        "label": "text",
        "text": f"text {number}",
        "orig": "",
        "prov": [],
    }
    return node | {"parent": {"$ref": "#/body"}, "children": []} | fields


def _document(**fields: Any) -> str:
    document = {"schema_name": "DoclingDocument", "version": "1.10.0", "name": "made"}
    return json.dumps(document | fields)


def _body(*references: str) -> dict[str, Any]:
    children = [{"$ref": reference} for reference in references]
    return {"self_ref": "#/body", "name": "_root_", "label": "unspecified", "children": children}


def test_loose_list_items_get_lists() -> None:
    item = {"label": "list_item", "enumerated": False, "marker": "-"}
    texts = [_text(f"#/texts/{i}", **(item if i != 2 else {})) for i in range(5)]
    source = _document(texts=texts, body=_body(*(f"#/texts/{i}" for i in range(5))))
    ours = _core.DoclingDocument.of_json(source)
    _compare(DoclingDocument.model_validate_json(source), ours, "triplets")
    assert ours.hierarchical().texts() == ["- text 0\n- text 1", "text 2", "- text 3\n- text 4"]


def test_old_headers_and_footers_are_furniture() -> None:
    texts = [_text("#/texts/0", label="page_header"), _text("#/texts/1")]
    source = _document(version="1.0.0", texts=texts, body=_body("#/texts/0", "#/texts/1"))
    ours = _core.DoclingDocument.of_json(source)
    _compare(DoclingDocument.model_validate_json(source), ours, "triplets")
    assert ours.hierarchical().texts() == ["text 1"]


def test_old_annotations_become_metadata() -> None:
    kinds: list[dict[str, Any]] = [
        {"kind": "description", "text": "a cat", "provenance": "me"},
        {
            "kind": "classification",
            "provenance": "me",
            "predicted_classes": [{"class_name": "bar_chart", "confidence": 0.5}],
        },
        {"kind": "misc", "content": {"b": 1, "a": ["it's"]}},
        {
            "kind": "pie_chart_data",
            "title": "t",
            "slices": [{"value": 1, "label": "a"}],
        },
    ]
    picture = _text("#/pictures/0", label="picture", annotations=kinds, captions=[])
    del picture["text"], picture["orig"]
    source = _document(pictures=[picture], body=_body("#/pictures/0"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = DoclingDocument.model_validate_json(source)
    ours = _core.DoclingDocument.of_json(source)
    _compare(theirs, ours, "triplets")
    assert "Bar chart" in ours.hierarchical().texts()[0]


def test_metadata_that_leaks_objects() -> None:
    meta = {
        "language": {"code": "fr", "confidence": 0.3916253219498371, "my__x": "y"},
        "entities": {"mentions": [{"text": "IBM", "label": "ORG", "charspan": [0, 3]}]},
        "keywords": {"values": ["a", "b"]},
        "topics": {"values": ["c"]},
    }
    code = {"text": 'print("it\'s")\n', "language": "C++", "confidence": 1e-7}
    picture = _text("#/pictures/0", label="picture", captions=[], meta=meta | {"code": code})
    del picture["text"], picture["orig"]
    source = _document(
        texts=[_text("#/texts/0", meta=meta)],
        pictures=[picture],
        body=_body("#/texts/0", "#/pictures/0"),
    )
    ours = _core.DoclingDocument.of_json(source)
    _compare(DoclingDocument.model_validate_json(source), ours, "triplets")
    assert "<HumanLanguageLabel.FR: 'fr'>" in ours.hierarchical().texts()[0]


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("[]", "not a JSON object"),
        (_document(version="2.0.0"), "2.0.0"),
        (_document(version="1.11.0"), "1.11.0"),
        (_document(schema_name="Other"), "Other"),
        (_document(body=_body("#/texts/0")), "#/texts/0"),
        (_document(texts=[_text("#/texts/7")]), "#/texts/7"),
        (_document(texts=[_text("#/texts/0", label="table")]), "#/texts/0"),
        (_document(texts=[_text("#/texts/0", level=101)]), "#/texts/0"),
        (
            _document(texts=[_text("#/texts/0")], body=_body("#/texts/0", "#/texts/0")),
            "#/texts/0",
        ),
        (
            _document(
                texts=[_text("#/texts/0", parent={"$ref": "#/furniture"})],
                body=_body("#/texts/0"),
            ),
            "whose parent is #/furniture",
        ),
        (_document(texts=[_text("#/texts/0", parent=None)], body=_body("#/texts/0")), "no parent"),
    ],
)
def test_errors_name_what_is_wrong(source: str, named: str) -> None:
    with pytest.raises(ReadError, match=named):
        _core.DoclingDocument.of_json(source)


def test_nesting_is_bounded() -> None:
    n = 100_000
    groups = [
        {
            "self_ref": f"#/groups/{i}",
            "label": "list",
            "parent": {"$ref": f"#/groups/{i - 1}" if i else "#/body"},
            "children": [{"$ref": f"#/groups/{i + 1}"}] if i < n - 1 else [],
        }
        for i in range(n)
    ]
    document = _core.DoclingDocument.of_json(_document(groups=groups, body=_body("#/groups/0")))
    with pytest.raises(ReadError, match="#/groups/200"):
        document.hierarchical()


def test_code_in_its_own_caption_is_refused() -> None:
    code = _text("#/texts/0", label="code", captions=[{"$ref": "#/texts/1"}])
    code["parent"] = {"$ref": "#/texts/1"}
    caption = _text("#/texts/1", label="caption", children=[{"$ref": "#/texts/0"}])
    document = _core.DoclingDocument.of_json(
        _document(texts=[code, caption], body=_body("#/texts/1"))
    )
    with pytest.raises(ReadError, match="#/texts/0"):
        document.item("#/texts/0")


@pytest.mark.shared
@pytest.mark.parametrize("case", _hostile(), ids=lambda case: case.name)
def test_hostile_documents(case: Any) -> None:
    source = json.dumps(case.make(0.2))
    try:
        document = _core.DoclingDocument.of_json(source)
        for style in STYLES:
            assert document.hierarchical(tables=style).headings() is not None
        document.pages()
    except ReadError:
        assert case.expect != "chunks"
    else:
        assert case.expect != "error"
