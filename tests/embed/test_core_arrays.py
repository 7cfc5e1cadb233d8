"""Arrays of numbers that the core is given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from chunkwright import _core
from chunkwright.errors import ConfigError

ONE = np.ones(1, np.int64).data


def test_they_are_read_with_gaps_between() -> None:
    numbers = np.arange(4)
    assert len(_core.Places(numbers[::2].data, numbers[:2].data, numbers[2:].data)) == 2


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones((1, 1), np.int64), "it has 2 dimensions"),
        (np.array(1), "shape is null|it has 0 dimensions"),
        (np.ones(1, np.dtype(np.int64).newbyteorder("S")), "its format is"),
        (np.ones(1, np.int32), "not compatible"),
        (np.ones(1, np.uint64), "not compatible"),
        (np.ones(1), "not compatible"),
        ([1], "bytes-like"),
    ],
)
def test_other_arrays_are_refused(array: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"starts must be an array of int64: .*({message})"):
        _core.Places(ONE, array, ONE)


def test_so_are_other_floats() -> None:
    table, other = np.ones((1, 1)).data, np.ones(1, np.dtype(np.float64).newbyteorder("S")).data
    with pytest.raises(TypeError, match="scales must be an array of float64: its format is"):
        _core.fuse_scores(table, table, 1.0, other)


def test_occurrences_are_given_whole() -> None:
    offsets = np.arange(2).data
    with pytest.raises(ConfigError, match="must be given together"):
        _core.Excerpts(ONE, offsets, offsets[:1], ONE, occurrence_offsets=offsets)
