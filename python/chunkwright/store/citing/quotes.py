"""Quotes in texts."""

from __future__ import annotations

import re


def places_of(quote: str, text: str) -> list[tuple[int, int]]:
    """Return where a quote stands in a text, in code points."""
    pattern = r"\s+".join(map(re.escape, quote.split()))
    return [match.span() for match in re.finditer(pattern, text)] if pattern else []


def first_place(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands first in a text; None if it does not."""
    return next(iter(places_of(quote, text)), None)


def stands_in(quote: str, text: str) -> bool:
    """Return whether a quote stands in a text."""
    return bool(places_of(quote, text))
