"""What holds for every strategy, every option and every text."""

import itertools
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import STRATEGIES
from tests import laws
from tests.texts import WITH_SURROGATES


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
