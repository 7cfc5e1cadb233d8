"""Native strategies in Unstructured's registry: names, options, elements and what they are of."""

from __future__ import annotations

import inspect
import io
import json
from dataclasses import fields
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES, ELEMENT_STRATEGIES
from chunkwright.errors import ConfigError, ReadError

pytest.importorskip("unstructured", reason="unstructured is not installed")

from unstructured.chunking import dispatch
from unstructured.documents.elements import (
    CompositeElement,
    ElementMetadata,
    NarrativeText,
    Table,
    TableChunk,
    Title,
)
from unstructured.partition.csv import partition_csv
from unstructured.partition.json import partition_json

from chunkwright.adapters.unstructured import chunk_elements, register


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A registry of Unstructured's that each test has for itself."""
    own = dict(dispatch._chunker_registry)
    monkeypatch.setattr(dispatch, "_chunker_registry", own)
    monkeypatch.setenv("DO_NOT_TRACK", "true")
    return own


def elements() -> list[Any]:
    rows = "".join(f"<tr><td>{i}</td><td>{'x' * 9}</td></tr>" for i in range(6))
    html = ElementMetadata(text_as_html=f"<table>{rows}</table>", page_number=2)
    return [
        Title("Rain", metadata=ElementMetadata(page_number=1)),
        NarrativeText("It rained. It rained for days.", metadata=ElementMetadata(page_number=1)),
        Table(" ".join(f"{i} {'x' * 9}" for i in range(6)), metadata=html),
    ]


def test_every_strategy_over_elements_or_texts_is_registered(registry: dict[str, Any]) -> None:
    names = register()
    assert names == [f"cw_{name}" for name in ALL_STRATEGIES if name != "json"]
    assert {f"cw_{name}" for name in ELEMENT_STRATEGIES} <= {*names} <= {*registry}
    assert {"basic", "by_title"} <= {*registry}


@pytest.mark.parametrize("name", ["hybrid", "by_title", "structural", "balanced"])
def test_registered_strategies_cut_as_they_do_themselves(name: str) -> None:
    assert register(name) == [f"cw_{name}"]
    made = dispatch.chunk(elements(), f"cw_{name}", max_chars=30, languages=["eng"])
    strategy: Any = cw.strategy(name, max_chars=30)
    assert [each.text for each in made] == strategy(cw.read_elements(elements())).texts()
    with pytest.raises(ConfigError, match="max_chars must be at least 1, got 0"):
        dispatch.chunk(elements(), f"cw_{name}", max_chars=0)


def test_a_registered_strategy_names_its_options(registry: dict[str, Any]) -> None:
    register("hybrid")
    known = inspect.signature(registry["cw_hybrid"].chunker).parameters
    options = {field.name for field in fields(cw.Hybrid) if field.init}
    assert {*known} == {"elements", *options}


def test_chunks_are_elements_with_what_they_are_made_of() -> None:
    first, *rows = chunk_elements(elements(), "by_title", max_chars=45)
    assert isinstance(first, CompositeElement)
    assert first.metadata.page_number == 1
    assert [each.text for each in first.metadata.orig_elements or []] == [
        "Rain",
        "It rained. It rained for days.",
    ]
    assert all(isinstance(each, TableChunk) for each in rows)
    [table] = dispatch.reconstruct_table_from_chunks(rows)
    assert table.text == elements()[2].text


def test_partitioners_take_the_names() -> None:
    register("hybrid", "window")
    written = json.dumps([each.to_dict() for each in elements()[:2]])
    found = partition_json(text=written, chunking_strategy="cw_hybrid", max_chars=20)
    assert [each.text for each in found] == [
        "Rain\n\nIt rained.",
        "Rain\n\nIt rained for",
        "Rain\n\ndays.",
    ]
    table = partition_csv(
        file=io.BytesIO(b"a,b\n1,2\n"), chunking_strategy="cw_window", max_chars=4
    )
    assert "".join(each.text for each in table).split() == ["a", "b", "1", "2"]


def test_what_is_unknown_is_named() -> None:
    with pytest.raises(ConfigError, match="did you mean 'hybrid'"):
        register("hybird")
    with pytest.raises(ReadError, match=r"elements\[0\]"):
        chunk_elements([3])  # type: ignore[list-item]
