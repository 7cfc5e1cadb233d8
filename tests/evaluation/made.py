"""Evaluations made by hand, so that what a report says of them can be known beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from chunkwright.evaluation import Dataset, Evaluation, Excerpt, PlacedChunks, Problem, Question
from chunkwright.evaluation.scores.cutoffs import KINDS, metric_name
from chunkwright.retrieval import Hits

TEXTS = {
    "mills": "The mill was built in 1743. It burnt down twice. Nobody was hurt in either fire.",
    "cats": "Cats sleep all day. At night they hunt mice. A mouse is quick, but not quick enough.",
}
ASKED = (
    ("When was the mill built?", "mills", "built in 1743"),
    ("Was anybody hurt?", "mills", "Nobody was hurt in either fire."),
    ("What do cats hunt?", "cats", "hunt mice"),
    ("How is a mouse?", "cats", "A mouse is quick"),
)


def dataset(
    texts: Mapping[str, str] = TEXTS,
    asked: Sequence[tuple[str, str, str]] = ASKED,
    name: str = "small",
    problems: tuple[Problem, ...] = (),
) -> Dataset:
    questions = []
    for text, corpus, answer in asked:
        start = texts[corpus].index(answer)
        excerpt = Excerpt(answer, start, start + len(answer))
        questions.append(Question(text, corpus, (excerpt,)))
    return Dataset(texts, tuple(questions), name, problems)


def evaluation(  # noqa: PLR0913 - what a test may want to be different
    name: str,
    data: Dataset,
    recall: Sequence[float],
    *,
    cutoffs: tuple[int | str, ...] = (1, "30t"),
    placement: str = "offsets",
    size: int = 30,
) -> Evaluation:
    """Return a run that cuts every ``size`` characters, and finds the chunks 0 and 1 for all."""
    places = [
        (number, start, min(start + size, len(text)))
        for number, text in enumerate(data.corpora.values())
        for start in range(0, len(text), size)
    ]
    texts = list(data.corpora.values())
    n_questions = len(data.questions)
    corpora, starts, ends = np.array(places, dtype=np.int64).reshape(-1, 3).T.copy()
    said = tuple(texts[number][start:end] for number, start, end in places)
    n_tokens = np.array([len(each.split()) for each in said], dtype=np.int64)
    scores = {
        metric_name(kind, cutoff): np.array(recall, dtype=np.float64) / (1 + KINDS.index(kind))
        for cutoff in cutoffs
        for kind in KINDS
    }
    scores["precision_omega"] = np.array(recall, dtype=np.float64) / 4
    return Evaluation(
        name=name,
        chunker=f"every {size}",
        retriever="the first two",
        placement=placement,
        dataset=data,
        cutoffs=cutoffs,
        scores=scores,
        chunks=PlacedChunks(said, corpora, starts, ends, n_tokens, corpora),
        hits=Hits(
            np.arange(n_questions + 1, dtype=np.int64) * 2,
            np.tile(np.array([0, 1], dtype=np.int64), n_questions),
            np.tile(np.array([2.0, 1.0]), n_questions),
        ),
        holding=np.ones(n_questions, dtype=np.int64),
        seconds={"chunking": 0.25, "embedding": 0.5, "searching": 0.0, "scoring": 0.0},
    )
