"""Options that no caller means: devices, halves of surrogate pairs, classes."""

from __future__ import annotations

import os
from functools import partial

import pytest

import chunkwright as cw
from chunkwright.embed import Cached
from chunkwright.errors import ChunkwrightError
from chunkwright.retrieval import Index


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="this system has no such device")  # noqa: PTH110
def test_a_device_without_end() -> None:
    for read in (cw.read, cw.Tokenizer):
        with pytest.raises(ChunkwrightError, match=r"/dev/zero.* a device"):
            read("/dev/zero")


@pytest.mark.parametrize("half", ["\ud800", "a\udfff"])
def test_half_of_a_surrogate_pair_as_an_option(half: str) -> None:
    index = cw.Retriever().index(["a"])
    for call in (
        partial(cw.Sentence, max_tokens=9, language=half),
        partial(cw.Balanced, max_tokens=9, language=half),
        partial(cw.split_sentences, "A. B.", language=half),
        partial(Index.load, half),
        partial(index.save, half),
        partial(Cached, "lexical", folder=half),
        partial(cw.read, half),
        partial(cw.Tokenizer, half),
        partial(cw.Retriever, embedder=half),
        partial(cw.Retriever, reranker=half),
    ):
        with pytest.raises(ChunkwrightError):
            call()


def test_a_class_is_no_tokenizer() -> None:
    with pytest.raises(ChunkwrightError, match="must be an object, got the class object"):
        cw.Tokenizer(object)  # type: ignore[arg-type]
