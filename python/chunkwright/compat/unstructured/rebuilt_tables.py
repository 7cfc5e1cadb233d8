"""Tables put together again from their chunks."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable
from typing import Any

from chunkwright import _core

from . import elements as own
from .engine import PEER, family_of, recover

# What says how a chunk belongs to its table.
_CHUNK_FIELDS = ("is_continuation", "table_id", "chunk_index", "num_carried_over_header_rows")


def reconstruct_table_from_chunks(elements: Iterable[Any]) -> list[Any]:
    """Put tables together from their chunks.

    Parameters
    ----------
    elements
        Chunks in any order; what is no ``TableChunk`` with a ``table_id`` is passed over.

    Returns
    -------
    list[Table]
        The tables, in the order of their first chunks. Repeated headers are taken out of text and
        HTML; a table has HTML if all of its chunks have.
    """
    peer = sys.modules.get(PEER)
    kinds = (own.TableChunk, peer.TableChunk) if peer is not None else own.TableChunk
    tables: dict[Any, list[Any]] = {}
    for element in elements:
        if isinstance(element, kinds) and element.metadata.table_id is not None:
            tables.setdefault(element.metadata.table_id, []).append(element)
    return [_merged(sorted(chunks, key=_place)) for chunks in tables.values()]


def _place(chunk: Any) -> tuple[bool, int]:
    index = chunk.metadata.chunk_index
    return index is None, 0 if index is None else index


def _merged(chunks: list[Any]) -> Any:
    parts = [
        (
            chunk.text,
            chunk.metadata.text_as_html,
            chunk.metadata.num_carried_over_header_rows or 0,
        )
        for chunk in chunks
    ]
    text, html = _core.reconstruct_table(parts, recover())
    metadata = copy.deepcopy(chunks[0].metadata)
    for name in _CHUNK_FIELDS:
        setattr(metadata, name, None)
    metadata.text_as_html = html
    return family_of(chunks).module.Table(text=text, metadata=metadata)
