"""Memory that readers take: how many times the size of what they read."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

READING_COSTS: Mapping[str, int] = MappingProxyType(
    {
        "docling": 25,
        "elements": 25,
        "html": 40,
        "markdown": 80,
        "csv": 125,
        "tsv": 125,
        "text": 8,
    }
)
"""Peak memory of reading each kind of text, in bytes per byte of the source, the worst known.

Each kind is read by `chunkwright.read` in processes of their own, from sources of a million of its
smallest parts: cells of one letter, rows of a table, headings, marks, tags. The growth of the
process's greatest resident set over that after its imports, through the size of the source, is the
factor; the greatest of a kind is rounded up by a tenth and more, as factors grow a little with the
source. The test that holds them to it is ``test_reading_takes_no_more_than_that``.
"""
