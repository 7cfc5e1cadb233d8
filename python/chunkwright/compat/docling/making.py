"""Chunks of docling-core's classes, made of what the core gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chunkwright import _core

from .peer import DocChunk, DocItem, DocMeta
from .stock import LiveItems

_FIELDS = {"doc_items", "headings", "origin"}


class Maker:
    """Makes chunks over the items of a document.

    Parameters
    ----------
    items
        The items, by the names that the core has for them.
    origin
        That of the document.
    """

    def __init__(self, items: Sequence[DocItem] | LiveItems, origin: Any) -> None:
        self._items = items
        self._origin = origin
        self._dumped: dict[Any, dict[str, Any]] = {}

    def made(self, chunk: tuple[Any, ...]) -> DocChunk:
        """Return a chunk: text, items, which of them are bare, headings, if it has an origin."""
        text, names, bare, headings, has_origin = chunk
        items = [
            self._bare(name) if is_bare else self._items[name]
            for name, is_bare in zip(names, bare, strict=True)
        ]
        origin = self._origin if has_origin else None
        if origin is not None and bare[-1]:
            origin = origin.model_copy()
        meta = DocMeta.model_construct(_FIELDS, doc_items=items, headings=headings, origin=origin)
        return DocChunk.model_construct({"text", "meta"}, text=text, meta=meta)

    def whole(self, chunks: _core.DoclingChunks) -> Iterator[DocChunk]:
        """Return chunks whose items are the document's own."""
        columns = (chunks.texts(), chunks.references(), chunks.headings(), chunks.with_origin())
        for text, names, headings, has_origin in zip(*columns, strict=True):
            yield self.made((text, names, [False] * len(names), headings, has_origin))

    def _bare(self, name: Any) -> DocItem:
        """Return a new item with what all items have in common, as the peer's JSON keeps it."""
        dumped = self._dumped.get(name)
        if dumped is None:
            dump = DocItem.__pydantic_serializer__.to_python
            dumped = dump(self._items[name], mode="json", by_alias=True, exclude_none=True)
            self._dumped[name] = dumped
        return DocItem.model_validate(dumped)
