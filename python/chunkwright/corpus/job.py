"""Job of a run: what is done with each shard, as configuration that other processes can be sent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.arrow.chunker import ArrowChunker
from chunkwright.corpus.settings import CorpusSettings
from chunkwright.io.sources import Reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.embed import EmbedderLike


@dataclass(frozen=True)
class Job:
    """What is done with each shard.

    Parameters
    ----------
    strategy
        What cuts.
    reading
        How inputs are read.
    settings
        All that the rows depend on beside the inputs, as JSON.
    schema
        The ``pyarrow.Schema`` of the rows.
    carried
        The ``pyarrow.Schema`` of the columns that chunks carry from their inputs.
    kind
        What texts of rows are read as; None: what the strategy reads them as.
    n_tokens
        Whether tokens are counted; None: where the limit is in tokens.
    embedder, vector_column
        What embeds chunks, if anything, and the name of the column of vectors.
    workers
        Threads that cut; None for one for each core that may be used.
    """

    strategy: Chunker
    reading: Reading
    settings: Mapping[str, Any]
    schema: Any = field(repr=False)
    carried: Any = field(repr=False)
    kind: str | None = None
    n_tokens: bool | None = None
    embedder: EmbedderLike | None = None
    vector_column: str = CorpusSettings.vector_column
    workers: int | None = None

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the settings."""
        return sha256(json.dumps(self.settings, sort_keys=True).encode()).hexdigest()

    @cached_property
    def chunker(self) -> ArrowChunker:
        """What cuts rows of tables; it does not embed, which is a stage of its own."""
        return ArrowChunker(
            self.strategy,
            text_column=self.reading.text_column,
            id_column=self.reading.id_column,
            kind=self.kind,
            n_tokens=self.n_tokens,
            workers=self.workers,
        )
