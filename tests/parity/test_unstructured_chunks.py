"""`compat.unstructured` in code points: generated documents against Unstructured's own chunks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import n_examples

from .unstructured_inputs import (
    DOCUMENTS,
    MIXED,
    TABLES,
    Recipe,
    char_options,
    made,
    tables,
)
from .unstructured_pair import LAZY, elements, listening, ours, same, same_chunks

many = settings(max_examples=n_examples(3))
some = settings(max_examples=n_examples(2))

# Below 50 a table is split as text, whatever its HTML.
TABLE_LIMITS = [40, 50, 51, 55, 60, 75, 100, 130, 200, 300, 500]


@many
@given(DOCUMENTS, char_options(by_title=False))
def test_texts(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_elements", document, **options)


@many
@given(DOCUMENTS, char_options(by_title=True))
def test_texts_by_title(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_by_title", document, **options)


@some
@given(MIXED, char_options(by_title=False))
def test_everything(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_elements", document, **options)


@many
@given(MIXED, char_options(by_title=True))
def test_everything_by_title(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_by_title", document, **options)


@many
@given(TABLES, char_options(by_title=False, limits=TABLE_LIMITS))
def test_tables(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_elements", document, **options)


@given(tables(), st.sampled_from(TABLE_LIMITS), st.sampled_from([None, False]))
def test_one_table_in_many_sizes(table: Recipe, limit: int, repeat: Any) -> None:
    for size in (limit, limit + 1, 2 * limit):
        kwargs = {"max_characters": size, "repeat_table_headers": repeat}
        same_chunks("chunk_elements", [table], **kwargs)


LONG = Recipe("NarrativeText", "Some words of a sentence, and a few more.\n" * 40, {"url": "u"})
ROWS = "".join(f"<tr><td>row {i}</td><td>{i * 7}</td></tr>" for i in range(60))
HEADED = f"<table><thead><tr><th>Name</th><th>Number</th></tr></thead><tbody>{ROWS}</tbody></table>"
TABLE = Recipe("Table", " ".join(f"row {i} {i * 7}" for i in range(60)), {"text_as_html": HEADED})


@pytest.mark.parametrize("name", ["chunk_elements", "chunk_by_title"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_characters": 100},
        {"max_characters": 100, "overlap": 20},
        {"max_characters": 100, "overlap": 20, "overlap_all": True},
        {"max_characters": 150, "isolate_table": False},
        {"max_characters": 150, "skip_table_chunking": True},
        {"max_characters": 150, "repeat_table_headers": False},
        {"max_characters": 300, "include_orig_elements": False, "new_after_n_chars": 0},
    ],
)
def test_long_ones(name: str, options: dict[str, Any]) -> None:
    document = [LONG, TABLE, LONG, Recipe("Title", "T"), TABLE]
    assert len(same_chunks(name, document, **options)) > 5


@pytest.mark.parametrize(
    "html",
    [
        "no table",
        "<p>a</p>",
        "<table><tr><td>a</td></tr></table> and more",
        "<table><tr><td>a</td></tr></table>" * 2,
        "\n<div>" + "long " * 40,
        " ",
    ],
)
def test_warnings_of_tables_that_cannot_be_read(html: str) -> None:
    """Only of tables that are cut, and once of each."""
    held = {"text_as_html": html}
    document = [Recipe("Table", text, held) for text in ("a", " ", "many words " * 10)]
    document = [*document, Recipe("Text", "one"), Recipe("Table", "b", held)]
    for options in ({}, {"isolate_table": False}, {"skip_table_chunking": True}):
        for name, lazy in LAZY.items():
            chunks = same_chunks(name, document, max_characters=60, **options)
            with listening() as logged:
                lazily = getattr(ours, lazy)(
                    iter(made(document, elements)), max_characters=60, **options
                )
                assert [chunk.text for chunk in lazily] == [chunk.text for chunk in chunks]
            untouched = "skip_table_chunking" in options
            assert (len(logged) > 0) == (bool(html.strip()) and not untouched)


def test_no_elements() -> None:
    for name in ("chunk_elements", "chunk_by_title"):
        assert same_chunks(name, []) == []


def test_iterables_of_any_kind() -> None:
    source = [elements.Text("one"), elements.Title("two")]
    for given_as in (tuple(source), iter(source), (element for element in source)):
        chunks = ours.chunk_elements(given_as)
        assert [chunk.text for chunk in chunks] == ["one\n\ntwo"]


def test_pieces_share_nothing_but_originals() -> None:
    records = {"text": [{"type": "t", "provider": "p", "model": "m"}]}
    recipe = Recipe("Text", "many words " * 30, {"enrichment_origins": records})
    first, second, *_ = same_chunks("chunk_elements", [recipe], max_characters=50)
    first.metadata.enrichment_origins["text"].append({"type": "new"})
    first.metadata.filename = "new"
    assert second.metadata.enrichment_origins == records
    assert second.metadata.filename is None
    assert first.metadata.orig_elements is second.metadata.orig_elements


@pytest.mark.parametrize("limit", [20, 50, 500])
def test_lone_surrogates(limit: int) -> None:
    """They cannot be written to JSON, so texts are compared."""
    text = "one \ud800 two \udc00\ud83d\ude00 three " * 5
    rows = "".join(f"<tr><td>{i} \U0001f600</td></tr>" for i in range(30))
    html = {"text_as_html": f"<table>{rows}</table>"}
    titled = [Recipe("Text", text), Recipe("Title", "\ud800")]
    tables = [Recipe("Table", text), Recipe("Table", "a", html)]

    def work(module: Any) -> Any:
        document = made(titled + tables, elements)
        chunks = module.chunk_by_title(document, max_characters=limit, overlap=3)
        return [(chunk.text, chunk.metadata.text_as_html) for chunk in chunks]

    with listening():
        assert len(same(work)) >= 3


SHORT = [
    Recipe(kind, text) for _ in range(6) for kind, text in [("Title", "One"), ("Text", "b " * 60)]
]


@pytest.mark.parametrize("under", [None, 0, 120, 130, 400])
@pytest.mark.parametrize("soft", [0, 100, 150, 300, None])
def test_small_chunks_are_combined_up_to_the_soft_limit(
    under: int | None, soft: int | None
) -> None:
    options = {"combine_text_under_n_chars": under, "new_after_n_chars": soft}
    same_chunks("chunk_by_title", SHORT, max_characters=500, **options)
    if under is not None and soft is not None:
        tokens = {"max_tokens": 400, "new_after_n_tokens": soft, "tokenizer": "cl100k_base"}
        same_chunks("chunk_by_title", SHORT, combine_text_under_n_chars=under, **tokens)


@pytest.mark.parametrize("n_chars", [999_990, 1_000_000, 1_000_001])
@pytest.mark.parametrize(
    "field", [pytest.param("text", marks=pytest.mark.slow), "text_as_html", "image_base64"]
)
def test_parts_of_very_large_elements_do_not_keep_them(n_chars: int, field: str) -> None:
    text = "word " * 200
    payload = "x" * (n_chars - len(text))
    if field == "text":
        large = Recipe("Text", text + payload)
    else:
        large = Recipe("Table", text, {field: payload})
    same_chunks("chunk_elements", [Recipe("Text", "a"), large], max_characters=500_000)
    same_chunks("chunk_elements", [Recipe("Text", "a"), large], max_characters=900)
