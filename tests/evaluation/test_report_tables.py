"""Reports: what stands in their tables, in JSON and in Parquet."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from chunkwright.errors import ConfigError
from chunkwright.evaluation import Evaluation, compare
from chunkwright.evaluation.confidence.bootstrap import points
from chunkwright.evaluation.report import (
    Report,
    corpus_table,
    summary_table,
    to_dict,
    to_json,
    to_table,
    write_parquet,
)

from .made import dataset, evaluation

DATA = dataset()
LOW = evaluation("low", DATA, [0, 0.5, 0.5, 0])
HIGH = evaluation("high", DATA, [1, 0.5, 1, 0.5], size=50)


@pytest.fixture
def report() -> Report:
    return Report([LOW, HIGH], baseline="low", settings={"made": "by hand"})


def column(report: Report, name: str) -> list[str]:
    (found,) = [each for each in summary_table(report).columns if each.name == name]
    return [cell.text for cell in found.cells]


def test_the_columns_are_all_metrics_and_differences(report: Report) -> None:
    names = [each.name for each in summary_table(report).columns]
    assert names == [
        "chunks",
        "mean_tokens",
        *("recall@1", "precision@1", "iou@1"),
        *("recall@30t", "precision@30t", "iou@30t"),
        "precision_omega",
        *("difference_recall@1", "difference_iou@1", "difference_recall@30t"),
    ]
    assert column(report, "recall@1") == ["25.0", "75.0"]
    assert column(report, "precision_omega") == ["6.2", "18.8"]
    assert column(report, "chunks") == ["6", "4"]


def test_an_interval_is_that_of_compare(report: Report) -> None:
    interval = report.intervals["high", "recall@1"]
    assert interval == compare(HIGH, LOW, "recall@1")
    low, high = points(interval.low), points(interval.high)
    assert column(report, "difference_recall@1") == ["baseline", f"+50.0 [{low}, {high}]"]


def test_the_best_of_a_column_is_marked_unless_all_are_equal(report: Report) -> None:
    recall = next(each for each in summary_table(report).columns if each.name == "recall@1")
    assert [cell.kind for cell in recall.cells] == ["", "best"]
    same = Report([LOW, replace(LOW, name="again")])
    for each in summary_table(same).columns:
        assert {cell.kind for cell in each.cells} == {""}


@pytest.mark.parametrize(
    ("difference", "shown"),
    [(0.0412, "+4.1"), (-0.0412, "−4.1"), (0.0, "0.0"), (-0.0001, "0.0"), (0.0004, "0.0")],
)
def test_points_of_percent(difference: float, shown: str) -> None:
    assert points(difference) == shown


def test_scores_by_corpus(report: Report) -> None:
    table = corpus_table(report, "recall@1")
    assert [each.name for each in table.columns] == ["mills", "cats"]
    assert [[cell.text for cell in each.cells] for each in table.columns] == [
        ["25.0", "75.0"],
        ["25.0", "75.0"],
    ]


@pytest.mark.parametrize(
    ("runs", "baseline", "message"),
    [
        ([], None, "at least one run"),
        ([LOW, LOW], None, "two runs are called 'low'"),
        ([LOW, HIGH], "hihg", "did you mean 'high'?"),
        (
            [LOW, evaluation("other", dataset(asked=[("Else?", "cats", "mice")]), [1])],
            None,
            "other questions",
        ),
        ([LOW, evaluation("other", DATA, [0] * 4, cutoffs=(2,))], None, "cutoffs"),
    ],
)
def test_what_cannot_be_shown_side_by_side(
    runs: list[Evaluation], baseline: str | None, message: str
) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        Report(runs, baseline)


def test_json_has_settings_versions_summaries_and_intervals(report: Report) -> None:
    found = json.loads(to_json(report))
    assert found == json.loads(json.dumps(to_dict(report)))
    assert found["settings"] == {"made": "by hand"}
    assert found["versions"]["numpy"] == np.__version__
    assert found["dataset"]["fingerprint"] == DATA.fingerprint
    low, high = found["runs"]
    assert low["scores"]["recall@1"]["mean"] == 0.25
    assert low["intervals"] == {}
    assert high["intervals"]["recall@1"]["difference"] == 0.5
    assert set(high["intervals"]) == {"recall@1", "iou@1", "recall@30t"}


def test_one_run_without_a_baseline() -> None:
    report = Report([LOW])
    assert to_dict(report)["baseline"] is None
    assert report.intervals == {}
    assert "difference_recall@1" not in [each.name for each in summary_table(report).columns]


def test_a_row_a_run_and_question(report: Report) -> None:
    file = io.BytesIO()
    write_parquet(report, file)
    rows = pq.read_table(file).to_pylist()
    assert rows == to_table(report).to_pylist()
    assert [(row["run"], row["question"]) for row in rows] == [
        (run, number) for run in ("low", "high") for number in range(4)
    ]
    assert [row["recall@1"] for row in rows] == [0, 0.5, 0.5, 0, 1, 0.5, 1, 0.5]
    assert rows[0]["hits"] == [0, 1]
    assert rows[0]["hit_scores"] == [2.0, 1.0]
    assert (rows[2]["corpus"], rows[2]["n_excerpts"], rows[2]["holding"]) == ("cats", 1, 1)
