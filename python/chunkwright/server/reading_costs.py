"""Cost of reading a document: bytes of memory that it may take, by its kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from chunkwright.readers.kinds import KINDS

READING_COSTS: Mapping[str, int] = MappingProxyType(
    {
        "docling": 25,
        "elements": 25,
        "html": 40,
        "markdown": 72,
        "rst": 300,
        "csv": 125,
        "tsv": 125,
        "text": 8,
        "messages": 60,
        "vtt": 55,
        "srt": 40,
        "transcript": 80,
    }
)
"""Peak memory of reading each kind of text, in bytes per byte of the source, the worst known.

Each kind is read by `chunkwright.read` in processes of their own, from sources of a million of its
smallest parts: cells of one letter, rows of a table, headings, marks, tags. The growth of the
process's greatest resident set over that after its imports, through the size of the source, is the
factor; the greatest of a kind is rounded up by a tenth and more, as factors grow a little with the
source. The test that holds them to it is ``test_reading_takes_no_more_than_that``.
"""

OTHERS = 25
"""The same of what is told by its content alone: files of office programs, PDF, JSON."""

_KINDS = MappingProxyType(
    {
        **{suffix: kind.name for kind in KINDS.values() for suffix in kind.suffixes},
        # A plain text may be a transcript.
        **dict.fromkeys(KINDS["text"].suffixes, "transcript"),
    }
)


def greatest_cost(files: Iterable[Any]) -> int:
    """Return how many bytes it may take to read files, each a name and data, in turn."""
    return max((reading_cost(len(each.data), None, each.name) for each in files), default=0)


def reading_cost(n_bytes: int, kind: str | None, name: str | None) -> int:
    """Return how many bytes it may take to read a document.

    Parameters
    ----------
    n_bytes
        Its size.
    kind, name
        Its kind and its name, as far as they are known.

    Examples
    --------
    >>> reading_cost(1000, None, "a.md"), reading_cost(1000, "text", "a.md")
    (72000, 8000)
    >>> reading_cost(1000, None, "a.tab"), reading_cost(1000, None, "a.xhtml")
    (125000, 40000)
    """
    told = kind or _KINDS.get(PurePath(name or "").suffix.lower(), "")
    return n_bytes * READING_COSTS.get(told, OTHERS)
