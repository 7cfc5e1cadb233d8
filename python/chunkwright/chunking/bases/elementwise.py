"""Base class of the strategies that pack elements: their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from chunkwright.checks import checked_language
from chunkwright.chunking.bases.options import Takes
from chunkwright.chunking.bases.over_elements import OverElements
from chunkwright.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class ElementStrategy(OverElements):
    """Cuts between elements: what is over the limit alone is split.

    Elements are joined, with what stands between them in the text, as long as ``soft_max`` is not
    exceeded and the limit holds. One that is over the limit by itself is split at paragraphs,
    lines, sentences and words; a table is split between rows, and its header is repeated.

    Parameters
    ----------
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.
    soft_max, repeat_headers, language
        See :class:`chunkwright.chunking.bases.over_elements.OverElements`.
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

    Raises
    ------
    ConfigError
        If a value is out of range, or makes no sense with another; names it.
    """

    takes: ClassVar[tuple[Takes, ...]] = ("elements",)

    overlap_all: bool = False
    isolate_tables: bool = True
    skip_tables: bool = False
    repeat_headers: bool = True
    language: str = "en"

    def _checked(self) -> dict[str, Any]:
        checked = self._checked_flags(
            "overlap_all", "isolate_tables", "skip_tables", "repeat_headers"
        )
        if self.skip_tables and not self.isolate_tables:
            message = "skip_tables=True needs isolate_tables=True"
            raise ConfigError(message, option="skip_tables")
        language = checked_language(self.language)
        return {**super()._checked(), **checked, "language": language}
