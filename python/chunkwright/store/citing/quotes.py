"""Places of quotes in one text."""

from __future__ import annotations

import re

from chunkwright.errors import ConfigError
from chunkwright.store.quotes import find_quote


def places_of(quote: str, text: str) -> list[tuple[int, int]]:
    """Return where a quote stands in a text, in code points.

    Word for word, or as :mod:`chunkwright.store.quotes` looks for quotes if it is nowhere so.
    """
    pattern = r"\s+".join(map(re.escape, quote.split()))
    found = [match.span() for match in re.finditer(pattern, text)] if pattern else []
    if found:
        return found
    try:
        return [(match.start, match.end) for match in find_quote(quote, [text])]
    except ConfigError:
        # It is too short for that.
        return []


def first_place(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands first in a text; None if it does not."""
    return next(iter(places_of(quote, text)), None)


def stands_in(quote: str, text: str) -> bool:
    """Return whether a quote stands in a text."""
    return bool(places_of(quote, text))
