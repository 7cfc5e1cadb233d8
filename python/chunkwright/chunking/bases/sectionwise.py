"""Base class of the strategies that know headings: their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from chunkwright.checks import checked_language
from chunkwright.chunking.bases.options import Takes
from chunkwright.chunking.bases.over_elements import OverElements


@dataclass(frozen=True, kw_only=True)
class SectionStrategy(OverElements):
    """Cuts between elements under their headings: what is over the limit alone is split.

    A heading is text of the first chunk of its section. The chunks behind it repeat it in front
    of their own text, as pieces of the role ``"heading"``, which count against the limit. Where
    all headings above leave too little room, the outermost are left out, so that half of the
    limit is left for the text.

    A table is split between rows, and its header is repeated. A row over the limit is cut between
    its cells, and its first cell is repeated; only a cell that is over the limit by itself is cut
    inside. Any other text is split at paragraphs, lines, sentences and words. A text without
    elements is cut as :class:`chunkwright.Sentence` cuts it.

    Parameters
    ----------
    max_tokens, max_chars, tokenizer, overlap_at
        See :class:`chunkwright.chunking.bases.options.Sizes`.
    soft_max, repeat_headers, language
        See :class:`chunkwright.chunking.bases.over_elements.OverElements`.
    min_size
        Chunks with less text of their own are joined with a neighbour under the same heading, else
        with the next or the last section of the same level, or the first one below, if both fit
        into one; 0 by default. In the unit of the limit.
    overlap
        How much of the chunk before is repeated, at most, if it is of the same section and no
        table was split. It counts against the limit, and is in its unit.
    repeat_headings
        Whether chunks repeat the headings above them in their text. Without, the headings are in
        :attr:`chunkwright.Chunk.headings` only, and where they stand.
    always_emit_headings
        Whether headings with nothing below them are chunks of their own. Without, they begin the
        next chunk.
    omit_header_on_overflow
        Whether a row that fits without the table's header only is kept whole without it. Without,
        it is cut between its cells, and the header repeated.

    Raises
    ------
    ConfigError
        If a value is out of range, or makes no sense with another; names it.
    """

    takes: ClassVar[tuple[Takes, ...]] = ("text", "elements")
    # Options that a subclass adds.
    _own_flags: ClassVar[tuple[str, ...]]

    repeat_headings: bool = True
    always_emit_headings: bool = False
    repeat_headers: bool = True
    omit_header_on_overflow: bool = False
    language: str = "en"

    def _checked(self) -> dict[str, Any]:
        flags = (
            "repeat_headings",
            "always_emit_headings",
            "repeat_headers",
            "omit_header_on_overflow",
            *self._own_flags,
        )
        language = checked_language(self.language)
        return {**super()._checked(), **self._checked_flags(*flags), "language": language}
