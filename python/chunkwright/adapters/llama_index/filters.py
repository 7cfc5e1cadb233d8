"""Filters of LlamaIndex as those of a store."""

from __future__ import annotations

from typing import Any

from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from chunkwright.adapters.texts import alike, compared, stored_name, with_ids
from chunkwright.errors import ConfigError
from chunkwright.store.searching.conditions import Operator, Special
from chunkwright.store.searching.filters import Filter

REF_DOC_ID = "llama_index.ref_doc_id"
"""The name of the metadata with the id of the document that a node is of."""
_COMPARES: dict[str, Operator] = {
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "text_match": "contains",
}
_OF_LISTS = {"in", "nin", "any", "all"}
_NEGATED = {"!=", "nin"}
_EQUAL = {"==", "!=", "in", "nin", "any", "contains"}
_NOTHING = Filter(none_of=[Filter()])


def where_of(
    node_ids: list[str] | None, doc_ids: list[str] | None, filters: MetadataFilters | None
) -> Filter:
    """Return the filter of nodes with these ids, of these documents, for which filters are true.

    LlamaIndex means all of them by an empty list.
    """
    return Filter(
        any_of=[with_ids(node_ids)] if node_ids else None,
        metadata={REF_DOC_ID: [*doc_ids]} if doc_ids else {},
        all_of=[] if filters is None else [_filters(filters)],
    )


def _filters(given: MetadataFilters) -> Filter:
    if not given.filters:
        # Whatever their condition is.
        return Filter()
    within = [
        _filters(each) if isinstance(each, MetadataFilters) else _filter(each)
        for each in given.filters
    ]
    condition = given.condition.value if given.condition else "and"
    if condition == "or":
        return Filter(any_of=within)
    return Filter(none_of=within) if condition == "not" else Filter(all_of=within)


def _filter(given: MetadataFilter) -> Filter:
    operator, name = given.operator.value, stored_name(given.key)
    value: Any = given.value
    if operator == "is_empty":
        return Filter(metadata={name: Special.EMPTY})
    if value is None:
        # LlamaIndex takes no value for equal to None.
        return Filter() if operator in _NEGATED else _NOTHING
    if isinstance(value, list) is not (operator in _OF_LISTS):
        needed = "a list" if operator in _OF_LISTS else "one value"
        message = f"{operator!r} of {given.key!r} needs {needed}, got {value!r:.80}"
        raise ConfigError(message, option="filters")
    if operator == "all":
        return Filter(all_of=[_one_of(name, [each]) for each in value], none_of=[_is_none(name)])
    if operator in _COMPARES:
        return Filter(metadata={name: compared(_COMPARES[operator], value)})
    if operator not in _EQUAL:
        message = f"stores have no filter {operator!r} of {given.key!r}"
        raise ConfigError(message, option="filters")
    where = _one_of(name, value if isinstance(value, list) else [value])
    return Filter(none_of=[where]) if operator in _NEGATED else where


def _one_of(name: str, values: list[Any]) -> Filter:
    return Filter(metadata={name: alike(values)})


def _is_none(name: str) -> Filter:
    return Filter(metadata={name: None})
