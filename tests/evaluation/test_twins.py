"""Runs beside their twins: which are made, what they are called, and what they are compared by."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import (
    Evaluation,
    Plan,
    Report,
    Run,
    compare,
    compare_failures,
    evaluate,
    evaluate_all,
    with_twins,
)
from chunkwright.evaluation.report import to_dict, to_html, twin_table
from chunkwright.files.disk_cache import stored_files
from chunkwright.llm import Budget, Runner
from chunkwright.retrieval import Retriever
from chunkwright.retrieval.rerank import CachedReranker

from .made import dataset, evaluation
from .samples import DATASET, Letters

if TYPE_CHECKING:
    from numpy.typing import NDArray

SENTENCES = cw.Sentence(sentences=1)
STRUCTURAL = cw.Contextual(SENTENCES, context="structure")
BY_LETTERS = Letters()


class Backwards:
    """A reranker that likes what stands late in the alphabet."""

    fingerprint = "backwards"

    def __init__(self) -> None:
        self.calls: list[str] = []

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        self.calls.append(question)
        return np.array([float(ord(text[0])) for text in texts])


def planned(*runs: Run, **options: Any) -> Plan:
    return with_twins(Plan(dataset=DATASET, runs=runs, **options))


def twins_of(plan: Plan) -> dict[str, tuple[str, ...]]:
    return {run.name: run.twins for run in plan.runs}


# ---------------------------------------------------------------------------- which there are


def test_a_run_alone_stays_as_it_is() -> None:
    plan = Plan(dataset=DATASET, runs=(Run(name="a", chunker=SENTENCES),), cutoffs=(5,))
    found = with_twins(plan)
    assert (found.runs[0].twins, len(found.runs), found.cutoffs) == ((), 1, (5,))


def test_a_reranked_run_has_one_that_is_not() -> None:
    run = Run(
        name="a",
        chunker=SENTENCES,
        retriever=Retriever(reranker=Backwards(), candidates=7),
        placement="any_occurrence",
        described={"x": 1},
    )
    plan = planned(run, cutoffs=(5,))
    assert twins_of(plan) == {"a": ("a, not reranked",), "a, not reranked": ()}
    twin = plan.runs[1]
    assert twin.retriever == replace(run.retriever, reranker=None)
    assert (twin.placement, twin.described, twin.chunker) == ("any_occurrence", {"x": 1}, SENTENCES)
    assert plan.cutoffs == (5, 20)
    assert with_twins(replace(plan, runs=plan.runs[1:])).cutoffs == (5, 20)


def test_a_contextual_run_is_compared_by_words_by_vectors_and_by_both() -> None:
    run = Run(name="a", chunker=STRUCTURAL, retriever=Retriever(embedder=BY_LETTERS))
    plan = planned(run, cutoffs=(20, 5))
    assert twins_of(plan) == {
        "a": ("a, plain",),
        "a, by words": ("a, plain, by words",),
        "a, by vectors": ("a, plain, by vectors",),
        "a, plain": (),
        "a, plain, by words": (),
        "a, plain, by vectors": (),
    }
    assert plan.cutoffs == (20, 5)
    ways = [(each.retriever.words, each.retriever.embedder is not None) for each in plan.runs]
    assert ways == [(True, True), (True, False), (False, True)] * 2
    assert [each.chunker for each in plan.runs] == [STRUCTURAL] * 3 + [SENTENCES] * 3


def test_one_by_vectors_alone_is_also_compared_by_both() -> None:
    run = Run(name="a", chunker=STRUCTURAL, retriever=Retriever.dense(BY_LETTERS))
    names = list(twins_of(planned(run)))
    assert names == [
        *("a", "a, by words", "a, by words and vectors"),
        *("a, plain", "a, plain, by words", "a, plain, by words and vectors"),
    ]


def test_without_an_embedder_there_are_words() -> None:
    assert twins_of(planned(Run(name="a", chunker=STRUCTURAL))) == {
        "a": ("a, plain",),
        "a, plain": (),
    }


def test_what_a_strategy_by_its_name_is_without_contexts() -> None:
    by_name = cw.Contextual("recursive", context="structure")
    assert planned(Run(name="a", chunker=by_name)).runs[1].chunker == cw.Recursive()


def test_a_contextual_run_that_is_reranked_has_two_twins() -> None:
    retriever = Retriever(embedder=BY_LETTERS, reranker=Backwards())
    found = twins_of(planned(Run(name="a", chunker=STRUCTURAL, retriever=retriever)))
    assert found["a"] == ("a, plain", "a, not reranked")
    assert found["a, plain"] == ("a, plain, not reranked",)
    assert found["a, not reranked"] == ("a, plain, not reranked",)
    assert found["a, by words"] == ("a, plain, by words",)
    assert len(found) == 8


def test_a_twin_that_is_there_is_not_made_again() -> None:
    plain = Run(name="mine", chunker=cw.Sentence(sentences=1))
    for runs in (
        (plain, Run(name="a", chunker=STRUCTURAL)),
        (Run(name="a", chunker=STRUCTURAL), plain),
    ):
        assert twins_of(planned(*runs)) == {"mine": (), "a": ("mine",)}
    # Two that share a twin.
    both = planned(
        Run(name="a", chunker=STRUCTURAL),
        Run(name="b", chunker=cw.Contextual(SENTENCES, context="structure", neighbours=1)),
    )
    assert twins_of(both) == {"a": ("a, plain",), "a, plain": (), "b": ("a, plain",)}
    # Elsewhere placed, it is another.
    other = planned(replace(plain, placement="first_occurrence"), Run(name="a", chunker=STRUCTURAL))
    assert "a, plain" in twins_of(other)


def test_two_runs_alike_are_both_there() -> None:
    runs = [Run(name=name, chunker=STRUCTURAL) for name in "ab"]
    assert twins_of(planned(*runs)) == {"a": ("a, plain",), "a, plain": (), "b": ("a, plain",)}


def test_twins_that_a_user_names_stay() -> None:
    runs = (Run(name="x", chunker=len), Run(name="a", chunker=STRUCTURAL, twins=("x",)))
    assert twins_of(planned(*runs))["a"] == ("x", "a, plain")


def test_names_are_checked() -> None:
    with pytest.raises(ConfigError, match="no run is called 'y'"):
        Plan(dataset=DATASET, runs=(Run(name="x", chunker=len, twins=("y",)),))
    with pytest.raises(ConfigError, match="two runs are called 'a, plain'"):
        planned(Run(name="a", chunker=STRUCTURAL), Run(name="a, plain", chunker=len))


# ------------------------------------------------------------------------------- failures@20

DATA = dataset()


def made(name: str, recall: list[float], **options: Any) -> Evaluation:
    run = evaluation(name, DATA, recall, cutoffs=(1, 20))
    return replace(run, **options)


def test_failures_are_what_recall_leaves() -> None:
    run, twin = made("a", [1, 1, 0.5, 1]), made("b", [1, 0.5, 0.5, 0])
    found = compare_failures(run, twin)
    assert (found.share, found.of_twin) == (0.125, 0.5)
    assert found.reduction == 0.75
    recall = compare(run, twin, "recall@20")
    assert found.interval == (-recall.difference, -recall.high, -recall.low, "failures@20", 0.95)
    assert found.interval.low <= found.interval.difference <= found.interval.high <= 0
    # The other way round there are four times as many.
    assert compare_failures(twin, run).reduction == -3.0


def test_of_nothing_there_is_no_reduction() -> None:
    found = compare_failures(made("a", [1, 1, 0, 1]), made("b", [1, 1, 1, 1]))
    assert (found.of_twin, found.reduction) == (0.0, None)
    same = compare_failures(made("a", [1, 1, 1, 1]), made("b", [1, 1, 1, 1]))
    assert str(same.interval.difference) == "0.0"


def test_twenty_hits_are_needed() -> None:
    short = evaluation("a", DATA, [1, 1, 1, 1])
    with pytest.raises(ConfigError, match="recall@20"):
        compare_failures(short, short)


def report() -> Report:
    better = made("better", [1, 1, 1, 1], twins=("plain", "away"))
    worse = made("worse", [0, 0, 0, 0], twins=("plain",))
    return Report(
        [better, made("plain", [0.5] * 4), worse, made("all", [1] * 4, twins=("better",))]
    )


def test_the_table_has_a_row_for_each_pair() -> None:
    table = twin_table(report())
    assert table is not None
    assert table.names == ("better", "worse", "all")
    rows = [[column.cells[i] for column in table.columns] for i in range(3)]
    assert [[cell.text for cell in row] for row in rows] == [
        ["plain", "0.0", "50.0", "+100.0 %", "−50.0 [−50.0, −50.0]"],
        ["plain", "100.0", "50.0", "−100.0 %", "+50.0 [+50.0, +50.0]"],
        ["better", "0.0", "0.0", "–", "0.0 [0.0, 0.0]"],
    ]
    assert [row[-1].kind for row in rows] == ["better", "worse", ""]
    assert [column.name for column in table.columns] == [
        *("twin", "failures@20", "failures@20_of_twin", "reduction", "difference_failures@20"),
    ]


def test_without_pairs_there_is_no_table() -> None:
    assert twin_table(Report([made("a", [1] * 4)])) is None
    # Without so many hits there is nothing to compare.
    short = evaluation("a", DATA, [1] * 4)
    assert twin_table(Report([replace(short, twins=("b",)), replace(short, name="b")])) is None


def test_page_and_json_say_the_same() -> None:
    whole = report()
    page = to_html(whole)
    assert "<h2>Twins</h2>" in page
    assert "−50.0 [−50.0, −50.0]" in page
    assert "<h2>Twins</h2>" not in to_html(Report([made("a", [1] * 4)]))
    runs = {run["name"]: run["twins"] for run in json.loads(json.dumps(to_dict(whole)))["runs"]}
    assert runs["plain"] == []
    assert runs["all"][0]["failures@20"]["reduction"] is None
    assert runs["better"] == [
        {
            "twin": "plain",
            "failures@20": {
                "share": 0.0,
                "of_twin": 0.5,
                "reduction": 1.0,
                "difference": -0.5,
                "low": -0.5,
                "high": -0.5,
                "confidence": 0.95,
            },
        }
    ]


# --------------------------------------------------------------------------------- evaluated


def test_chunks_of_a_contextual_run_are_those_of_its_twin() -> None:
    plan = planned(Run(name="a", chunker=STRUCTURAL), cutoffs=(1,))
    contextual, plain = evaluate_all(plan.runs, DATASET, cutoffs=plan.cutoffs)
    assert contextual.chunks.texts == plain.chunks.texts
    assert contextual.chunks.starts.tolist() == plain.chunks.starts.tolist()
    assert contextual.holding.tolist() == plain.holding.tolist()
    # The corpus's name is in front of each chunk.
    assert contextual.chunks.searched[0].startswith("[mill | ")
    assert contextual.chunks.searched[0].endswith(f"] {plain.chunks.texts[0]}")
    assert contextual.twins == ("a, plain",)
    assert contextual.chunker == "Contextual(Sentence(sentences=1), context='structure')"
    assert contextual.hits != plain.hits


def test_documents_have_their_headings_in_front() -> None:
    text = "# Mills\n\nBuilt in 1743.\n\n## Fires\n\nIt burnt down twice.\n"
    document = cw.read(text.encode(), name="mills.md")
    start = text.index("It burnt")
    asked = replace(DATASET.questions[0], corpus="old", text="Which mills had fires?")
    excerpt = replace(asked.excerpts[0], text="It burnt down twice.", start=start, end=start + 20)
    data = replace(
        DATASET,
        corpora={"old": document},
        questions=(replace(asked, excerpts=(excerpt,)),),
        documents={},
    )
    found = evaluate(cw.Contextual(SENTENCES, context="structure", neighbours=0), data, cutoffs=1)
    last = found.chunks.searched[-1]
    assert last.startswith("[old > Mills > Fires] ")
    assert found.unplaced == []


def test_a_model_is_asked_once_for_all_ways_to_find(tmp_path: Path) -> None:
    asked: list[str] = []

    def model(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        return "On mills and lakes."

    chunker = cw.Contextual(SENTENCES, llm=Runner(model, name="one"))
    plan = planned(Run(name="a", chunker=chunker, retriever=Retriever(embedder="lexical")))
    found = evaluate_all(plan.runs, DATASET, cutoffs=plan.cutoffs, cache=tmp_path)
    assert len(found) == 6
    assert len(asked) == found[0].n_chunks
    assert {run.chunks.searched[0][:21] for run in found[:3]} == {"[On mills and lakes.]"}
    # What is done is kept, under the name of the model.
    again = evaluate_all(plan.runs, DATASET, cutoffs=plan.cutoffs, cache=tmp_path)
    assert len(asked) == found[0].n_chunks
    assert [each.twins for each in again] == [each.twins for each in found]
    assert again[0].chunks.indexed == found[0].chunks.indexed
    assert "llm=named:one" in found[0].chunker


def test_what_a_model_has_not_answered_is_told_and_not_kept(tmp_path: Path) -> None:
    runner = Runner(lambda _: "On mills.", name="one", budget=Budget(calls=2))
    run = Run(name="a", chunker=cw.Contextual(SENTENCES, llm=runner))
    told: list[str] = []
    (found,) = evaluate_all([run], DATASET, cache=tmp_path, tell=told.append)
    n_missing = found.n_chunks - 2
    assert told == [f"a: the model has not answered {n_missing} requests, so this run is not kept"]
    assert sum(text.startswith("[On mills.]") for text in found.chunks.searched) == 2
    assert stored_files(tmp_path / "runs", "runs") == []
    evaluate(run.chunker, DATASET, cache=tmp_path)
    assert stored_files(tmp_path / "chunks", "chunks") == []
    with pytest.warns(RuntimeWarning, match="a: the model has not answered"):
        evaluate_all([run], DATASET)


def test_models_without_a_name_are_not_kept(tmp_path: Path) -> None:
    run = Run(name="a", chunker=cw.Contextual(SENTENCES, llm=lambda _: "On mills."))
    evaluate_all([run], DATASET, cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_scores_of_rerankers_are_kept(tmp_path: Path) -> None:
    reranker = Backwards()
    retriever = Retriever(reranker=reranker, candidates=3)
    one = evaluate(SENTENCES, DATASET, retriever=retriever, cutoffs=2, cache=tmp_path)
    assert len(reranker.calls) == len(DATASET.questions)
    two = evaluate(SENTENCES, DATASET, retriever=retriever, cutoffs=2, cache=tmp_path)
    assert len(reranker.calls) == len(DATASET.questions)
    assert one.hits == two.hits
    assert one.retriever.endswith(", 3 reranked")
    (file,) = stored_files(tmp_path / "scores", "scores")
    assert file.name == "backwards"
    # One that keeps its scores itself does not do so twice.
    kept = CachedReranker(reranker, folder=tmp_path / "own")
    evaluate(
        SENTENCES, DATASET, retriever=replace(retriever, reranker=kept), cache=tmp_path / "new"
    )
    assert not stored_files(tmp_path / "new" / "scores", "scores")


def test_reranked_runs_are_kept_by_their_model(tmp_path: Path) -> None:
    def runs(reranker: Any) -> list[Evaluation]:
        run = Run(name="a", chunker=SENTENCES, retriever=Retriever(reranker=reranker))
        return evaluate_all(planned(run).runs, DATASET, cutoffs=(2, 20), cache=tmp_path)

    reranker = Backwards()
    reranked, plain = runs(reranker)
    n_calls = len(reranker.calls)
    assert [run.twins for run in runs(reranker)] == [("a, not reranked",), ()]
    assert len(reranker.calls) == n_calls
    assert reranked.hits != plain.hits
    files = stored_files(tmp_path / "runs", "runs")
    assert [file.entries for file in files] == [2]
    # Of a callable it is not known what it depends on.
    runs(lambda _, texts: [0.0] * len(texts))
    assert [file.entries for file in stored_files(tmp_path / "runs", "runs")] == [2]
