"""Metadata of frameworks that are lists and dates: as they were, and filtered by items."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.store import Store

ITEMS: list[Any] = ["x", "y", 1, 2.5, True, None]


def test_lists_are_filtered_by_their_items(store: Store) -> None:
    draw = random.Random(0)
    every = {
        str(number): draw.choice([draw.choices(ITEMS, k=draw.randrange(4)), draw.choice(ITEMS)])
        for number in range(60)
    }
    store.add(
        [
            cw.Document(text=f"Rain {id_}.", id=id_, metadata={"tags": tags})
            for id_, tags in every.items()
        ]
    )
    for id_, tags in every.items():
        assert store.document(id_).metadata == {"tags": tags}
    for wanted in ITEMS[:-1]:
        expected = {
            id_
            for id_, tags in every.items()
            for each in (tags if isinstance(tags, list) else [tags])
            if each == wanted and isinstance(each, bool) == isinstance(wanted, bool)
        }
        found = store.documents({"metadata": {"tags": wanted}})
        assert {each.uri for each in found} == expected


def test_lists_of_lists_are_refused() -> None:
    with pytest.raises(ConfigError, match="tags"):
        cw.Document(text="Rain.", metadata={"tags": [["x"]]})  # type: ignore[list-item]


def test_langchain_compares_and_looks_into_lists(store: Store) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from chunkwright.adapters.langchain import ChunkwrightVectorStore

    own = ChunkwrightVectorStore(store)
    metadata = {
        "tags": ["x", "y"],
        "age": 4,
        "day": date(2024, 1, 2),
        "at": datetime(2024, 1, 2, 3, tzinfo=UTC),
    }
    own.add_texts(["Rain fell."], [metadata], ids=["a"])
    assert own.get_by_ids(["a"])[0].metadata == metadata
    for where, is_found in (
        ({"tags": "x"}, True),
        ({"tags": "z"}, False),
        ({"tags": {"$in": ["z", "y"]}}, True),
        ({"tags": {"$nin": ["z", "y"]}}, False),
        ({"age": {"$gt": 3, "$lte": 4}}, True),
        ({"age": {"$ne": 4}}, False),
        ({"day": {"$lt": date(2024, 1, 2)}}, False),
        ({"day": date(2024, 1, 2)}, True),
    ):
        assert bool(own.similarity_search("rain", filter=where)) == is_found
    for wrong in ({"age": {"$near": 3}}, {"age": {"$in": 3}}):
        with pytest.raises(ConfigError, match="age"):
            own.similarity_search("rain", filter=wrong)


def test_llama_index_looks_into_lists(store: Store) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores.types import (
        FilterOperator,
        MetadataFilter,
        MetadataFilters,
    )

    from chunkwright.adapters.llama_index import ChunkwrightVectorStore

    own = ChunkwrightVectorStore(store)
    own.add([TextNode(id_="a", text="Rain.", embedding=[1.0], metadata={"tags": ["x", "y"]})])
    for operator, value, is_found in (
        (FilterOperator.CONTAINS, "x", True),
        (FilterOperator.CONTAINS, "z", False),
        (FilterOperator.ANY, ["z", "x"], True),
        (FilterOperator.ALL, ["x", "y"], True),
        (FilterOperator.ALL, ["x", "z"], False),
    ):
        where = MetadataFilter(key="tags", value=value, operator=operator)
        assert bool(own.get_nodes(filters=MetadataFilters(filters=[where]))) == is_found


def test_llama_index_contains_are_items_and_no_parts_of_words(store: Store) -> None:
    pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores import SimpleVectorStore
    from llama_index.core.vector_stores.types import (
        FilterOperator,
        MetadataFilter,
        MetadataFilters,
        VectorStoreQuery,
    )

    from chunkwright.adapters.llama_index import ChunkwrightVectorStore

    tags = {"a": ["x", "y"], "b": "xy", "c": "x"}

    def found(made: Any, operator: FilterOperator, value: Any) -> str:
        where = MetadataFilters(
            filters=[MetadataFilter(key="tags", value=value, operator=operator)]
        )
        query = VectorStoreQuery(query_embedding=[1.0], similarity_top_k=9, filters=where)
        return "".join(sorted(made.query(query).ids))

    own, twin = ChunkwrightVectorStore(store), SimpleVectorStore()
    for made in (own, twin):
        made.add(
            [
                TextNode(id_=id_, text="Rain.", embedding=[1.0], metadata={"tags": of})
                for id_, of in tags.items()
            ]
        )
    for operator, value, ours, others in (
        (FilterOperator.CONTAINS, "x", "ac", "abc"),
        (FilterOperator.ANY, ["x"], "ac", "abc"),
        (FilterOperator.ALL, ["x"], "ac", "abc"),
        (FilterOperator.EQ, "x", "ac", "c"),
        (FilterOperator.IN, ["x"], "ac", "c"),
    ):
        assert found(own, operator, value) == ours, operator
        assert found(twin, operator, value) == others, operator
