"""`compat.langchain`: JSON is split as LangChain splits it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.compat import langchain as ours

from .langchain_pair import documents, same

NAME = "RecursiveJsonSplitter"
KEYS = st.one_of(
    st.sampled_from(["a", "b", "key", "é", "long key " * 4, '"', "0", "1"]),
    st.sampled_from([1, 2.5, True, None]),
)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.just("x" * 60)
)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(KEYS, inner, max_size=5) | st.lists(inner, max_size=4)


VALUES = st.recursive(LEAVES, _nested, max_leaves=25)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=8)
LIMITS = st.tuples(st.integers(-5, 120), st.none() | st.integers(0, 120))
DEEP = {"a": {"b": {"c": {"d": "x" * 30, "e": [1, {"f": 2}]}, "g": {}}, "h": "y" * 30}}


@given(OBJECTS, LIMITS, st.booleans())
@example(data=DEEP, limits=(20, 5), convert=True)
@example(data={"a": {}, "b": {"c": {}}}, limits=(3, 0), convert=False)
def test_parts_are_the_same(data: Any, limits: Any, convert: bool) -> None:
    before = copy.deepcopy(data)

    def split(module: Any) -> Any:
        splitter = module.RecursiveJsonSplitter(*limits)
        parts = splitter.split_json(data, convert_lists=convert)
        texts = [splitter.split_text(data, convert, ensure_ascii=a) for a in (False, True)]
        return repr(parts), texts, splitter.max_chunk_size, splitter.min_chunk_size

    same(split)
    assert repr(data) == repr(before)


@given(OBJECTS)
@example(DEEP)
def test_no_value_is_lost(data: Any) -> None:
    parts = ours.RecursiveJsonSplitter(40, 0).split_json(data)
    merged: dict[Any, Any] = {}
    for part in copy.deepcopy(parts):
        _merge(merged, part)
    assert repr(_sorted(merged)) == repr(_sorted(data))


def _merge(into: dict[Any, Any], part: dict[Any, Any]) -> None:
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def _sorted(data: Any) -> Any:
    if isinstance(data, dict):
        return sorted(((key, _sorted(value)) for key, value in data.items()), key=repr)
    return data


@given(st.lists(OBJECTS, max_size=3), st.sampled_from([None, [], [{"n": [1]}] * 3, [{"n": 1}]]))
def test_documents(texts: list[Any], metadatas: Any) -> None:
    def create(module: Any) -> Any:
        splitter = module.RecursiveJsonSplitter(60)
        return documents(splitter.create_documents(texts, metadatas=metadatas, convert_lists=True))

    same(create)


@pytest.mark.parametrize("convert", [False, True])
@pytest.mark.parametrize("data", [None, [], [1, {"a": [2]}], 0, 5, "text", True, {}, {"a": {1, 2}}])
def test_what_is_no_object(data: Any, convert: bool) -> None:
    same(lambda m: m.RecursiveJsonSplitter(9, 0).split_json(data, convert))
    same(lambda m: m.RecursiveJsonSplitter().split_text(data, convert))


def test_what_json_cannot_hold() -> None:
    circle: dict[str, Any] = {}
    circle["a"] = circle
    for data in ({("a",): 1}, {"a": b"bytes"}, {"a": {"b": object}}, circle):
        assert _of_small_parts(data)[0] in {TypeError, ValueError}


def _of_small_parts(data: Any) -> Any:
    return same(lambda m: m.RecursiveJsonSplitter(5, 0).split_text(data))


def test_parts_hold_the_values_themselves() -> None:
    inner = {"x": [1]}
    [part] = ours.RecursiveJsonSplitter().split_json({"a": inner})
    assert part["a"] is inner


def test_many_members_take_linear_time() -> None:
    data = {f"key {i}": "value" for i in range(100_000)}
    parts = ours.RecursiveJsonSplitter(10**7).split_text(data)
    assert list(map(json.loads, parts)) == [data]
