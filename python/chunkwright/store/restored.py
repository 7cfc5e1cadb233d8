"""Chunks restored from the rows of a store, over a document with or without elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chunkwright import _core
from chunkwright.chunks import Chunks
from chunkwright.columns import Columns
from chunkwright.context import Context
from chunkwright.origin import Origin
from chunkwright.rows import OF_BOUNDARIES, OF_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from chunkwright.document import Document
    from chunkwright.origin import Described
    from chunkwright.rows import Shadows
    from chunkwright.store.drafts import Row
    from chunkwright.tokens.tokenizer import Tokenizer

_OF_SCORES = frozenset([*OF_ENDINGS, *OF_BOUNDARIES])


class StoredStrategy(NamedTuple):
    """What is known of the strategy of stored chunks: no scores of boundaries are stored.

    Attributes
    ----------
    provenance
        See :attr:`chunkwright.Chunks.provenance`.
    columns
        The columns that its chunks have beside those of every row.
    """

    provenance: Mapping[str, str]
    columns: tuple[str, ...]

    @classmethod
    def of(cls, strategy: Described) -> StoredStrategy:
        """Return what is stored of a strategy."""
        own = tuple(name for name in strategy.columns if name not in _OF_SCORES)
        known = strategy.provenance.items()
        return cls({name: of for name, of in known if name not in _OF_SCORES}, own)


def restored(
    document: Document,
    rows: Sequence[Row],
    strategy: Described,
    tokenizer: Tokenizer,
    *,
    sizes_are_tokens: bool,
) -> Chunks:
    """Return chunks of a document at the places that rows say.

    Parameters
    ----------
    document
        The document.
    rows
        In the order of their places.
    strategy
        What cut them.
    tokenizer
        Counts tokens.
    sizes_are_tokens
        Whether sizes of rows are counted by it.

    Raises
    ------
    ConfigError
        If a row does not lie in the text.
    """
    elements = document.elements
    source = document.text if elements is None else elements.core
    core = _core.Columns.of_blocks(source, rows)
    columns = Columns(
        core,
        tokenizer=tokenizer,
        sizes_are_tokens=sizes_are_tokens,
        origin=Origin.of(document, document.name, StoredStrategy.of(strategy)),
    )
    return Chunks(columns)


def with_contexts(
    chunks: Chunks, contexts: Sequence[Sequence[Any]] | None, shadows: Sequence[Shadows] | None
) -> Chunks:
    """Return the chunks with stored contexts and shadows."""
    columns = chunks.columns
    found = None if contexts is None else [Context(*each) for each in contexts]
    return Chunks(columns.replaced(contexts=found, shadows=shadows))
