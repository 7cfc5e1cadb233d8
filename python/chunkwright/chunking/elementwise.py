"""Base class of the strategies over elements: their options, and the documents that they take."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.checks import checked_flag
from chunkwright.chunking.strategy import Strategy
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.readers.unstructured import read_elements

if TYPE_CHECKING:
    from typing import TypedDict

    class Starts(TypedDict, total=False):
        """Where a strategy begins a new chunk, whatever would still fit."""

        starts: str
        multipage: bool
        embedder: _core.Embedder
        threshold: float
        combine_under: int


NO_ELEMENTS = (
    "this strategy cuts elements, got {kind}: give a list of elements, or what read_elements makes "
    "of element JSON; for a text take a strategy such as 'recursive' or 'balanced'"
)
"""What is said of a text without elements."""


@dataclass(frozen=True, kw_only=True)
class ElementStrategy(Strategy):
    """Cuts between elements: what is over the limit alone is split.

    Elements are joined, with what stands between them in the text, as long as ``soft_max`` is not
    exceeded and the limit holds. One that is over the limit by itself is split at paragraphs,
    lines, sentences and words; a table is split between rows, and its header is repeated.

    Parameters
    ----------
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.options.Sizes`.
    soft_max
        The size over which nothing is added to a chunk, in the unit of the limit; the limit itself
        by default. 1 leaves each element by itself.
    min_size
        Chunks with less text of their own are joined with a neighbour, if both are of whole
        elements and fit into one, and nothing keeps them apart; 0 by default. In the unit of the
        limit.
    overlap
        How much of a part is repeated in the next one where an element is split, in the unit of
        the limit; it counts against the limit.
    overlap_all
        Whether chunks of whole elements repeat the end of the one before, too, as far as the limit
        allows.
    isolate_tables
        Whether tables stand alone.
    skip_tables
        Whether tables that stand alone are passed on whole, whatever their size; those over the
        limit say so in :attr:`chunkwright.Chunk.oversize`.
    repeat_headers
        Whether the parts of a table repeat its header.

    Raises
    ------
    ConfigError
        If a value is out of range, or makes no sense with another; names it.
    """

    _singles = (str, bytes, bytearray, dict, Document)

    overlap_all: bool = False
    isolate_tables: bool = True
    skip_tables: bool = False
    repeat_headers: bool = True

    def _make_cutter(self, unit: _core.Unit, limits: _core.Limits) -> _core.Cutter:
        flags = ("overlap_all", "isolate_tables", "skip_tables", "repeat_headers")
        checked = {flag: checked_flag(flag, getattr(self, flag)) for flag in flags}
        if self.skip_tables and not self.isolate_tables:
            raise ConfigError("skip_tables=True needs isolate_tables=True")
        return _core.Cutter.elements(unit, limits, **self._starts(), **checked)

    @abstractmethod
    def _starts(self) -> Starts:
        """Check the strategy's own options and say where chunks begin."""

    def _read(self, source: object, at: int | None = None) -> Document:
        del at
        if isinstance(source, Document) and source.elements is not None:
            return source
        if isinstance(source, str | Document):
            kind = "a str" if isinstance(source, str) else "a text"
            raise ConfigError(NO_ELEMENTS.format(kind=kind))
        if isinstance(source, bytes | bytearray | dict) or not isinstance(source, Iterable):
            kind = type(source).__name__
            raise ConfigError(f"a document must be a list of elements, got {kind}")
        return read_elements(source)
