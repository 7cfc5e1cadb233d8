"""Cache of chunks on disk, so that no corpus is cut twice by the same chunker."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chunkwright.evaluation.chunkers.adapter import ChunkerOutput
from chunkwright.evaluation.loose_match import Place
from chunkwright.files.disk_cache import DamagedError, DiskCache, digest

# Characters of a wrong value that a message shows.
_SHOWN = 100


class ChunkCache:
    """The chunks of a chunker, by the corpora that it has cut.

    Parameters
    ----------
    folder
        Where; see :class:`chunkwright.files.disk_cache.DiskCache`.
    chunker
        The chunker's fingerprint.
    """

    def __init__(self, folder: Path, chunker: str) -> None:
        self._disk = DiskCache(folder, "chunks", chunker)

    def get(self, texts: Iterable[str]) -> dict[str, ChunkerOutput]:
        """Return the chunks that are there, by text; of those that cannot be is warned."""
        keys = {digest(text): text for text in texts}
        cuts: dict[str, ChunkerOutput] = {}
        for key, value in self._disk.get(list(keys)).items():
            try:
                cuts[keys[key]] = _read(value, keys[key])
            except DamagedError as error:
                self._disk.say(f"has chunks that cannot be, a text is cut again: {error}")
        return cuts

    def put(self, text: str, cut: ChunkerOutput) -> None:
        """Keep the chunks of a text."""
        # A chunk that stands where it says needs no text of its own.
        rows = [place or said for said, place in zip(cut.texts, cut.places, strict=True)]
        value = rows if cut.indexed is None else {"chunks": rows, "indexed": cut.indexed}
        self._disk.put({digest(text): json.dumps(value).encode()})


def _read(value: bytes, text: str) -> ChunkerOutput:
    """Return the chunks of a text that a value holds.

    Raises
    ------
    DamagedError
        If it holds none.
    """
    try:
        rows, indexed = _rows_and_indexed(json.loads(value))
        places = [None if isinstance(row, str) else _place(row, len(text)) for row in rows]
    except (LookupError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise DamagedError(f"{error!r}"[:_SHOWN]) from error
    texts = [text[slice(*place)] if place else row for row, place in zip(rows, places, strict=True)]
    if not all(texts):
        raise DamagedError("one has no text")
    return ChunkerOutput(texts, places, indexed)


def _rows_and_indexed(value: Any) -> tuple[list[Any], list[str] | None]:
    """Return the rows of a value, and what is searched in the place of their texts."""
    has_both = isinstance(value, dict) and value.keys() == {"chunks", "indexed"}
    rows, indexed = (value["chunks"], value["indexed"]) if has_both else (value, None)
    if not isinstance(rows, list):
        raise DamagedError("they are no list")
    if not has_both:
        return rows, None
    if not isinstance(indexed, list) or not all(isinstance(text, str) for text in indexed):
        raise DamagedError("what is searched is no list of texts")
    if len(indexed) != len(rows):
        raise DamagedError("not each chunk has what is searched for it")
    return rows, indexed


def _place(row: Any, length: int) -> Place:
    start, end = row
    # True and 0.0 equal offsets, and are none.
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        raise DamagedError("one stands outside of its text")
    return start, end
