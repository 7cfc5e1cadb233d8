"""Scales, ticks and labels of the pictures."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.evaluation.report.svg.axes import (
    Scale,
    log_ticks,
    nice_ticks,
    padded,
    padded_log,
)
from chunkwright.evaluation.report.svg.bars import Bar, interval_bars
from chunkwright.evaluation.report.svg.labels import Box, placed
from chunkwright.evaluation.report.svg.scatter import Point, scatter

PERCENT = st.floats(0, 100)
SIZES = st.floats(0, 1e6)


@given(st.lists(PERCENT, max_size=20))
def test_ticks_are_few_even_and_within(values: list[float]) -> None:
    low, high = padded(values, least=1)
    ticks = nice_ticks(low, high)
    assert 2 <= len(ticks) <= 6
    assert low - 1e-6 <= ticks[0] < ticks[-1] <= high + 1e-6
    steps = [b - a for a, b in pairwise(ticks)]
    assert max(steps) == pytest.approx(min(steps))


@given(st.lists(SIZES, max_size=20))
def test_ticks_of_sizes(sizes: list[float]) -> None:
    low, high = padded_log(sizes)
    ticks = log_ticks(low, high)
    assert ticks == sorted(set(ticks))
    assert len(ticks) >= 2
    assert low <= ticks[0] and ticks[-1] <= high + 1e-6  # noqa: PT018


def test_a_scale() -> None:
    up = Scale(0, 10, 100, 0)
    assert [up(0), up(5), up(10)] == [100, 50, 0]
    across = Scale(1, 100, 0, 200, log=True)
    assert [across(1), across(10), across(100)] == pytest.approx([0, 100, 200])


@given(st.lists(st.tuples(st.floats(60, 500), st.floats(20, 340)), max_size=25))
def test_labels_lie_on_nothing(points: list[tuple[float, float]]) -> None:
    frame = Box(50, 10, 560, 350)
    labels = placed(["a name of a run"] * len(points), points, frame)
    boxes = [label.box for label in labels if label is not None]
    for a, b in combinations(boxes, 2):
        assert not a.overlaps(b)
    for box in boxes:
        assert frame.holds(box)
        assert not any(box.overlaps(Box(x - 5, y - 5, x + 5, y + 5)) for x, y in points)


def test_labels_of_a_table_all_find_a_place() -> None:
    sizes = [195, 250, 174, 250, 137, 200, 118, 99, 172, 659, 299, 150, 276, 398, 105, 124, 124]
    recalls = [80, 83, 78, 79, 76, 78, 78, 76, 78, 66, 63, 69, 74, 73, 90, 92, 87]
    points = [
        Point(f"Recursive {i}00/{i}", x, y, "about")
        for i, (x, y) in enumerate(zip(sizes, recalls, strict=True))
    ]
    picture = scatter(points, "title", y_title="recall")
    assert picture.count("<circle") == picture.count('class="label"') == len(points)


@given(st.lists(st.tuples(SIZES, PERCENT), max_size=8))
def test_any_points_can_be_drawn(values: list[tuple[float, float]]) -> None:
    picture = scatter([Point("x", x, y, "") for x, y in values], "t", y_title="y")
    assert picture.count("<circle") == len(values)
    assert "nan" not in picture


@given(st.lists(st.tuples(*[st.floats(-100, 100)] * 3).map(sorted), max_size=8))
def test_any_intervals_can_be_drawn(values: list[list[float]]) -> None:
    bars = [Bar("x", mid, low, high, "text") for low, mid, high in values]
    picture = interval_bars(bars, "t", x_title="x")
    assert picture.count("<circle") == len(bars)
    assert "nan" not in picture
    assert [bar.kind for bar in bars].count("better") == picture.count('class="better"')
    assert 'class="zero"' in picture
