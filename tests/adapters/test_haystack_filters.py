"""Filters of Haystack: random ones over random metadata find what Haystack's own store finds."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "false")
pytest.importorskip("haystack", reason="haystack-ai is not installed")

from haystack import Document
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.errors import FilterError

from chunkwright.adapters.haystack import ChunkwrightDocumentStore

NOON = datetime(2024, 1, 31, 12)  # noqa: DTZ001 - as documents have it
SCALARS = st.sampled_from(
    [None, True, False, 0, 1, 2, 1.0, 2.5, "", "a", "b", "1", "2024-01-31T12:00:00"]
)
NAMES = st.sampled_from(["a", "b", "pages"])
INNER = st.recursive(SCALARS, lambda of: st.dictionaries(NAMES, of, max_size=2), max_leaves=4)
META = st.dictionaries(NAMES, INNER, max_size=3)
FIELDS = st.one_of(
    NAMES, st.lists(NAMES, min_size=1, max_size=3).map(lambda p: f"meta.{'.'.join(p)}")
)
VALUES = st.one_of(SCALARS, st.just({"a": 1}), st.just(["a"]), st.just(NOON))
ONE = st.one_of(
    st.tuples(FIELDS, st.sampled_from(["==", "!="]), VALUES),
    st.tuples(FIELDS, st.sampled_from(["in", "not in"]), st.lists(VALUES, max_size=3)),
    st.tuples(FIELDS, st.sampled_from(["<", "<=", ">", ">="]), st.sampled_from([1, 2.0, None])),
    st.tuples(FIELDS, st.sampled_from(["in", "==", ">", "~", 1]), st.sampled_from(["a", 1, ["a"]])),
    st.tuples(
        st.just("id"),
        st.sampled_from(["==", "!=", "in", "not in"]),
        st.sampled_from(["0", "1", "x", "1*", 1, None, ["1", "2"], ["1*", 1, None]]),
    ),
).map(lambda of: dict(zip(("field", "operator", "value"), of, strict=True)))
FILTERS = st.recursive(
    ONE,
    lambda of: st.fixed_dictionaries(
        {"operator": st.sampled_from(["AND", "OR", "NOT"]), "conditions": st.lists(of, max_size=3)}
    ),
    max_leaves=4,
)


def found(store: Any, filters: Any) -> list[str] | str:
    """Return the ids of what is found, or that the filter is refused."""
    try:
        return sorted(each.id for each in store.filter_documents(filters))
    except (FilterError, TypeError):
        return "refused"


def may_be_refused(filters: dict[str, Any]) -> bool:
    """Return whether a store may refuse a filter, perhaps only where it looks at some document."""
    if "conditions" in filters:
        return any(map(may_be_refused, filters["conditions"]))
    operator, value = filters.get("operator"), filters.get("value")
    if operator not in {"==", "!=", "in", "not in"}:
        return True
    values = [value] if operator in {"==", "!="} else value
    return not isinstance(values, list) or any(isinstance(each, list | dict) for each in values)


@pytest.fixture
def stores(tmp_path: Path) -> Any:
    """A store, and Haystack's own."""
    made = ChunkwrightDocumentStore(str(tmp_path / "kb.db"))
    yield made, InMemoryDocumentStore()
    made.store.close()


@given(
    metas=st.lists(META, min_size=1, max_size=4), filters=st.lists(FILTERS, min_size=1, max_size=8)
)
@example([{"a": {"b": 1}}, {"a": 1}, {}], [{"field": "meta.a.b", "operator": "==", "value": 1}])
@example([{"a": {}}, {}], [{"field": "meta.a", "operator": "==", "value": None}])
@example([{}], [{"field": "meta.a", "operator": "in", "value": [["x"]]}])
@example([{"a": True}, {"a": 1}], [{"field": "a", "operator": "==", "value": 1}])
@example(
    [{"a": "2024-01-31T12:00:00"}],
    [{"field": "a", "operator": "==", "value": NOON}],
)
@example([{}], [{"operator": "AND", "conditions": [{}]}])
def test_filters_find_what_haystack_finds(
    stores: Any, metas: list[dict[str, Any]], filters: list[dict[str, Any]]
) -> None:
    own, twin = stores
    for store in stores:
        store.delete_documents([str(i) for i in range(4)])
        store.write_documents([Document(id=str(i), meta=meta) for i, meta in enumerate(metas)])
    documents = {each.id: each.meta for each in own.filter_documents()}
    assert documents == {str(i): meta for i, meta in enumerate(metas)}
    for each in filters:
        mine, theirs = found(own, each), found(twin, each)
        is_refused = "refused" in {*map(str, (mine, theirs))} and may_be_refused(each)
        assert mine == theirs or is_refused, each
