"""Reports: what stands in their tables, in JSON and in Parquet."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import Evaluation, compare, measure, probability_best, recommend
from chunkwright.evaluation.confidence.bootstrap import points
from chunkwright.evaluation.report import (
    ChunkReport,
    Report,
    chunk_table,
    corpus_table,
    summary_table,
    to_dict,
    to_html,
    to_json,
    to_table,
    write_parquet,
)
from chunkwright.evaluation.report.legend import conclusion

from .made import dataset, evaluation

DATA = dataset()
LOW = evaluation("low", DATA, [0, 0.5, 0.5, 0])
HIGH = evaluation("high", DATA, [1, 0.5, 1, 0.5], size=50)


@pytest.mark.slow
@pytest.mark.parametrize("rank_by", [None, "recall@1", "iou@30t"])
@pytest.mark.parametrize("cutoffs", [(1, "30t"), ("min", "30f", "90t"), ("30t", 1), (1, "min")])
@pytest.mark.parametrize("size", [30, 31, 50])
def test_runs_of_other_sizes_are_ranked_by_a_budget(
    rank_by: str | None, cutoffs: tuple[int | str, ...], size: int
) -> None:
    if rank_by is not None and cutoffs != (1, "30t"):
        rank_by = f"iou@{cutoffs[0]}"
    first = evaluation("a", DATA, [0, 0.5, 0.5, 0], cutoffs=cutoffs)
    runs = [first, evaluation("b", DATA, [1, 0.5, 1, 0.5], cutoffs=cutoffs, size=size)]
    found = Report(runs, "a", rank_by=rank_by)
    sizes = [run.mean_tokens for run in runs]
    differ = max(sizes) > 1.1 * min(sizes)
    budgets = [each for each in cutoffs if str(each)[-1] in "tf"]
    expected = f"recall@{budgets[0] if differ and budgets else cutoffs[0]}"
    assert found.ranked_by == (rank_by or expected)
    assert found.recommendation is not None
    assert found.recommendation.metric == found.ranked_by
    assert f"ranked by {found.ranked_by}" in found.ranking_note
    is_fair = found.ranked_by[-1] in "tf"
    assert ("favours larger chunks" in found.ranking_note) == (differ and not is_fair)
    assert to_dict(found)["recommendation"]["ranking_note"] == found.ranking_note
    assert f"<p>{found.ranking_note}</p>" in to_html(found)
    if rank_by is None:
        assert f"By {found.ranked_by}" in conclusion(found)


@pytest.fixture
def report() -> Report:
    return Report([LOW, HIGH], "low", {"made": "by hand"}, rank_by="recall@1")


def column(report: Report, name: str) -> list[str]:
    (found,) = [each for each in summary_table(report).columns if each.name == name]
    return [cell.text for cell in found.cells]


def test_the_columns_are_all_metrics_and_differences(report: Report) -> None:
    names = [each.name for each in summary_table(report).columns]
    assert names == [
        *("difference_recall@1", "difference_iou@1", "difference_recall@30t"),
        "chunks",
        "mean_tokens",
        *("recall@1", "retrieved_tokens@1", "precision@1", "iou@1"),
        *("recall@30t", "retrieved_tokens@30t", "precision@30t", "iou@30t"),
        "precision_omega",
        "probability_best",
    ]
    assert column(report, "recall@1") == ["25.0", "75.0"]
    assert column(report, "precision_omega") == ["6.2", "18.8"]
    assert column(report, "chunks") == ["6", "4"]


def test_a_first_reader_sees_what_is_needed(report: Report) -> None:
    brief = summary_table(report).brief
    assert [each.name for each in brief.columns] == [
        *("difference_recall@1", "difference_recall@30t", "chunks", "mean_tokens"),
        *("recall@1", "retrieved_tokens@1", "recall@30t", "retrieved_tokens@30t"),
    ]
    assert {cell.note for each in brief.columns for cell in each.cells} == {""}
    # What runs are ranked by is never hidden.
    other = summary_table(Report([LOW, HIGH], rank_by="iou@30t")).brief
    assert "iou@30t" in [each.name for each in other.columns]


def test_the_difference_in_what_runs_are_ranked_by_stands_first() -> None:
    table = summary_table(Report([LOW, HIGH], "low", rank_by="iou@1")).brief
    assert [each.name for each in table.columns][:2] == ["difference_iou@1", "difference_recall@1"]
    # What is not compared cannot be shown.
    table = summary_table(Report([LOW, HIGH], "low", rank_by="iou@30t")).brief
    assert table.columns[0].name == "difference_recall@1"


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


def test_tokens_stand_beside_every_recall(report: Report) -> None:
    names = [each.name for each in summary_table(report).columns]
    for i, name in enumerate(names):
        if name.startswith("recall"):
            assert names[i + 1] == name.replace("recall", "retrieved_tokens")
    assert column(report, "retrieved_tokens@1") == ["7", "11"]
    assert [
        run["retrieved_tokens"]["retrieved_tokens@1"]["mean"] for run in to_dict(report)["runs"]
    ] == [7, 11]
    rows = to_table(report).to_pylist()
    assert [row["retrieved_tokens@1"] for row in rows] == [7] * 4 + [11] * 4


def test_the_probability_of_being_the_best_is_that_of_its_function(report: Report) -> None:
    shares = probability_best([LOW, HIGH], "recall@1").tolist()
    found = to_dict(report)
    assert [run["probability_best"] for run in found["runs"]] == shares
    assert column(report, "probability_best") == [f"{100 * share:.1f}" for share in shares]
    said = recommend([LOW, HIGH], "recall@1")
    assert found["recommendation"]["recommended"] == said.recommended
    assert found["recommendation"]["questions_needed"] == said.questions_needed
    assert found["recommendation"]["undecided"] == list(said.undecided)
    assert found["recommendation"]["questions_to_choose"] == said.questions_to_choose
    assert found["recommendation"]["sentences"] == said.sentences()


def test_another_metric_seed_and_confidence() -> None:
    options: dict[str, Any] = {"confidence": 0.8, "n_resamples": 99, "seed": 7}
    report = Report([LOW, HIGH], "low", rank_by="iou@30t", margin=0.1, **options)
    assert report.recommendation == recommend([LOW, HIGH], "iou@30t", margin=0.1, **options)
    assert report.intervals["high", "iou@1"] == compare(HIGH, LOW, "iou@1", **options)
    assert to_dict(report)["recommendation"]["seed"] == 7
    assert to_dict(report)["recommendation"]["margin"] == 0.1
    assert "80 % interval" in to_html(report)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rank_by": "recal@1"}, "cannot be ranked by 'recal@1': did you mean 'recall@1'"),
        ({"rank_by": "precision_omega"}, "cannot be ranked by 'precision_omega'"),
        ({"rank_by": "recall@5"}, "cannot be ranked by 'recall@5'"),
        ({"confidence": 1.5}, "confidence must be above 0 and below 1, got 1.5"),
        ({"margin": 0}, "margin must be above 0 and below 1, got 0"),
        ({"seed": -1}, "seed must be a number from 0, got -1"),
        ({"n_resamples": 0}, "n_resamples must be at least 1, got 0"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Report([LOW, HIGH], **options)


def test_nothing_is_recommended_of_one_run_or_no_questions() -> None:
    nobody = dataset(asked=[])
    for runs in ([LOW], [evaluation("a", nobody, []), evaluation("b", nobody, [])]):
        report = Report(runs)
        assert report.recommendation is None
        found = to_dict(report)
        assert found["recommendation"] is None
        assert {run["probability_best"] for run in found["runs"]} == {None}
        assert "probability_best" not in [each.name for each in summary_table(report).columns]


def test_scores_by_corpus(report: Report) -> None:
    table = corpus_table(report, "recall@1")
    cost = "retrieved_tokens@1"
    names = ["mills", f"mills: {cost}", "cats", f"cats: {cost}"]
    assert [each.name for each in table.columns] == names
    # All find the first chunk; that of the larger size is larger.
    assert [[cell.text for cell in each.cells] for each in table.columns] == [
        ["25.0", "75.0"],
        ["7", "11"],
        ["25.0", "75.0"],
        ["7", "11"],
    ]
    assert [each.name for each in corpus_table(report, "iou@1").columns] == ["mills", "cats"]


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


def test_measures_stand_in_table_and_json() -> None:
    found = [measure(cw.Window(max_chars=20), DATA, name="low")]
    report = Report([LOW, HIGH], measures=found)
    low, high = to_dict(report)["runs"]
    assert low["chunks"] == found[0].summary()
    assert high["chunks"] is None
    table = chunk_table(["low", "high"], found)
    assert table.names == ("low", "high")
    columns = {column.name: column.cells for column in table.columns}
    assert columns["chunks"][0].value == found[0].n_chunks
    assert columns["cut_sentences"][0].value == found[0].cut_sentences.share
    assert columns["cut_tables"][0].text == "–"
    assert {cells[1].text for cells in columns.values()} == {"–"}
    with pytest.raises(ConfigError, match="no run is called 'lwo'; did you mean 'low'"):
        Report([LOW, HIGH], measures=[measure(cw.Window(max_chars=20), DATA, name="lwo")])


def test_a_report_of_chunks_alone() -> None:
    found = [measure(cw.Window(max_chars=n), DATA, name=str(n)) for n in (20, 40)]
    report = ChunkReport(found, DATA, {"made": "by hand"})
    read = json.loads(report.to_json())
    assert read == json.loads(json.dumps(report.to_dict()))
    assert [run["chunks"] for run in read["runs"]] == [each.summary() for each in found]
    assert read["settings"] == {"made": "by hand"}
    with pytest.raises(ConfigError, match="at least one run"):
        ChunkReport([], DATA)
    with pytest.raises(ConfigError, match="two runs are called '20'"):
        ChunkReport([found[0], found[0]], DATA)
