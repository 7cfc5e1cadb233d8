"""Documents that the core reads itself: those that a stock serializer would write."""

from __future__ import annotations

from functools import cache
from typing import Any

from chunkwright import _core
from chunkwright.errors import ReadError

from .peer import (
    ChunkingDocSerializer,
    DocItem,
    DoclingDocument,
    MarkdownTableSerializer,
    TripletTableSerializer,
)

# What need not be written to be skipped: pictures, and the grid that is made of a table's cells.
_SKIPPED: Any = {
    "pages": {"__all__": {"image"}},
    "pictures": {"__all__": {"image"}},
    "tables": {"__all__": {"data": {"grid"}, "image": True}},
}

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


def read(document: DoclingDocument) -> _core.DoclingDocument | None:
    """Return a document as the core reads it, or None if it does not read such a one."""
    if type(document) is not DoclingDocument or _has_metadata_of_users(document):
        return None
    try:
        json = document.model_dump_json(by_alias=True, exclude=_SKIPPED, warnings=False)
        return _core.DoclingDocument.of_live(json)
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
    """The items of a document, by reference.

    Parameters
    ----------
    document
        The document.
    """

    def __init__(self, document: DoclingDocument) -> None:
        self._lists = {name: getattr(document, name) for name in _LISTS}

    def __getitem__(self, reference: str) -> DocItem:
        _, name, index = reference.split("/")
        item: DocItem = self._lists[name][int(index)]
        return item


@cache
def _stock() -> Any:
    return ChunkingDocSerializer(doc=DoclingDocument(name=""))


def _has_metadata_of_users(document: DoclingDocument) -> bool:
    """Whether there is metadata whose text only its own objects know."""
    metas = (item.meta for name in _LISTS for item in getattr(document, name))
    return any(meta is not None and meta.model_extra for meta in [document.body.meta, *metas])
