"""Store as the output of a run: documents are imported into it, shard by shard."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chunkwright.corpus.report import Failure
from chunkwright.io.sources import ADDRESS

if TYPE_CHECKING:
    from chunkwright.chunking.bases.chunker import Chunker
    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.output.sink import Takes
    from chunkwright.document import Document
    from chunkwright.embed import EmbedderLike
    from chunkwright.store import Store


class StoreSink:
    """A store that documents are imported into.

    The store cuts and embeds them itself, so that blocks that it has keep their ids, vectors and
    citations. A document is imported whole or not at all; one that is there already, as after a
    run that was interrupted, is no work.

    Parameters
    ----------
    store
        The store.
    strategy
        What cuts.
    embedder
        What embeds, if anything.
    """

    takes: Takes = "documents"

    def __init__(
        self, store: Store, strategy: Chunker, embedder: EmbedderLike | None = None
    ) -> None:
        self._store, self._strategy, self._embedder = store, strategy, embedder

    @property
    def name(self) -> str:
        """The address of the database, or the path of its file, whatever folder is the current."""
        name = self._store.name
        return name if ADDRESS.match(name) else os.path.realpath(name)

    def begin(self, shard: Shard) -> StoreShard:
        """Begin a shard; see :class:`chunkwright.corpus.output.sink.Sink`."""
        return StoreShard(self._store, self._strategy, self._embedder, shard)

    def sizes(self) -> Mapping[str, int] | None:
        """Return None: a store knows documents, and not what shards they came with."""
        return None

    def remove(self, names: Collection[str]) -> None:
        """Remove nothing: a store keeps documents until somebody removes them."""


class StoreShard:
    """Documents of one shard on their way into a store."""

    def __init__(
        self, store: Store, strategy: Chunker, embedder: EmbedderLike | None, shard: Shard
    ) -> None:
        self._store, self._strategy, self._embedder = store, strategy, embedder
        self._label = shard.units[0].label if shard.units else shard.name

    def consume(self, rows: Any, documents: Sequence[Document] = ()) -> list[Failure]:
        """Import documents, of which the store makes the rows; return those that failed.

        Raises
        ------
        StoreError, ModelError
            If the database or the embedder fails: no other document will do better.
        """
        del rows  # there are none
        report = self._store.add(documents, strategy=self._strategy, embedder=self._embedder)
        return [
            replace(Failure.of(each.error, "write", self._label, each.uri), document_id=each.uri)
            for each in report.of("failed")
            if each.error is not None
        ]

    def end(self) -> int:
        """Do nothing: each document is there since it was consumed."""
        return 0

    def abort(self) -> None:
        """Do nothing: documents that are there are whole, and will be no work."""
