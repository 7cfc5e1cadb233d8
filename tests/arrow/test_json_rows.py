"""Rows of chunks as JSON: what their dicts say, whatever columns there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.element_lists import element_lists, markdown
from tests.support.toy_embedders import letters

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXTS = st.text('ab é漢\U0001f680\ud83d\ude00"\\/\n\t\x00\x1f\x7f\u2028.', max_size=60)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXTS
METADATA = st.dictionaries(
    st.text(max_size=6).map("m_{}".format), SCALARS | st.lists(SCALARS, max_size=3), max_size=4
)


def check(chunks: cw.Chunks) -> None:
    """Check that lines, and a list, say what the dicts do, each value by its own type."""
    rows = [_typed(row) for row in chunks.to_dicts()]
    lines = chunks.json_rows().split(b"\n") if rows else []
    assert [_typed(json.loads(line, parse_constant=_refuse)) for line in lines] == rows
    listed = json.loads(b"[%b]" % chunks.json_rows(b","))
    assert [_typed(row) for row in listed] == rows


def _typed(value: Any) -> Any:
    """A value in which 1, 1.0 and True, and the two zeros, are not equal."""
    if isinstance(value, dict):
        return [(name, _typed(item)) for name, item in value.items()]
    return [_typed(item) for item in value] if isinstance(value, list) else repr(value)


def _refuse(constant: str) -> None:
    raise AssertionError(constant)


@given(TEXTS, st.none() | TEXTS, METADATA)
def test_of_texts(text: str, name: str | None, metadata: dict[str, Any]) -> None:
    document = cw.Document(text=text * 3, name=name, metadata=metadata)
    chunks = cw.chunk(document, "recursive", max_chars=7, overlap=2)
    check(chunks)
    check(chunks[1:3])
    check(cw.shadows(chunks, chars=4))


@given(st.lists(st.tuples(TEXTS, st.floats() | st.none()), max_size=4))
def test_of_batches(given: Sequence[tuple[str, float | None]]) -> None:
    documents = [cw.Document(text=text, metadata={"share": share}) for text, share in given]
    check(cw.Window(max_chars=5).batch(documents))


@given(markdown(), METADATA)
def test_of_elements(document: cw.Document, metadata: dict[str, Any]) -> None:
    check(cw.chunk(document.with_metadata(metadata), "hybrid", max_chars=20))


@given(element_lists())
def test_of_elements_on_pages(items: list[dict[str, Any]]) -> None:
    check(cw.chunk(cw.read(items), "by_title", max_chars=40))


@given(TEXTS)
def test_of_scores(text: str) -> None:
    check(cw.Discontinuity(embedder=letters, max_chars=20)(text))


@pytest.mark.parametrize("metadata", [{}, {"name": "own"}])
def test_of_source_code(metadata: dict[str, str]) -> None:
    document = cw.Document(text="def rain():\n    return 1\n" * 3, name="a.py", metadata=metadata)
    check(cw.chunk(document, "code", max_chars=30, language="python"))
