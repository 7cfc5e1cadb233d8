"""Chunks of docling-core's classes, made of what the core gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter

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
        self._items: Any = items
        self._origin = origin
        self._dumped: dict[Any, dict[str, Any]] = {}

    def made(self, chunk: tuple[Any, ...]) -> DocChunk:
        """Return a chunk: text, items, which of them are bare, headings, if it has an origin."""
        text, names, bare, headings, has_origin = chunk
        items = [
            self._bare(name) if is_bare else self._items[name]
            for name, is_bare in zip(names, bare, strict=True)
        ]
        return self._of(text, items, headings, self._made_of(bare[-1]) if has_origin else None)

    def all_of(self, chunks: _core.DoclingChunks) -> Iterator[DocChunk]:
        """Yield chunks of a document that the core has read."""
        bare = iter(_of_common().validate_json(chunks.bare_json()))
        columns = (
            chunks.texts(),
            chunks.references(),
            chunks.bare(),
            chunks.headings(),
            chunks.with_origin(),
        )
        for text, names, are_bare, headings, has_origin in zip(*columns, strict=True):
            items = [
                next(bare) if is_bare else self._items[name]
                for name, is_bare in zip(names, are_bare, strict=True)
            ]
            is_copy = bool(are_bare) and are_bare[-1]
            yield self._of(text, items, headings, self._made_of(is_copy) if has_origin else None)

    def of_all_items(self, texts: list[str], names: list[str]) -> Iterator[DocChunk]:
        """Yield chunks of the given texts, each with all items."""
        items = [self._items[name] for name in names]
        for text in texts:
            yield self._of(text, items.copy(), None, self._origin)

    def _made_of(self, is_copy: bool) -> Any:
        origin = self._origin
        return origin.model_copy() if is_copy and origin is not None else origin

    @staticmethod
    def _of(text: str, items: list[DocItem], headings: Any, origin: Any) -> DocChunk:
        meta = DocMeta.model_construct(_FIELDS, doc_items=items, headings=headings, origin=origin)
        return DocChunk.model_construct({"text", "meta"}, text=text, meta=meta)

    def _bare(self, name: Any) -> DocItem:
        """Return a new item with what all items have in common, as the peer's JSON keeps it."""
        dumped = self._dumped.get(name)
        if dumped is None:
            dump = DocItem.__pydantic_serializer__.to_python
            dumped = dump(self._items[name], mode="json", by_alias=True, exclude_none=True)
            self._dumped[name] = dumped
        return DocItem.model_validate(dumped)


@cache
def _of_common() -> TypeAdapter[list[DocItem]]:
    """Make items of what all items have in common."""
    return TypeAdapter(list[DocItem])
