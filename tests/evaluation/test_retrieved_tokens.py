"""Tokens retrieved for each question: whole chunks and trimmed hits, against a slow count."""

from __future__ import annotations

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.evaluation import evaluate
from chunkwright.evaluation.scores.cutoffs import n_taken
from chunkwright.retrieval import Retriever

from .made import dataset, evaluation
from .samples import DATASET, Letters, sentences

CUTOFFS = (1, 2, "min", "9t", "30t")


@pytest.mark.parametrize("trim", [None, 0.5])
def test_tokens_are_those_of_the_texts_that_count(trim: float | None) -> None:
    retriever = Retriever(embedder=Letters(), trim=trim)
    run = evaluate(sentences, DATASET, cutoffs=CUTOFFS, retriever=retriever)
    texts = [
        [run.chunks.texts[hit.index][hit.start : hit.end] for hit in hits] for hits in run.hits
    ]
    tokens = [[cw.count_tokens(text) for text in found] for found in texts]
    for cutoff in CUTOFFS:
        expected = [
            sum(found[: n_taken(cutoff, found, holding)])
            for found, holding in zip(tokens, run.holding.tolist(), strict=True)
        ]
        assert run.retrieved_tokens[f"retrieved_tokens@{cutoff}"].tolist() == expected
        assert run.mean(f"retrieved_tokens@{cutoff}") == pytest.approx(sum(expected) / 3)
    assert max(run.retrieved_tokens["retrieved_tokens@9t"]) <= 9


def test_they_stand_in_the_summary_beside_the_scores() -> None:
    run = evaluate(sentences, DATASET, cutoffs=(2,))
    summary, name = run.summary(), "retrieved_tokens@2"
    found = run.retrieved_tokens[name].tolist()
    assert summary["retrieved_tokens"] == {
        name: {"mean": sum(found) / 3, "std": run.std(name), "n": 3}
    }
    assert summary["corpora"]["lake"][name]["mean"] == found[1]
    assert run.by_corpus(name)["lake"] == (found[1], 0.0, 1)
    assert name not in run.metrics


def test_no_questions_and_no_such_cutoff() -> None:
    nobody = evaluation("nobody", dataset(asked=[]), [])
    assert nobody.mean("retrieved_tokens@1") == 0
    with pytest.raises(ConfigError, match="unknown metric 'retrieved_tokens@7'"):
        nobody.mean("retrieved_tokens@7")
