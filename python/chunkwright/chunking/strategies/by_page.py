"""Chunks of elements that end at pages."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwright.chunking.bases.elementwise import ElementStrategy


@dataclass(frozen=True, kw_only=True)
class ByPage(ElementStrategy):
    r"""Join elements as long as they fit and the page is the same.

    No chunk holds text of two pages, not even as an overlap. An element that says no page is on
    that of the one before it.

    Parameters
    ----------
    max_tokens, max_chars, soft_max, min_size, overlap, overlap_at, overlap_all, isolate_tables
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
    ...     {"type": "NarrativeText", "text": text, "metadata": {"page_number": page}}
    ...     for text, page in [("One.", 1), ("Two.", 1), ("Three.", 2)]
    ... ]
    >>> chunks = cw.ByPage(max_chars=100)(elements)
    >>> chunks.texts(), chunks[1].pages
    (['One.\n\nTwo.', 'Three.'], (2,))
    """

    name = "by_page"
