"""Levels of settings put together: what a higher level says, and what makes no sense beside it."""

from collections.abc import Collection, Iterable
from typing import Any

from chunkwright.cli.settings.table import LIMITS

SENTENCES = ("sentence", "balanced")
SEMANTIC = ("kamradt", "kamradt_modified", "cluster", "discontinuity")
# Settings of some strategies: another one, of a higher level, replaces them.
OWNERS: dict[str, Collection[str]] = {
    "separators": {"recursive"},
    "sentences": {"sentence"},
    "window": {"sentence", "kamradt", "kamradt_modified", "discontinuity"},
    "embedder": {*SEMANTIC, "by_similarity"},
    "threshold": {"kamradt"},
    "amount": {"kamradt"},
    "n_chunks": {"kamradt"},
    "min_size": {"kamradt"},
    "piece_max": {"kamradt_modified", "cluster"},
    "target": {"kamradt_modified"},
    "target_size": {"kamradt_modified"},
    "mean": {"cluster"},
    "parity": {"cluster"},
    "similarity_threshold": {"by_similarity"},
}
# Several strategies have it, and in each it is something else.
AMBIGUOUS = {"window"}
SIZES = {"soft_max", "overlap", "min_size", "piece_max", "target_size"}
# What each replaces in a lower level.
ALTERNATIVES = {
    "language": {"separators"},
    "separators": {"language"},
    "overlap": {"window"},
    "window": {"overlap"},
    "threshold": {"amount", "n_chunks"},
    "amount": {"n_chunks"},
    "n_chunks": {"threshold", "amount"},
}


def merge(levels: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Put levels together, the lowest first: a higher one replaces what a lower one says."""
    levels = list(levels)
    named = [level["strategy"] for level in levels if "strategy" in level]
    # A window takes the place of an overlap only where it is one.
    both = {"overlap", "window"} if named and named[-1] in SEMANTIC else set()
    merged: dict[str, Any] = {}
    for level in levels:
        for name in _replaced(level, merged, both):
            merged.pop(name, None)
        merged |= level
    return merged


def _replaced(level: dict[str, Any], lower: dict[str, Any], both: set[str]) -> set[str]:
    """Names that `level` replaces without naming them: those that make no sense beside it."""
    replaced: set[str] = set()
    limits = LIMITS & level.keys()
    if limits and limits != LIMITS & lower.keys():
        # A size is in the limit's unit: 64 tokens must not become 64 characters.
        replaced |= LIMITS
        replaced |= SIZES if LIMITS & lower.keys() else set()
    for name in ALTERNATIVES.keys() & level.keys() - both:
        replaced |= ALTERNATIVES[name]
    if "strategy" in level:
        replaced |= _replaced_by(level["strategy"], lower.get("strategy", "recursive"))
    return replaced


def _replaced_by(strategy: str, before: str) -> set[str]:
    """Names that a strategy replaces, that of the lower levels being another, or not."""
    replaced = {name for name, owners in OWNERS.items() if strategy not in owners}
    if strategy != before:
        replaced |= {name for name in AMBIGUOUS if before in OWNERS[name]}
        # "python" is no language of sentences.
        of_texts = {*SENTENCES, *SEMANTIC}
        replaced |= set() if {strategy, before} <= of_texts else {"language"}
    return replaced
