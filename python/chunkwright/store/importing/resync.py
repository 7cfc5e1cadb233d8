"""Resync: a cut of a new version that keeps the blocks of the old one where the text is untouched.

Old blocks are looked for in the new text; between those that are found, the document's own strategy
cuts. So new blocks are bounded by what was edited, with every strategy. The result depends on the
old blocks, the new text and the options alone. The core says what is cut again, and joins both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.store.drafts import Row, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.chunking.bases.strategy import Strategy

# Strategies that look at what a whole text is.
_BY_KIND = ("auto", "json")


class Resynced(NamedTuple):
    """A cut of a new version.

    Attributes
    ----------
    rows
        What restores its chunks, in order.
    kept
        For numbers of chunks those of the old blocks that they are.
    """

    rows: list[Row]
    kept: dict[int, int]


def resync(
    document: Document, strategy: Strategy, before: Document, old: Sequence[Row]
) -> Resynced:
    """Cut a document, and keep old blocks.

    Parameters
    ----------
    document
        The new version.
    strategy
        What cut the old version, and is to cut the new one.
    before
        The old version.
    old
        What restores its blocks, in order.

    Raises
    ------
    ConfigError
        If an old block does not lie in the old version.
    ModelError, TokenizerError
        As the strategy.
    """
    by_elements = "elements" in strategy.takes
    # Overlaps that begin with a sentence are not made anew.
    overlap = strategy.overlap if strategy.overlap_at != "sentence" else 0
    chunks = _core.resync(
        [_source(before), _source(document)],
        old,
        rows_of(strategy(document))
        if _cuts_whole(document, strategy)
        else lambda part: rows_of(strategy(Document(text=part))),
        (strategy.unit, strategy.limit),
        (overlap, not by_elements),
        by_elements,
    )
    return Resynced(
        [Row(*row) for row, _ in chunks],
        {number: kept for number, (_, kept) in enumerate(chunks) if kept is not None},
    )


def _cuts_whole(document: Document, strategy: Strategy) -> bool:
    """Return whether a strategy cuts all of a document for a part of it: it must, or loses nothing.

    One that asks a model cuts only what is new.
    """
    has_elements = document.elements is not None
    if any(getattr(strategy, name) is not None for name in strategy.models):
        return has_elements and "elements" in strategy.takes
    return has_elements or strategy.name in _BY_KIND


def _source(document: Document) -> str | _core.Elements:
    return document.text if document.elements is None else document.elements.core
