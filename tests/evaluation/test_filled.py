"""Budgets that are filled: whole hits, and the best sentences of the next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

import chunkwright as cw
from chunkwright.evaluation import Evaluation, evaluate
from chunkwright.evaluation.report import Report
from chunkwright.evaluation.report.score_tables import described
from chunkwright.evaluation.report.worst_questions import worst_cases
from chunkwright.evaluation.run.plan import Run
from chunkwright.evaluation.run.stored_runs import evaluate_all
from chunkwright.retrieval import Retriever

from .samples import DATASET, Letters

CUTOFFS = ("30t", "30f", 1, "9f")
CHUNKER = cw.Recursive(max_tokens=25)
RETRIEVERS = [
    Retriever(),
    Retriever(embedder=Letters(), words=False, neighbour_smoothing=False),
    Retriever(trim=0.6),
]


def evaluated(retriever: Retriever) -> Evaluation:
    return evaluate(CHUNKER, DATASET, retriever=retriever, cutoffs=CUTOFFS)


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_it_is_what_a_search_gives(retriever: Retriever) -> None:
    run = evaluated(retriever)
    texts = list(run.chunks.texts)
    index = retriever.index(texts, doc_ids=run.chunks.cut_from, n_tokens=run.chunks.n_tokens)
    for limit in (30, 9):
        parts = run.parts[f"{limit}f"]
        for i, asked in enumerate(DATASET.questions):
            hits = index.search(asked.text, max_tokens=limit)[0]
            n_tokens = sum(cw.count_tokens(hit.text or "") for hit in hits)
            assert run.retrieved_tokens[f"retrieved_tokens@{limit}f"][i] == n_tokens <= limit
            if parts.chunks[i] >= 0:
                last = hits[-1]
                found = (parts.chunks[i], parts.starts[i], parts.ends[i])
                assert found == (last.index, last.start, last.end)
            # Characters of the excerpts, counted one by one.
            covered = set[int]()
            for hit in hits:
                start = int(run.chunks.starts[hit.index]) + hit.start
                if list(DATASET.corpora)[run.chunks.corpora[hit.index]] == asked.corpus:
                    covered |= set(range(start, start + len(hit.text or "")))
            wanted = {at for e in asked.excerpts for at in range(e.start, e.end)}
            recall = len(wanted & covered) / len(wanted)
            assert run.scores[f"recall@{limit}f"][i] == pytest.approx(recall)
    assert (run.scores["recall@30f"] >= run.scores["recall@30t"]).all()
    assert any((part.chunks >= 0).any() for part in run.parts.values())


def test_it_is_kept_and_shown(tmp_path: Path) -> None:
    run = Run(name="a", chunker=CHUNKER, retriever=Retriever())
    (made,) = evaluate_all([run], DATASET, cutoffs=("9f", 1), cache=tmp_path)
    with mock.patch(
        "chunkwright.evaluation.run.stored_runs.Pipeline.evaluate", side_effect=AssertionError
    ):
        (kept,) = evaluate_all([run], DATASET, cutoffs=("9f", 1), cache=tmp_path)
    for own, other in zip(kept.parts["9f"], made.parts["9f"], strict=True):
        assert own.tolist() == other.tolist()
    assert kept.retrieved_tokens.keys() == made.retrieved_tokens.keys()
    assert described("9f") == "9 tokens, filled"
    missed = replace(kept, scores={**kept.scores, "recall@9f": kept.scores["recall@9f"] * 0})
    cases = worst_cases(Report([missed]), missed, 9)
    shown = ["".join(part.text or "" for part in hit.parts) for case in cases for hit in case.hits]
    index = Retriever().index(list(kept.chunks.texts), doc_ids=kept.chunks.cut_from)
    found = index.search([question.text for question in DATASET.questions], max_tokens=9)
    assert shown == found.texts()
