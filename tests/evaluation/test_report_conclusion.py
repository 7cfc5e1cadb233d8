"""The conclusion of a report: what it says of runs above, below and beside the baseline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.evaluation import Evaluation, Interval
from chunkwright.evaluation.report import Report
from chunkwright.evaluation.report.bars import WIDTH, bars
from chunkwright.evaluation.report.legend import UNKNOWN, conclusion

from .made import dataset, evaluation

N_QUESTIONS = 300
TEXTS = {"t": " ".join(f"word{i:04}" for i in range(N_QUESTIONS))}
MANY = dataset(TEXTS, [(f"Q{i}?", "t", f"word{i:04}") for i in range(N_QUESTIONS)])


def run(name: str, share: float) -> Evaluation:
    """Return a run that finds the answers to this share of the questions, evenly spread."""
    found = [float((i * 7) % N_QUESTIONS < share * N_QUESTIONS) for i in range(N_QUESTIONS)]
    return evaluation(name, MANY, found)


BASE, GOOD, BAD = run("base", 0.5), run("good", 0.8), run("bad", 0.2)
SAME = replace(BASE, name="same")


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (
            [BASE, GOOD],
            (
                "By recall@1 and 300 questions, “good” scores 30.0 points higher than the baseline "
                "“base”, with 95 % confidence."
            ),
        ),
        (
            [BASE, GOOD, BAD, SAME],
            (
                "By recall@1 and 300 questions, “good” scores 30.0 points higher and “bad” scores "
                "30.0 points lower than the baseline “base”, with 95 % confidence; of “same” the "
                "difference may be chance."
            ),
        ),
        (
            [BASE, GOOD, replace(GOOD, name="fine")],
            (
                "By recall@1 and 300 questions, “good” and “fine” score higher than the baseline "
                "“base”, with 95 % confidence."
            ),
        ),
        (
            [BASE, *(replace(GOOD, name=name) for name in "abcd")],
            (
                "By recall@1 and 300 questions, 4 runs score higher than the baseline “base”, with "
                "95 % confidence."
            ),
        ),
        (
            [BASE, SAME],
            (
                "By recall@1, 300 questions do not show that any run is better or worse than the "
                "baseline “base”."
            ),
        ),
        (
            [BASE],
            "One run was asked 300 questions: with none beside it, it is neither better nor worse.",
        ),
    ],
)
def test_runs_are_above_the_baseline_below_it_or_neither(runs: list[Evaluation], said: str) -> None:
    assert conclusion(Report(runs, "base")) == said


def test_without_a_baseline_it_says_whether_a_run_can_be_chosen() -> None:
    said = "By recall@1, 300 questions show that “good” is the run to take."
    assert conclusion(Report([BASE, GOOD])) == said
    few = dataset()
    runs = [evaluation("a", few, [1, 0, 1, 0]), evaluation("b", few, [0, 1, 0, 0])]
    assert conclusion(Report(runs)) == "By recall@1, 4 questions do not show which run to take."


def test_of_no_questions_nothing_is_concluded() -> None:
    nobody = dataset(asked=[])
    assert conclusion(Report([evaluation("a", nobody, [])])) == UNKNOWN
    runs = [evaluation("a", nobody, []), evaluation("b", nobody, [])]
    assert conclusion(Report(runs, "a")) == UNKNOWN


def test_a_long_name_is_shortened() -> None:
    said = conclusion(Report([BASE, replace(GOOD, name="x" * 5000)], "base"))
    assert len(said) < 300
    assert "…" in said


DIFFERENCES = st.floats(-1, 1, allow_subnormal=False)


@given(st.lists(st.none() | st.tuples(DIFFERENCES, DIFFERENCES, DIFFERENCES)))
def test_bars_have_one_scale_with_zero_in_the_middle(
    ends: list[tuple[float, float, float] | None],
) -> None:
    intervals = [None if each is None else _interval(*each) for each in ends]
    drawn = bars(intervals)
    for interval, bar in zip(intervals, drawn, strict=True):
        assert (interval is None) == (bar is None)
        if interval is None or bar is None:
            continue
        assert 0 < bar.low <= bar.middle <= bar.high < WIDTH
        for end, place in zip(interval[:3], (bar.middle, bar.low, bar.high), strict=True):
            assert end * (place - WIDTH / 2) >= 0


def _interval(*ends: float) -> Interval:
    low, middle, high = sorted(ends)
    return Interval(middle, low, high, "recall@1", 0.95)
