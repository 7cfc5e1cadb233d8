"""The picture of an evaluation with Matplotlib."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

from chunkwright.errors import ConfigError
from chunkwright.evaluation.report import Report
from chunkwright.evaluation.report.plots import plot_differences, plot_evaluations
from tests.support.examples import n_examples

from .made import dataset, evaluation

DATA = dataset()
RUNS = [
    evaluation("[low] costs $5", DATA, [0, 0.5, 0.5, 0]),
    evaluation("high", DATA, [1, 0.5, 1, 0.5], size=50),
]


def test_a_dot_and_a_name_for_each_run() -> None:
    figure = Figure()
    ax = plot_evaluations(RUNS, figure.add_subplot())
    (dots,) = ax.collections
    assert dots.get_offsets().tolist() == [
        [run.mean_tokens, mean] for run, mean in zip(RUNS, (25, 75), strict=True)
    ]
    assert [text.get_text() for text in ax.texts] == ["[low] costs $5", "high"]
    assert (ax.get_xscale(), ax.get_ylabel()) == ("log", "recall@1 (%)")
    figure.draw_without_rendering()


def test_another_metric() -> None:
    ax = plot_evaluations(RUNS, Figure().add_subplot(), metric="precision_omega")
    assert ax.collections[0].get_offsets()[:, 1].tolist() == [6.25, 18.75]
    with pytest.raises(ConfigError, match="unknown metric 'recal@1'"):
        plot_evaluations(RUNS, Figure().add_subplot(), metric="recal@1")


@settings(max_examples=n_examples(0.2), deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_names_lie_on_nothing(recalls: list[float]) -> None:
    figure = Figure(figsize=(7, 4), layout="constrained")
    runs = [evaluation(f"a name {i}", DATA, [recall] * 4) for i, recall in enumerate(recalls)]
    ax = plot_evaluations(runs, figure.add_subplot())
    figure.draw_without_rendering()
    # The best is at the top, and its name as well.
    texts = sorted(ax.texts, key=lambda text: float(text.xyann[1]))
    assert [text.xy[1] for text in texts] == sorted(100 * run.mean("recall@1") for run in runs)
    # Without the lines that lead there.
    boxes = [Text.get_window_extent(text) for text in texts]
    assert all(below.y1 <= above.y0 for below, above in pairwise(boxes))
    assert all(box.x0 >= ax.get_window_extent().x1 for box in boxes)


def test_the_baseline_is_hollow() -> None:
    (dots,) = plot_evaluations(RUNS, Figure().add_subplot(), baseline="high").collections
    assert [colour[3] for colour in dots.get_facecolors()] == [1, 0]


def test_a_row_for_each_difference() -> None:
    runs = [*RUNS, replace(RUNS[0], name="again")]
    ax = plot_differences(Report(runs, RUNS[0].name), Figure().add_subplot())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["high", "again"]
    assert [text.get_text() for text in ax.texts][1] == "0.0 [0.0, 0.0]"
    middles = [float(bar.lines[0].get_xdata()[0]) for bar in ax.containers]
    assert middles == [pytest.approx(50), 0]
    ax.figure.draw_without_rendering()


def test_no_differences() -> None:
    with pytest.raises(ConfigError, match=r"no difference in 'recall@1'"):
        plot_differences(Report(RUNS))


def test_no_run() -> None:
    with pytest.raises(ConfigError, match="no run"):
        plot_evaluations([])
