"""Answers over elements and other JSON, against those of Unstructured's own library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkwright.compat.unstructured.elements import TYPES
from tests.parity.unstructured_inputs import DOCUMENTS, MIXED, TABLES, Recipe, made
from tests.parity.unstructured_pair import elements as classes
from tests.parity.unstructured_pair import faithful, files
from tests.support.examples import n_examples

from .asking import elements
from .peer import dicts, seen, served, staging

JSON = "application/json"
LINES = "application/x-ndjson"
NAME = "elements.json"
LARGE = 400_000
# What JSON can say; one letter stands for halves of characters, which no file holds.
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab é", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=6,
)


@st.composite
def _options(draw: st.DrawFn, strategy: str) -> dict[str, Any]:
    """Fields of a request, of which the library calls one otherwise."""
    most = draw(st.sampled_from([8, 20, 60, 150, 500, 1500]))
    found: dict[str, Any] = {"chunking_strategy": strategy, "max_characters": most}
    sizes = {"new_after_n_chars": most + 5, "overlap": most - 1}
    if strategy == "by_title":
        sizes["combine_under_n_chars"] = most
        found["multipage_sections"] = draw(st.booleans())
    for name, largest in sizes.items():
        if draw(st.booleans()):
            found[name] = draw(st.integers(0, largest))
    return {**found, "overlap_all": draw(st.booleans())}


def _theirs(options: dict[str, Any]) -> dict[str, Any]:
    names = {"combine_under_n_chars": "combine_text_under_n_chars"}
    return {names.get(name, name): value for name, value in options.items()}


def _file(recipes: list[Recipe]) -> bytes:
    written: str = staging.elements_to_json(made(faithful(recipes), classes))
    return written.encode("utf-8", "surrogatepass")


@pytest.mark.differential
@pytest.mark.parametrize("strategy", ["basic", "by_title"])
@settings(max_examples=n_examples(3))
@given(st.data())
def test_chunks_of_elements_are_those_of_the_server(strategy: str, data: st.DataObject) -> None:
    recipes = data.draw(st.one_of(MIXED, MIXED, DOCUMENTS, TABLES))
    options = data.draw(_options(strategy))
    originals = data.draw(st.booleans())
    file = _file(recipes)
    try:
        wanted = served(NAME, file, JSON, include_orig_elements=originals, **_theirs(options))
    except ValueError as error:
        # It fails where a comment is a cell.
        if "Input object is not an XML element" not in str(error):
            raise
        return
    found = elements(NAME, file, JSON, include_orig_elements=originals, **options)
    assert seen(found) == seen(dicts(wanted))


@pytest.mark.differential
@settings(max_examples=n_examples(3))
@given(MIXED)
def test_elements_that_are_not_cut_come_back_as_from_the_server(recipes: list[Recipe]) -> None:
    file = _file(recipes)
    assert seen(elements(NAME, file, JSON)) == seen(dicts(served(NAME, file, JSON)))


@pytest.mark.differential
@pytest.mark.parametrize("strategy", [None, "basic"])
@pytest.mark.parametrize("kind", [*TYPES, "CheckBox"])
def test_each_type_is_read_as_by_the_server(kind: str, strategy: str | None) -> None:
    more = {"embeddings": [0.5], "checked": True, "odd": 1}
    metadata = {"page_number": 2, "odd": {"a": 1}, "link_urls": [], "subject": None}
    item = {"type": kind, "element_id": "e", "text": "One two.", "metadata": metadata, **more}
    file = json.dumps([item, {"type": "Text", "text": "Three.", "element_id": "f"}]).encode()
    wanted = served(NAME, file, JSON, chunking_strategy=strategy)
    found = elements(NAME, file, JSON, chunking_strategy=strategy)
    assert seen(found) == seen(dicts(wanted))


@pytest.mark.differential
@given(VALUES, st.sampled_from([None, "basic", "by_title"]))
def test_other_json_is_text_as_from_the_server(value: Any, strategy: str | None) -> None:
    file = json.dumps(value).encode()
    wanted = served("any.json", file, JSON, chunking_strategy=strategy)
    found = elements("any.json", file, JSON, chunking_strategy=strategy)
    assert seen(found) == seen(dicts(wanted))


@pytest.mark.differential
@given(st.lists(VALUES, max_size=4), st.sampled_from([None, "basic"]))
def test_json_lines_are_text_as_from_the_server(values: list[Any], strategy: str | None) -> None:
    file = "\n".join(map(json.dumps, values)).encode()
    wanted = served("any.ndjson", file, LINES, chunking_strategy=strategy)
    found = elements("any.ndjson", file, LINES, chunking_strategy=strategy)
    assert seen(found) == seen(dicts(wanted))


def _few_large(files: list[Any]) -> list[Any]:
    """Leave out all large files but the first: the library takes a minute for each."""
    large = [file for file in files if file.values[0] and file.values[0].stat().st_size > LARGE]
    return [file for file in files if file not in large[1:]]


@pytest.mark.differential
@pytest.mark.parametrize("path", _few_large(files()))
def test_chunks_of_real_files_are_those_of_the_server(path: Path) -> None:
    file = path.read_bytes()
    options = {"chunking_strategy": "by_title", "max_characters": 400, "overlap": 30}
    found = elements(NAME, file, JSON, **options)
    assert seen(found) == seen(dicts(served(NAME, file, JSON, **options)))
