"""Filters of searches: compared with what they mean, on all databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.searching.conditions import Compare
from chunkwright.store.searching.filters import Filter
from chunkwright.store.store import Store

METADATA: dict[str, dict[str, Any]] = {
    "a/1.md": {"year": 1990, "team": "sales", "ok": True},
    "a/2.md": {"year": 1991.5, "team": "Sales", "ok": False},
    "a/3.md": {"year": "1990", "team": None},
    "b/1.md": {"year": 2001},
    "b/2.md": {},
    "b/é.md": {"day": "2024-02-01", "ok": 1},
}
VALUES = [1990, 1991.5, "1990", "sales", "2024-02-01", True, False, None, 1]
NAMES = ["year", "team", "ok", "day"]


def make(target: str) -> Store:
    store = Store.open(target)
    store.add(
        [
            cw.Document(text=f"# Title\n\nText of {uri}.", name=uri, metadata=metadata)
            for uri, metadata in METADATA.items()
        ],
        strategy="recursive",
    )
    return store


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with make(target) as made:
        yield made


def found(store: Store, where: Any) -> list[str]:
    return [each.uri for each in store.documents(where)]


def is_value(value: Any, wanted: Any) -> bool:
    """Say whether a value is one that is wanted."""
    if isinstance(wanted, list):
        return any(is_value(value, each) for each in wanted)
    against = wanted.value if isinstance(wanted, Compare) else wanted
    if value is None or against is None:
        return value is None and against is None
    kinds = [
        str if isinstance(each, str) else bool if isinstance(each, bool) else float
        for each in (value, against)
    ]
    if kinds[0] != kinds[1]:
        return False
    operators: dict[str, Callable[[Any, Any], bool]] = {
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        ">": lambda a, b: a > b,
        ">=": lambda a, b: a >= b,
        "contains": lambda a, b: b in a,
    }
    if isinstance(wanted, Compare):
        return operators[wanted.operator](value, against)
    return bool(value == against)


def is_true(uri: str, where: Mapping[str, Any]) -> bool:
    """Say what a filter means."""
    metadata = METADATA[uri]
    documents = where.get("documents")
    parts = [
        is_value(metadata.get(name), wanted) for name, wanted in where.get("metadata", {}).items()
    ]
    if documents is not None:
        parts.append(
            any(
                uri.startswith(each[:-1]) if each.endswith("*") else uri == each
                for each in documents
            )
        )
    parts += [is_true(uri, each) for each in where.get("all_of", ())]
    if where.get("any_of") is not None:
        parts.append(any(is_true(uri, each) for each in where["any_of"]))
    parts += [not is_true(uri, each) for each in where.get("none_of", ())]
    return all(parts)


values = st.sampled_from(VALUES)
compared = st.builds(
    Compare,
    st.sampled_from(["<", "<=", ">", ">="]),
    st.sampled_from([1990, 1991.5, "1990", "sales", "2024"]),
)
contained = st.builds(
    Compare, st.just("contains"), st.sampled_from(["", "s", "ales", "S", "19", "_"])
)
plain = st.fixed_dictionaries(
    {},
    optional={
        "documents": st.lists(st.sampled_from([*METADATA, "a/*", "*", "b/é*"]), max_size=2),
        "metadata": st.dictionaries(
            st.sampled_from(NAMES),
            st.one_of(values, compared, contained, st.lists(values, max_size=3)),
        ),
    },
)
filters = st.recursive(
    plain,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "metadata": st.dictionaries(st.sampled_from(NAMES), values, max_size=1),
            "all_of": st.lists(inner, max_size=2),
            "any_of": st.lists(inner, max_size=2),
            "none_of": st.lists(inner, max_size=2),
        },
    ),
    max_leaves=6,
)


def test_filters_find_what_they_mean(store: Store) -> None:
    @settings(max_examples=200, deadline=None)
    @given(filters)
    def check(where: dict[str, Any]) -> None:
        assert found(store, where) == [uri for uri in METADATA if is_true(uri, where)]

    check()


def once(value: Any) -> Any:
    """Return a filter with iterators, which give their values once, in the place of all lists."""
    if isinstance(value, dict):
        return {name: once(each) for name, each in value.items()}
    return iter([once(each) for each in value]) if isinstance(value, list) else value


def test_filters_are_read_once(store: Store) -> None:
    """Whatever asks them, and however often: documents, blocks, page headers, candidates."""

    @settings(max_examples=60, deadline=None)
    @given(filters)
    def check(where: dict[str, Any]) -> None:
        wanted = [uri for uri in METADATA if is_true(uri, where)]
        assert found(store, once(where)) == wanted
        assert {hit.document for hit in store.search("text", 40, where=once(where))} == {*wanted}
        kept = Filter.of(once(where))
        for _ in range(2):
            assert found(store, kept) == wanted
            assert found(store, {"none_of": once([kept]), "documents": once(["*"])}) == [
                uri for uri in METADATA if uri not in wanted
            ]

    check()


def test_what_is_given_may_change_later(store: Store) -> None:
    names = ["a/1.md"]
    where = Filter(all_of=[{"documents": names}], metadata={"year": (years := [1990])})
    names.append("a/2.md")
    years.append(1991)
    assert found(store, where) == ["a/1.md"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (None, [*METADATA]),
        ({"metadata": {"year": 1990}}, ["a/1.md"]),
        ({"metadata": {"year": Compare(">", 1990)}}, ["a/2.md", "b/1.md"]),
        ({"metadata": {"day": Compare("<", "2024-02-02")}}, ["b/é.md"]),
        ({"metadata": {"team": None}, "documents": "a/*"}, ["a/3.md"]),
        ({"none_of": [{"metadata": {"year": 1990}}], "documents": "a/*"}, ["a/2.md", "a/3.md"]),
        ({"any_of": []}, []),
        ({"none_of": [{}]}, []),
        ({"types": "heading_para", "metadata": {"year": 1990}}, []),
        ({"types": "text", "metadata": {"year": 1990}}, ["a/1.md"]),
        # Pages of these are not known: none of their blocks stands on one.
        ({"pages": 1}, []),
        ({"none_of": [{"pages": 1}]}, [*METADATA]),
    ],
)
def test_examples(store: Store, where: Any, expected: list[str]) -> None:
    assert found(store, where) == expected


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"year": 1990}, "unknown name 'year' in where"),
        ({"metadata": {"year": object()}}, "metadata 'year' must be"),
        ({"metadata": {"year": b"1"}}, "got bytes"),
        ({"any_of": [{"pages": "1"}]}, "pages must be int or a list of them, got '1'"),
        ({"all_of": 7}, "all_of must be a list of filters, got 7"),
        ({"any_of": {"pages": 1}}, "any_of must be a list of filters"),
        ({"none_of": None}, "none_of must be a list of filters, got None"),
        (7, "where must be a Filter or a mapping, got int"),
    ],
)
def test_what_is_no_filter_is_named(store: Store, where: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        found(store, where)


def test_comparisons_are_checked() -> None:
    with pytest.raises(ConfigError, match="unknown operator '=='"):
        Compare("==", 1)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="contains needs a text, got 1"):
        Compare("contains", 1)
    with pytest.raises(ConfigError, match="> needs a number or a text, got None"):
        Compare(">", None)  # type: ignore[arg-type]


def test_filters_end_in_some_depth(store: Store) -> None:
    where: Any = Filter(metadata={"year": 1990})
    for _ in range(9):
        where = Filter(none_of=[{"none_of": [where]}])
    assert found(store, where) == ["a/1.md"]
    many: Any = Filter(metadata={"year": [None, *range(1990, 2300)]})
    for _ in range(9):
        many = Filter(none_of=[{"none_of": [many], "types": ["no such"]}])
    assert "a/1.md" in found(store, many)
    for _ in range(30):
        where = Filter(all_of=[where])
    with pytest.raises(ConfigError, match="at most 20 deep"):
        found(store, where)
    plain: Any = {}
    for _ in range(100_000):
        plain = {"all_of": [plain]}
    with pytest.raises(ConfigError, match="at most 20 deep"):
        found(store, plain)


def test_filters_have_no_more_values_than_a_database_takes(store: Store) -> None:
    assert found(store, {"metadata": {"year": [1990, *range(3000, 32_900)]}}) == ["a/1.md"]
    parts = [{"metadata": {"year": list(range(20_000))}}, {"metadata": {"day": ["x"] * 20_000}}]
    with pytest.raises(ConfigError, match="40,002 values: take 30,000"):
        found(store, {"any_of": parts})


def test_filters_ask_for_no_more_metadata_than_is_looked_up_in_time(store: Store) -> None:
    parts = [{"metadata": {f"name {n}": None for n in range(10)}} for _ in range(25)]
    assert "a/1.md" in found(store, {"all_of": parts})
    many = {"any_of": parts, "none_of": [{"all_of": [{"metadata": {"year": 1}}]}]}
    with pytest.raises(ConfigError, match="asks for 251 names of metadata: take 250 or less"):
        found(store, many)


@pytest.mark.parametrize("wanted", [*VALUES, VALUES, Compare("<", 1), Compare("contains", "s")])
def test_documents_are_not_gone_over_for_each_other(tmp_path: Path, wanted: Any) -> None:
    """Where one value is that of many documents, time would grow with their square."""
    path = tmp_path / "kb.db"
    make(str(path)).close()
    where = Filter(metadata={"year": wanted}, none_of=[{"metadata": {"team": wanted}}])
    sql, parameters = where.condition
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(
            f"EXPLAIN QUERY PLAN SELECT d.id FROM documents d WHERE {sql}", parameters
        ).fetchall()
    assert len(plan) > 3
    assert not [step for *_, step in plan if "CORRELATED" in step]
