"""Chunks of docling-core's classes, made of what the core gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from chunkwright import _core

from .core_documents import LiveItems
from .peer import DocChunk, DocItem, DocMeta, DocumentOrigin
from .schemas import bare_items

# The fields that count as set, by how the metadata was made: pydantic can leave out the others. Of
# JSON, only those that are there.
_FIELDS = {
    "of headings": {"doc_items", "headings"},
    "of items": {"doc_items", "headings", "origin"},
    "of page": {"doc_items", "headings", "captions", "origin"},
    "of json": {"schema_name", "version", "doc_items"},
    "stripped": {"schema_name", "version", "doc_items", "captions", "headings"},
}


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
        """Return a chunk of what the core says of it: what `all_of` gets in columns."""
        text, names, bare, headings, has_origin, made = chunk
        items = [
            self._bare(name) if is_bare else self._items[name]
            for name, is_bare in zip(names, bare, strict=True)
        ]
        origin = self._origin_of(is_bare=bare[-1]) if has_origin else None
        return self._of(text, items, headings, origin, made)

    def all_of(
        self, chunks: _core.DoclingChunks, made: Iterable[str] | None = None
    ) -> Iterator[DocChunk]:
        """Yield chunks of a document that the core has read.

        Parameters
        ----------
        chunks
            The chunks.
        made
            How the metadata of each was made, if not as the core says.
        """
        bare = iter(bare_items(chunks.bare_json()))
        columns = (
            chunks.texts(),
            chunks.references(),
            chunks.bare(),
            chunks.headings(),
            chunks.with_origin(),
            chunks.made() if made is None else made,
        )
        for text, names, are_bare, headings, has_origin, how in zip(*columns, strict=True):
            items = [
                next(bare) if is_bare else self._items[name]
                for name, is_bare in zip(names, are_bare, strict=True)
            ]
            is_bare = bool(are_bare) and are_bare[-1]
            origin = self._origin_of(is_bare=is_bare) if has_origin else None
            yield self._of(text, items, headings, origin, how)

    def of_all_items(self, texts: list[str], names: list[str]) -> Iterator[DocChunk]:
        """Yield chunks of the given texts, each with all items."""
        items = [self._items[name] for name in names]
        for text in texts:
            yield self._of(text, items.copy(), None, self._origin, "of items")

    def _origin_of(self, *, is_bare: bool) -> Any:
        """Return the document's origin, or what its JSON says for a chunk made of JSON."""
        is_copy = is_bare and self._origin is not None
        return self._stored_origin.model_copy() if is_copy else self._origin

    @cached_property
    def _stored_origin(self) -> DocumentOrigin:
        dumped = self._origin.model_dump(mode="json", by_alias=True, exclude_none=True)
        return DocumentOrigin.model_validate(dumped)

    @staticmethod
    def _of(text: str, items: list[DocItem], headings: Any, origin: Any, made: str) -> DocChunk:
        fields = _FIELDS[made].copy()
        if made == "of json" and headings is not None:
            fields.add("headings")
        if origin is not None:
            fields.add("origin")
        meta = DocMeta.model_construct(fields, doc_items=items, headings=headings, origin=origin)
        return DocChunk.model_construct({"text", "meta"}, text=text, meta=meta)

    def _bare(self, name: Any) -> DocItem:
        """Return a new item with what all items have in common, as the peer's JSON keeps it."""
        dumped = self._dumped.get(name)
        if dumped is None:
            dump = DocItem.__pydantic_serializer__.to_python
            dumped = dump(self._items[name], mode="json", by_alias=True, exclude_none=True)
            self._dumped[name] = dumped
        return DocItem.model_validate(dumped)
