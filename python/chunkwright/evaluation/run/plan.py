"""Plan of evaluations: a dataset, the runs over it with their twins, and the options they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chunkwright import _core
from chunkwright.checks import checked_int, checked_language
from chunkwright.chunking.registry import make_strategy
from chunkwright.contextual import Contextual
from chunkwright.errors import ConfigError, nearest
from chunkwright.evaluation.chunkers.placing import Placement
from chunkwright.evaluation.confidence.failures import TOP
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.evaluation.scores.cutoffs import Cutoff, checked_metric, parse
from chunkwright.evaluation.scores.result import check_names
from chunkwright.retrieval import Retriever
from chunkwright.tokens.tokenizer import TokenizerLike

CUTOFFS: tuple[Cutoff, ...] = (5, 10, "min", "500t", "1000t")
"""Default cutoffs: how many hits count."""

TOKENIZER = "cl100k_base"
"""Default tokenizer, which counts the tokens of chunks."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A run of an evaluation: a chunker and a retriever.

    Parameters
    ----------
    name
        The name of the run.
    chunker
        A chunker, as `evaluate` takes it: a strategy, an object with ``split_text``, or a callable.
    retriever
        The retriever.
    placement
        How chunks get their places.
    described
        Everything that the chunks depend on, ready for JSON, under which results are cached. None:
        a strategy's own options, or an attribute ``fingerprint``; without these, nothing is cached.
    twins
        The names of runs with which its retrieval failures are compared; see
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
    """A plan of an evaluation: runs over one dataset.

    Parameters
    ----------
    dataset
        The corpora and questions.
    runs
        The runs, each with a name of its own.
    cutoffs
        How many hits count; see :func:`chunkwright.evaluation.evaluate`.
    tokenizer
        The tokenizer that counts the tokens of chunks.
    baseline
        The name of the run with which the others are compared; None: no comparison.
    rank_by
        The metric that ranks runs; None: the default of :class:`chunkwright.evaluation.Report`.
    size_limit
        The most tokens that a chunk should have; None: the limit of each strategy.
    language
        The language of the sentences, for measures of chunks.
    asks
        Whether to ask the questions; if not, only the chunks are measured.
    settings
        The configuration of the plan, if known, ready for JSON.

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
        names = [run.name for run in self.runs]
        check_names(names)
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


CUT_BY = "cut by"
"""In what a contextual run is described by: what its plain twin is described by."""

NOT_RERANKED = ", not reranked"
PLAIN = ", plain"
BY_WORDS, BY_VECTORS, BY_BOTH = ", by words", ", by vectors", ", by words and vectors"


def with_twins(plan: Plan) -> Plan:
    """Return the plan with a twin for each run that has a reranker or contexts.

    A run with a reranker is compared with the same run without it. A run whose chunker adds
    contexts is compared with the plain strategy: by words alone, by vectors alone and by both, as
    far as the run's retriever has an embedder, and without a reranker. A twin that is already in
    the plan is not added.

    Parameters
    ----------
    plan
        The plan. If it gets a twin, the cutoff 20 is added.

    Raises
    ------
    ConfigError
        If a run has the name of a new twin.

    Examples
    --------
    >>> import chunkwright as cw
    >>> from chunkwright.evaluation import Dataset, Excerpt, Plan, Question, Run, with_twins
    >>> text = "The mill was built in 1743. It burnt down twice."
    >>> built = Question("When was the mill built?", "mill", (Excerpt(text[:27], 0, 27),))
    >>> shorter = cw.Retriever(reranker=lambda question, texts: [-len(text) for text in texts])
    >>> run = Run(name="short first", chunker=cw.Sentence(sentences=1), retriever=shorter)
    >>> plan = with_twins(Plan(dataset=Dataset({"mill": text}, (built,)), runs=(run,)))
    >>> [(each.name, each.twins) for each in plan.runs]
    [('short first', ('short first, not reranked',)), ('short first, not reranked', ())]
    """
    family = _Family(plan.runs)
    for run in plan.runs:
        family.add(run)
    has_twins = any(run.twins for run in family.runs)
    cutoffs = plan.cutoffs if TOP in plan.cutoffs or not has_twins else (*plan.cutoffs, TOP)
    return replace(plan, runs=tuple(family.runs), cutoffs=cutoffs)


class _Family:
    """The runs of a plan, and the twins that they get."""

    def __init__(self, given: tuple[Run, ...]) -> None:
        self._given = given
        self.runs: list[Run] = []

    def add(self, run: Run) -> None:
        """Add a run, and those of its twins that are not there."""
        own, *others = _variants(run)
        names = {own.name: own.name, **{other.name: self._name_of(other) for other in others}}
        new = [own, *(other for other in others if names[other.name] == other.name)]
        for other in new:
            twins = dict.fromkeys(names[name] for name in other.twins)
            given = run.twins if other is own else ()
            self.runs.append(replace(other, twins=tuple(dict.fromkeys((*given, *twins)))))

    def _name_of(self, run: Run) -> str:
        """Return what a run is called where it is among the others, or else its own name."""
        known = (*self._given, *self.runs)
        return next((each.name for each in known if _are_alike(each, run)), run.name)


def _are_alike(a: Run, b: Run) -> bool:
    return (a.chunker, a.retriever, a.placement) == (b.chunker, b.retriever, b.placement)


def _variants(run: Run) -> Iterator[Run]:
    """Yield a run, first as it is, and all that it is compared with or that is compared so too."""
    plain = _plain(run)
    ways = list(_ways(run.retriever, is_contextual=plain is not None))
    # One chunker after the other, so that each cuts once.
    for variant in (run,) if plain is None else (run, plain):
        for suffix, retriever in ways:
            twins = [plain.name + suffix] if plain is not None and variant is run else []
            if retriever.reranker is not None:
                twins.append(variant.name + NOT_RERANKED)
            name = variant.name + suffix
            yield replace(variant, name=name, retriever=retriever, twins=tuple(twins))


def _plain(run: Run) -> Run | None:
    """Return a run without contexts; None if it has none."""
    if not isinstance(run.chunker, Contextual):
        return None
    described = None if run.described is None else run.described.get(CUT_BY)
    strategy = run.chunker.strategy
    chunker = make_strategy(strategy, {}) if isinstance(strategy, str) else strategy
    return replace(run, name=run.name + PLAIN, chunker=chunker, described=described)


def _ways(own: Retriever, *, is_contextual: bool) -> Iterator[tuple[str, Retriever]]:
    """Yield ways to find, the run's own first, with what they add to its name."""
    bare = replace(own, reranker=None)
    ways = {"": own}
    if own.reranker is not None:
        ways[NOT_RERANKED] = bare
    if is_contextual and own.embedder is not None:
        ways[BY_WORDS] = replace(bare, embedder=None, words=True)
        ways[BY_VECTORS] = replace(bare, words=False)
        ways[BY_BOTH] = replace(bare, words=True)
    seen: list[Retriever] = []
    for suffix, retriever in ways.items():
        if retriever not in seen:
            seen.append(retriever)
            yield suffix, retriever
