"""`LineBasedTokenChunker` against Docling's."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("docling_core")
pytest.importorskip("transformers")

from docling_core.transforms.chunker.line_chunker import LineBasedTokenChunker as TheirLines
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.labels import DocItemLabel

from chunkwright.compat.docling import BaseTokenizer, LineBasedTokenChunker

from .docling_documents import documents, texts
from .docling_pair import EndlessError, coming_to_an_end, outcome, pair_of, same, theirs_of

_PREFIXES = ["", " ", "| a | b |\n", "Table of rivers and lakes: ", "# the\n"]


def _pair(tokenizer: str, max_tokens: int, options: dict[str, Any]) -> tuple[Any, Any]:
    ours, theirs = pair_of(tokenizer, 500)
    options = {**options, "max_tokens_override": max_tokens}
    return (
        LineBasedTokenChunker(tokenizer=ours, **options),
        TheirLines(tokenizer=theirs, **options),
    )


@given(
    st.lists(texts.map(lambda text: f"{text}\n") | texts | st.just(""), max_size=12),
    st.sampled_from(["cl100k_base", "word pieces"]),
    st.integers(12, 60),
    st.sampled_from(_PREFIXES),
    st.booleans(),
)
def test_lines_are_the_same(
    lines: list[str], tokenizer: str, max_tokens: int, prefix: str, omit: bool
) -> None:
    options = {"prefix": prefix, "omit_prefix_on_overflow": omit}
    (ours, theirs), _ = outcome(lambda: _pair(tokenizer, max_tokens, options))
    expected = theirs_of(lambda: theirs.chunk_text(lines))
    assert outcome(lambda: ours.chunk_text(lines)) == expected


@given(documents(), st.sampled_from(["cl100k_base", "word pieces"]), st.integers(12, 60))
def test_documents_are_the_same(document: Any, tokenizer: str, max_tokens: int) -> None:
    ours, theirs = _pair(tokenizer, max_tokens, {})
    same(ours, theirs, document)


@pytest.mark.parametrize("omit", [True, False])
@pytest.mark.parametrize("tokenizer", ["cl100k_base", "word pieces"])
def test_long_prefixes_and_lines_are_the_same(tokenizer: str, omit: bool) -> None:
    options = {"prefix": "the river and the lake " * 9, "omit_prefix_on_overflow": omit}
    lines = ["one two the lake " * 40 + "\n", "river\n", "a" * 300, "\n"]
    for max_tokens in (5, 20, 50, 80):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            pair = _pair(tokenizer, max_tokens, options)
        # Each warns of its prefix, if it is too long.
        assert len({str(warning.message) for warning in warned}) == len(warned) / 2
        found, expected = (outcome(partial(chunker.chunk_text, lines)) for chunker in pair)
        assert found == expected


def test_a_character_over_the_limit_is_the_same_error() -> None:
    ours, theirs = _pair("cl100k_base", 1, {})
    lines = ["a 🦀\n"]
    expected = outcome(lambda: theirs.chunk_text(lines))
    assert outcome(lambda: ours.chunk_text(lines)) == expected
    assert expected[0] == (ValueError, "Character '🦀' cannot fit within the token budget of 1")


def test_a_prefix_that_leaves_no_room_for_a_character_comes_to_an_end() -> None:
    """Docling's repeats the prefix until memory runs out."""
    ours, _ = pair_of("cl100k_base", 500)
    make: Any = LineBasedTokenChunker
    chunker = make(tokenizer=ours, max_tokens_override=3, prefix="# ")
    chunks = chunker.chunk_text(["🦀 🦀\n"])
    assert "".join(chunks).replace("# ", "").replace(" ", "") == "🦀🦀\n"


def test_a_limit_of_the_tokenizer_holds() -> None:
    document = DoclingDocument(name="rivers")
    document.add_text(DocItemLabel.TEXT, "the river and the lake " * 9)
    ours, theirs = pair_of("word pieces", 10)
    make: Any = LineBasedTokenChunker
    make_theirs: Any = TheirLines
    found = same(make(tokenizer=ours), make_theirs(tokenizer=theirs), document)
    assert len(found) > 3


class _Repelled(BaseTokenizer):
    """Counts letters, and three more for each text that has a b and an x."""

    def count_tokens(self, text: str) -> int:
        return len(text) + 3 * ({"b", "x"} <= set(text))

    def get_max_tokens(self) -> int:
        return 4

    def get_tokenizer(self) -> Any:
        return self.count_tokens


def test_a_letter_that_fits_alone_and_never_behind_the_prefix_comes_to_an_end() -> None:
    classes: tuple[Any, ...] = (LineBasedTokenChunker, TheirLines)
    ours, theirs = (make(tokenizer=_Repelled(), prefix="ab") for make in classes)
    with pytest.raises(EndlessError), coming_to_an_end():
        theirs.chunk_text(["xxxxxxx"])
    assert ours.chunk_text(["xxxxxxx"]) == ["ab", "xxxx", "ab", "xxx"]
