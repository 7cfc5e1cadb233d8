"""Documents and items that are read in less steps are those that pydantic's own validators make."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("docling_core")
pytest.importorskip("semchunk")

from docling_core.types.doc.document import DocItem, DoclingDocument, ListItem, TextItem  # type: ignore[attr-defined]
from pydantic import BaseModel, TypeAdapter, ValidationError

from chunkwright.compat.docling import core_documents as stock
from chunkwright.compat.docling import schemas
from tests.parity import docling_documents, docling_generated
from tests.support.long_texts import shared_data

# What lies outside of its page is moved into it, which is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:Provenance bbox")

DOCUMENTS = st.one_of(docling_documents.documents(), docling_generated.documents())


def same(one: Any, two: Any) -> None:
    """Compare values with their classes, the fields that are set, and the order of fields."""
    assert type(one) is type(two)
    if isinstance(one, BaseModel):
        assert one.model_fields_set == two.model_fields_set
        assert one.__pydantic_extra__ == two.__pydantic_extra__
        assert one.__pydantic_private__ == two.__pydantic_private__
        same(vars(one), vars(two))
    elif isinstance(one, dict):
        assert list(one) == list(two)
        for key, value in one.items():
            same(value, two[key])
    elif isinstance(one, list | tuple):
        for each, other in zip(one, two, strict=True):
            same(each, other)
    else:
        assert repr(one) == repr(two)


@given(DOCUMENTS)
def test_documents(document: DoclingDocument) -> None:
    for given_json in (document.model_dump_json(), document.model_dump_json(exclude_defaults=True)):
        same(schemas.document_of(given_json), DoclingDocument.model_validate_json(given_json))


def test_documents_of_docling() -> None:
    folder = shared_data()
    files = sorted((folder / "data" / "docling-documents").rglob("*.json"))[::6] if folder else []
    if not files:
        pytest.skip("the folder of shared test data has Docling's documents")
    for file in files:
        content = file.read_bytes()
        try:
            wanted = DoclingDocument.model_validate_json(content)
        except ValidationError:
            continue
        same(schemas.document_of(content), wanted)


@given(DOCUMENTS)
def test_bare_items(document: DoclingDocument) -> None:
    dump = DocItem.__pydantic_serializer__.to_python
    items = [item for name in stock._LISTS[1:] for item in getattr(document, name)]
    dumped = json.dumps([dump(i, mode="json", by_alias=True, exclude_none=True) for i in items])
    same(schemas.bare_items(dumped), TypeAdapter(list[DocItem]).validate_json(dumped))


@given(DOCUMENTS)
def test_what_the_core_gets(document: DoclingDocument) -> None:
    items = [item for name in stock._LISTS for item in getattr(document, name)]
    for item in items:
        cls: Any = type(item)
        written = json.loads(schemas.item_serializer(cls).to_json(item, by_alias=True))
        wanted = json.loads(type(item).__pydantic_serializer__.to_json(item, by_alias=True))
        is_item = isinstance(item, DocItem)
        lists: dict[str, list[Any]] = {"source": [], "comments": []} if is_item else {}
        assert written == lists | wanted


def test_lists_of_defaults_are_each_items_own() -> None:
    document = DoclingDocument(name="made")
    for _ in range(2):
        document.add_text(label="text", text="x")  # type: ignore[arg-type]
    given_json = document.model_dump_json(exclude_defaults=True)
    one, two = schemas.document_of(given_json).texts
    one.prov.append(None)  # type: ignore[arg-type]
    one.children.append(None)  # type: ignore[arg-type]
    assert not two.prov
    assert not two.children
    assert not schemas.document_of(given_json).texts[0].prov


@pytest.mark.parametrize(
    "item",
    [
        {"label": "no-such-label"},
        {"label": None},
        {"label": ["text"]},
        {},
        {"label": "list_item", "enumerated": "perhaps"},
        {"label": "section_header", "level": -4},
        {"label": "text", "level": 3},
        {"label": "list_item"},
        {"label": "code", "code_language": "Python"},
        {"label": "formula"},
        {"label": "checkbox_selected"},
        7,
    ],
)
def test_items_of_any_label(item: Any) -> None:
    common = {"self_ref": "#/texts/0", "orig": "x", "text": "x", "parent": {"$ref": "#/body"}}
    text = common | item if isinstance(item, dict) else item
    body = {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]}
    given_json = json.dumps({"name": "made", "texts": [text], "body": body})

    def read(load: Any) -> Any:
        try:
            return load(given_json)
        except ValidationError as error:
            return str(error)

    found = read(schemas.document_of)
    same(found, read(DoclingDocument.model_validate_json))


def test_an_item_has_the_class_of_its_label() -> None:
    document = DoclingDocument(name="made")
    document.add_list_item("one", parent=document.add_list_group())
    document.add_text(label="footnote", text="two")  # type: ignore[arg-type]
    one, two = schemas.document_of(document.model_dump_json()).texts
    assert (type(one), type(two)) == (ListItem, TextItem)


def test_the_stock_provider_repairs_what_it_did() -> None:
    """Its serializer, which is not made here, checks and repairs a document that is alive."""
    from docling_core.transforms.chunker.hierarchical_chunker import HierarchicalChunker as Theirs
    from docling_core.types.doc.items.text import ListItem as Item
    from docling_core.types.doc.labels import DocItemLabel

    from chunkwright.compat.docling import HierarchicalChunker

    def misplaced() -> DoclingDocument:
        document = DoclingDocument(name="made")
        first = document.add_text(label=DocItemLabel.TEXT, text="one")
        item = Item(self_ref="#/texts/1", parent=document.body.get_ref(), text="two", orig="two")
        document.texts.append(item)
        document.body.children.append(item.get_ref())
        assert first.self_ref == "#/texts/0"
        return document

    ours, theirs = misplaced(), misplaced()
    found = [chunk.model_dump() for chunk in HierarchicalChunker().chunk(ours)]
    assert found == [chunk.model_dump() for chunk in Theirs().chunk(theirs)]
    same(ours, theirs)
    assert len(ours.groups) == 1

    broken = misplaced()
    broken.texts.append(broken.texts[0])
    errors = []
    for chunker in (HierarchicalChunker(), Theirs()):
        with pytest.raises(ValidationError, match="Duplicate ref") as error:
            list(chunker.chunk(broken))
        errors.append(str(error.value))
    assert errors[0] == errors[1]
