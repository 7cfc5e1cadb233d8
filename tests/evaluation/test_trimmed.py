"""Hits that were trimmed are scored, counted, kept and shown as what is left of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.evaluation import Dataset, Evaluation, PlacedChunks, evaluate
from chunkwright.evaluation.report import Report
from chunkwright.evaluation.report.worst_questions import worst_cases
from chunkwright.evaluation.run.plan import Run
from chunkwright.evaluation.run.stored_runs import evaluate_all
from chunkwright.evaluation.scores.passages import passages_of, texts_of
from chunkwright.retrieval import Hits, Retriever, trimming

from .samples import CORPORA, DATASET, Letters, question

CUTOFFS = (1, 2, "min", "20t", "60t")
BY_LETTERS = Retriever(embedder=Letters(), words=False, neighbour_smoothing=False)
BY_WORDS = Retriever(neighbour_smoothing=False)


@pytest.fixture(autouse=True)
def _pieces_are_short() -> Iterator[None]:
    with mock.patch.object(trimming, "PIECE_TOKENS", 9):
        yield


def evaluated(retriever: Retriever, **options: Any) -> Evaluation:
    chunker = cw.Recursive(max_tokens=40)
    return evaluate(chunker, DATASET, **{"retriever": retriever, "cutoffs": CUTOFFS, **options})


@pytest.mark.parametrize("placement", ["offsets", "first_occurrence", "any_occurrence"])
def test_what_loses_nothing_scores_as_before(placement: str) -> None:
    whole = evaluated(BY_LETTERS, placement=placement)
    # Letters are alike enough that no piece is below so little.
    kept = evaluated(replace(BY_LETTERS, trim=1e-9), placement=placement)
    assert kept.hits.starts is not None
    assert not kept.hits.starts.any()
    assert list(kept.scores) == list(whole.scores)
    for metric, scores in whole.scores.items():
        assert np.array_equal(kept.scores[metric], scores)
    assert kept.hits.indices.tolist() == whole.hits.indices.tolist()
    assert kept.hits.scores.tolist() == whole.hits.scores.tolist()
    assert kept.hit_tokens is not None
    assert whole.hit_tokens is None
    assert kept.hit_tokens.tolist() == whole.chunks.n_tokens[whole.hits.indices].tolist()
    assert kept.holding.tolist() == whole.holding.tolist()


def scores_by_hand(result: Evaluation, n_hits: int) -> list[tuple[float, float, float]]:
    """Score sets of characters, one question after another."""
    scored = []
    names = list(CORPORA)
    for asked, hits in zip(result.dataset.questions, result.hits, strict=True):
        wanted = {i for e in asked.excerpts for i in range(e.start, e.end)}
        found = set[int]()
        n_found = 0
        for hit in hits[:n_hits]:
            assert hit.end is not None
            begin = int(result.chunks.starts[hit.index])
            end = min(begin + hit.end, int(result.chunks.ends[hit.index]))
            n_found += end - begin - hit.start
            if result.chunks.corpora[hit.index] == names.index(asked.corpus):
                found |= set(range(begin + hit.start, end))
        n = len(wanted & found)
        scored.append((n / len(wanted), n / n_found, n / (n_found + len(wanted) - n)))
    return scored


@pytest.mark.parametrize("placement", ["offsets", "first_occurrence"])
def test_scores_are_those_of_what_is_left(placement: str) -> None:
    trimmed = evaluated(replace(BY_WORDS, trim=0.5), placement=placement)
    whole = evaluated(BY_WORDS, placement=placement)
    for n_hits in (1, 2):
        kinds = [trimmed.scores[f"{kind}@{n_hits}"] for kind in ("recall", "precision", "iou")]
        np.testing.assert_allclose(np.transpose(kinds), scores_by_hand(trimmed, n_hits))
    assert trimmed.mean("iou@1") > whole.mean("iou@1")
    # Boundaries are the chunks'.
    assert np.array_equal(trimmed.scores["precision_omega"], whole.scores["precision_omega"])
    assert trimmed.holding.tolist() == whole.holding.tolist()


def test_budgets_count_what_is_left() -> None:
    text = " ".join(f"Number {i} stands here. This is said of it, too." for i in range(40))
    asked = question("mill", "mill", "built in 1743")
    dataset = Dataset({**CORPORA, "numbers": text}, (replace(asked, text="number stands"),))
    options: dict[str, Any] = {"cutoffs": "100t", "retriever": replace(BY_WORDS, trim=1.0)}
    chunker = cw.Sentence(sentences=4)
    result = evaluate(chunker, dataset, **options)
    n_whole = len(evaluate(chunker, dataset, **{**options, "retriever": BY_WORDS}).hits.indices)
    tokens = result.hit_tokens
    assert tokens is not None
    assert tokens.tolist() == [
        cw.count_tokens(each) for each in texts_of(result.hits, result.chunks)
    ]
    assert tokens.sum() <= 100
    # As many as fit are looked for, though it were fewer whole ones.
    assert len(tokens) > n_whole
    more = evaluate(chunker, dataset, **{**options, "cutoffs": len(tokens) + 1})
    assert more.hit_tokens is not None
    assert more.hit_tokens.sum() > 100


def test_a_part_of_a_chunk_has_its_part_of_the_place() -> None:
    chunks = PlacedChunks(
        ("One two.", "Three four.", "Nowhere at all."),
        *(
            np.array(column)
            for column in ([1, 0, -1], [10, 5, 0], [18, 20, 15], [3, 3, 4], [1, 0, 0])
        ),
    )
    starts, ends = np.array([8, 0, 4, 6]), np.array([11, 7, 8, 11])
    numbers = np.array([2, 0, 0, 1])
    hits = Hits(np.array([0, 1, 4]), numbers, np.ones(4), starts, ends)
    found, passages = passages_of(hits, chunks, np.array([1, 2, 2, 1]))
    assert passages.texts == ("at ", "One two", "two.", "four.")
    assert found.indices.tolist() == [0, 1, 2, 3]
    assert found.offsets.tolist() == [0, 1, 4]
    assert passages.corpora.tolist() == [-1, 1, 1, 0]
    # The last chunk was found but for its whitespace: where its parts stand is not known.
    spans = list(zip(passages.starts.tolist(), passages.ends.tolist(), strict=True))
    assert spans == [
        (8, 11),
        (10, 17),
        (14, 18),
        (5, 20),
    ]
    assert passages.n_tokens.tolist() == [1, 2, 2, 1]
    # The report's places leave out a last full stop.
    stopped = replace(chunks, ends=chunks.ends - np.array([1, 0, 0]))
    _, passages = passages_of(hits, stopped, np.array([1, 2, 2, 1]))
    spans = list(zip(passages.starts.tolist(), passages.ends.tolist(), strict=True))
    assert spans == [(8, 11), (10, 17), (14, 17), (5, 20)]
    whole = Hits(np.array([0, 1]), np.array([2]), np.ones(1))
    assert passages_of(whole, chunks, None) == (whole, chunks)


def test_they_are_kept(tmp_path: Path) -> None:
    run = Run(name="a", chunker=cw.Recursive(max_tokens=40), retriever=replace(BY_WORDS, trim=0.5))
    (made,) = evaluate_all([run], DATASET, cutoffs=CUTOFFS, cache=tmp_path)
    with mock.patch(
        "chunkwright.evaluation.run.stored_runs.Pipeline.evaluate", side_effect=AssertionError
    ):
        (kept,) = evaluate_all([run], DATASET, cutoffs=CUTOFFS, cache=tmp_path)
    assert kept.hits == made.hits
    assert kept.hits.starts is not None
    assert kept.hit_tokens is not None
    assert made.hit_tokens is not None
    assert kept.hit_tokens.tolist() == made.hit_tokens.tolist()
    other = replace(run, retriever=replace(BY_WORDS, trim=0.9))
    with (
        mock.patch(
            "chunkwright.evaluation.run.stored_runs.Pipeline.evaluate", side_effect=AssertionError
        ),
        pytest.raises(AssertionError),
    ):
        evaluate_all([other], DATASET, cutoffs=CUTOFFS, cache=tmp_path)


def test_reports_show_what_is_left() -> None:
    run = evaluated(replace(BY_WORDS, trim=1.0), cutoffs=1)
    run = replace(run, scores={**run.scores, "recall@1": np.zeros(3)})
    for case, hits in zip(worst_cases(Report([run]), run, 9), run.hits, strict=True):
        (hit,) = hits
        (shown,) = case.hits
        text = run.chunks.texts[hit.index][hit.start : hit.end]
        assert "".join(part.text or "" for part in shown.parts) == text
        assert f"{cw.count_tokens(text)} tokens" in shown.about
        begin = int(run.chunks.starts[hit.index])
        assert f"{begin + hit.start}–{begin + len(text) + hit.start}" in shown.about
    assert any(len(text) > 40 for text in run.chunks.texts)
