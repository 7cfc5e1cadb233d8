"""Measures of a plan's runs: with and without evaluations, and whatever the placement."""

from __future__ import annotations

from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import Plan, Run, evaluate_all, measure
from chunkwright.evaluation.data.corpora import read_documents
from chunkwright.evaluation.intrinsic import structures_of
from chunkwright.evaluation.intrinsic.measures import measure_evaluation, measure_run

from .made import dataset

# It says the same twice: what is looked for first is found at its first place.
TEXTS = {"mill": "It burnt down. Nobody was hurt. It burnt down. It was built again in 1743."}
DATA = dataset(TEXTS, [("When was it built again?", "mill", "built again in 1743")])


def in_sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in cw.split_sentences(text)]


@pytest.mark.parametrize("chunker", [cw.Window(max_chars=20), in_sentences])
@pytest.mark.parametrize("placement", ["offsets", "any_occurrence", "first_occurrence"])
def test_chunks_are_measured_where_they_came_from(chunker: object, placement: str) -> None:
    run = Run(name="run", chunker=chunker, placement=placement)  # type: ignore[arg-type]
    plan = Plan(dataset=DATA, runs=(run,))
    structures = structures_of(DATA)
    (evaluation,) = evaluate_all([run], DATA)
    alone = measure_run(run, plan, structures)
    assert alone == measure_evaluation(evaluation, run, plan, structures)
    assert alone == measure(chunker, DATA, name="run")
    assert alone.coverage.covered.share == 1
    assert alone.coverage.repeated.n == 0


def test_a_chunk_that_is_found_nowhere_with_any_placement() -> None:
    run = Run(
        name="run", chunker=lambda _: ["Nobody was hurt.", "xyz"], placement="first_occurrence"
    )
    plan = Plan(dataset=DATA, runs=(run,), size_limit=3)
    (evaluation,) = evaluate_all([run], DATA)
    found = measure_evaluation(evaluation, run, plan, structures_of(DATA))
    assert found.n_unplaced == 1
    assert found.coverage.covered.n == len("Nobodywashurt.")
    assert found.sizes.within_limit == (1, 2)


def test_documents_of_files_are_what_their_reader_makes(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("One.\n\n## Two\n\nThree.\n")
    (tmp_path / "b.txt").write_text("# not a heading\n")
    (tmp_path / "c.html").write_text("<!DOCTYPE html><h1>Four</h1>Five.")
    (tmp_path / "questions.txt").write_text("?")
    found = read_documents(tmp_path, without=tmp_path / "questions.txt")
    assert list(found) == ["a", "b", "c"]
    assert found["a"].text == "One.\n\n## Two\n\nThree.\n"
    assert "heading" in found["a"].elements.kinds
    assert found["b"].elements is None
    assert found["c"].elements.kinds[0] == "heading"
    with pytest.raises(ConfigError, match="no file"):
        read_documents(tmp_path / "nowhere")
