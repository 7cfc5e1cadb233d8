"""Chunks of one element each, under its headings."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwright.chunking.bases.sectionwise import SectionStrategy


@dataclass(frozen=True, kw_only=True)
class Hierarchical(SectionStrategy):
    r"""Make a chunk of each element, with the headings above it; long ones are split.

    A caption goes with its table or figure, and what stands in a list item with that.

    Parameters
    ----------
    merge_list_items
        Whether the items of one list are one chunk, if they fit.
    max_tokens, max_chars, soft_max, min_size, overlap, overlap_at, language, tokenizer
        See :class:`chunkwright.chunking.bases.sectionwise.SectionStrategy`.
    repeat_headings, always_emit_headings, repeat_headers, omit_header_on_overflow
        See :class:`chunkwright.chunking.bases.sectionwise.SectionStrategy`.

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
    ...     {"type": "ListItem", "text": "on Monday"},
    ...     {"type": "ListItem", "text": "on Tuesday"},
    ... ]
    >>> cw.Hierarchical(max_chars=100)(elements).texts()
    ['Rain\n\nIt rained.', 'Rain\n\non Monday\n\non Tuesday']
    >>> chunks = cw.Hierarchical(max_chars=100, repeat_headings=False)(elements)
    >>> [(chunk.headings, chunk.text) for chunk in chunks]
    [(('Rain',), 'Rain\n\nIt rained.'), (('Rain',), 'on Monday\n\non Tuesday')]
    """

    name = "hierarchical"
    _own_flags = ("merge_list_items",)

    merge_list_items: bool = True
