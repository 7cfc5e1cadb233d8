"""Chunks of as many elements as fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.chunking.elementwise import ElementStrategy

if TYPE_CHECKING:
    from chunkwright import _core
    from chunkwright.elements import Elements


@dataclass(frozen=True, kw_only=True)
class Basic(ElementStrategy):
    r"""Join elements as long as they fit, whatever they are.

    The same chunks as Unstructured's ``chunk_elements``.

    Parameters
    ----------
    max_tokens, max_chars, soft_max, overlap, overlap_all, isolate_tables, skip_tables
        See :class:`chunkwright.chunking.elementwise.ElementStrategy`.
    repeat_headers, fix, tokenizer
        See :class:`chunkwright.chunking.elementwise.ElementStrategy`.

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

    def _columns(self, elements: Elements) -> _core.ElementColumns:
        return self._cutter.basic(elements.core)
