"""The picture of an evaluation with Matplotlib."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from chunkwright.errors import ConfigError
from chunkwright.evaluation.plots import plot_evaluations

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
    assert [text.get_text() for text in ax.texts] == [r"[low] costs \$5", "high"]
    assert (ax.get_xscale(), ax.get_ylabel()) == ("log", "recall@1 (%)")
    figure.canvas.draw()


def test_another_metric() -> None:
    ax = plot_evaluations(RUNS, Figure().add_subplot(), metric="precision_omega")
    assert ax.collections[0].get_offsets()[:, 1].tolist() == [6.25, 18.75]
    with pytest.raises(ConfigError, match="unknown metric 'recal@1'"):
        plot_evaluations(RUNS, Figure().add_subplot(), metric="recal@1")


def test_no_run() -> None:
    with pytest.raises(ConfigError, match="no run"):
        plot_evaluations([])
