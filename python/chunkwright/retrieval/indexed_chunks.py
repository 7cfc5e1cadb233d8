"""Chunks of an index, with their documents, sizes and rows of tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from chunkwright.chunk_view import Chunk
from chunkwright.chunks import Chunks
from chunkwright.retrieval.hits import Searched, StoredChunks, searched_text
from chunkwright.retrieval.steps.bm25 import TOKENIZER
from chunkwright.retrieval.steps.neighbours import neighbours_of
from chunkwright.retrieval.units import Range, table_rows_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chunkwright import _core
    from chunkwright.tokens.tokenizer import TokenizerLike


@dataclass(frozen=True, eq=False)
class IndexedChunks:
    """Chunks or texts that an index was made of.

    Parameters
    ----------
    searched
        The chunks, or their texts; of a store, what reads them when they are asked for.
    documents
        The number of each chunk's document; None: neighbours do not count.
    n_tokens
        The size of each chunk; None: neighbours do not count.
    known_rows
        Where rows of tables stand in chunks without elements, by the numbers of these.
    counted_by
        The tokenizer of the chunks, if ``searched`` does not know it.
    """

    searched: Searched
    documents: NDArray[np.int64] | None = None
    n_tokens: NDArray[np.int64] | None = None
    known_rows: Mapping[int, list[Range]] = field(default_factory=dict)
    counted_by: TokenizerLike | None = None

    def __len__(self) -> int:
        return len(self.searched)

    def texts(self) -> list[str]:
        """Return the texts of all chunks, with their contexts if they have any."""
        if isinstance(self.searched, Chunks | StoredChunks):
            return self.searched.contextual_texts()
        return list(self.searched)

    @property
    def is_stored(self) -> bool:
        """Whether chunks are read from a store when they are asked for."""
        return isinstance(self.searched, StoredChunks) and not isinstance(self.searched, Chunks)

    @cached_property
    def mean_chars(self) -> float:
        """The mean length of the texts, in code points."""
        return sum(map(len, self.texts())) / max(1, len(self))

    def texts_at(self, rows: NDArray[np.int64]) -> list[str]:
        """Return the same of some chunks."""
        return [searched_text(self.searched[row]) for row in rows.tolist()]

    def table_rows(self, row: int) -> list[Range]:
        """Return where rows of tables stand in the text of a chunk, as far as that is known."""
        if row in self.known_rows:
            return self.known_rows[row]
        found = self.searched[row]
        chunk = found if isinstance(found, str | Chunk) else found.chunk
        if not isinstance(chunk, Chunk):
            return []
        n_before = len(chunk.contextual_text) - len(chunk.text)
        return [(start + n_before, end + n_before) for start, end in table_rows_of(chunk)]

    @property
    def tokenizer(self) -> TokenizerLike:
        """The tokenizer of the chunks; of texts that of the package."""
        if isinstance(self.searched, Chunks):
            return self.searched.columns.tokenizer
        return TOKENIZER if self.counted_by is None else self.counted_by

    def neighbours(self, reach: float) -> _core.Neighbours | None:
        """Return what chunks count for each other; None if that plays no part."""
        if self.documents is None:
            return None
        return neighbours_of(self.documents, len(self), self.n_tokens, reach)
