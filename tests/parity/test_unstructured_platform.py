"""`compat.unstructured`: by page, by similarity, contexts; inside Unstructured's partitioners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unstructured.partition.json import partition_json
from unstructured.staging import base

from chunkwright.compat.unstructured import elements as own
from chunkwright.errors import ChunkwrightError, ConfigError, ModelError, ReadError

from .unstructured_inputs import MIXED, Recipe, char_options, made
from .unstructured_pair import Seen, elements, faithful, listening, ours, theirs

OPTIONS = char_options(by_title=False)


def _pages(source: list[Any]) -> list[Any]:
    """The page of each element: its own, or that of the one before it; the first is on page 1."""
    pages: list[Any] = []
    for element in source:
        number = element.metadata.page_number
        before = pages[-1] if pages else 1
        pages.append(before if number is None else number)
    return pages


@given(MIXED, OPTIONS)
def test_by_page_is_basic_on_each_page(document: list[Recipe], options: dict[str, Any]) -> None:
    document = faithful(document)
    source = made(document, elements)
    pages = _pages(source)
    units: list[list[Any]] = []
    for i, element in enumerate(source):
        if i == 0 or pages[i] != pages[i - 1]:
            units.append([])
        units[-1].append(element)
    with listening():
        mine = made(document, elements)
        expected = [c for unit in units for c in theirs.chunk_elements(unit, **options)]
        wanted = Seen(source).chunks(expected)
        assert Seen(mine).chunks(ours.chunk_by_page(mine, **options)) == wanted
        assert Seen(mine).chunks(list(ours.iter_chunks_by_page(iter(mine), **options))) == wanted


VECTORS = {"a": [1.0, 0.0], "b": [0.8, 0.6], "c": [0.0, 1.0], "d": [-1.0, 0.0], "z": [0.0, 0.0]}


def _vectors(texts: list[str]) -> list[list[float]]:
    return [VECTORS[text[0]] for text in texts]


SUBJECTS = st.lists(st.sampled_from([*(f"{name} text" for name in VECTORS), ""]), max_size=12)


@given(SUBJECTS, st.sampled_from([None, 0.1, 0.5, 0.7, 0.9]), OPTIONS)
def test_by_similarity_is_basic_on_each_subject(
    texts: list[str], threshold: Any, options: dict[str, Any]
) -> None:
    source = [elements.Text(text) for text in texts]
    units: list[list[Any]] = [[]]
    before = None
    for element in source:
        if element.text:
            vector = _vectors([element.text])[0]
            if before is not None:
                similarity = sum(x * y for x, y in zip(before, vector, strict=True))
                if similarity < (threshold or 0.5):
                    units.append([])
            before = vector
        units[-1].append(element)
    expected = [c for unit in units for c in theirs.chunk_elements(unit, **options)]
    kwargs = {**options, "embedder": _vectors, "similarity_threshold": threshold}
    found = ours.chunk_by_similarity(source, **kwargs)
    lazily = list(ours.iter_chunks_by_similarity(iter(source), **kwargs))
    assert [chunk.text for chunk in found] == [chunk.text for chunk in expected]
    assert Seen(source).chunks(lazily) == Seen(source).chunks(found)


def test_embedders_are_asked_once_for_normalised_texts() -> None:
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return [[1.0]] * len(texts)

    made_of = [elements.Text(" one\n two "), elements.PageBreak(""), elements.Table("three")]
    ours.chunk_by_similarity(made_of, embedder=embed)
    assert asked == [["one two", "three"]]


@pytest.mark.parametrize(
    "vectors",
    [[[1.0]], [[float("nan")], [1.0]], [[1.0, 2.0], [1.0]], "text", None, [[], []]],
)
def test_vectors_that_cannot_be_used(vectors: Any) -> None:
    made_of = [elements.Text("a"), elements.Text("b")]
    with pytest.raises(ModelError):
        ours.chunk_by_similarity(made_of, embedder=lambda _: vectors)


def test_what_is_no_element_is_named() -> None:
    for item in ("text", None, 5):
        with pytest.raises(ChunkwrightError, match=r"elements\[1\]"):
            ours.chunk_elements([elements.Text("a"), item])


# Contexts.


def test_contexts_stand_before_the_text() -> None:
    chunks = ours.chunk_elements([elements.Title("SECTION. 2"), elements.Text("The House.")])
    dicts = [chunk.to_dict() for chunk in chunks]
    expected = ["Prefix: On the House.; Original: SECTION. 2\n\nThe House."]
    for contexts in (["On the House."], lambda _: "On the House."):
        found = ours.contextualize(chunks, contexts)
        assert [chunk.text for chunk in found] == expected
        assert type(found[0]) is elements.CompositeElement
        assert [item["text"] for item in ours.contextualize(dicts, contexts)] == expected
    assert chunks[0].text == "SECTION. 2\n\nThe House."
    assert dicts == [chunk.to_dict() for chunk in chunks]


def test_a_context_makes_another_id_and_no_embedding() -> None:
    chunk = own.Text("text", element_id="id", embeddings=[1.0])
    found = ours.contextualize([chunk, own.CheckBox()], ["c", "d"])
    again = ours.contextualize([chunk.to_dict()], ["c"])
    assert found[0].id == again[0]["element_id"] != "id"
    assert (found[0].embeddings, "embeddings" in again[0]) == (None, False)
    assert (chunk.id, chunk.embeddings) == ("id", [1.0])
    found[0].metadata.filename = "changed"
    assert chunk.metadata.filename is None


def test_contexts_that_do_not_fit() -> None:
    chunks = [elements.Text("a"), elements.Text("b")]
    for contexts in (["one"], ["one", "two", "three"], ["one", None], 5, "ab"):
        with pytest.raises(ConfigError):
            ours.contextualize(chunks, contexts)  # type: ignore[arg-type]
    with pytest.raises(ReadError, match=r"chunks\[0\]"):
        ours.contextualize([{"text": None}], ["c"])
    with pytest.raises(ReadError, match=r"chunks\[0\]"):
        ours.contextualize([5], ["c"])


# As JSON.


@given(MIXED, OPTIONS)
def test_json_is_unstructureds(document: list[Recipe], options: dict[str, Any]) -> None:
    with listening():
        chunks = ours.chunk_elements(made(document, elements), **options)
    for element in chunks:
        element.id_to_hash(0)
    expected = [chunk.to_dict() for chunk in chunks]
    found = ours.elements_to_dicts(iter(chunks))
    assert found == expected
    assert [list(item["metadata"]) for item in found] == [
        list(item["metadata"]) for item in expected
    ]
    assert ours.elements_to_json(chunks) == base.elements_to_json(chunks)


def test_json_is_written(tmp_path: Path) -> None:
    file = tmp_path / "elements.json"
    source = [elements.Text("naïve", element_id="a"), own.Title("b", element_id="c")]
    text = ours.elements_to_json(source, filename=str(file), indent=2)
    assert file.read_text("utf-8") == text
    assert [item["text"] for item in json.loads(text)] == ["naïve", "b"]


# Inside Unstructured.

ITEMS = [
    {"type": kind, "element_id": f"e{i}", "text": text, "metadata": {"page_number": page}}
    for i, (kind, text, page) in enumerate(
        [
            ("Title", "ONE TITLE", 1),
            ("NarrativeText", "The first paragraph says this.", 1),
            ("NarrativeText", "The second one says that.", 2),
            ("Title", "ANOTHER", 2),
            ("NarrativeText", "End.", 2),
        ]
    )
]


def _partitioned(**kwargs: Any) -> list[Any]:
    # Of Unstructured's partitioners the one that needs no model of language.
    return partition_json(text=json.dumps(ITEMS), **kwargs)


def test_partitioners_of_unstructured_use_what_is_registered() -> None:
    ours.register()
    options: dict[str, Any] = {"max_characters": 50, "combine_text_under_n_chars": 0, "overlap": 5}
    for name in ("basic", "by_title"):
        expected = _partitioned(chunking_strategy=name, **options)
        found = _partitioned(chunking_strategy=f"chunkwright_{name}", **options)
        assert [chunk.to_dict() for chunk in found] == [chunk.to_dict() for chunk in expected]
    by_page = _partitioned(chunking_strategy="chunkwright_by_page")
    assert [chunk.metadata.page_number for chunk in by_page] == [1, 2]
    assert all(type(chunk) is elements.CompositeElement for chunk in by_page)
    by_similarity = _partitioned(
        chunking_strategy="chunkwright_by_similarity",
        embedder=lambda texts: [[1.0, i % 2] for i in range(len(texts))],
        similarity_threshold=0.9,
    )
    assert len(by_similarity) == len(ITEMS)


def test_all_strategies_have_a_name() -> None:
    source = made(
        [Recipe("Text", "a", {"page_number": 1}), Recipe("Text", "b", {"page_number": 2})], elements
    )
    embedder = {"embedder": lambda texts: [[1.0]] * len(texts)}
    assert [c.text for c in ours.chunk(source, "by_page")] == ["a", "b"]
    assert [c.text for c in ours.chunk(source, "by_similarity", **embedder)] == ["a\n\nb"]
