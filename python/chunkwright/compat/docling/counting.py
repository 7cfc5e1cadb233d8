"""Counts of a tokenizer of Docling's: natively where it is known, else by asking it."""

from __future__ import annotations

from os import PathLike
from typing import Any

from chunkwright import _core
from chunkwright.tokens.tokenizer import Tokenizer

from .native_counting import Counting, of_file, of_hugging_face_object, of_tiktoken
from .peer import BaseTokenizer, OpenAITokenizer
from .tokenizers import HuggingFaceTokenizer

_HUGGING_FACE = "docling_core.transforms.chunker.tokenizer.huggingface"


def counting_of(tokenizer: BaseTokenizer) -> Counting:
    """Return what counts as ``tokenizer`` does."""
    return _native(tokenizer) or asking(tokenizer)


def asking(tokenizer: BaseTokenizer) -> Counting:
    """Return what asks ``tokenizer`` itself."""

    def count(text: str) -> int:
        return tokenizer.count_tokens(text=text)

    return Counting(_core.Unit.counter(count))


def _native(tokenizer: BaseTokenizer) -> Counting | None:
    kind = type(tokenizer)
    given: Any = getattr(tokenizer, "tokenizer", None)
    if kind is OpenAITokenizer:
        return of_tiktoken(given)
    if kind is HuggingFaceTokenizer:
        given = given.source if isinstance(given, Tokenizer) else given
        if isinstance(given, (str, PathLike)):
            return of_file(given)
        return of_hugging_face_object(given)
    if kind.__module__ == _HUGGING_FACE and kind.__name__ == "HuggingFaceTokenizer":
        return of_hugging_face_object(given)
    return None
