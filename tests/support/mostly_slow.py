"""Cases of a test of which some are enough for a quick run: the others are marked as slow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(cases: Iterable[Any], *, quick: int) -> list[Any]:
    """Return all cases; of them `quick`, evenly spread, are also run without ``--slow``.

    A case of several arguments is a tuple, as `pytest.mark.parametrize` takes it.
    """
    given = list(cases)
    if not 0 < quick < len(given):
        raise ValueError(f"quick must be from 1 to {len(given) - 1}, got {quick}")
    kept = {i * len(given) // quick for i in range(quick)}
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[] if i in kept else pytest.mark.slow,
        )
        for i, case in enumerate(given)
    ]
