"""Filters of LlamaIndex: random ones over random metadata find what its own store finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.store.store import Store

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.simple import SimpleVectorStore
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)

from chunkwright.adapters.llama_index import ChunkwrightVectorStore

NAMES = st.sampled_from(["a", "b", "pages"])
TEXTS = st.sampled_from(["", "a", "b", "ab", "aB", "ä", "%", "1"])
NUMBERS = st.sampled_from([0, 1, 2, 1.0, 2.5, -1])
# A list is looked into, and a part of a word is no item: differences.md tells what differs so.
METADATA = st.dictionaries(NAMES, st.one_of(st.none(), TEXTS, NUMBERS, st.booleans()), max_size=3)
LISTS = st.one_of(st.lists(TEXTS, max_size=3), st.lists(st.sampled_from([0, 1, 2]), max_size=3))


def asked(operators: list[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return filters by one of some operators."""
    operator = st.sampled_from([FilterOperator(each) for each in operators])
    return st.builds(MetadataFilter, key=NAMES, operator=operator, value=values)


FILTERS = st.one_of(
    asked(["==", "!="], st.one_of(st.none(), TEXTS, NUMBERS)),
    asked(["<", "<=", ">", ">="], st.one_of(TEXTS, NUMBERS)),
    asked(["in", "nin"], LISTS),
    asked(["text_match"], TEXTS),
    asked(["is_empty"], st.none()),
    asked(["all"], st.just([])),
)


def one(key: str, operator: str, value: Any) -> MetadataFilters:
    return MetadataFilters(
        filters=[MetadataFilter(key=key, operator=FilterOperator(operator), value=value)]
    )


def found(store: Any, filters: MetadataFilters) -> list[str] | None:
    """Return the ids of what is found; None where the store cannot tell."""
    query = VectorStoreQuery(query_embedding=[1.0, 0.0], similarity_top_k=9, filters=filters)
    try:
        return sorted(store.query(query).ids)
    except TypeError:
        return None


def both(store: Store, metadata: list[dict[str, Any]]) -> tuple[Any, Any]:
    """Return a store and LlamaIndex's own, each with nodes of these metadata."""
    own, twin = ChunkwrightVectorStore(store), SimpleVectorStore()
    own.clear()
    for made in (own, twin):
        made.add(
            [
                TextNode(id_=str(i), text=f"Text {i}.", metadata=each, embedding=[1.0, 0.0])
                for i, each in enumerate(metadata)
            ]
        )
    return own, twin


SCALARS = st.one_of(st.none(), TEXTS, NUMBERS, st.booleans(), st.just("[]"))


@given(
    metadata=st.lists(
        st.dictionaries(NAMES, st.one_of(SCALARS, st.lists(SCALARS, max_size=2)), max_size=2),
        min_size=1,
        max_size=6,
    ),
    condition=st.sampled_from(FilterCondition),
    names=st.lists(NAMES, min_size=1, max_size=2),
)
@example([{"a": [None]}, {"a": [""]}, {"a": []}], FilterCondition.AND, ["a"])
def test_empty_is_what_llama_index_takes_for_it(
    store: Store, metadata: list[dict[str, Any]], condition: FilterCondition, names: list[str]
) -> None:
    is_empty = FilterOperator.IS_EMPTY
    within = [MetadataFilter(key=name, operator=is_empty, value=None) for name in names]
    filters = MetadataFilters(filters=list(within), condition=condition)
    own, twin = both(store, metadata)
    assert found(own, filters) == found(twin, filters)


@given(
    metadata=st.lists(METADATA, min_size=1, max_size=4),
    filters=st.lists(
        st.builds(
            MetadataFilters,
            filters=st.lists(FILTERS, max_size=3),
            condition=st.sampled_from(FilterCondition),
        ),
        min_size=1,
        max_size=8,
    ),
)
@example([{"a": "a%b"}, {"a": "ab"}], [one("a", "text_match", "%")])
@example([{"a": ""}, {}, {"a": 0}, {"a": []}, {"a": ["x"]}], [one("a", "is_empty", None)])
@example([{"a": None}, {"a": 1}], [one("a", "==", None), one("a", "!=", None)])
@example([{"a": True}, {"a": 1}], [one("a", "==", 1), one("a", "in", [1])])
@example([{}], [MetadataFilters(filters=[], condition=FilterCondition.OR)])
def test_filters_find_what_llama_index_finds(
    store: Store, metadata: list[dict[str, Any]], filters: list[MetadataFilters]
) -> None:
    own, twin = both(store, metadata)
    for each in filters:
        # It compares words with numbers for all, or for none.
        if (theirs := found(twin, each)) is not None:
            assert found(own, each) == theirs, each
