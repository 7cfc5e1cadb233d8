"""`compat.semchunk` gives what semchunk 4 gives, and the core what semchunk 3 gives."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from functools import partial
from importlib import import_module
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
import tiktoken
import transformers
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright import _core
from chunkwright.compat import semchunk as ours
from tests.support.made_tokenizers import made

from .semchunk_pair import (
    PARTS,
    SIZES,
    TEXTS,
    fussy,
    outcome,
    same,
    tenths,
    theirs,
    with_semchunk,
    with_specials,
    words,
)

# The version that Docling needs.
semchunk_3: Any = import_module("semchunk")

COUNTERS: list[Callable[[str], Any]] = [
    len, words, tenths, with_specials, fussy,
    lambda _: 0, lambda _: 1, lambda _: -1, lambda _: None, lambda text: text,
    lambda text: np.int64(len(text)), lambda text: np.float64(len(text) / 3),
    lambda text: len(text) > 1,
]  # fmt: skip
OVERLAPS = st.sampled_from([None, 0, 0.1, 0.25, 0.5, 0.9, 1, 2, 3.5, 7, 100, -0.3, "odd"])
LONGEST = st.sampled_from([None, 1, 2, 9])
OPTIONS = st.fixed_dictionaries(
    {"offsets": st.booleans(), "overlap": OVERLAPS, "memoize": st.booleans()}
)


def hugging_face(name: str) -> Any:
    fast: Any = transformers.PreTrainedTokenizerFast
    return fast(tokenizer_object=made(name))


def outcome_of(text: str, overlap: Any, chunker: Any) -> Any:
    return outcome(lambda: chunker(text, offsets=True, overlap=overlap))


TOKENIZERS: dict[str, Callable[[], Any]] = {
    "cl100k_base": lambda: "cl100k_base",
    "gpt-4o": lambda: "gpt-4o",
    "tiktoken": lambda: tiktoken.get_encoding("o200k_base"),
    "tokenizers bert": lambda: made("bert"),
    "tokenizers llama3": lambda: made("llama3"),
    "tokenizers unigram": lambda: made("unigram"),
    "transformers bert": lambda: hugging_face("bert"),
    "transformers gpt2": lambda: hugging_face("gpt2"),
}


@with_semchunk
@given(TEXTS, SIZES, st.sampled_from(COUNTERS), OPTIONS)
@example("漢字🚀漢字", 1, len, {"overlap": 0.5})
@example("a" * 30, 4, len, {"offsets": True, "overlap": 0.5})
@example("..", 0.5, len, {"offsets": True})
def test_chunk(text: str, size: Any, counter: Any, options: dict[str, Any]) -> None:
    same(lambda module: module.chunk(text, size, counter, **options))


@with_semchunk
@given(
    st.lists(st.sampled_from([*PARTS, "\ud800", "\udc00"]), max_size=50).map("".join),
    SIZES,
    OPTIONS,
)
def test_surrogates(text: str, size: int, options: dict[str, Any]) -> None:
    same(lambda module: module.chunk(text, size, len, **options))
    same(lambda module: module.chunkerify("cl100k_base", size, memoize=False)(text))


@with_semchunk
@pytest.mark.parametrize("name", TOKENIZERS)
@given(data=st.data())
def test_tokenizers(name: str, data: st.DataObject) -> None:
    size, longest = data.draw(SIZES), data.draw(LONGEST)
    tokenizer = TOKENIZERS[name]()
    chunkers = [
        module.chunkerify(tokenizer, size, max_token_chars=longest) for module in (theirs(), ours)
    ]
    for _ in range(3):
        text, overlap = data.draw(TEXTS), data.draw(OVERLAPS)
        split = partial(outcome_of, text, overlap)
        assert split(chunkers[1]) == split(chunkers[0])


@with_semchunk
@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("size", [12, 200])
def test_long_texts(name: str, size: int, long_texts: dict[str, str]) -> None:
    tokenizer = TOKENIZERS[name]()
    texts = [text[:40_000] for text in long_texts.values()]
    found = same(lambda module: module.chunkerify(tokenizer, size)(texts, offsets=True))
    assert found[0] is not RecursionError or size == 12


@with_semchunk
@given(TEXTS, SIZES, st.integers(1, 4))
def test_the_beginning_of_a_long_text_settles_it(text: str, size: int, longest: int) -> None:
    # Counts that grow and shrink: what is counted shows in what is cut.
    def odd(text: str) -> int:
        return len(text) % 7 + text.count("a")

    same(lambda module: module.chunkerify(odd, size, max_token_chars=longest)(text * 3))


@with_semchunk
@given(st.lists(TEXTS, max_size=4), SIZES, st.booleans(), st.sampled_from([len, words]))
def test_many_texts(texts: list[str], size: int, offsets: bool, counter: Any) -> None:
    same(lambda module: module.chunkerify(counter, size)(texts, offsets=offsets))
    same(lambda module: module.chunkerify(counter, size)(iter(texts), offsets=offsets))


@with_semchunk
@pytest.mark.parametrize("counter", [len, words, "cl100k_base"])
@pytest.mark.parametrize("progress", [False, True])
@pytest.mark.parametrize("processes", [1, 2, 0])
def test_processes(counter: Any, progress: bool, processes: int) -> None:
    texts = [f"Text number {i}. It has two sentences." for i in range(9)]

    def work(module: Any) -> Any:
        chunker = module.chunkerify(counter, 5)
        return chunker(texts, processes, progress, offsets=True, overlap=0.5)

    same(work)


class Tokenizer:
    """Has what is looked for: a method `encode`, a vocabulary, and the size of its model."""

    model_max_length: Any = 9

    def encode(self, text: str, add_special_tokens: bool = True) -> list[str]:
        return [*text.split(), *["[SEP]"] * add_special_tokens]

    def get_vocab(self) -> dict[str, int]:
        return {"word": 0, "longer": 1}


class NoSize(Tokenizer):
    model_max_length = 9.5


@with_semchunk
@pytest.mark.parametrize(
    "options",
    [
        {"tokenizer_or_token_counter": Tokenizer()},
        {"tokenizer_or_token_counter": Tokenizer(), "tokenizer_kwargs": {"add_special_tokens": 1}},
        {"tokenizer_or_token_counter": Tokenizer(), "tokenizer_kwargs": {"odd": 1}},
        {"tokenizer_or_token_counter": NoSize()},
        {"tokenizer_or_token_counter": len},
        {"tokenizer_or_token_counter": "no such tokenizer"},
        {"tokenizer_or_token_counter": 7, "chunk_size": 7},
        {"tokenizer_or_token_counter": len, "chunk_size": "7"},
        {"tokenizer_or_token_counter": len, "chunk_size": 4.5, "max_token_chars": 2},
        {"tokenizer_or_token_counter": len, "chunk_size": 7, "max_token_chars": 0},
        {"tokenizer_or_token_counter": len, "chunk_size": 7, "cache_maxsize": "odd"},
        {"tokenizer_or_token_counter": words, "chunk_size": 7, "cache_maxsize": 3},
        {"tokenizer_or_token_counter": words, "chunk_size": 7, "cache_maxsize": "odd"},
        {"tokenizer_or_token_counter": words, "chunk_size": 7, "tokenizer_kwargs": {"odd": 1}},
        {
            "tokenizer_or_token_counter": lambda text, sep: text.count(sep),
            "chunk_size": 7,
            "tokenizer_kwargs": {"sep": "e"},
        },
        {
            "tokenizer_or_token_counter": "cl100k_base",
            "chunk_size": 7,
            "tokenizer_kwargs": {"allowed_special": "all"},
        },
    ],
)
def test_options(options: dict[str, Any]) -> None:
    text = "One sentence, of words. Another one; of words, too. <|endoftext|> " * 5

    def work(module: Any) -> Any:
        chunker = module.chunkerify(**options)
        return chunker.chunk_size, chunker(text), chunker.token_counter("two words")

    same(work)


@with_semchunk
@pytest.mark.parametrize("text", [7, None, b"bytes of text", [7], [None, "text"]])
@pytest.mark.parametrize("counter", [len, words])
def test_what_is_no_text_is_a_type_error(text: Any, counter: Any) -> None:
    def kind(module: Any) -> type:
        return outcome(lambda: module.chunkerify(counter, 3)(text))[0]  # type: ignore[no-any-return]

    assert kind(ours) is kind(theirs()) is TypeError


@with_semchunk
@pytest.mark.parametrize("source", [len, words, "cl100k_base"])
def test_chunkers_are_copied(source: Any) -> None:
    same(lambda m: copy.deepcopy(m.chunkerify(source, 4))("One two. Three four five. Six."))


def test_chunkers_are_pickled_with_what_can_be() -> None:
    text = "One two. Three four five. Six."
    for counter in (len, words, cw.Tokenizer("cl100k_base").count):
        chunker = ours.chunkerify(counter, 4, memoize=False)
        assert pickle.loads(pickle.dumps(chunker))(text) == chunker(text)
    with pytest.raises((pickle.PicklingError, AttributeError), match=r"pickle.*local"):
        pickle.dumps(ours.chunkerify("cl100k_base", 4))


@with_semchunk
@pytest.mark.parametrize("name", ["chunk", "chunkerify", "Chunker", "Chunker.__call__"])
def test_signatures_are_those_of_the_peer(name: str) -> None:
    def parameters(module: Any) -> list[tuple[str, Any, Any]]:
        found = inspect.signature(attrgetter(name)(module)).parameters.values()
        return [(p.name, p.kind, p.default) for p in found if not p.name.startswith("_")]

    assert parameters(ours) == parameters(theirs())


@with_semchunk
def test_names_are_those_of_the_peer() -> None:
    public = {name for name, value in vars(theirs()).items() if callable(value)}
    assert set(ours.__all__) == public


UNITS: dict[str, tuple[Callable[[str], int], _core.Unit]] = {
    "chars": (len, _core.Unit.named("chars")),
    "words": (words, _core.Unit.counter(words)),
    "specials": (with_specials, _core.Unit.counter(with_specials)),
}


@pytest.mark.parametrize("unit", UNITS)
@given(text=TEXTS, size=st.integers(0, 40), longest=LONGEST)
def test_version_3(unit: str, text: str, size: int, longest: int | None) -> None:
    count, native = UNITS[unit]
    split = semchunk_3.chunkerify(count, chunk_size=size, max_token_chars=longest, memoize=False)
    expected = outcome(lambda: split(text))
    assert outcome(lambda: _core.semchunk_v3(text, native, size, longest)) == expected


@pytest.mark.parametrize("name", ["bert", "llama3", "gpt2", "unigram"])
@given(text=TEXTS, size=st.integers(2, 40))
def test_version_3_with_tokens(name: str, text: str, size: int) -> None:
    tokenizer = made(name)
    split = semchunk_3.chunkerify(tokenizer, chunk_size=size, memoize=False)
    longest = max(map(len, tokenizer.get_vocab()))
    expected = outcome(lambda: split(text))
    unit = cw.Tokenizer(tokenizer).unit
    assert outcome(lambda: _core.semchunk_v3(text, unit, size, longest)) == expected


@pytest.mark.parametrize("size", [12, 64, 512])
def test_version_3_on_long_texts(size: int, long_texts: dict[str, str]) -> None:
    encoding = tiktoken.get_encoding("cl100k_base")
    longest = max(map(len, encoding.token_byte_values()))
    split = semchunk_3.chunkerify(
        lambda text: len(encoding.encode_ordinary(text)), chunk_size=size, max_token_chars=longest
    )
    unit = cw.Tokenizer("cl100k_base").unit
    for text in long_texts.values():
        part = text[:60_000]
        assert _core.semchunk_v3(part, unit, size, longest) == split(part)
