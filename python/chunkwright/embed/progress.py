"""Progress callbacks of embedders: texts done, of all."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Is told how many texts are done, and how many there are; equal ones count once."""


def tell_nobody(_n_done: int, _n_texts: int) -> None:
    """Do nothing: nobody wants to know."""
