"""Cutoffs: a number of hits, as many as chunks hold the excerpts, or a budget of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np

from chunkwright.errors import ConfigError, nearest
from chunkwright.retrieval.budget import n_fitting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Cutoff: TypeAlias = int | str
"""A number of hits; ``"min"``; or a budget of tokens, such as ``"500t"``.

``"500f"`` is the same budget, filled: of the first hit that does not fit, the part counts that
:meth:`chunkwright.retrieval.Index.search` keeps with ``max_tokens=500``.
"""

Kind: TypeAlias = Literal["recall", "precision", "iou"]
"""Kinds of scores of the hits that count."""

KINDS: tuple[Kind, ...] = ("recall", "precision", "iou")
"""All kinds of scores that depend on a cutoff."""

MIN_CAP = 20
"""``"min"`` never means more hits, as in Chroma's report."""

_BUDGET = re.compile(r"([1-9][0-9]{0,17})[tf]")
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")


class Ranked(Protocol):
    """Hits of some questions: chunks ``indices[offsets[q]:offsets[q + 1]]``, best first."""

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where each question's hits begin, and the end of the last one's."""

    @property
    def indices(self) -> NDArray[np.int64]:
        """Numbers of chunks."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """Hits as numbers of passages, and the parts that fill budgets.

    Parameters
    ----------
    offsets, indices
        See :class:`Ranked`.
    parts
        For each cutoff that is filled and each question the passage that fills it; -1: none does.
    """

    offsets: NDArray[np.int64]
    indices: NDArray[np.int64]
    parts: Mapping[Cutoff, NDArray[np.int64]]


def is_filled(cutoff: Cutoff) -> bool:
    """Return whether a part of a hit may fill a budget."""
    return isinstance(cutoff, str) and cutoff.endswith("f")


def parse(cutoffs: Cutoff | Iterable[Cutoff]) -> tuple[Cutoff, ...]:
    """Check cutoffs, and bring each into its one form.

    Parameters
    ----------
    cutoffs
        One or several; a number may also be written as a string.

    Returns
    -------
    tuple of int or str
        The cutoffs in the same order.

    Raises
    ------
    ConfigError
        If one is none, or stands there twice, naming it; if there is none.

    Examples
    --------
    >>> from chunkwright.evaluation.scores.cutoffs import parse
    >>> parse([5, "10", "min", "500t", "500f"])
    (5, 10, 'min', '500t', '500f')
    """
    if isinstance(cutoffs, str) or not isinstance(cutoffs, Iterable):
        cutoffs = [cutoffs]
    parsed = tuple(_parsed(cutoff) for cutoff in cutoffs)
    if not parsed:
        raise ConfigError("cutoffs must be at least one, got none")
    for i, cutoff in enumerate(parsed):
        if cutoff in parsed[:i]:
            raise ConfigError(f"cutoff {cutoff!r} is given twice")
    return parsed


def _parsed(cutoff: object) -> Cutoff:
    if isinstance(cutoff, int | np.integer) and not isinstance(cutoff, bool):
        # No more digits than a number in a text may have.
        if 0 < cutoff < 10**18:
            return int(cutoff)
    elif isinstance(cutoff, str) and _NUMBER.fullmatch(cutoff):
        return int(cutoff)
    elif isinstance(cutoff, str) and (cutoff == "min" or _BUDGET.fullmatch(cutoff)):
        return cutoff
    known = "a number from 1, 'min', or a budget of tokens such as '500t' or '500f'"
    raise ConfigError(f"a cutoff is {known}, got {cutoff!r}")


def metric_name(kind: Kind, cutoff: Cutoff) -> str:
    """Return the name of a metric.

    Parameters
    ----------
    kind
        The score: ``"recall"``, ``"precision"`` or ``"iou"``.
    cutoff
        How many hits count.

    Raises
    ------
    ConfigError
        If one of them is unknown.

    Examples
    --------
    >>> from chunkwright.evaluation import metric_name
    >>> metric_name("recall", 5), metric_name("iou", "500t")
    ('recall@5', 'iou@500t')
    """
    if kind not in KINDS:
        raise ConfigError(f"unknown kind of score {kind!r}: {nearest(kind, list(KINDS))}")
    return f"{kind}@{_parsed(cutoff)}"


def tokens_name(cutoff: Cutoff) -> str:
    """Return what the tokens of all hits that a cutoff takes are called: a cost, not a score."""
    return f"retrieved_tokens@{cutoff}"


def cutoff_of(metric: str) -> Cutoff | None:
    """Return the cutoff in the name of a metric; None if the metric has none.

    Raises
    ------
    ConfigError
        If there is no such cutoff.

    Examples
    --------
    >>> from chunkwright.evaluation.scores.cutoffs import cutoff_of
    >>> cutoff_of("recall@5"), cutoff_of("iou@500t"), cutoff_of("precision_omega")
    (5, '500t', None)
    """
    _, at, cutoff = metric.partition("@")
    return _parsed(cutoff) if at else None


def checked_metric(metric: str, cutoffs: Iterable[Cutoff]) -> str:
    """Return the name of a metric that some cutoff has.

    Raises
    ------
    ConfigError
        If no cutoff has it; names the nearest one that is.
    """
    known = [metric_name(kind, cutoff) for cutoff in cutoffs for kind in KINDS]
    if metric not in known:
        raise ConfigError(f"runs cannot be ranked by {metric!r}: {nearest(metric, known)}")
    return metric


def n_taken(cutoff: Cutoff, n_tokens: ArrayLike, holding: int) -> int:
    """Return how many of a question's hits a cutoff takes.

    Parameters
    ----------
    cutoff
        How many hits count.
    n_tokens
        Tokens of the hits, best first.
    holding
        How many chunks hold an excerpt of the question.

    Examples
    --------
    >>> from chunkwright.evaluation.scores.cutoffs import n_taken
    >>> n_taken("500t", [200, 250, 100, 20], holding=1)  # the third does not fit: it ends the list
    2
    """
    tokens = np.asarray(n_tokens, dtype=np.int64)
    offsets = np.array([0, len(tokens)])
    return int(_counts(cutoff, offsets, tokens, np.array([holding]))[0])


def hits_within(
    cutoff: Cutoff, hits: Ranked, n_tokens: NDArray[np.int64], holding: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hits that count.

    A budget of tokens is filled in the order of the hits; the first that does not fit ends it, even
    if a later one would fit. Of that one, a part may fill the budget.

    Parameters
    ----------
    cutoff
        How many hits count.
    hits
        What was found.
    n_tokens
        Tokens of each chunk.
    holding
        For each question, how many chunks hold one of its excerpts.

    Returns
    -------
    tuple of two arrays of int64
        Where each question's hits begin and the last one's end, and numbers of chunks.
    """
    offsets = np.asarray(hits.offsets, dtype=np.int64)
    indices = np.asarray(hits.indices, dtype=np.int64)
    counts = _counts(cutoff, offsets, n_tokens[indices], holding)
    rank = np.arange(len(indices)) - np.repeat(offsets[:-1], np.diff(offsets))
    kept = indices[rank < np.repeat(counts, np.diff(offsets))]
    ends = _cumulated(counts)
    if not (isinstance(hits, Numbers) and is_filled(cutoff)):
        return ends, kept
    parts = hits.parts[cutoff]
    has_part = parts >= 0
    return _cumulated(counts + has_part), np.insert(kept, ends[1:][has_part], parts[has_part])


def rooms_left(
    cutoff: Cutoff, hits: Ranked, n_tokens: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many hits of each question fit into a budget whole, and how many tokens are left.

    Parameters
    ----------
    cutoff
        The budget.
    hits
        What was found.
    n_tokens
        Tokens of what hits are numbers of.
    """
    return n_fitting(
        np.asarray(hits.offsets, dtype=np.int64), n_tokens[hits.indices], int(str(cutoff)[:-1])
    )


def depth(
    cutoffs: Iterable[Cutoff], n_tokens: NDArray[np.int64], holding: NDArray[np.int64]
) -> int:
    """Return how many hits of a question no cutoff exceeds: so many have to be found.

    A budget of tokens is held by the smallest chunks; if all are of one size, it is that many.

    Parameters
    ----------
    cutoffs
        How many hits count.
    n_tokens
        Tokens of each chunk.
    holding
        For each question, how many chunks hold one of its excerpts.
    """
    smallest = np.sort(n_tokens)
    most = int(holding.max(initial=0))
    # A part may be taken of the first hit that does not fit.
    return max((n_taken(c, smallest, most) + is_filled(c) for c in cutoffs), default=0)


def takes_more(
    cutoffs: Iterable[Cutoff], hits: Ranked, n_tokens: NDArray[np.int64], depth: int
) -> bool:
    """Say whether a budget may take more than was found of some question.

    :func:`depth` looks at whole chunks; of hits that were trimmed more fit.

    Parameters
    ----------
    cutoffs
        How many hits count.
    hits
        What was found for each question, at most ``depth`` hits.
    n_tokens
        Tokens of what the hits number.
    depth
        How many hits were asked for.
    """
    budgets = [each for each in cutoffs if isinstance(each, str) and each != "min"]
    nobody = np.zeros(len(hits.offsets) - 1, dtype=np.int64)
    within = [hits_within(each, hits, n_tokens, nobody)[0] for each in budgets]
    return any(np.diff(offsets).max(initial=0) >= depth for offsets in within)


def _counts(
    cutoff: Cutoff,
    offsets: NDArray[np.int64],
    n_tokens: NDArray[np.int64],
    holding: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return how many hits of each question count, of hits with so many tokens."""
    n_found = np.diff(offsets)
    if isinstance(cutoff, int):
        return np.minimum(n_found, cutoff)
    if cutoff == "min":
        return np.minimum(n_found, np.minimum(holding, MIN_CAP))
    return n_fitting(offsets, n_tokens, int(cutoff[:-1]))[0]


def _cumulated(counts: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return the sums of the numbers before each, and that of all."""
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums
