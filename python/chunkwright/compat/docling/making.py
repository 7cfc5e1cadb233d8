"""Chunks of docling-core's classes, made of what the core gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .peer import DocChunk, DocItem, DocMeta

_FIELDS = {"doc_items", "headings", "origin"}


class Maker:
    """Makes chunks over the items of a document.

    Parameters
    ----------
    items
        The items, by the numbers that the core has for them.
    origin
        That of the document.
    """

    def __init__(self, items: Sequence[DocItem], origin: Any) -> None:
        self._items = items
        self._origin = origin
        self._dumped: dict[int, dict[str, Any]] = {}

    def made(self, chunk: tuple[Any, ...]) -> DocChunk:
        """Return a chunk: its text, items, which of them are bare, headings, and if it has origin."""
        text, numbers, bare, headings, has_origin = chunk
        items = [
            self._bare(number) if is_bare else self._items[number]
            for number, is_bare in zip(numbers, bare, strict=True)
        ]
        origin = self._origin if has_origin else None
        if origin is not None and bare[-1]:
            origin = origin.model_copy()
        meta = DocMeta.model_construct(_FIELDS, doc_items=items, headings=headings, origin=origin)
        return DocChunk.model_construct({"text", "meta"}, text=text, meta=meta)

    def _bare(self, number: int) -> DocItem:
        """Return a new item with what all items have in common, as the peer's JSON keeps it."""
        dumped = self._dumped.get(number)
        if dumped is None:
            dump = DocItem.__pydantic_serializer__.to_python
            dumped = dump(self._items[number], mode="json", by_alias=True, exclude_none=True)
            self._dumped[number] = dumped
        return DocItem.model_validate(dumped)
