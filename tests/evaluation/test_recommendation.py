"""Which run is recommended: what is as good as the best for fewer tokens, or none yet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import (
    Dataset,
    Evaluation,
    compare,
    evaluate,
    probability_best,
    questions_needed,
    recommend,
)
from chunkwright.evaluation.confidence.questions_needed import least_to_tie, n_to_tie

from .made import dataset, evaluation

N = 400
TEXT = " ".join(f"In year {i} the mill had {i} wheels." for i in range(N))
DATA = dataset(
    {"mill": TEXT},
    [(f"How many wheels in year {i}?", "mill", f"the mill had {i} wheels") for i in range(N)],
)


def run(name: str, n_found: int, size: int = 40) -> Evaluation:
    return evaluation(name, DATA, [1.0] * n_found + [0.0] * (N - n_found), size=size)


def few(n: int) -> Dataset:
    return replace(DATA, questions=DATA.questions[:n])


def test_the_cheapest_of_those_that_are_as_good() -> None:
    runs = [run("bad", 50, size=20), run("large", 322, size=90), run("small", 320, size=30)]
    found = recommend([*runs, run("medium", 321, size=60)], "recall@1")
    assert found.ranking == ("large", "medium", "small", "bad")
    assert found.tied == ("large", "medium", "small")
    assert found.undecided == ()
    assert found.recommended == "small"
    assert found.best == "large"
    assert found.questions_to_choose is None
    assert found.tokens["small"] < found.tokens["medium"] < found.tokens["large"]
    share, tokens = 100 * found.probability_best["large"], found.tokens["small"]
    first, second, third = found.sentences()
    assert first == (
        f"Take small: of large, medium and small it retrieves the fewest tokens, {tokens:,.0f} a "
        "question. medium and small are as good as large: worse by no more than 2 points, by 95 % "
        "intervals."
    )
    assert second == (
        "By recall@1, large leads with 80.5 %: it is the best of the 4 runs in "
        f"{share:.0f} % of resamples of the 400 questions."
    )
    assert third == (
        f"About {found.questions_needed:,} questions separate large from medium, the second, in "
        "80 % of evaluations, if the difference is the one measured."
    )


@pytest.mark.parametrize("n_worse", [1, 2, 5, 12, 40])
def test_a_tie_is_shown_by_the_lower_end_of_the_interval(n_worse: int) -> None:
    best, other = run("best", 300, size=90), run("other", 300 - n_worse, size=30)
    interval = compare(other, best, "recall@1")
    for margin in (0.02, 0.2):
        found = recommend([best, other], "recall@1", margin=margin)
        assert (found.tied == ("best", "other")) == (interval.low >= -margin)
        assert (found.recommended == "other") == (interval.low >= -margin)
        is_worse = interval.high < 0 and n_worse >= 6
        assert (found.undecided == ("other",)) == (interval.low < -margin and not is_worse)


def test_the_example_with_too_few_questions() -> None:
    folder = "examples/evaluation"
    whole = Dataset.read(f"{folder}/corpora", f"{folder}/questions.jsonl")
    data = replace(whole, questions=whole.questions[::3])
    chunkers = {
        "200": cw.Balanced(max_tokens=200),
        "64": cw.Balanced(max_tokens=64),
        "sentence": cw.Sentence(sentences=1),
    }
    runs = [evaluate(each, data, cutoffs=3, name=name) for name, each in chunkers.items()]
    assert [each.mean("recall@3") for each in runs] == [1.0, 1.0, 0.75]
    found = recommend(runs, "recall@3")
    assert found.recommended is None
    assert found.tied == ("64",)
    assert found.undecided == ("200", "sentence")
    assert found.questions_to_choose == 183
    assert found.sentences() == [
        (
            "Too few questions to choose: about 183 would do in 80 % of evaluations, if the "
            "runs differ as they do here. The 4 asked do not show whether 200 and sentence are "
            "worse than 64, or as good within 2 points."
        ),
        (
            "By recall@3, 64 and 200 lead with 100.0 % each; the one that retrieves the fewest "
            "tokens is named first."
        ),
    ]


def test_fewer_questions_never_advise_smaller_chunks() -> None:
    for n in (1, 2, 4, 12, 50, 182):
        data = few(n)
        large = evaluation("large", data, [1.0] * n, size=90)
        for recall in ([1.0] * n, [0.0] + [1.0] * (n - 1)):
            found = recommend([large, evaluation("small", data, recall, size=30)], "recall@1")
            assert found.recommended is None
            assert found.sentences()[0].startswith("Too few questions to choose")


def test_so_many_questions_would_do() -> None:
    # What differs as the asked ones do, so often asked, is a tie.
    rng = np.random.default_rng(5)
    differences = rng.choice([-1.0, 0.0, 1.0], p=[0.04, 0.92, 0.04], size=300)
    differences -= differences.mean()
    n = n_to_tie(differences, margin=0.02, confidence=0.95, power=0.5)
    assert n is not None
    half_width = 1.96 * differences.std(ddof=1) / np.sqrt(n)
    assert half_width == pytest.approx(0.02, rel=0.01)
    assert n_to_tie(differences - 0.02, margin=0.02, confidence=0.95) is None
    assert n_to_tie(np.zeros(9), margin=0.02, confidence=0.95) == least_to_tie(0.02, 0.95)
    # Of so many that all scored alike, less than a share of the margin does not.
    assert 0.98 ** least_to_tie(0.02, 0.95) <= 0.025 < 0.98 ** (least_to_tie(0.02, 0.95) - 1)


def test_the_parts_are_those_of_their_functions() -> None:
    a, b = runs = [run("a", 300), run("b", 250, size=60)]
    found = recommend(runs, "recall@1", confidence=0.9, power=0.7, n_resamples=300, seed=4)
    shares = probability_best(runs, "recall@1", n_resamples=300, seed=4)
    assert list(found.probability_best.values()) == shares.tolist()
    needed = questions_needed(a, b, "recall@1", confidence=0.9, power=0.7)
    assert found.questions_needed == needed
    assert (found.confidence, found.power, found.margin) == (0.9, 0.7, 0.02)


def test_one_that_is_better_than_all() -> None:
    found = recommend([run("bad", 30, size=20), run("good", 380, size=90)], "recall@1")
    assert found.tied == ("good",)
    assert found.recommended == "good"
    assert found.sentences() == [
        "Take good: the 95 % interval of its difference to each other run excludes 0.",
        (
            "By recall@1, good leads with 95.0 %: it is the best of the 2 runs in 100 % of "
            "resamples of the 400 questions."
        ),
    ]


def test_what_one_tie_leaves_open_is_said() -> None:
    runs = [run("best", 300, size=90), run("tied", 300, size=100), run("open", 295, size=30)]
    found = recommend(runs, "recall@1")
    assert (found.recommended, found.undecided) == ("best", ("open",))
    assert found.sentences()[0].endswith("Of open the questions do not tell.")


def test_equal_runs() -> None:
    runs = [run("large", 20, size=90), run("small", 20, size=30), run("too", 20, size=30)]
    found = recommend(runs, "recall@1")
    # Of equal means the cheaper one leads; of equal costs the first.
    assert found.ranking == ("small", "too", "large")
    assert found.recommended == "small"
    assert found.probability_best == {"large": 0, "small": 0.5, "too": 0.5}
    assert found.questions_needed is None
    # None of them is called the best in most resamples.
    assert found.sentences()[1:] == [
        (
            "By recall@1, small, too and large lead with 5.0 % each; the one that retrieves the "
            "fewest tokens is named first."
        )
    ]


def test_many_runs_are_not_all_named() -> None:
    runs = [run(f"run {i}", 20, size=30 + i) for i in range(9)]
    assert "run 4 and 4 more are as good" in recommend(runs, "recall@1").sentences()[0]


def test_hardly_any_difference() -> None:
    half = N // 2
    runs = [evaluation("a", DATA, [1.0, 0.0] * half), evaluation("b", DATA, [0.0, 0.999] * half)]
    found = recommend(runs, "recall@1")
    assert found.questions_needed is not None
    assert found.questions_needed > 1_000_000
    assert found.undecided == ("b",)
    # That they are equally good is shown by fewer.
    assert found.questions_to_choose is not None
    assert N < found.questions_to_choose < 100_000


@pytest.mark.parametrize("margin", [0, -0.02, 1, 2])
def test_margins_that_make_no_sense(margin: float) -> None:
    with pytest.raises(ConfigError, match=f"margin must be above 0 and below 1, got {margin}"):
        recommend([run("a", 1), run("b", 2)], "recall@1", margin=margin)


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
