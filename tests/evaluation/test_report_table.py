"""The tables of Chroma's report are reproduced: counts of chunks, omega, recall and IoU."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwright.compat.chroma import (
    FixedTokenChunker,
    RecursiveTokenChunker,
    openai_token_count,
)
from chunkwright.embed import Onnx
from chunkwright.evaluation import Dataset, Evaluation, evaluate
from chunkwright.evaluation.chunkers.adapter import cut
from chunkwright.evaluation.chunkers.placing import place
from chunkwright.evaluation.scores.metrics import excerpts_of, omega
from chunkwright.retrieval import Retriever


@pytest.fixture(scope="module")
def report(shared: Path) -> Dataset:
    return Dataset.chroma_report(shared / "data" / "chroma-report")


def recursive(size: int, overlap: int) -> Any:
    return RecursiveTokenChunker(size, overlap, length_function=openai_token_count)


def fixed(size: int, overlap: int) -> Any:
    return FixedTokenChunker("cl100k_base", chunk_size=size, chunk_overlap=overlap)


@pytest.mark.parametrize(
    ("chunker", "n_chunks", "mean_tokens", "omega_percent", "std_percent"),
    [
        (recursive(250, 125), 2337, 195, 21.1, 14.7),
        (fixed(250, 125), 2623, 250, 12.4, 7.1),
        (recursive(250, 0), 1883, 174, 26.4, 18.3),
        (fixed(250, 0), 1314, 250, 18.1, 10.9),
        (recursive(200, 0), 2386, 137, 29.9, 18.4),
        (fixed(200, 0), 1644, 200, 21.0, 11.9),
        (recursive(400, 0), 1187, 276, 17.7, 14.0),
        (fixed(400, 0), 824, 398, 12.5, 8.1),
    ],
)
def test_boundaries_score_as_in_the_report(  # noqa: PLR0913, PLR0917
    report: Dataset,
    chunker: Any,
    n_chunks: int,
    mean_tokens: int,
    omega_percent: float,
    std_percent: float,
) -> None:
    cuts = [cut(chunker, text, name) for name, text in report.corpora.items()]
    chunks = place(cuts, report.corpora, "first_occurrence")
    assert len(chunks) == n_chunks
    assert round(float(chunks.n_tokens.mean())) == mean_tokens
    assert not chunks.unplaced
    omegas, _ = omega(excerpts_of(report), chunks)
    assert 100 * np.mean(omegas) == pytest.approx(omega_percent, abs=0.1)
    assert 100 * np.std(omegas) == pytest.approx(std_percent, abs=0.1)


def percent(result: Evaluation, cutoff: str) -> list[float]:
    return [100 * result.mean(f"{kind}@{cutoff}") for kind in ("recall", "precision", "iou")]


def test_retrieval_scores_as_in_the_report(report: Dataset, shared: Path) -> None:
    embedder = Onnx(shared / "models" / "all-MiniLM-L6-v2")
    result = evaluate(
        fixed(400, 0),
        report,
        retriever=Retriever.dense(embedder),
        placement="first_occurrence",
        cutoffs=(5, 10, "min"),
    )
    assert percent(result, "5") == pytest.approx([73.3, 2.3, 2.3], abs=0.1)
    assert percent(result, "10") == pytest.approx([85.0, 1.4, 1.4], abs=0.1)
    assert percent(result, "min") == pytest.approx([48.9, 6.4, 6.3], abs=0.1)
    assert 100 * result.std("recall@5") == pytest.approx(42.2, abs=0.1)
