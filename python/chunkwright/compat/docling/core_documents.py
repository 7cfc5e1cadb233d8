"""Documents that the core reads itself: those that a stock serializer would write, and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from pydantic import ValidationError

from chunkwright import _core
from chunkwright.errors import ReadError

from .native import DoclingJson, read_json, text_of
from .peer import (
    ChunkingDocSerializer,
    ChunkingSerializerProvider,
    DocItem,
    DoclingDocument,
    MarkdownTableSerializer,
    TripletTableSerializer,
)
from .schemas import document_of, item_serializer

_GET_SERIALIZER = ChunkingSerializerProvider.get_serializer

_LISTS = (
    "groups",
    "texts",
    "pictures",
    "tables",
    "key_value_items",
    "form_items",
    "field_regions",
    "field_items",
)

# What need not be written to be skipped: pictures, and the grid that is made of a table's cells.
_SKIPPED: dict[str, Any] = {
    "pictures": {"image"},
    "tables": {"data": {"grid"}, "image": True},
}
_SKIPPED_ABOVE: Any = {**dict.fromkeys(_LISTS, True), "pages": {"__all__": {"image"}}}


@dataclass(frozen=True, slots=True)
class InputDocument:
    """Document that a chunker is to cut.

    Parameters
    ----------
    document
        The document.
    core
        The same as the core has read it, if it was given as JSON.
    """

    document: DoclingDocument
    core: _core.DoclingDocument | None = None

    def read(self) -> _core.DoclingDocument | None:
        """Return the document as the core reads it, or None if it does not read such a one."""
        return self.core or read(self.document)


def input_document(document: DoclingDocument | DoclingJson) -> InputDocument:
    """Return what a chunker is to cut: a document as it is, JSON loaded by docling-core.

    Raises
    ------
    ReadError
        If JSON holds no document, or a broken one; names the item.
    """
    if not isinstance(document, (str, bytes, dict)):
        return InputDocument(document)
    json = text_of(document)
    core = read_json(json)
    return InputDocument(document_of(json), core)


class Serializing:
    """The serializer that a provider has for a document, and how it writes tables.

    Parameters
    ----------
    provider
        A chunker's ``serializer_provider``.
    given
        What the chunker was given.
    """

    def __init__(self, provider: Any, given: InputDocument) -> None:
        self._provider = provider
        self._given = given

    @cached_property
    def serializer(self) -> Any:
        """The serializer; it is the provider's to make."""
        return self._provider.get_serializer(doc=self._given.document)

    @cached_property
    def tables(self) -> str | None:
        """The style of tables if the serializer is a stock one of this document, else None.

        The stock provider's serializer is not made: to copy all of its parts takes longer than to
        cut a short document. What else it does, to check and repair the document, is done here.
        """
        if self._is_stock() and self._is_valid():
            return "triplets"
        serializer = self.serializer
        tables = tables_of(serializer)
        return None if tables is None or serializer.doc is not self._given.document else tables

    def _is_stock(self) -> bool:
        cls = type(self._provider)
        return (
            cls is ChunkingSerializerProvider
            and cls.get_serializer is _GET_SERIALIZER
            and "get_serializer" not in vars(self._provider)
            and tables_of(_stock()) == "triplets"
        )

    def _is_valid(self) -> bool:
        if self._given.core is not None:
            # It was checked when it was loaded.
            return True
        try:
            DoclingDocument.__pydantic_validator__.validate_python(self._given.document)
        except ValidationError:
            # The serializer's own error names where it is.
            return False
        return True


def texts_of(document: DoclingDocument) -> Iterator[str]:
    """Yield all texts that may come into a chunk, hidden ones included."""
    yield from (item.text for item in document.texts)
    yield from (cell.text for table in document.tables for cell in table.data.table_cells)
    yield from (str(item.meta) for item in document.pictures if item.meta is not None)


def read(document: DoclingDocument) -> _core.DoclingDocument | None:
    """Return a document as the core reads it, or None if it does not read such a one."""
    if type(document) is not DoclingDocument or _has_objects_of_users(document):
        return None
    try:
        return _core.DoclingDocument.of_live(_dumped(document))
    except (ReadError, ValueError):
        # The peer's own code says what is wrong with it, if anything is.
        return None


def tables_of(serializer: Any) -> str | None:
    """Return the style in which a stock serializer writes tables, or None if it is not stock."""
    if type(serializer) is not ChunkingDocSerializer:
        return None
    stock = _stock()
    for name in type(serializer).model_fields.keys() - {"doc", "params", "table_serializer"}:
        given, usual = getattr(serializer, name), getattr(stock, name)
        if type(given) is not type(usual) or vars(given) != vars(usual):
            return None
    is_compact = bool(getattr(serializer.params, "compact_tables", False))
    if serializer.params != stock.params.model_copy(update={"compact_tables": is_compact}):
        return None
    tables = serializer.table_serializer
    if type(tables) is TripletTableSerializer:
        return "triplets"
    if type(tables) is not MarkdownTableSerializer:
        return None
    return "compact markdown" if is_compact else "markdown"


class LiveItems:
    """The items that a document has now, by reference.

    Parameters
    ----------
    document
        The document.
    """

    def __init__(self, document: DoclingDocument) -> None:
        self._lists = {name: tuple(getattr(document, name)) for name in _LISTS}

    def __getitem__(self, reference: str) -> DocItem:
        _, name, index = reference.split("/")
        item: DocItem = self._lists[name][int(index)]
        return item


@cache
def _stock() -> Any:
    return ChunkingDocSerializer(doc=DoclingDocument(name=""))


def _dumped(document: DoclingDocument) -> bytes:
    """Return the JSON of a document.

    Each item is written by its own class: as a member of a list it would be written as each class
    that may stand there, until one fits.
    """
    above = document.model_dump_json(by_alias=True, exclude=_SKIPPED_ABOVE, warnings=False)
    parts = [above.removesuffix("}").encode()]
    for name in _LISTS:
        skipped = _SKIPPED.get(name)
        items = b",".join(
            item_serializer(type(item)).to_json(  # type: ignore[arg-type]
                item, by_alias=True, exclude=skipped, warnings=False
            )
            for item in getattr(document, name)
        )
        parts.append(b',"%s":[%s]' % (name.encode(), items))
    return b"".join([*parts, b"}"])


def _has_objects_of_users(document: DoclingDocument) -> bool:
    """Return whether items have other classes, or metadata whose text only objects know."""
    items = [item for name in _LISTS for item in getattr(document, name)]
    if not all(type(item).__module__.startswith("docling_core.") for item in items):
        return True
    metas = [document.body.meta, *(item.meta for item in items)]
    return any(meta is not None and meta.model_extra for meta in metas)
