"""LangChain's text splitter over a strategy; needs the extra ``langchain``."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from chunkwright.adapters.splitting import Splitting, metadata_of
from chunkwright.errors import ConfigError, MissingExtraError

try:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.langchain", "langchain") from _error

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
    from chunkwright.chunking.bases.strategy import Strategy


class ChunkwrightTextSplitter(TextSplitter):
    """A strategy as LangChain's text splitter.

    Documents keep their metadata. Chunks of texts with headings have them as ``headings``, those of
    texts with pages their first as ``page_number``.

    Parameters
    ----------
    strategy, kind, **options
        See :meth:`chunkwright.adapters.splitting.Splitting.of`.
    add_start_index
        Whether metadata say where a chunk starts in its text, as ``start_index``, in code points;
        -1 in texts that know no such place, such as elements in JSON.

    Raises
    ------
    ConfigError
        If the strategy or an option is unknown, or a value makes no sense.
    """

    def __init__(
        self,
        strategy: str | Strategy = "recursive",
        *,
        kind: str | None = None,
        add_start_index: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(add_start_index=add_start_index)
        self._splitting = Splitting.of(strategy, options, kind)

    def split_text(self, text: str) -> list[str]:
        """Return the texts of the chunks of a text."""
        return [chunk.text for chunk in self._splitting.cut([text])[0]]

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Return the chunks of all texts, which are cut on several threads.

        Parameters
        ----------
        texts
            The texts.
        metadatas
            Those of each text; its chunks have copies of them.

        Raises
        ------
        ConfigError
            If there are not as many metadata as texts.
        """
        given = [{} for _ in texts] if metadatas is None else metadatas
        if len(given) != len(texts):
            message = f"{len(texts)} texts need as many metadatas, got {len(given)}"
            raise ConfigError(message, option="metadatas")
        return [
            self._document(chunk, metadata)
            for chunks, metadata in zip(self._splitting.cut(texts), given, strict=True)
            for chunk in chunks
        ]

    def _document(self, chunk: Chunk, given: dict[Any, Any]) -> Document:
        metadata = {**copy.deepcopy(given), **metadata_of(chunk)}
        if self._add_start_index:
            start = chunk.source_start
            metadata["start_index"] = -1 if start is None else start
        return Document(page_content=chunk.text, metadata=metadata)
