"""An evaluation says what came out, as numbers, tables and JSON."""

import json
import pickle

import numpy as np
import pytest

from chunkwright.errors import ConfigError
from chunkwright.evaluation import Dataset, Evaluation, PlacedChunks
from chunkwright.retrieval import Hits

from .samples import CORPORA, DATASET


def integers(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def result(dataset: Dataset = DATASET, n_chunks: int = 2) -> Evaluation:
    n = len(dataset.questions)
    chunks = PlacedChunks(
        texts=("The mill", "no such text")[:n_chunks],
        corpora=integers(0, -1)[:n_chunks],
        starts=integers(0, 0)[:n_chunks],
        ends=integers(8, 12)[:n_chunks],
        n_tokens=integers(2, 5)[:n_chunks],
        cut_from=integers(0, 1)[:n_chunks],
    )
    return Evaluation(
        name="a run",
        chunker="by hand",
        retriever="words",
        placement="offsets",
        dataset=dataset,
        cutoffs=(5, "min"),
        scores={
            "recall@5": np.array([1.0, 0.5, 0.0])[:n],
            "precision_omega": np.array([0.1, 0.2, 0.6])[:n],
        },
        chunks=chunks,
        hits=Hits(np.zeros(n + 1, np.int64), integers(), np.zeros(0)),
        holding=integers(1, 2, 0)[:n],
        seconds={"chunking": 0.5},
    )


def test_means_and_deviations_are_of_a_population() -> None:
    assert result().mean("recall@5") == 0.5
    assert result().std("recall@5") == pytest.approx((0.5 / 3) ** 0.5)
    assert result().metrics == ["recall@5", "precision_omega"]


def test_each_corpus_has_its_own() -> None:
    corpora = result().by_corpus("precision_omega")
    assert corpora["mill"] == pytest.approx((0.35, 0.25, 2))
    assert corpora["lake"] == pytest.approx((0.2, 0.0, 1))
    alone = Dataset({**CORPORA, "sea": "Deep."}, DATASET.questions)
    assert list(result(alone).by_corpus("recall@5")) == ["mill", "lake"]


def test_an_unknown_metric_is_named() -> None:
    for ask in (result().mean, result().std, result().by_corpus):
        with pytest.raises(ConfigError, match="unknown metric 'recal@5': did you mean 'recall@5'"):
            ask("recal@5")


def test_chunks_are_described() -> None:
    assert result().n_chunks == 2
    assert result().mean_tokens == 3.5
    assert result().unplaced == ["no such text"]
    assert result(n_chunks=0).mean_tokens == 0.0


def test_the_summary_is_json() -> None:
    summary = result().summary()
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["scores"]["recall@5"]["mean"] == 0.5
    assert summary["corpora"]["lake"]["precision_omega"] == {"mean": 0.2, "std": 0.0, "n": 1}
    assert summary["dataset"]["fingerprint"] == DATASET.fingerprint
    assert summary["n_unplaced"] == 1


def test_without_questions_all_is_nought() -> None:
    nothing = result(Dataset(CORPORA, ()))
    assert nothing.mean("recall@5") == nothing.std("recall@5") == 0.0
    assert nothing.by_corpus("recall@5") == {}
    json.dumps(nothing.summary(), allow_nan=False)


def test_it_is_short_and_survives_a_pickle() -> None:
    shown = "<Evaluation 'a run': recall@5 0.500, precision_omega 0.300, 2 chunks, 3 questions>"
    assert repr(result()) == shown
    again = pickle.loads(pickle.dumps(result()))
    assert again.summary() == result().summary()
    assert again.hits == result().hits
