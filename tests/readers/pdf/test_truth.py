"""Real PDF documents against the structure that Docling's test data state."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest


class Score(NamedTuple):
    """How well a file is read."""

    recall: float
    precision: float
    order: float
    headings: float | None
    pages: float
    glued: float


@pytest.fixture(scope="module")
def scorer(shared: Path) -> ModuleType:
    file = shared / "tools" / "reader_truth.py"
    spec = spec_from_file_location("reader_truth", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def scores(shared: Path, scorer: ModuleType) -> dict[str, Score]:
    files = sorted((shared / "data" / "office").glob("*.pdf"))
    assert len(files) >= 6
    return {
        file.stem: Score(*scorer.score(*scorer.truth(file.with_suffix(".json")), scorer.ours(file)))
        for file in files
    }


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def test_words_are_found_in_their_order(scores: dict[str, Score]) -> None:
    assert mean([score.order for score in scores.values()]) >= 0.95
    assert mean([score.recall for score in scores.values()]) >= 0.95
    assert scores["right_to_left_01"].order >= 0.90


def test_nothing_is_made_up(scores: dict[str, Score]) -> None:
    assert mean([score.precision for score in scores.values()]) >= 0.97
    assert mean([score.glued for score in scores.values()]) <= 0.001


def test_headings_are_found(scores: dict[str, Score]) -> None:
    found = [score.headings for score in scores.values() if score.headings is not None]
    assert mean(found) >= 0.60


def test_pages_are_true(scores: dict[str, Score]) -> None:
    assert [score.pages for score in scores.values()] == [1.0] * len(scores)
