"""Texts that an embedder gets: checked, repaired, with progress; and embedders as functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Progress = Callable[[int, int], None]
"""Is told how many texts are done, and how many there are; equal ones count once."""


def tell_nobody(_n_done: int, _n_texts: int) -> None:
    """Do nothing: nobody wants to know."""


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


class EmbeddingFunction(ABC):
    """An embedder that can be called: Chroma and others take functions from texts to vectors."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """Return a vector for each text."""

    def __call__(self, input: Sequence[str]) -> NDArray[np.floating[Any]]:  # noqa: A002 - Chroma's
        """Return a vector for each text, as ``embed`` does."""
        return self.embed(input)
