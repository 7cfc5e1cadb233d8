"""Haystack's splitter over a strategy; needs the extra ``haystack``."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from chunkwright.adapters.splitting import Splitting, metadata_of
from chunkwright.errors import ConfigError, MissingExtraError

try:
    from haystack import Document, component, default_to_dict
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.haystack", "haystack") from _error

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunking.bases.strategy import Strategy


@component
class ChunkwrightSplitter:
    """A strategy as a component of Haystack, which splits documents.

    The documents that it gives have the metadata of those that they are from, and beside them
    ``source_id``, ``page_number`` (by the pages that were read, else by the form feeds before the
    chunk), ``split_id`` (from 0), ``split_idx_start`` and ``split_idx_end`` (code points of the
    content; None in texts that know no such place), ``token_count``, and perhaps ``headings``.

    Parameters
    ----------
    strategy, kind, **options
        See :meth:`chunkwright.adapters.splitting.Splitting.of`, which says what is refused.
        Pipelines write options into their files: numbers, texts and flags.
    """

    def __init__(
        self, strategy: str | Strategy = "recursive", kind: str | None = None, **options: Any
    ) -> None:
        self._splitting = Splitting.of(strategy, options, kind)

    def to_dict(self) -> dict[str, Any]:
        """Return what Haystack makes an equal one of.

        Raises
        ------
        ConfigError
            If an option is an object; names it.
        """
        return default_to_dict(self, kind=self._splitting.kind, **self._splitting.data())

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split documents, on several threads.

        Raises
        ------
        ConfigError
            If one has no text; names it.
        """
        return _split(documents, self._splitting.cut(_contents(documents)))

    @component.output_types(documents=list[Document])
    async def run_async(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split documents as :meth:`run` does; another thread does the work."""
        return _split(documents, await self._splitting.acut(_contents(documents)))


def _contents(documents: list[Document]) -> list[object]:
    for at, document in enumerate(documents):
        if not isinstance(document, Document) or document.content is None:
            what = f"documents[{at}] must be a Document with content"
            raise ConfigError(f"{what}, got {document!r:.80}", option="documents")
    return [document.content for document in documents]


def _split(of: list[Document], chunked: list[list[Chunk]]) -> dict[str, list[Document]]:
    made = [
        Document(content=chunk.text, meta=_meta(document, chunk, number))
        for document, chunks in zip(of, chunked, strict=True)
        for number, chunk in enumerate(chunks)
    ]
    return {"documents": made}


def _meta(document: Document, chunk: Chunk, number: int) -> dict[str, Any]:
    start, end = chunk.source_start, chunk.source_end
    first = document.meta.get("page_number") or 1
    return {
        **copy.deepcopy(document.meta),
        "source_id": document.id,
        "page_number": first + (document.content or "")[: start or 0].count("\f"),
        "split_id": number,
        "split_idx_start": start,
        "split_idx_end": end,
        "token_count": chunk.n_tokens,
        **metadata_of(chunk),
    }
