"""Evaluation of one chunker: cut a dataset, place the chunks, search for each question, score."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from chunkwright.checks import checked_callable, checked_path, checked_text
from chunkwright.embed import Cached, Embedder, EmbedderLike, as_embedder
from chunkwright.errors import ConfigError
from chunkwright.evaluation.chunkers.adapter import (
    chunker_name,
    chunker_text,
    cutting,
)
from chunkwright.evaluation.chunkers.cache import SharedCuts, cut_corpora
from chunkwright.evaluation.chunkers.placing import (
    PlacedChunks,
    Placement,
    place,
    warn_of_lost_structure,
)
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.evaluation.run.plan import CUTOFFS, TOKENIZER, Plan, Run
from chunkwright.evaluation.scores import cutoffs as limits
from chunkwright.evaluation.scores.cutoffs import Cutoff
from chunkwright.evaluation.scores.metrics import (
    OMEGA,
    check_placement,
    excerpts_of,
    omega,
    score,
)
from chunkwright.evaluation.scores.passages import (
    FoundPassages,
    Parts,
    parts_of,
    with_parts,
    within_texts,
)
from chunkwright.evaluation.scores.result import STEPS, Evaluation
from chunkwright.messages.terminal_text import short_repr
from chunkwright.retrieval import Hits, Index, Retriever
from chunkwright.retrieval.rerank.cached import with_cached_scores
from chunkwright.tokens.tokenizer import Tokenizer, TokenizerLike, as_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray


Progress: TypeAlias = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and how much there is."""


def evaluate(  # noqa: PLR0913 - options, all by name
    chunker: object,
    dataset: Dataset,
    *,
    retriever: Retriever | None = None,
    placement: Placement = "offsets",
    cutoffs: Cutoff | Iterable[Cutoff] = CUTOFFS,
    name: str | None = None,
    cache: str | os.PathLike[str] | None = None,
    tokenizer: TokenizerLike = TOKENIZER,
    progress: Progress | None = None,
) -> Evaluation:
    """Cut the corpora, search them for each question, and score the hits: recall, precision, IoU.

    All corpora are searched at once, and exactly. The same arguments give the same scores.

    Parameters
    ----------
    chunker
        A strategy of chunkwright; an object with a method ``split_text`` (as those of LangChain,
        LlamaIndex and Chroma) or ``chunk`` (chonkie); or a callable. It takes a ``str`` (strategies
        and callables get a document if the corpus is one) and returns :class:`chunkwright.Chunks`,
        or a list of ``str``, or of objects with a ``text`` or ``page_content``.
    dataset
        The corpora and questions.
    retriever
        How chunks are found; by default ``Retriever()``, by words.
        ``Retriever.dense(embedder)`` is the report's way.
    placement
        How chunks are placed in their corpus. ``"offsets"``: where the chunker says, or where they
        are found in order. ``"first_occurrence"``: where the text of each is found first, as
        in the report. ``"any_occurrence"``: as offsets, and an excerpt is covered by any passage of
        its corpus with the same text.
    cutoffs
        How many hits count: a number; ``"min"``, as many as there are chunks with a part of the
        excerpts; a budget of tokens such as ``"500t"``; or ``"500f"``, a budget that is filled, as
        by ``index.search`` with ``max_tokens=500``.
    name
        The name of the run; by default that of the chunker.
    cache
        A folder that keeps vectors, scores of a reranker, and the chunks of chunkers that have a
        fingerprint: the strategies of chunkwright, and objects with an attribute
        ``fingerprint`` that is a ``str``.
    tokenizer
        The tokenizer that counts the tokens of chunks.
    progress
        A function that is called with ``"chunking"``, the number of corpora done, and of all; then
        with ``"embedding"`` and numbers of chunks, ``"searching"`` and ``"scoring"`` and numbers of
        questions. With a cache, it is also called while texts are embedded.

    Raises
    ------
    ConfigError
        If an option makes no sense, there is no usable question, or the chunker fails or returns
        something other than texts; names the chunker and the corpus.
    ModelError, TokenizerError
        If a model or a tokenizer fails.
    MissingExtraError
        If sentences must be compared to place a chunk, and rapidfuzz is not installed.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, Excerpt, Question, evaluate
    >>> text = "The mill was built in 1743. It burnt down twice. Nobody was hurt."
    >>> built = Question("When was the mill built?", "mill", (Excerpt(text[:27], 0, 27),))
    >>> dataset = Dataset({"mill": text}, (built,))
    >>> result = evaluate(cw.Sentence(sentences=1), dataset, cutoffs=1)
    >>> result.mean("recall@1"), result.mean("iou@1")
    (1.0, 1.0)
    """
    run = Run(
        name=chunker_name(chunker) if name is None else name,
        chunker=chunker,
        retriever=Retriever() if retriever is None else retriever,
        placement=placement,
    )
    _check_dataset(dataset)
    plan = Plan(dataset=dataset, runs=(run,), cutoffs=limits.parse(cutoffs), tokenizer=tokenizer)
    return Pipeline.of(run, plan, cache=cache, progress=progress).evaluate()


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """The steps of one evaluation, with all that they need, checked; made by :meth:`of`."""

    run: Run
    plan: Plan
    tokenizer: Tokenizer
    folder: Path | None
    tell: _News
    shared: SharedCuts

    @classmethod
    def of(
        cls,
        run: Run,
        plan: Plan,
        *,
        cache: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        shared: SharedCuts | None = None,
    ) -> Pipeline:
        """Return the pipeline of a run; see :func:`evaluate` for options and errors.

        Parameters
        ----------
        run, plan, cache, progress
            See there.
        shared
            The chunks of other runs of this plan; None: all is cut.
        """
        _check_dataset(plan.dataset)
        _check_questions(plan.dataset)
        if not isinstance(run.retriever, Retriever):
            raise ConfigError(
                f"retriever must be a Retriever or None, got {short_repr(run.retriever)}"
            )
        check_placement(run.placement)
        if progress is not None:
            checked_callable("progress", progress)
        cutting(run.chunker)
        checked_text("name", run.name)
        warn_of_lost_structure(run.name, run.chunker, plan.dataset)
        return cls(
            run=run,
            plan=plan,
            tokenizer=as_tokenizer(plan.tokenizer),
            folder=None if cache is None else checked_path("cache", cache),
            tell=_News(progress),
            shared=SharedCuts() if shared is None else shared,
        )

    @property
    def dataset(self) -> Dataset:
        """The corpora and questions."""
        return self.plan.dataset

    def evaluate(self) -> Evaluation:
        """Cut, place, find and score."""
        watch, run, cutoffs = _Watch(), self.run, self.plan.cutoffs
        cuts = self.shared.of(
            run.chunker, lambda: cut_corpora(run.chunker, self.dataset, self.folder, self.tell)
        )
        chunks = place(cuts, self.dataset.corpora, run.placement, self.tokenizer)
        watch.lap("chunking")
        excerpts = excerpts_of(self.dataset, run.placement)
        omegas, holding = omega(excerpts, chunks)
        depth = max(1, limits.depth(cutoffs, chunks.n_tokens, holding))
        watch.lap("scoring")
        retrieved, parts = self.found(chunks, depth, watch)
        self.tell("scoring", 0, len(self.dataset.questions))
        numbers, passages = with_parts(retrieved.numbers, retrieved.passages, parts, chunks)
        scores = score(excerpts, passages, numbers, cutoffs, holding)
        is_taken = _within_some_cutoff(retrieved.numbers, cutoffs, retrieved.passages, holding)
        watch.lap("scoring")
        self.tell("scoring", len(self.dataset.questions), len(self.dataset.questions))
        return Evaluation(
            name=run.name,
            chunker=chunker_text(run.chunker),
            retriever=run.retriever.name,
            placement=run.placement,
            dataset=self.dataset,
            cutoffs=cutoffs,
            scores={**scores, OMEGA: omegas},
            chunks=chunks,
            hits=retrieved.hits.where(is_taken),
            hit_tokens=None if retrieved.hit_tokens is None else retrieved.hit_tokens[is_taken],
            holding=holding,
            seconds=watch.seconds,
            twins=run.twins,
            parts=parts,
        )

    def found(
        self, chunks: PlacedChunks, depth: int, watch: _Watch
    ) -> tuple[FoundPassages, dict[Cutoff, Parts]]:
        """Return the best chunks for each question, and the parts that fill budgets."""
        n_questions = len(self.dataset.questions)
        names = list(self.dataset.corpora)
        self.tell("embedding", 0, len(chunks))
        index = self._with_cache().index(
            list(chunks.searched),
            doc_ids=[names[number] for number in chunks.cut_from.tolist()],
            n_tokens=chunks.n_tokens if self._are_sizes_of_retrieval(chunks) else None,
        )
        self.tell("embedding", len(chunks), len(chunks))
        watch.lap("embedding")
        self.tell("searching", 0, n_questions)
        found = self.searched(index, chunks, depth)
        self.tell("searching", n_questions, n_questions)
        watch.lap("searching")
        return found

    def _are_sizes_of_retrieval(self, chunks: PlacedChunks) -> bool:
        """Return whether chunks are counted as retrieval counts what it searches.

        What it takes for small is not to change with what budgets are counted in.
        """
        return chunks.indexed is None and self.tokenizer == as_tokenizer(TOKENIZER)

    def searched(
        self, index: Index, chunks: PlacedChunks, depth: int
    ) -> tuple[FoundPassages, dict[Cutoff, Parts]]:
        """Return the best chunks for each question, as many as some cutoff takes."""
        questions, cutoffs = (
            [question.text for question in self.dataset.questions],
            self.plan.cutoffs,
        )
        while True:
            hits = index.search(questions, depth)
            retrieved = FoundPassages.of(within_texts(hits, chunks), chunks, self.tokenizer)
            n_tokens = retrieved.passages.n_tokens
            if (
                retrieved.hit_tokens is None
                or depth >= len(chunks)
                or not limits.takes_more(cutoffs, retrieved.numbers, n_tokens, depth)
            ):
                return retrieved, parts_of(index, hits, questions, cutoffs, chunks, self.tokenizer)
            depth *= 2

    def _with_cache(self) -> Retriever:
        """Return the retriever, its vectors and its reranker's scores kept if that can be."""
        retriever = self.run.retriever
        if self.folder is None:
            return retriever
        if retriever.embedder is not None:
            retriever = replace(retriever, embedder=self._with_cached_vectors(retriever.embedder))
        if retriever.reranker is not None:
            kept = with_cached_scores(retriever.reranker, self.folder / "scores")
            retriever = replace(retriever, reranker=kept)
        return retriever

    def _with_cached_vectors(self, like: EmbedderLike) -> Embedder:
        embedder = as_embedder(like)
        if self.folder is None or isinstance(embedder, Cached) or not embedder.fingerprint:
            return embedder
        return Cached(embedder, folder=self.folder / "vectors", progress=self.tell.more)


class _News:
    """Tells of progress, if somebody wants to know."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._step = ""

    def __call__(self, step: str, n_done: int, n_all: int) -> None:
        """Tell of a step that goes on from here."""
        self._step = step
        self.more(n_done, n_all)

    def more(self, n_done: int, n_all: int) -> None:
        """Tell of the step that goes on: questions are embedded while they are searched."""
        if self._progress is not None:
            self._progress(self._step, n_done, n_all)


class _Watch:
    """Says what time was spent on."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = dict.fromkeys(STEPS, 0.0)
        self._since = perf_counter()

    def lap(self, step: str) -> None:
        """Count what has passed since the last lap for a step."""
        now = perf_counter()
        self.seconds[step] += now - self._since
        self._since = now


def _check_dataset(dataset: object) -> None:
    if not isinstance(dataset, Dataset):
        raise ConfigError(f"dataset must be a Dataset, got {short_repr(dataset)}")


def _check_questions(dataset: Dataset) -> None:
    if not dataset.questions:
        problems = dataset.problems
        first = "; ".join(f"{p.place}: {p.what}" for p in problems[:1])
        why = f", for {len(problems)} problems, the first being {first}" if problems else ""
        raise ConfigError(f"there is no question to ask{why}")


def _within_some_cutoff(
    hits: Hits, cutoffs: Iterable[Cutoff], passages: PlacedChunks, holding: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Say of each hit whether some cutoff takes it."""
    within = [limits.hits_within(c, hits, passages.n_tokens, holding)[0] for c in cutoffs]
    counts = np.max([np.diff(offsets) for offsets in within], axis=0)
    is_taken: NDArray[np.bool_] = hits.ranks < np.repeat(counts, np.diff(hits.offsets))
    return is_taken
