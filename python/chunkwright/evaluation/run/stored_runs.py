"""Evaluations of many runs over the same questions, each kept on disk as soon as it is done."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_path
from chunkwright.chunking.bases.strategy import UnknownError, described_tokenizer, fingerprint_of
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.evaluation.chunkers.cache import SharedCuts
from chunkwright.evaluation.chunkers.placing import warn_of_lost_structure
from chunkwright.evaluation.run.cache import RunCache
from chunkwright.evaluation.run.pipeline import Pipeline, Progress
from chunkwright.evaluation.run.plan import CUTOFFS, TOKENIZER, Plan, Run
from chunkwright.evaluation.scores.cutoffs import Cutoff, parse
from chunkwright.messages.logs import warn
from chunkwright.messages.terminal_text import counted
from chunkwright.retrieval import Retriever
from chunkwright.retrieval.rerank import as_reranker
from chunkwright.tokens.tokenizer import TokenizerLike

if TYPE_CHECKING:
    from chunkwright.evaluation.data.dataset import Dataset
    from chunkwright.evaluation.scores.result import Evaluation

Tell = Callable[[str], None]


def evaluate_all(  # noqa: PLR0913 - options, all by name
    runs: Iterable[Run],
    dataset: Dataset,
    *,
    cutoffs: Cutoff | Iterable[Cutoff] = CUTOFFS,
    tokenizer: TokenizerLike = TOKENIZER,
    cache: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> list[Evaluation]:
    """Evaluate many runs over one dataset.

    Parameters
    ----------
    runs
        The runs, each with a name of its own.
    dataset
        The corpora and questions.
    cutoffs, tokenizer
        See :func:`chunkwright.evaluation.evaluate`.
    cache
        A folder that keeps finished runs, so that an interrupted call resumes. A run is done again
        when anything changes that it depends on: the dataset, its options, models, cutoffs, or the
        version of chunkwright. If the folder cannot be written, a warning says so. None: nothing is
        kept.
    fresh
        Whether to do all runs again.
    tell
        A function that gets a line about each run that cannot be read from the cache, or cannot be
        kept; None: a warning for the latter.
    progress
        Called for each finished run; see :func:`chunkwright.evaluation.evaluate`.

    Returns
    -------
    list of Evaluation
        One for each run, in their order.

    Raises
    ------
    ConfigError
        If two runs have the same name, or an option makes no sense.
    ChunkwrightError
        If a run fails: what was done before is kept.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, Excerpt, Question, Run, evaluate_all
    >>> text = "The mill was built in 1743. It burnt down twice."
    >>> built = Question("When was the mill built?", "mill", (Excerpt(text[:27], 0, 27),))
    >>> runs = [
    ...     Run(name="sentences", chunker=cw.Sentence(sentences=1)),
    ...     Run(name="all of it", chunker=cw.Recursive(max_tokens=100)),
    ... ]
    >>> found = evaluate_all(runs, Dataset({"mill": text}, (built,)), cutoffs=[1])
    >>> [(each.name, round(each.mean("precision@1"), 2)) for each in found]
    [('sentences', 1.0), ('all of it', 0.56)]
    """
    plan = Plan(dataset=dataset, runs=tuple(runs), cutoffs=parse(cutoffs), tokenizer=tokenizer)
    kept = None if cache is None else RunCache(checked_path("cache", cache) / "runs")
    shared = SharedCuts()
    return [
        evaluate_run(run, plan, kept, shared=shared, fresh=fresh, tell=tell, progress=progress)
        for run in plan.runs
    ]


def evaluate_run(  # noqa: PLR0913 - as `evaluate_all`, of which it is one
    run: Run,
    plan: Plan,
    kept: RunCache | None,
    *,
    shared: SharedCuts | None = None,
    fresh: bool = False,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate one run of a plan, or take what is kept of it; see `evaluate_all`.

    A run for which a language model has not answered all requests is not kept: another try may do.
    """
    key = None if kept is None else key_of(run, plan)
    if kept is not None and key is not None and not fresh:
        found = kept.get(key, run.name, plan.dataset, tell or _tell_nobody)
        if found is not None:
            warn_of_lost_structure(run.name, run.chunker, plan.dataset)
            return replace(found, twins=run.twins)
    pipeline = Pipeline.of(run, plan, progress=progress, shared=shared)
    made = pipeline.evaluate()
    if n_unanswered := pipeline.shared.n_unanswered:
        about = f"the model has not answered {counted(n_unanswered, 'request')}"
        (tell or warn)(f"{run.name}: {about}, so this run is not kept")
        return made
    if kept is not None and key is not None:
        kept.put(key, made, tell or warn)
    return made


def key_of(run: Run, plan: Plan) -> str | None:
    """Return a hash of all that a run's result depends on; None if that is not known.

    What a run is called changes nothing. The version of chunkwright is looked at when a file is
    read, so that one of another version can be told from none.
    """
    chunker = fingerprint_of(run.chunker) if run.described is None else dict(run.described)
    retriever = options_of(run.retriever)
    tokenizer = tokenizer_of(plan.tokenizer)
    if chunker is None or retriever is None or tokenizer is None:
        return None
    parts = {
        "dataset": plan.dataset.fingerprint,
        "chunker": chunker,
        "retriever": retriever,
        "placement": run.placement,
        "cutoffs": list(plan.cutoffs),
        "tokenizer": tokenizer,
    }
    return sha256(json.dumps(parts, sort_keys=True, default=repr).encode()).hexdigest()


def options_of(retriever: Retriever) -> dict[str, Any] | None:
    """Return the options of a retriever, with what names its models in their place.

    None if a model has no name that changes with it.
    """
    options = {each.name: getattr(retriever, each.name) for each in fields(retriever)}
    if retriever.embedder is not None:
        options["embedder"] = model_of(retriever.embedder)
    if retriever.reranker is not None:
        options["reranker"] = as_reranker(retriever.reranker).fingerprint or None
    is_known = all(
        options[name] is not None or getattr(retriever, name) is None
        for name in ("embedder", "reranker")
    )
    return options if is_known else None


def model_of(embedder: EmbedderLike) -> str | None:
    """Return what names a model and all that changes its vectors; None where that is not known."""
    return as_embedder(embedder).fingerprint or None


def tokenizer_of(tokenizer: TokenizerLike) -> str | None:
    """Return what names a tokenizer: of a file what it holds; None where that is not known."""
    if not isinstance(tokenizer, str):
        try:
            return repr(described_tokenizer(tokenizer))
        except UnknownError:
            return None
    file = Path(tokenizer)
    return sha256(file.read_bytes()).hexdigest() if file.is_file() else tokenizer


def _tell_nobody(line: str) -> None:
    del line
