"""Protocol of what takes the chunks of shards: a folder of Parquet files, a store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Shard
    from chunkwright.corpus.report import Failure
    from chunkwright.document import Document

Takes = Literal["chunks", "documents"]


class Sink(Protocol):
    """Takes shards, each whole or not at all.

    Attributes
    ----------
    takes
        ``"chunks"``: rows of chunks. ``"documents"``: documents, which it cuts and embeds itself.
    """

    takes: Takes

    def begin(self, shard: Shard) -> ShardWriter:
        """Begin a shard; an earlier one of the same name is there until the new one has ended."""

    def sizes(self) -> Mapping[str, int] | None:
        """Return the bytes of the shards that are there by their names; None: it knows none."""

    def remove(self, names: Collection[str]) -> None:
        """Remove shards that the run does not make any more."""


class ShardWriter(Protocol):
    """Takes the chunks of one shard, or its documents.

    After :meth:`end` or :meth:`abort` nothing else is called. An error of any method but
    :meth:`abort` is followed by it.
    """

    def consume(self, rows: Any, documents: Sequence[Document] = ()) -> list[Failure]:
        """Take what the sink takes: rows of chunks, or documents; return documents that failed.

        Rows are a ``pyarrow.Table`` with the columns of the corpus; None if there are documents.
        """

    def end(self) -> int:
        """Have all of it in place; return how many bytes were written."""

    def abort(self) -> None:
        """Leave nothing of it."""
