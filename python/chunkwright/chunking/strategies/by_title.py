"""Chunks of elements that begin at titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chunkwright.checks import checked_flag
from chunkwright.chunking.bases.elementwise import ElementStrategy


@dataclass(frozen=True, kw_only=True)
class ByTitle(ElementStrategy):
    r"""Join elements as long as they fit and no title comes; a title begins a new chunk.

    Sections are those of Unstructured's ``chunk_by_title``; chunks that are the same to a byte are
    those of :mod:`chunkwright.compat.unstructured`. A line that ends in a colon stays with the
    list, the code or the table below it. A title right above another one may stand alone.

    Parameters
    ----------
    multipage_sections
        Whether a section may go on over the end of a page.
    min_size
        Chunks of less than this are joined with the next one, whatever stands between them, if
        both fit into one; by default the limit, so that small sections come together. In the unit
        of the limit; 0 keeps all apart.
    max_tokens, max_chars, soft_max, overlap, overlap_at, overlap_all, isolate_tables
        See :class:`chunkwright.chunking.bases.elementwise.ElementStrategy`.
    skip_tables, repeat_headers, language, tokenizer
        See :class:`chunkwright.chunking.bases.elementwise.ElementStrategy`.

    Raises
    ------
    ConfigError
        If an option makes no sense.

    Examples
    --------
    >>> import chunkwright as cw
    >>> elements = [
    ...     {"type": "Title", "text": "Rain"},
    ...     {"type": "NarrativeText", "text": "It rained."},
    ...     {"type": "Title", "text": "Sun"},
    ...     {"type": "NarrativeText", "text": "It shone."},
    ... ]
    >>> cw.ByTitle(max_chars=100, min_size=0)(elements).texts()
    ['Rain\n\nIt rained.', 'Sun\n\nIt shone.']
    >>> cw.ByTitle(max_chars=100)(elements).texts()
    ['Rain\n\nIt rained.\n\nSun\n\nIt shone.']
    """

    name = "by_title"

    multipage_sections: bool = True

    def _checked(self) -> dict[str, Any]:
        multipage = checked_flag("multipage_sections", self.multipage_sections)
        return {**super()._checked(), "multipage_sections": multipage}
