"""Hostile elements and vectors: a correct result, or a typed error that names what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

import chunkwright as cw
from chunkwright.compat.unstructured import chunks_to_dicts
from chunkwright.errors import ChunkwrightError, ModelError, ReadError
from tests import laws
from tests.support.element_lists import element, table_html
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

hostile = load()
if hostile is None:
    pytest.skip(NO_SHARED_DATA, allow_module_level=True)

SCALE = 0.05
RUNS = {
    "basic": cw.Basic(max_chars=300),
    "basic, tokens": cw.Basic(max_tokens=64, overlap=8, overlap_all=True),
    "basic, small": cw.Basic(max_chars=120, overlap=30, overlap_all=True),
    "by_title": cw.ByTitle(max_chars=500, overlap=20),
    "by_title, tokens": cw.ByTitle(max_tokens=64, overlap=8, multipage_sections=False),
    "by_page": cw.ByPage(max_chars=300, overlap=40, overlap_all=True),
    "by_similarity": cw.BySimilarity(
        max_chars=300, embedder=lambda texts: [[1.0, len(text) % 3] for text in texts]
    ),
}

pytestmark = [pytest.mark.shared, pytest.mark.cpu_seconds(60)]


def _cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case.name) for case in hostile.cases(kind=kind)]


@pytest.mark.parametrize("case", _cases("elements"))
def test_elements(case: Any) -> None:
    items = case.make(SCALE)
    try:
        # Bombs are scaled, too.
        document = cw.read_elements(items, max_decoded_bytes=int(200_000_000 * SCALE))
    except ReadError as error:
        assert case.expect != "chunks"
        assert "elements[" in str(error)  # noqa: PT017 - either outcome is right
        return
    assert case.expect != "error"
    assert document.elements is not None
    assert list(document.elements.items) == items
    for name, splitter in RUNS.items():
        chunks = splitter(document)
        assert _lost(document, chunks) == [], name
        assert not any(chunk.oversize and len(chunk.text) > 32 for chunk in chunks), name


def _lost(document: cw.Document, chunks: cw.Chunks) -> list[str]:
    """Return the letters of the document's text that are in no chunk's own."""
    at, lost = 0, []
    for role, start, end in (piece for chunk in chunks for piece in chunk.pieces):
        if role == "body":
            lost.append(document.text[at:start])
            at = max(at, end)
    lost.append(document.text[at:])
    return [text for text in lost if text.strip()]


@pytest.mark.parametrize("case", _cases("elements"))
def test_dicts_of_elements(case: Any) -> None:
    try:
        chunks = cw.ByTitle(max_chars=500)(case.make(SCALE))
    except ReadError:
        assert case.expect != "chunks"
        return
    rows = chunks_to_dicts(chunks)
    assert [row["text"] for row in rows] == chunks.texts()
    assert [row["type"] != "CompositeElement" for row in rows] == [
        kind == "table" for kind in chunks.kinds
    ]


@pytest.mark.parametrize("case", _cases("vectors"))
def test_vectors(case: Any) -> None:
    made = case.make(SCALE)
    items = [element("NarrativeText", text) for text in made["texts"]]
    splitter = cw.BySimilarity(max_chars=500, embedder=lambda _texts: made["vectors"])
    try:
        chunks = splitter(items)
    except ModelError as error:
        assert case.expect != "chunks"
        assert "row" in str(error)  # noqa: PT017 - either outcome is right
        return
    assert case.expect != "error"
    assert [text for chunk in chunks for text in chunk.text.split("\n\n")] == made["texts"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "no numbers, but NoneType"),
        ("vectors", "no numbers, but str"),
        ([1.0, 2.0], r"must give an array of shape \(2, d\), got \(2,\)"),
        ([[], []], r"must give an array of shape \(2, d\), got \(2, 0\)"),
        ([[1.0]], "gave 1 vector for 2 texts"),
        ([[[1.0]], [[1.0]]], r"got \(2, 1, 1\)"),
        ([["a"], ["b"]], "no numbers"),
        ([[1.0, 2.0], [1.0]], "row 1 has 1 values, row 0 has 2"),
        ([[1.0], [float("inf")]], "gave inf as value 0 of row 1"),
        ([[1.0], [10**400]], "no numbers"),
    ],
)
def test_embedders_that_answer_wrongly(answer: Any, message: str) -> None:
    splitter = cw.BySimilarity(max_chars=50, embedder=lambda _texts: answer)
    with pytest.raises(ModelError, match=message):
        splitter([element("Text", "one"), element("Text", "two")])


def test_an_embedder_that_fails_is_the_cause() -> None:
    def embedder(texts: list[str]) -> Any:
        raise OSError(f"no model for {texts[0]}")

    with pytest.raises(ModelError, match="no model for one") as caught:
        cw.BySimilarity(max_chars=50, embedder=embedder)([element("Text", "one")])
    assert isinstance(caught.value.__cause__, OSError)
    # Nothing is to be embedded.
    assert len(cw.BySimilarity(max_chars=50, embedder=embedder)([element("Text", "")])) == 0


def test_elements_that_contain_themselves() -> None:
    peer = pytest.importorskip("unstructured.documents.elements")
    circular = peer.NarrativeText("It goes on and on.")
    circular.metadata.orig_elements = [circular]
    as_dict = element("NarrativeText", "It goes on and on.")
    as_dict["metadata"]["orig_elements"] = [as_dict]
    for item in (circular, as_dict):
        chunks = cw.Basic(max_chars=100)([item])
        assert chunks.texts() == ["It goes on and on."]
        try:
            rows = chunks_to_dicts(chunks)
        except ChunkwrightError:
            continue
        assert rows[0]["text"] == "It goes on and on."


@pytest.mark.parametrize(
    "html",
    [
        table_html([["x"] * 10_000, ["y"] * 10_000]),
        table_html([["name", "text"], ["long", "word " * 80_000]], 1),
        "<table><tr><td rowspan=9>a</td></tr><tr><td>b</td></tr></table>",
        "<table><tr><td>a</td><td>b<tr><td>c</table",
        "<div>" * 10_000,
        "<table>" * 5_000,
        "<table><tr><td>" + "&amp;" * 20_000,
    ],
    ids=["columns", "cell", "rowspan", "unclosed", "deep", "nested tables", "entities"],
)
def test_tables(html: str) -> None:
    text = "a b c " * 100
    both: tuple[dict[str, Any], ...] = ({"max_chars": 200}, {"max_tokens": 40})
    for options in both:
        chunks = cw.Basic(**options)([element("Table", text, text_as_html=html)])
        laws.bodies_cover_the_text(chunks.source, chunks)
        laws.limits_hold(chunks, {"tokenizer": "cl100k_base", **options})
        # What only the text says is said.
        assert set("".join(chunks.texts())) >= set("abc")
