"""Runs of Chroma's chunking report, and of chunkwright over the same questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chunkwright.chunking import Balanced
from chunkwright.compat.chroma import (
    ClusterSemanticChunker,
    FixedTokenChunker,
    KamradtModifiedChunker,
    RecursiveTokenChunker,
    openai_token_count,
)
from chunkwright.compat.langchain_experimental import SemanticChunker
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.evaluation.chunkers.placing import Placement
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.evaluation.run.plan import Plan, Run
from chunkwright.evaluation.run.stored_runs import model_of
from chunkwright.retrieval import Retriever

if TYPE_CHECKING:
    import os

CUTOFFS = (5, 10, "min", "500t")
BASELINE = "Recursive 200"
# Of both, size and overlap in tokens: the report's rows, and two of a larger size.
OVERLAPPING = ((250, 125), (250, 0), (200, 0))
LARGE = ((400, 0),)
CLUSTER = (250, 200, 400)
KAMRADT_MODIFIED = (300, 150)
# What chunkwright cuts best for small excerpts, in tokens.
BALANCED, RECURSIVE = 160, 150
# Of hits that are trimmed more is cut away than the larger chunks have; see `Retriever`.
BALANCED_TRIMMED, TRIM = 180, 0.45
PLACEMENTS: dict[Placement, str] = {
    "first_occurrence": "",
    "offsets": ", offsets",
    "any_occurrence": ", any occurrence",
}


def chroma_report(folder: str | os.PathLike[str], embedder: EmbedderLike) -> Plan:
    """Return the runs of Chroma's chunking report, and some of chunkwright's own.

    The report's runs have its chunkers, find by vectors alone, and place chunks where their text
    first occurs, so that their numbers can be laid beside the report's. The others find by words
    and vectors, with the defaults of :class:`chunkwright.retrieval.Retriever`; one also trims hits.

    Parameters
    ----------
    folder
        The report's ``questions_df.csv`` and its ``corpora``.
    embedder
        The model, for chunkers and for finding; the report's small one is all-MiniLM-L6-v2.

    Returns
    -------
    Plan
        14 runs of the report and 5 others; the baseline is the report's own recursive chunker of
        200 tokens.

    Raises
    ------
    ConfigError, ReadError, ModelError
        If the data or the model cannot be read.
    """
    model = as_embedder(embedder)
    runs = (*_reports(model), *_runs_of_ours(model))
    settings = {"preset": "chroma-report", "embedder": model_of(model)}
    return Plan(
        dataset=Dataset.chroma_report(folder),
        runs=runs,
        cutoffs=CUTOFFS,
        baseline=BASELINE,
        settings=settings,
    )


def _reports(model: EmbedderLike) -> Iterator[Run]:
    retriever = Retriever.dense(model)
    for name, chunker, described in [*_by_size(), *_by_meaning(model)]:
        yield Run(
            name=name,
            chunker=chunker,
            retriever=retriever,
            placement="first_occurrence",
            described={"chunker": name, **described},
        )


Row = tuple[str, Any, dict[str, Any]]


def _by_size() -> Iterator[Row]:
    for size, overlap in (*OVERLAPPING, *LARGE):
        named = f"{size}/{overlap}" if overlap else f"{size}"
        options = {"chunk_size": size, "chunk_overlap": overlap}
        recursive = RecursiveTokenChunker(size, overlap, length_function=openai_token_count)
        yield f"Recursive {named}", recursive, options
        fixed = FixedTokenChunker(chunk_size=size, chunk_overlap=overlap)
        yield f"TokenText {named}", fixed, options


def _by_meaning(model: EmbedderLike) -> Iterator[Row]:
    embedder = {"embedder": model_of(model)}
    for size in CLUSTER:
        yield f"Cluster {size}", ClusterSemanticChunker(model, size), embedder
    # As in the notebook: sentences with a neighbour each side, the 95th percentile.
    yield "Kamradt", SemanticChunker(model, buffer_size=1), embedder
    for size in KAMRADT_MODIFIED:
        chunker = KamradtModifiedChunker(size, embedding_function=model)
        yield f"KamradtMod {size}", chunker, embedder


def _runs_of_ours(model: EmbedderLike) -> Iterator[Run]:
    retriever = Retriever(embedder=model)
    recursive = RecursiveTokenChunker(RECURSIVE, 0, length_function=openai_token_count)
    balanced = Balanced(max_tokens=BALANCED)
    yield Run(
        name=f"chunkwright, Recursive {RECURSIVE}",
        chunker=recursive,
        retriever=retriever,
        placement="first_occurrence",
        described={"chunker": "Recursive", "chunk_size": RECURSIVE, "chunk_overlap": 0},
    )
    # By the report's places a passage that stands twice counts for one place only; by true ones
    # whoever finds the other of two equal passages has found nothing.
    for placement, suffix in PLACEMENTS.items():
        yield Run(
            name=f"chunkwright, Balanced {BALANCED}{suffix}",
            chunker=balanced,
            retriever=retriever,
            placement=placement,
        )
    yield Run(
        name=f"chunkwright, Balanced {BALANCED_TRIMMED}, trimmed",
        chunker=Balanced(max_tokens=BALANCED_TRIMMED),
        retriever=replace(retriever, trim=TRIM),
        placement="first_occurrence",
    )
