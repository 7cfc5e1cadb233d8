"""Validation and repair of the texts that an embedder gets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chunkwright.errors import ConfigError


def checked_texts(texts: Sequence[str]) -> list[str]:
    """Return texts as a list.

    Raises
    ------
    ConfigError
        If they are one str, whose characters would each be embedded, or hold something else.
    """
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise ConfigError(f"texts must be a list of str, got {type(texts).__name__}")
    checked = list(texts)
    odd = next((i for i, text in enumerate(checked) if not isinstance(text, str)), None)
    if odd is not None:
        raise ConfigError(f"texts[{odd}] must be a str, got {type(checked[odd]).__name__}")
    return checked


def repaired(text: str) -> str:
    """Return a text as the core sees it: surrogates that make a pair joined, others U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
