"""Strategies that a service has made for earlier requests, the last of them kept."""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkwright.chunking.registry import AnyStrategy
    from chunkwright.server.schemas.requests import Chunking

_MOST = 64
_MOST_OPTIONS = 2000


class KnownStrategies:
    """Strategies by how requests ask for them; each has cut a document, so its models are loaded.

    A strategy is never changed, and threads may share it.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, AnyStrategy] = OrderedDict()
        self._lock = Lock()

    def get(self, asked: Chunking) -> AnyStrategy | None:
        """Return the strategy that was kept for what is asked; None if there is none."""
        key = _key(asked)
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
            return found

    def keep(self, asked: Chunking, strategy: AnyStrategy) -> None:
        """Keep a strategy, unless its options are large; the one longest unused is dropped."""
        key = _key(asked)
        if len(key) > _MOST_OPTIONS:
            return
        with self._lock:
            self._known[key] = strategy
            if len(self._known) > _MOST:
                self._known.popitem(last=False)


def _key(asked: Chunking) -> str:
    """Return what tells all values apart, 1, 1.0 and true as well."""
    if not asked.options:
        return asked.strategy
    return json.dumps([asked.strategy, asked.options])
