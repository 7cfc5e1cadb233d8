"""Hints for unknown names of strategies."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chunkwright.errors import nearest

BY_MEANING = ("kamradt", "kamradt_modified", "cluster", "discontinuity")
"""The strategies that cut a text where its meaning changes."""

# What other libraries call such a strategy.
_MEANING = re.compile("semantic|meaning|embedding|vector|topic", re.IGNORECASE)


def strategy_hint(name: object, known: Iterable[str]) -> str:
    """Return a hint for the unknown name of a strategy.

    Parameters
    ----------
    name
        What was given.
    known
        What could have been given.

    Returns
    -------
    str
        The strategies by meaning, if the name asks for one; else the nearest right name, or all.

    Examples
    --------
    >>> strategy_hint("semantic", ["recursive"])
    "by meaning there are 'kamradt', 'kamradt_modified', 'cluster', 'discontinuity'"
    >>> strategy_hint("recursiv", ["recursive"])
    "did you mean 'recursive'?"
    """
    if isinstance(name, str) and _MEANING.search(name):
        return f"by meaning there are {', '.join(map(repr, BY_MEANING))}"
    return nearest(name, list(known))
