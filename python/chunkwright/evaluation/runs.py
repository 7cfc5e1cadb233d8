"""Evaluations of many runs over the same questions, each kept on disk as soon as it is done."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwright.checks import checked_path
from chunkwright.embed import EmbedderLike, as_embedder
from chunkwright.errors import ConfigError
from chunkwright.evaluation.cutoffs import Cutoff, parse
from chunkwright.evaluation.naming import UnknownError, described_tokenizer, fingerprint_of
from chunkwright.evaluation.pipeline import Pipeline, Progress
from chunkwright.evaluation.plan import CUTOFFS, TOKENIZER, Plan, Run
from chunkwright.evaluation.run_cache import Saved
from chunkwright.retrieval import Retriever
from chunkwright.tokenizer import TokenizerLike

if TYPE_CHECKING:
    from chunkwright.evaluation.dataset import Dataset
    from chunkwright.evaluation.result import Evaluation

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
        A folder in which finished runs are kept, and looked for: who is interrupted goes on where
        that was. A run is done again when anything changes that it depends on: the dataset, its
        options, models, cutoffs, or the version of chunkwright. A folder that cannot be written
        costs a warning and the time, nothing else. None: nothing is kept.
    fresh
        Whether all is done again.
    tell
        Is given a line about each run that cannot be taken from the folder although it is there, or
        not be kept; None: of the latter is warned.
    progress
        Is told of each run that is done; see :func:`chunkwright.evaluation.evaluate`.

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
    saved = None if cache is None else Saved(checked_path("cache", cache))
    return [
        evaluate_run(run, plan, saved, fresh=fresh, tell=tell, progress=progress)
        for run in plan.runs
    ]


def evaluate_run(  # noqa: PLR0913 - as `evaluate_all`, of which it is one
    run: Run,
    plan: Plan,
    saved: Saved | None,
    *,
    fresh: bool = False,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate one run of a plan, or take what is kept of it; see `evaluate_all`."""
    key = None if saved is None else key_of(run, plan)
    if saved is not None and key is not None and not fresh:
        found = saved.get(key, run.name, plan.dataset, tell or _tell_nobody)
        if found is not None:
            return found
    made = Pipeline.of(run, plan, progress=progress).evaluate()
    if saved is not None and key is not None:
        _keep(saved, key, made, tell or _warn)
    return made


def _keep(saved: Saved, key: str, made: Evaluation, tell: Tell) -> None:
    """Keep a run; where that cannot be, what was found is worth more than its place on disk."""
    try:
        saved.put(key, made)
    except (ConfigError, OSError) as error:
        tell(f"{made.name}: is not kept: {error}")


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
    """Return the options of a retriever, with what names its model in its place.

    None if the model has no name that changes with it.
    """
    options = {each.name: getattr(retriever, each.name) for each in fields(retriever)}
    if retriever.embedder is None:
        return options
    name = model_of(retriever.embedder)
    return None if name is None else {**options, "embedder": name}


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


def _warn(line: str) -> None:
    warnings.warn(line, RuntimeWarning, stacklevel=5)
