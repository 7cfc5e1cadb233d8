"""What holds for every strategy, every option and every text."""

import itertools
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import STRATEGIES
from tests import laws
from tests.support.texts import WITH_SURROGATES, growing_tokens


def _options(**chosen: Any) -> dict[str, Any]:
    return {"soft_max": None, "overlap_at": "any", "tokenizer": "cl100k_base", **chosen}


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@given(text=WITH_SURROGATES, options=laws.options())
@example(text="aé", options=_options(max_tokens=2, overlap=1, tokenizer="bytes"))
@example(text="0" + 33 * "\u0301", options=_options(max_tokens=1, overlap=0))
def test_laws(strategy: Any, text: str, options: dict[str, Any]) -> None:
    chunks = cw.chunk(text, strategy, **options)
    laws.hold(text, chunks, options)
    assert chunks == cw.chunk(text, strategy, **options)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("overlap", [0, 3])
@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_tokens_that_grow_when_trimmed(encoding: str, overlap: int, strategy: Any) -> None:
    options = _options(max_tokens=10, overlap=overlap, tokenizer=encoding)
    for token in growing_tokens(encoding):
        # The limit is reached with the token, and exceeded without its line break.
        for text in ("a=b;" * 4 + "a=" + token, "a=b;" * 4 + token + "x = y"):
            chunks = cw.chunk(text, strategy, **options)
            laws.limits_hold(chunks, options)
            laws.bodies_cover_the_text(text, chunks)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("overlap", [0, 8])
def test_a_line_break_that_makes_tokens_one_is_no_room(overlap: int, strategy: Any) -> None:
    text, options = "a=b;" * 255 + "[];\n", _options(max_tokens=512, overlap=overlap)
    laws.hold(text, cw.chunk(text, strategy, **options), options)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_ends_that_never_fit_are_not_tried_one_by_one(strategy: Any) -> None:
    text = "\u00e9" * 20_000 + " "
    options = _options(max_tokens=9, overlap=2, overlap_at="word", tokenizer=_blank_ends_are_free)
    chunks = cw.chunk(text, strategy, **options)
    laws.limits_hold(chunks, options)


def _blank_ends_are_free(text: str) -> int:
    return 0 if text.endswith(" ") else len(text)


@given(text=WITH_SURROGATES, limit=st.integers(1, 40))
def test_windows_are_as_long_as_the_limit_allows(text: str, limit: int) -> None:
    chunks = cw.chunk(text, "window", max_chars=limit)
    for chunk, after in itertools.pairwise(chunks):
        # The next grapheme would not have fitted.
        assert len(chunk.text) > limit - laws.MAX_CLUSTER
        if text[chunk.start : after.end].isascii() and "\r\n" not in text:
            assert len(chunk.text) == limit


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("limit", [{"max_tokens": 128, "overlap": 16}, {"max_chars": 500}])
def test_long_texts(strategy: Any, limit: dict[str, Any], long_texts: dict[str, str]) -> None:
    for text in long_texts.values():
        chunks = cw.chunk(text, strategy, **limit)
        options = {"tokenizer": "cl100k_base", "overlap": 0, **limit}
        laws.bodies_cover_the_text(text, chunks)
        laws.limits_hold(chunks, options)
        laws.overlaps_belong_to_the_chunk_before(chunks, options)
