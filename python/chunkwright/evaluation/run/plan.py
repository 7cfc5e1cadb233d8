"""Plan of evaluations: a dataset, the runs over it, and the options that all runs share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chunkwright import _core
from chunkwright.checks import checked_int, checked_language
from chunkwright.errors import ConfigError, nearest
from chunkwright.evaluation.chunkers.placing import Placement
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.evaluation.scores.cutoffs import Cutoff, checked_metric, parse
from chunkwright.retrieval import Retriever
from chunkwright.tokens.tokenizer import TokenizerLike

CUTOFFS: tuple[Cutoff, ...] = (5, 10, "min", "500t", "1000t")
"""Default cutoffs: how many hits count."""

TOKENIZER = "cl100k_base"
"""Default tokenizer, which counts the tokens of chunks."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A way to cut and to find, to be tried.

    Parameters
    ----------
    name
        What it is called.
    chunker
        What `evaluate` takes: a strategy, an object with ``split_text``, or a callable.
    retriever
        How chunks are found.
    placement
        How chunks are given their places.
    described
        All that the chunker's chunks depend on, ready for JSON: what came out is kept under that.
        None: a strategy's own options, or an attribute ``fingerprint``; of anything else it is not
        known, and nothing is kept.
    twins
        The names of runs that it is compared with by retrieval failures; see
        :func:`chunkwright.evaluation.with_twins`.
    """

    name: str
    chunker: Any
    retriever: Retriever = field(default_factory=Retriever)
    placement: Placement = "offsets"
    described: Mapping[str, Any] | None = None
    twins: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """Runs over one dataset that are to be evaluated.

    Parameters
    ----------
    dataset
        The corpora and questions.
    runs
        The runs, each with a name of its own.
    cutoffs
        How many hits count; see :func:`chunkwright.evaluation.evaluate`.
    tokenizer
        What counts the tokens of chunks.
    baseline
        The name of the run that the others are compared with; None: none is.
    rank_by
        The metric that runs are ranked by; None: as :class:`chunkwright.evaluation.Report` says.
    size_limit
        How many tokens a chunk should have at most; None: the limit of each strategy.
    language
        That of the sentences that chunks are measured by.
    asks
        Whether questions are to be asked; else the chunks alone are measured.
    settings
        What the plan was made from, if that is known: ready for JSON.

    Raises
    ------
    ConfigError
        If two runs have the same name, none is called as the baseline or as a run's twin, a cutoff
        or a size makes no sense, or there is no such metric or language.
    """

    dataset: Dataset
    runs: tuple[Run, ...]
    cutoffs: tuple[Cutoff, ...] = CUTOFFS
    tokenizer: TokenizerLike = TOKENIZER
    baseline: str | None = None
    rank_by: str | None = None
    size_limit: int | None = None
    language: str = "en"
    asks: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cutoffs", parse(self.cutoffs))
        object.__setattr__(self, "runs", tuple(self.runs))
        names: list[str] = []
        for run in self.runs:
            if run.name in names:
                raise ConfigError(f"two runs are called {run.name!r}: give each a name of its own")
            names.append(run.name)
        if self.size_limit is not None:
            checked_int("size_limit", self.size_limit, least=1)
        # The core says what languages it knows.
        _core.sentence_ends("", checked_language(self.language))
        if self.rank_by is not None:
            checked_metric(self.rank_by, self.cutoffs)
        sought = [twin for run in self.runs for twin in run.twins]
        for name in sought if self.baseline is None else [self.baseline, *sought]:
            if name not in names:
                raise ConfigError(f"no run is called {name!r}; {nearest(name, names)}")
