"""Quotes in texts."""

from __future__ import annotations


def stands_in(quote: str, text: str) -> bool:
    """Return whether a quote stands in a text."""
    return " ".join(quote.split()) in " ".join(text.split())
