"""Filters of LlamaIndex as those of a store."""

from __future__ import annotations

from typing import Any

from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters

from chunkwright.adapters.texts import stored_name, with_ids
from chunkwright.errors import ConfigError
from chunkwright.store.searching.filters import Compare, Filter

REF_DOC_ID = "llama_index.ref_doc_id"
"""The name of the metadata with the id of the document that a node is of."""
_COMPARES = {"<", "<=", ">", ">="}


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


def _filters(of: MetadataFilters) -> Filter:
    within = [
        _filters(each) if isinstance(each, MetadataFilters) else _filter(each)
        for each in of.filters
    ]
    condition = of.condition.value if of.condition else "and"
    if condition == "or":
        return Filter(any_of=within)
    return Filter(none_of=within) if condition == "not" else Filter(all_of=within)


def _filter(of: MetadataFilter) -> Filter:
    operator, name = of.operator.value, stored_name(of.key)
    value: Any = of.value
    if operator in _COMPARES:
        value = Compare(operator, value)  # type: ignore[arg-type]
    if operator in {"all", "any"} and not isinstance(value, list):
        message = f"{operator!r} of {of.key!r} needs a list, got {value!r:.80}"
        raise ConfigError(message, option="filters")
    if operator == "all":
        return Filter(all_of=[Filter(metadata={name: [each]}) for each in value])
    is_negated = operator in {"!=", "nin"}
    if not is_negated and operator not in {"==", "in", "any", "contains", "is_empty", *_COMPARES}:
        message = f"stores have no filter {operator!r} of {of.key!r}"
        raise ConfigError(message, option="filters")
    where = Filter(metadata={name: None if operator == "is_empty" else value})
    return Filter(none_of=[where]) if is_negated else where
