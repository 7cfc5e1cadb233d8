"""Options of a corpus: how its documents are read, cut and embedded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chunkwright.checks import checked_int, checked_name
from chunkwright.chunking.batch import checked_workers
from chunkwright.corpus.settings import DUPLICATES, SHARD_BYTES, CorpusSettings, Duplicates
from chunkwright.io.sources import Reading

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.embed import EmbedderLike


@dataclass(frozen=True, kw_only=True)
class Options:
    """How documents are read, cut and embedded; see :class:`chunkwright.corpus.Corpus`."""

    strategy: Chunker
    reading: Reading = field(default_factory=Reading)
    n_tokens: bool | None = None
    embedder: EmbedderLike | None = None
    vector_column: str = CorpusSettings.vector_column
    duplicates: Duplicates = CorpusSettings.duplicates
    root: str | None = None
    shard_bytes: int = SHARD_BYTES
    workers: int | None = None
    fingerprint: str | None = None
    store: str | None = None
    """Names the store that documents are imported into; None: chunks are written to files."""

    def __post_init__(self) -> None:
        checked_name("duplicates", self.duplicates, list(DUPLICATES))
        checked_int("shard_bytes", self.shard_bytes, least=1)
        checked_workers(self.workers)
