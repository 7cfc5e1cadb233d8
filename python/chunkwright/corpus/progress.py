"""Progress of a run, for whoever shows it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chunkwright.corpus.failures import Failure
    from chunkwright.corpus.report import Counts


class Beginning(NamedTuple):
    """What a run is about to do.

    Attributes
    ----------
    n_shards, n_done, n_removed
        How many shards there are; how many of them are done; and how many others are removed,
        since inputs or settings have changed.
    size, size_done
        The bytes of all inputs, and of those that are done.
    changes
        Which settings have changed since the last run, in words.
    is_staged
        Whether those that are removed stay until all others are there.
    lacking
        Extras that are not installed, with how many files each of them would read: all of these
        fail.
    """

    n_shards: int
    n_done: int
    n_removed: int
    size: int
    size_done: int
    changes: Sequence[str]
    is_staged: bool = False
    lacking: Mapping[str, int] = MappingProxyType({})


class Progress(Protocol):
    """Is told how far a run is."""

    def begin(self, beginning: Beginning) -> None:
        """Hear what the run is about to do, before it does anything."""

    def advance(self, counts: Counts) -> None:
        """Hear what was done since the last call."""

    def fail(self, failure: Failure) -> None:
        """Hear of a document or an input that failed; of a shard the first hundred are told."""


class Silence:
    """Progress that nobody looks at."""

    def begin(self, beginning: Beginning) -> None:
        """Say nothing."""

    def advance(self, counts: Counts) -> None:
        """Say nothing."""

    def fail(self, failure: Failure) -> None:
        """Say nothing."""
