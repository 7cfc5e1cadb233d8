"""Docling's chunker over a strategy; needs the extra ``docling``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chunkwright.checks import each_once
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.chunking.registry import as_strategy
from chunkwright.errors import ConfigError, MissingExtraError
from chunkwright.readers.docling import read_docling

try:
    from docling_core.types.doc import RefItem  # type: ignore[attr-defined]
    from pydantic import Field, PrivateAttr

    from chunkwright.compat.docling import peer
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.docling", "docling") from _error

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk


class ChunkwrightChunker(peer.BaseChunker):
    """A strategy as Docling's chunker.

    Chunks have the text that the strategy gives them, with headings that it repeats; their ``meta``
    has the items that they are made of, the headings above and the document's origin.

    Parameters
    ----------
    strategy
        The name of a strategy, or a strategy.
    delim
        What stands between headings and text in :meth:`contextualize`.
    options, **more
        Options of the strategy, as a dict or one by one; a wrong one is a ``ConfigError``.
    """

    strategy: str
    options: dict[str, Any] = Field(default_factory=dict)

    _strategy: Strategy = PrivateAttr()

    def __init__(
        self,
        strategy: str | Strategy = "hybrid",
        *,
        delim: str = "\n",
        options: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        made = as_strategy(strategy, each_once(more, options or {}, place="options"))
        spec = made.spec
        own: dict[str, Any] = {"strategy": spec.pop("strategy"), "options": spec, "delim": delim}
        super().__init__(**own)
        self._strategy = made

    def chunk(self, dl_doc: peer.DoclingDocument, **kwargs: Any) -> Iterator[peer.BaseChunk]:
        """Yield the chunks of a document, each a ``DocChunk``.

        Raises
        ------
        ConfigError
            If there are arguments beside it, which Docling's serializers take.
        ReadError
            If the document contradicts itself; names the reference.
        """
        if kwargs:
            raise ConfigError(f"chunk takes a document alone, got {', '.join(kwargs)}")
        for chunk in self._strategy(read_docling(dl_doc)):
            items = list({id(item): item for item in _items(chunk, dl_doc)}.values())
            headings = list(chunk.headings) or None
            meta = peer.DocMeta(doc_items=items, headings=headings, origin=dl_doc.origin)
            yield peer.DocChunk(text=chunk.text, meta=meta)

    def contextualize(self, chunk: peer.BaseChunk) -> str:
        """Return a chunk's text below those headings that are not in it already."""
        lines = set(chunk.text.splitlines())
        headings = getattr(chunk.meta, "headings", None) or []
        above = [heading for heading in headings if not lines.issuperset(heading.splitlines())]
        return self.delim.join([*above, chunk.text])


def _items(chunk: Chunk, document: peer.DoclingDocument) -> Iterator[peer.DocItem]:
    """Yield the items that a chunk has text of; of a group those in it."""
    for element in chunk.elements:
        # A list has no text beside that of its items.
        if element.text:
            yield from _leaves(RefItem(**{"$ref": str(element.item)}).resolve(document), document)


def _leaves(item: Any, document: peer.DoclingDocument) -> Iterator[peer.DocItem]:
    if isinstance(item, peer.DocItem):
        yield item
    else:
        for child in item.children:
            yield from _leaves(child.resolve(document), document)
