"""Chunks as dicts: what Unstructured's ``to_dict`` gives of its own chunks, but for ids."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkwright import _core
from chunkwright.compat.unstructured.engine import recover
from tests.support.element_lists import dicts_of
from tests.support.examples import n_examples

from .unstructured_inputs import MIXED, TABLES, Recipe, made
from .unstructured_pair import elements, faithful, listening, theirs

# After the pair, which keeps it from reporting to its makers.
staging = pytest.importorskip("unstructured.staging.base")

KINDS = _core.ElementKinds(elements.Title, elements.Table, elements.CodeSnippet)
DOCUMENTS = st.one_of(MIXED, MIXED, TABLES)


def ours(table: _core.UnstructuredElements, limit: int, *, originals: bool) -> list[dict[str, Any]]:
    cutter = _core.UnstructuredCutter(
        _core.Unit.named("chars"),
        hard_max=limit,
        soft_max=limit,
        overlap=0,
        overlap_all=False,
        combine_under=limit,
        isolate_tables=True,
        skip_tables=False,
        repeat_headers=True,
    )
    return dicts_of(cutter.by_title(table, multipage=True), originals=originals)


def peers(items: list[Any], limit: int, *, originals: bool) -> list[dict[str, Any]] | None:
    try:
        chunks = theirs.chunk_by_title(items, max_characters=limit, include_orig_elements=originals)
    except ValueError as error:
        # It fails where a comment is a cell.
        if "Input object is not an XML element" not in str(error):
            raise
        return None
    return [chunk.to_dict() for chunk in chunks]


def seen(chunks: list[dict[str, Any]]) -> list[Any]:
    """The chunks without their ids, keys in order, originals unpacked."""
    tables: dict[str, int] = {}
    result = []
    for chunk in chunks:
        metadata = dict(chunk["metadata"])
        if "table_id" in metadata:
            metadata["table_id"] = tables.setdefault(metadata["table_id"], len(tables))
        if "orig_elements" in metadata:
            packed = base64.b64decode(metadata["orig_elements"])
            metadata["orig_elements"] = json.loads(zlib.decompress(packed))
        result.append((list(chunk), chunk["type"], chunk["text"], list(metadata.items())))
    return result


@settings(max_examples=n_examples(2))
@given(DOCUMENTS, st.sampled_from([60, 150, 500]), st.booleans())
def test_dicts_of_objects(recipes: list[Recipe], limit: int, originals: bool) -> None:
    recipes = faithful(recipes)
    with listening():
        wanted = peers(made(recipes, elements), limit, originals=originals)
        if wanted is None:
            return
        table = _core.UnstructuredElements.of_objects(made(recipes, elements), KINDS, recover())
    assert seen(ours(table, limit, originals=originals)) == seen(wanted)


@settings(max_examples=n_examples(2))
@given(DOCUMENTS, st.sampled_from([60, 150, 500]), st.booleans())
def test_dicts_of_dicts(recipes: list[Recipe], limit: int, originals: bool) -> None:
    items = [item.to_dict() for item in made(faithful(recipes), elements)]
    before = json.dumps(items)
    with listening():
        wanted = peers(staging.elements_from_dicts(items), limit, originals=originals)
        if wanted is None:
            return
        table = _core.UnstructuredElements.of_dicts(items, recover())
    chunks = ours(table, limit, originals=originals)
    assert seen(chunks) == seen(wanted)
    assert json.loads(json.dumps(chunks)) == chunks
    assert json.dumps(items) == before
