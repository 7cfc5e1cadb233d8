"""Protocol of engines, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from chunkwright.checks import checked_name
from chunkwright.corpus.settings import ENGINES

if TYPE_CHECKING:
    from chunkwright.corpus.output.manifest import Manifest
    from chunkwright.corpus.output.sink import Sink
    from chunkwright.corpus.pipeline.items import Outcome
    from chunkwright.corpus.planning.plan import Job
    from chunkwright.corpus.planning.shards import Shard

    Made: TypeAlias = Iterator[Outcome]

Engine: TypeAlias = "Callable[[Job, Sequence[Shard], Sink, Manifest], Made]"
"""Makes shards, each whole or not at all, and marks those that are done.

It yields what became of each, in any order; and what was done since, as often as it is known.
"""


def engine_of(name: str) -> Engine:
    """Return the engine of that name.

    Raises
    ------
    ConfigError
        If there is none.
    """
    module, _, function = ENGINES[checked_name("engine", name, list(ENGINES))].partition(":")
    found: Engine = getattr(import_module(f"chunkwright.corpus.{module}"), function)
    return found
