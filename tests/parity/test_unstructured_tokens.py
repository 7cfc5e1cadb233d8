"""`compat.unstructured` in tokens: generated documents against Unstructured's own chunks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkwright.compat.langchain.lengths import bpe
from tests.support.examples import n_examples
from tests.support.vocabularies import encodings_not_built_in, needs_other

from .unstructured_inputs import DOCUMENTS, MIXED, TABLES, WORDY, Recipe, token_options
from .unstructured_pair import elements, listening, ours, same, same_chunks, theirs

many = settings(max_examples=n_examples(2))


@many
@given(WORDY, token_options(by_title=False, least=12))
def test_texts(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_elements", document, **options)


@many
@given(WORDY, token_options(by_title=True, least=12))
def test_texts_by_title(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_by_title", document, **options)


@many
@given(DOCUMENTS, token_options(by_title=True))
def test_texts_without_spaces(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_by_title", document, **options)


@given(MIXED, token_options(by_title=True))
def test_everything(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_by_title", document, **options)


@pytest.mark.slow
@many
@given(TABLES, token_options(by_title=False, least=14))
def test_tables(document: list[Recipe], options: dict[str, Any]) -> None:
    same_chunks("chunk_elements", document, **options)


HALVES = st.sampled_from(
    ["\ud83d\ude80", "\ud888\udfaf", "\ud83d", "\ude80", "a", "word ", " ", "[];"]
)


@given(
    st.lists(st.lists(HALVES, max_size=40).map("".join), min_size=1, max_size=3),
    st.integers(4, 20),
    st.sampled_from([0, 3]),
)
def test_surrogates(texts: list[str], limit: int, overlap: int) -> None:
    """A pair counts as the character that it makes, cut or not."""

    def work(module: Any) -> Any:
        document = [elements.NarrativeText(text) for text in texts]
        options: dict[str, Any] = {"max_tokens": limit, "tokenizer": "cl100k_base"}
        options["overlap"] = overlap
        return [chunk.text for chunk in module.chunk_elements(document, **options)]

    with listening():
        same(work)


BLANKS = st.sampled_from(
    [" ", "\n", "\t", "\u00a0", " " * 90, "\n" * 40, "word ", "a", "langes ", "x" * 30]
)


@many
@given(st.lists(BLANKS, max_size=60).map("".join), token_options(by_title=False))
def test_runs_of_blanks(text: str, options: dict[str, Any]) -> None:
    same_chunks("chunk_elements", [Recipe("CodeSnippet", text), Recipe("Text", text)], **options)


WORDS = "Some words of a sentence, and a few more. Then another one.\n" * 30


@pytest.mark.parametrize(
    "tokenizer",
    [
        *("gpt-4", "gpt-4o-mini", "o200k_base"),
        *encodings_not_built_in(),
        pytest.param("text-davinci-003", marks=[needs_other, pytest.mark.shared]),
    ],
)
@pytest.mark.parametrize("overlap", [0, 7])
def test_tokenizers(tokenizer: str, overlap: int) -> None:
    options = {"max_tokens": 40, "overlap": overlap, "tokenizer": tokenizer}
    document = [Recipe("Title", "T"), Recipe("Text", WORDS), Recipe("Table", WORDS)]
    assert len(same_chunks("chunk_by_title", document, **options)) > 10


@pytest.mark.parametrize(
    "text",
    [
        "See https://example.org/" + "a1b2c3d4/" * 80,
        "长文本没有空格" * 60,
        "aaa bbb ccc ddd eee fff " * 20,
        "x" * 3000,
        "\u200b" * 400,
    ],
    ids=["url", "chinese", "words", "one-letter", "zero-width"],
)
@pytest.mark.parametrize(("limit", "overlap"), [(4, 3), (16, 15), (128, 16), (2, 1)])
def test_an_overlap_always_ends(text: str, limit: int, overlap: int) -> None:
    options: dict[str, Any] = {"max_tokens": limit, "tokenizer": "cl100k_base", "overlap": overlap}
    chunks = ours.chunk_elements([elements.Text(text)], **options)
    peers = theirs.chunk_elements([elements.Text(text)], **options)
    assert [chunk.text for chunk in chunks] == [chunk.text for chunk in peers]
    n_tokens = [bpe("cl100k_base").count(chunk.text) for chunk in chunks]
    assert max(n_tokens) <= limit or limit < 4
    assert len(chunks) <= len(text)
    # Nothing is lost: each character is in some chunk, in order.
    said = "".join(chunk.text for chunk in chunks)
    rest = iter(said)
    assert all(char in rest for char in text if not char.isspace())
