"""`compat.langchain` in tokens: splitters by tiktoken and transformers, windows of tokens."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_pair import corpora, outcome, same
from test_langchain_splitting import KEEPS, PARTS

from chunkwright.compat import langchain as ours

if TYPE_CHECKING:
    from pathlib import Path

    from transformers import PreTrainedTokenizerFast

BUILT_IN = st.sampled_from(["cl100k_base", "o200k_base"])
SPECIAL = ["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|", "|>", "<|im_start|>"]
TEXTS = st.lists(st.sampled_from(PARTS * 2 + SPECIAL + ["longerword ", "12345", "\ud83d\ude00"]))
ALLOWED = st.sampled_from(
    [None, set(), frozenset(), "all", {"<|endoftext|>"}, {"nothing"}, [], "some"]
)
DISALLOWED = st.sampled_from(["all", (), [], set(), {"<|endoftext|>"}, ("word",), "some"])


@st.composite
def sizes(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(1, 12))
    return {"chunk_size": size, "chunk_overlap": draw(st.integers(0, size))}


@given(TEXTS, BUILT_IN, sizes(), KEEPS, st.booleans())
def test_recursive(
    parts: list[str], encoding: str, limits: dict[str, Any], keep: Any, strip: bool
) -> None:
    text = "".join(parts)
    kwargs = {**limits, "keep_separator": keep, "strip_whitespace": strip}
    for name in ("RecursiveCharacterTextSplitter", "CharacterTextSplitter"):
        same(
            lambda m, name=name: (
                getattr(m, name).from_tiktoken_encoder(encoding, **kwargs).split_text(text)
            )
        )


@given(TEXTS, BUILT_IN, sizes(), KEEPS, ALLOWED, DISALLOWED)
@example(["a b"], "cl100k_base", {"chunk_size": 1, "chunk_overlap": 0}, True, None, "all")
def test_recursive_with_special_tokens(
    parts: list[str], encoding: str, limits: dict[str, Any], keep: Any, allowed: Any, banned: Any
) -> None:
    kwargs = {**limits, "keep_separator": keep, "separators": ["<|endoftext|>", "\n", " ", "|"]}
    special = {"allowed_special": allowed, "disallowed_special": banned}
    same(
        lambda m: m.RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            encoding, **special, **kwargs
        ).split_text("".join(parts))
    )


@given(TEXTS, BUILT_IN, sizes(), ALLOWED, DISALLOWED)
@example(["漢字🚀"], "cl100k_base", {"chunk_size": 1, "chunk_overlap": 0}, None, "all")
@example(["a"], "cl100k_base", {"chunk_size": 1, "chunk_overlap": 1}, None, "all")
def test_windows(
    parts: list[str], encoding: str, limits: dict[str, Any], allowed: Any, banned: Any
) -> None:
    special = {"allowed_special": allowed, "disallowed_special": banned}
    text = "".join(parts)
    same(lambda m: m.TokenTextSplitter(encoding, **special, **limits).split_text(text))


@given(st.text(max_size=40), BUILT_IN, sizes())
def test_any_text(text: str, encoding: str, limits: dict[str, Any]) -> None:
    same(lambda m: m.TokenTextSplitter(encoding, **limits).split_text(text))
    same(
        lambda m: m.RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            encoding, **limits
        ).split_text(text)
    )


@given(TEXTS, sizes(), st.sampled_from(["gpt2", "r50k_base", "p50k_base", "nonsense"]))
def test_other_encodings(parts: list[str], limits: dict[str, Any], encoding: str) -> None:
    text = "".join(parts)
    same(lambda m: m.TokenTextSplitter(encoding, **limits).split_text(text))
    same(
        lambda m: m.RecursiveCharacterTextSplitter.from_tiktoken_encoder(
            encoding, **limits
        ).split_text(text)
    )


@pytest.mark.parametrize("size", [2.5, 2.0, 100.0, 10**30, True])
def test_sizes_that_are_no_counts(size: float) -> None:
    limits = {"chunk_size": size, "chunk_overlap": 0}
    same(lambda m: m.TokenTextSplitter("cl100k_base", **limits).split_text("one two three four"))


@pytest.mark.parametrize("model", [*tiktoken.model.MODEL_TO_ENCODING, "gpt-4o-mini", "gpt-4-turbo"])
def test_models(model: str) -> None:
    from chunkwright.compat._langchain_lengths import built_in

    name = tiktoken.model.encoding_name_for_model(model)
    assert built_in("gpt2", model) == (name if name in {"cl100k_base", "o200k_base"} else None)


def test_prefixes_of_models() -> None:
    from chunkwright.compat._langchain_lengths import built_in

    for prefix in tiktoken.model.MODEL_PREFIX_TO_ENCODING:
        for model in (f"{prefix}x", prefix, prefix[:-1]):
            try:
                name = tiktoken.model.encoding_name_for_model(model)
            except KeyError:
                name = ""
            known = name if name in {"cl100k_base", "o200k_base"} else None
            assert built_in("gpt2", model) == known


@pytest.mark.parametrize("model", ["gpt-4", "gpt-4o", "no-model", "", 5, "gpt2"])
def test_a_model_goes_before_the_encoding(model: Any) -> None:
    kwargs = {"model_name": model, "chunk_size": 3, "chunk_overlap": 1}
    text = "one two three four five"
    same(lambda m: m.TokenTextSplitter(**kwargs).split_text(text))
    same(lambda m: m.TokenTextSplitter.from_tiktoken_encoder(**kwargs).split_text(text))
    same(
        lambda m: m.RecursiveCharacterTextSplitter.from_tiktoken_encoder(**kwargs).split_text(text)
    )


def test_token_splitter_made_from_an_encoder_measures_and_cuts_with_it() -> None:
    def lengths(module: Any) -> list[int]:
        splitter = module.TokenTextSplitter.from_tiktoken_encoder("o200k_base", chunk_size=500)
        return [splitter._length_function(text) for text in ("", "漢字", "word " * 9)]

    same(lengths)


def test_splitters_by_tokens_pickle() -> None:
    kwargs = {"chunk_size": 3, "chunk_overlap": 0}
    text = "one two three four five"
    for cls in (ours.RecursiveCharacterTextSplitter, ours.TokenTextSplitter):
        splitter = cls.from_tiktoken_encoder("cl100k_base", **kwargs)
        assert pickle.loads(pickle.dumps(splitter)).split_text(text) == splitter.split_text(text)


def test_split_text_on_tokens_with_a_tokenizer_of_the_callers() -> None:
    @given(st.text(max_size=30), st.integers(-2, 9), st.integers(-3, 9))
    def check(text: str, size: int, overlap: int) -> None:
        def decode(ids: list[int]) -> str:
            return "".join(map(chr, ids)).strip()

        def split(module: Any) -> list[str]:
            tokenizer = module.Tokenizer(
                chunk_overlap=overlap,
                tokens_per_chunk=size,
                decode=decode,
                encode=lambda text: list(map(ord, text)),
            )
            return module.split_text_on_tokens(text=text, tokenizer=tokenizer)  # type: ignore[no-any-return]

        same(split)

    check()


@pytest.fixture(scope="module")
def word_pieces(tmp_path_factory: pytest.TempPathFactory) -> PreTrainedTokenizerFast:
    """A small tokenizer of `transformers` that needs no download."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=60, special_tokens=["[UNK]", "[CLS]"])
    tokenizer.train_from_iterator(["one two three words and more", "fortytwo"], trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]")


def test_transformers(word_pieces: PreTrainedTokenizerFast) -> None:
    @given(st.lists(st.sampled_from([*PARTS, "one ", "twothree", "more"])), sizes())
    def check(parts: list[str], limits: dict[str, Any]) -> None:
        def split(module: Any) -> list[str]:
            cls = module.RecursiveCharacterTextSplitter
            splitter = cls.from_huggingface_tokenizer(word_pieces, **limits)
            return splitter.split_text("".join(parts))  # type: ignore[no-any-return]

        same(split)

    check()


def test_transformers_refuses_what_is_no_tokenizer_of_its_own() -> None:
    found = same(lambda m: m.RecursiveCharacterTextSplitter.from_huggingface_tokenizer(len))
    assert found == (ValueError, "Tokenizer received was not an instance of PreTrainedTokenizerBase")


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("path", corpora())
def test_corpora(path: Path, encoding: str) -> None:
    text = path.read_text("utf-8")
    if "<|" in text:
        text = text.replace("<|", "< |")
    for name, kwargs in [
        ("RecursiveCharacterTextSplitter", {"chunk_size": 512, "chunk_overlap": 64}),
        ("TokenTextSplitter", {"chunk_size": 512, "chunk_overlap": 64}),
    ]:
        same(
            lambda m, name=name, kwargs=kwargs: (
                getattr(m, name).from_tiktoken_encoder(encoding, **kwargs).split_text(text)
            )
        )


@given(TEXTS, BUILT_IN)
def test_lengths_are_those_of_tiktoken(parts: list[str], encoding: str) -> None:
    text = "".join(parts)

    def length(module: Any) -> int:
        splitter = module.RecursiveCharacterTextSplitter.from_tiktoken_encoder(encoding)
        return splitter._length_function(text)  # type: ignore[no-any-return]

    same(length)
    plain = ours.RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding, disallowed_special=()
    )
    expected, _ = outcome(lambda: len(tiktoken.get_encoding(encoding).encode_ordinary(text)))
    assert plain._length_function(text) == expected
