"""Warnings of Docling's chunkers, in their words."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

_LONG_PREFIX = (
    "Chunks prefix is too long ({size} tokens) for chunk size {max}. "
    "It will be split into multiple chunks and only included in the first chunk(s). "
    "Consider increasing max_tokens to accommodate the full prefix in each chunk."
)
_PREFIX_OMITTED = (
    "Prefix omitted for at least one line due to omit_prefix_on_overflow=True. "
    "Line would overflow with prefix ({size} tokens) but fits without it "
    "within max_tokens ({max}). This may result in inconsistent chunk formatting."
)
_HEADINGS_DROPPED = (
    "Headers and captions for this chunk are longer than the total "
    "available size for the chunk, so they will be ignored: "
    "doc_chunk.text={chunk.text!r}, doc_chunk.meta={chunk.meta!r}"
)


def warn(
    given: Iterable[tuple[Any, ...]], made: Callable[[tuple[Any, ...]], Any] | None = None
) -> None:
    """Warn of what the core names.

    Parameters
    ----------
    given
        Names of warnings with what they are about.
    made
        Makes the chunk that a warning is about, with a ``text`` and a ``meta``.
    """
    for name, *about in given:
        if name == "headings_dropped" and made is not None:
            message = _HEADINGS_DROPPED.format(chunk=made(about[0]))
        else:
            words = _LONG_PREFIX if name == "long_prefix" else _PREFIX_OMITTED
            message = words.format(size=about[0], max=about[1])
        warnings.warn(message, UserWarning, stacklevel=4)
