"""The runs of Chroma's report: which they are, and that they cut as its table says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from chunkwright.compat.chroma.report import BASELINE, chroma_report
from chunkwright.evaluation.report import Report, to_html
from chunkwright.evaluation.run.stored_runs import evaluate_run, key_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS = 14
# Of the report's own runs.
CHUNKS = {
    "Recursive 250/125": 2337,
    "TokenText 250/125": 2623,
    "Recursive 250": 1883,
    "TokenText 250": 1314,
    "Recursive 200": 2386,
    "TokenText 200": 1644,
    "Recursive 400": 1187,
    "TokenText 400": 824,
}


class Letters:
    """Counts letters: a model that costs nothing."""

    fingerprint = "letters"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = [[text.count(letter) for letter in "aeinorstlc"] for text in texts]
        return np.array(counts, dtype=np.float32) + 0.01


@pytest.fixture
def folder(shared: Path) -> Path:
    return shared / "data" / "chroma-report"


def test_the_rows_of_the_table_and_some_of_our_own(folder: Path) -> None:
    plan = chroma_report(folder, Letters())
    assert plan.baseline == BASELINE
    assert BASELINE in [run.name for run in plan.runs]
    assert len(plan.dataset.questions) == 472
    own = [run for run in plan.runs if run.name.startswith("chunkwright")]
    assert len(plan.runs) == ROWS + len(own)
    assert {run.placement for run in plan.runs if run not in own} == {"first_occurrence"}
    assert not any(run.retriever.words for run in plan.runs if run not in own)
    assert all(run.retriever.words for run in own)
    keys = {key_of(run, plan) for run in plan.runs}
    assert None not in keys
    assert len(keys) == len(plan.runs)


def test_some_of_them_from_beginning_to_end(folder: Path) -> None:
    plan = chroma_report(folder, Letters())
    chosen = [run for run in plan.runs if run.name in {"TokenText 400", "Kamradt", "Cluster 400"}]
    found = [evaluate_run(run, plan, None) for run in chosen]
    by_name = {run.name: run for run in found}
    assert by_name["TokenText 400"].n_chunks == CHUNKS["TokenText 400"]
    assert by_name["TokenText 400"].mean("precision_omega") == pytest.approx(0.125, abs=0.001)
    assert all(not run.unplaced for run in found)
    assert "Kamradt" in to_html(Report(found, "TokenText 400", plan.settings))


@pytest.mark.parametrize("name", ["Recursive 200", "TokenText 250/125"])
def test_chunks_are_those_of_the_table(folder: Path, name: str) -> None:
    plan = chroma_report(folder, Letters())
    (run,) = [run for run in plan.runs if run.name == name]
    chunks = [run.chunker.split_text(text) for text in plan.dataset.corpora.values()]
    assert sum(map(len, chunks)) == CHUNKS[name]
