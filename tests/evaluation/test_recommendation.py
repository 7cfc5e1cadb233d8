"""Which run is recommended: the best, or what is as good and retrieves fewer tokens."""

from __future__ import annotations

import pytest

from chunkwright.errors import ConfigError
from chunkwright.evaluation import (
    Evaluation,
    compare,
    probability_best,
    questions_needed,
    recommend,
)

from .made import dataset, evaluation

N = 40
TEXT = " ".join(f"In year {i} the mill had {i} wheels." for i in range(N))
DATA = dataset(
    {"mill": TEXT},
    [(f"How many wheels in year {i}?", "mill", f"the mill had {i} wheels") for i in range(N)],
)


def run(name: str, n_found: int, size: int = 40) -> Evaluation:
    return evaluation(name, DATA, [1.0] * n_found + [0.0] * (N - n_found), size=size)


def test_the_cheapest_of_those_that_are_as_good() -> None:
    runs = [run("bad", 5, size=20), run("large", 32, size=90), run("small", 30, size=30)]
    found = recommend([*runs, run("medium", 31, size=60)], "recall@1")
    assert found.ranking == ("large", "medium", "small", "bad")
    assert found.tied == ("large", "medium", "small")
    assert found.recommended == "small"
    assert found.best == "large"
    assert found.tokens["small"] < found.tokens["medium"] < found.tokens["large"]
    share, tokens = 100 * found.probability_best["large"], found.tokens["small"]
    first, second, third = found.sentences()
    assert first == (
        "By recall@1, large leads with 80.0 %: it is the best of the 4 runs in "
        f"{share:.0f} % of resamples of the 40 questions."
    )
    assert second == (
        "The 95 % interval of its difference to medium, small includes 0. Of these and large, "
        f"take small, which retrieves the fewest tokens: {tokens:,.0f} a question."
    )
    assert third == (
        f"About {found.questions_needed:,} questions separate large from medium, the second, in "
        "80 % of evaluations, if the difference is the one measured."
    )


def test_the_parts_are_those_of_their_functions() -> None:
    a, b = runs = [run("a", 30), run("b", 25, size=60)]
    found = recommend(runs, "recall@1", confidence=0.9, power=0.7, n_resamples=300, seed=4)
    shares = probability_best(runs, "recall@1", n_resamples=300, seed=4)
    assert list(found.probability_best.values()) == shares.tolist()
    needed = questions_needed(a, b, "recall@1", confidence=0.9, power=0.7)
    assert found.questions_needed == needed
    interval = compare(a, b, "recall@1", confidence=0.9, n_resamples=300, seed=4)
    assert found.tied == (("a",) if interval.excludes_zero else ("a", "b"))


def test_one_that_is_better_than_all() -> None:
    found = recommend([run("bad", 3, size=20), run("good", 38, size=90)], "recall@1")
    assert found.tied == ("good",)
    assert found.recommended == "good"
    assert found.sentences()[1] == (
        "Take good: the 95 % interval of its difference to each other run excludes 0."
    )


def test_equal_runs() -> None:
    runs = [run("large", 20, size=90), run("small", 20, size=30), run("too", 20, size=30)]
    found = recommend(runs, "recall@1")
    # Of equal means the cheaper one leads; of equal costs the first.
    assert found.ranking == ("small", "too", "large")
    assert found.recommended == "small"
    assert found.probability_best == {"large": 0, "small": 0.5, "too": 0.5}
    assert found.questions_needed is None
    assert found.sentences()[2] == "small and too, the first two, cannot be separated."


def test_many_runs_are_not_all_named() -> None:
    runs = [run(f"run {i}", 20, size=30 + i) for i in range(9)]
    assert "run 4 and 4 more includes 0" in recommend(runs, "recall@1").sentences()[1]


def test_hardly_any_difference() -> None:
    runs = [evaluation("a", DATA, [1.0, 0.0] * 20), evaluation("b", DATA, [0.0, 0.999] * 20)]
    found = recommend(runs, "recall@1")
    assert found.sentences()[2].startswith("More than 1,000,000 questions separate a from b")


@pytest.mark.parametrize(
    ("runs", "metric", "message"),
    [
        ([run("a", 1)], "recall@1", "at least two runs, got 1"),
        ([run("a", 1), run("a", 2)], "recall@1", "two runs are called 'a'"),
        ([run("a", 1), run("b", 2)], "precision_omega", "precision_omega has no cutoff"),
        ([run("a", 1), run("b", 2)], "recall", "unknown metric 'recall' of 'a'"),
        ([run("a", 1), run("b", 2)], "recall@9", "unknown metric 'recall@9' of 'a'"),
    ],
)
def test_what_cannot_be_ranked(runs: list[Evaluation], metric: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        recommend(runs, metric)
