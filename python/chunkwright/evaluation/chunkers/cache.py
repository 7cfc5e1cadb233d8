"""Chunks of corpora, cut once: kept on disk, and shared by the runs of a plan."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from chunkwright.chunking.bases.strategy import fingerprint_of
from chunkwright.document import Document
from chunkwright.evaluation.chunkers.adapter import ChunkerOutput, cuts
from chunkwright.evaluation.chunkers.placing import sources_for
from chunkwright.evaluation.data.corpora import knows_more
from chunkwright.evaluation.data.dataset import Dataset
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


def cut_corpora(
    chunker: object,
    dataset: Dataset,
    folder: Path | None,
    tell: Callable[[str, int, int], None],
) -> list[ChunkerOutput]:
    """Cut all corpora, or take the chunks that are kept.

    Parameters
    ----------
    chunker, dataset
        What cuts, and what is cut.
    folder
        The folder of all that is kept; None: nothing is.
    tell
        Is told of each corpus that is cut.
    """
    fingerprint = fingerprint_of(chunker) if folder else None
    cache = ChunkCache(folder / "chunks", fingerprint) if folder and fingerprint else None
    sources = sources_for(chunker, dataset)
    corpora = dataset.corpora.items() if cache else ()
    # Chunks are kept under the text alone.
    texts = {name: text for name, text in corpora if _is_text(sources[name], text)}
    found = cache.get(texts.values()) if cache else {}
    kept = {name: found[text] for name, text in texts.items() if text in found}
    making = cuts(chunker, {name: each for name, each in sources.items() if name not in kept})
    made: list[ChunkerOutput] = []
    tell("chunking", 0, len(sources))
    for name in sources:
        made.append(kept[name] if name in kept else next(making))
        if cache and name in texts and name not in kept and not made[-1].n_unanswered:
            cache.put(texts[name], made[-1])
        tell("chunking", len(made), len(sources))
    return made


def _is_text(source: str | Document, text: str) -> bool:
    """Return whether what is cut is a corpus's text, and no more."""
    said = source if isinstance(source, str) else source.text
    return said == text and not knows_more(source)


class SharedCuts:
    """Chunks of the last chunker, for runs of a plan that differ in how they find alone.

    So a model is asked once.
    """

    def __init__(self) -> None:
        self._chunker: object = None
        self._cuts: list[ChunkerOutput] = []

    def of(self, chunker: object, make: Callable[[], list[ChunkerOutput]]) -> list[ChunkerOutput]:
        """Return the chunks of all corpora; those of another chunker are forgotten."""
        if self._chunker is not chunker:
            self._cuts, self._chunker = make(), chunker
        return self._cuts

    @property
    def n_unanswered(self) -> int:
        """The number of requests about the last chunks that a language model has not answered."""
        return sum(cut.n_unanswered for cut in self._cuts)


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
