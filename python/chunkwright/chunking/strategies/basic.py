"""Chunks of as many elements as fit."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwright.chunking.bases.elementwise import ElementStrategy


@dataclass(frozen=True, kw_only=True)
class Basic(ElementStrategy):
    r"""Join elements as long as they fit, whatever they are.

    After Unstructured's ``chunk_elements``.

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
    >>> splitter = cw.Basic(max_chars=30)
    >>> texts = ["Rain", "It rained.", "It rained for days and nights."]
    >>> splitter([{"type": "Text", "text": text} for text in texts]).texts()
    ['Rain\n\nIt rained.', 'It rained for days and nights.']
    """

    name = "basic"
