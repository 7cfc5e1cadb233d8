"""Cost of requests: which of them may take memory without bounds, and so belong into a child."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from chunkwright.server.reading_costs import reading_cost

SMALL = 4_000_000
"""Bytes of memory that reading and cutting a text may take at worst, to be done in the worker."""

# A text takes no less than this many bytes of memory per byte.
_LEAST_FACTOR = 8


def is_small(body: bytes) -> bool:
    """Return whether a request is sure to take little memory: a short text, and no model.

    Examples
    --------
    >>> is_small(b'{"text": "One two."}'), is_small(b'{"path": "a.pdf"}')
    (True, False)
    >>> by_model = {"strategy": "kamradt", "options": {"embedder": "m"}}
    >>> is_small(json.dumps({"text": "One two.", "chunking": by_model}).encode())
    False
    >>> long_table = {"text": "a,b" * 20_000, "kind": "csv"}
    >>> is_small(json.dumps(long_table).encode())
    False
    """
    if len(body) * _LEAST_FACTOR > SMALL:
        return False
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        # A form holds files; what is no JSON at all is refused there, too.
        return False
    if not isinstance(asked, dict) or not {"text", "texts"} & asked.keys():
        return False
    kind = asked.get("kind") or "text"
    cost = reading_cost(len(body), kind if isinstance(kind, str) else None, None)
    return cost <= SMALL and not any(_embedders(asked))


def _embedders(asked: dict[str, Any]) -> Iterator[Any]:
    """Yield the models that a request names, where requests have them."""
    yield asked.get("embedder")
    for name in ("chunking", "a", "b"):
        spec = asked.get(name)
        options = spec.get("options") if isinstance(spec, dict) else None
        yield options.get("embedder") if isinstance(options, dict) else None
