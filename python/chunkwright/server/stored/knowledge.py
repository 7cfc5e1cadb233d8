"""Knowledge bases as other protocols have them: documents by an id, and scores from 0 to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright.server.problems import Problem
from chunkwright.server.stored.absent import absent, versions_of
from chunkwright.store import Compare

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chunkwright.store import Found, Store

_ALL = "*"
MOST_VALUES = 10_000
"""Values of metadata that one condition may stand for."""


class Scored(NamedTuple):
    """A hit, and its score from 0 to 1."""

    hit: Found
    score: float


def filter_of(store: Store, knowledge: str, *, field: str) -> dict[str, Any]:
    """Return the filter of the documents that an id names.

    Parameters
    ----------
    store
        The store.
    knowledge
        The id: ``*`` for all documents, the address of one, or the beginning of some with a ``*``.
    field
        What the request calls it.

    Raises
    ------
    Problem
        If there are no such documents.
    """
    if knowledge == _ALL:
        return {}
    if not knowledge.endswith(_ALL):
        versions_of(store, knowledge)
    elif not store.documents({"documents": [knowledge]}):
        message = f"no document of the store begins with {knowledge[:-1]!r}"
        raise absent(field, f"{message}: * alone stands for all")
    return {"documents": [knowledge]}


def scored(
    store: Store, questions: Sequence[str], k: int, where: Mapping[str, Any], least: float
) -> list[Scored]:
    """Return the hits of some questions, best first, each block with the best of its scores.

    Parameters
    ----------
    store
        The store.
    questions
        The questions.
    k
        How many hits, at most.
    where
        Which blocks are searched.
    least
        The score that hits have, at least.

    Raises
    ------
    ConfigError
        If the filter makes no sense.
    StoreError, ModelError
        If the database, or the store's embedder, fails.
    """
    most = _most(store)
    best: dict[Any, Scored] = {}
    for question in questions:
        for hit in store.search(question, k, where=where):
            score = min(1.0, max(0.0, hit.score / most))
            # A page header or footer is in no block.
            key = hit.block or (hit.document, hit.start, hit.text)
            if score >= least and (key not in best or best[key].score < score):
                best[key] = Scored(hit, score)
    return sorted(best.values(), key=lambda each: -each.score)[:k]


def _most(store: Store) -> float:
    """Return the score of a block that has all words of a question, and its very vector."""
    retriever = store.retriever
    is_sum = retriever.words and retriever.embedder is not None
    return 1 + retriever.word_weight if is_sum else 1.0


def values_that(
    store: Store,
    name: str,
    part: str,
    holds: Callable[[str], bool],
    *,
    field: str,
) -> list[str]:
    """Return the values of metadata that have a part, and for which something else holds.

    Parameters
    ----------
    store
        The store.
    name
        The name of the metadata.
    part
        What each of them has in it.
    holds
        What else has to be true of it.
    field
        Where the request says it.

    Raises
    ------
    Problem
        If there are more than `MOST_VALUES`.
    """
    found: set[str] = set()
    for document in store.documents({"metadata": {name: Compare("contains", part)}}):
        value = document.metadata.get(name)
        items = value if isinstance(value, list | tuple) else [value]
        found.update(item for item in items if isinstance(item, str) and holds(item))
    if len(found) > MOST_VALUES:
        message = f"{len(found):,} values of {name!r} fit, and at most {MOST_VALUES:,} may"
        raise Problem(422, "invalid_value", message, field=field)
    return sorted(found)
