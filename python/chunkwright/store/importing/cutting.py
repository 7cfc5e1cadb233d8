"""Cutting of documents for a store: afresh, or again beside what is kept of an old version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.context import Context
from chunkwright.contextual.chunker import Contextual
from chunkwright.frames import without_surrogates
from chunkwright.retrieval.shadows import shadows
from chunkwright.store.importing.restored import restored
from chunkwright.store.importing.resync import resync

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.chunks import Chunks
    from chunkwright.document import Document
    from chunkwright.store.state import Placed


@dataclass(frozen=True)
class Cutting:
    """How documents are cut.

    Attributes
    ----------
    strategy
        What cuts them.
    n_shadow_tokens
        Tokens of shadows; None without.
    resyncs
        Whether blocks of an old version are kept where its text is untouched.
    """

    strategy: Chunker
    n_shadow_tokens: int | None
    resyncs: bool = True

    def fresh(self, documents: Iterable[Document]) -> Iterator[Chunks]:
        """Yield the chunks of one document after another; their ``errors`` say if one failed."""
        for chunks in self.strategy.stream(documents, errors="collect"):
            yield self.with_shadows(chunks)

    def can_resync(self, document: Document) -> bool:
        """Return whether a document can be cut again beside what is kept."""
        text = document.text
        is_plain = text.isascii() or without_surrogates(text) == text
        return self.resyncs and is_plain and isinstance(self._inner, Strategy)

    def again(
        self, document: Document, before: Document, old: Sequence[Placed]
    ) -> tuple[Chunks, Mapping[int, int]]:
        """Return the chunks of a new version, and which of them are old blocks.

        Parameters
        ----------
        document
            The new version.
        before
            The old one.
        old
            Its blocks.

        Raises
        ------
        ModelError, TokenizerError
            As the strategy.
        """
        inner = self._inner
        if not isinstance(inner, Strategy):
            raise TypeError(f"{type(inner).__name__} has no limit")
        found = resync(document, inner, before, [each.row for each in old])
        chunks = restored(
            document,
            found.rows,
            inner,
            inner._tokenizer,  # noqa: SLF001 - the package's own
            sizes_are_tokens=inner._in_tokens,  # noqa: SLF001
        )
        if isinstance(self.strategy, Contextual):
            known = [
                _context(old[found.kept[i]]) if i in found.kept else None
                for i in range(len(chunks))
            ]
            chunks = self.strategy.completed(chunks, known)
        return self.with_shadows(chunks), found.kept

    def with_shadows(self, chunks: Chunks) -> Chunks:
        """Return the chunks with shadows, unless they are to have none."""
        if self.n_shadow_tokens is None or not len(chunks):
            return chunks
        return shadows(chunks, tokens=self.n_shadow_tokens)

    @property
    def _inner(self) -> Chunker:
        own = self.strategy
        return own._cuts if isinstance(own, Contextual) else own  # noqa: SLF001


def _context(block: Placed) -> Context | None:
    return None if block.context is None else Context(*block.context)
