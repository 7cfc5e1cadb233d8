"""`compat.langchain` in tokens: splitters by tiktoken and transformers, windows of tokens."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.compat import langchain as ours
from chunkwright.compat.langchain.lengths import built_in
from tests.support.long_texts import long_files
from tests.support.vocabularies import encodings_not_built_in

from .langchain_inputs import KEEPS, PARTS, limits
from .langchain_pair import same, same_chunks

RECURSIVE = "RecursiveCharacterTextSplitter"
BY_TIKTOKEN: dict[str, Any] = {"maker": "from_tiktoken_encoder"}
NAMES = ["cl100k_base", "o200k_base", "gpt2", "r50k_base"]
BUILT_IN = st.sampled_from(NAMES)
SPECIAL = ["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|", "|>", "<|im_start|>"]
TEXTS = st.lists(
    st.sampled_from([*PARTS, *PARTS, *SPECIAL, "longerword ", "12345", "\ud83d\ude00"])
).map("".join)
ALLOWED: st.SearchStrategy[Any] = st.sampled_from(
    [None, set(), frozenset(), "all", {"<|endoftext|>"}, {"nothing"}, [], "some"]
)
DISALLOWED: st.SearchStrategy[Any] = st.sampled_from(
    ["all", (), [], set(), {"<|endoftext|>"}, ("word",), "some"]
)
SPECIALS = st.fixed_dictionaries({"allowed_special": ALLOWED, "disallowed_special": DISALLOWED})


@given(TEXTS, BUILT_IN, limits(12), KEEPS, st.booleans())
def test_separators(text: str, encoding: str, sizes: Any, keep: Any, strip: bool) -> None:
    kwargs = {**sizes, **BY_TIKTOKEN, "keep_separator": keep, "strip_whitespace": strip}
    for name in (RECURSIVE, "CharacterTextSplitter"):
        same_chunks(name, text, encoding, **kwargs)


@given(TEXTS, BUILT_IN, limits(12), KEEPS, SPECIALS)
@example(
    "a<|endoftext|><|endofprompt|>",
    "cl100k_base",
    {"chunk_size": 2, "chunk_overlap": 0},
    False,  # noqa: FBT003 - a value of KEEPS
    {"allowed_special": None, "disallowed_special": "all"},
)
def test_special_tokens(text: str, encoding: str, sizes: Any, keep: Any, special: Any) -> None:
    kwargs = {**sizes, **special, **BY_TIKTOKEN, "keep_separator": keep}
    pool = ["<|endoftext|>", "\n", " ", "|"]
    same_chunks(RECURSIVE, text, encoding, separators=pool, **kwargs)


@given(TEXTS, BUILT_IN, limits(12), SPECIALS)
@example("漢字🚀", "cl100k_base", {"chunk_size": 1, "chunk_overlap": 0}, {})
@example("a", "cl100k_base", {"chunk_size": 1, "chunk_overlap": 1}, {})
@example("<|endoftext|>", "cl100k_base", {"chunk_size": 1, "chunk_overlap": 1}, {})
def test_windows(text: str, encoding: str, sizes: Any, special: Any) -> None:
    same_chunks("TokenTextSplitter", text, encoding, **sizes, **special)


@given(st.text(max_size=40), BUILT_IN, limits(12))
def test_any_text(text: str, encoding: str, sizes: Any) -> None:
    same_chunks("TokenTextSplitter", text, encoding, **sizes)
    same_chunks(RECURSIVE, text, encoding, **BY_TIKTOKEN, **sizes)


@given(TEXTS, st.sampled_from([*encodings_not_built_in(), "nonsense"]), limits(12))
def test_other_encodings(text: str, encoding: str, sizes: Any) -> None:
    same_chunks("TokenTextSplitter", text, encoding, **sizes)
    same_chunks(RECURSIVE, text, encoding, **BY_TIKTOKEN, **sizes)


@pytest.mark.parametrize("size", [2.5, 2.0, 100.0, True])
def test_sizes_that_are_no_counts(size: float) -> None:
    text = "one two three four"
    same_chunks("TokenTextSplitter", text, "cl100k_base", chunk_size=size, chunk_overlap=0)


def test_sizes_without_bounds() -> None:
    kwargs: dict[str, Any] = {"chunk_size": 10**30, "chunk_overlap": 10**29}
    same_chunks("TokenTextSplitter", "one two three four", "cl100k_base", **kwargs)


def _theirs(model: str) -> str | None:
    try:
        name = tiktoken.encoding_name_for_model(model)
    except KeyError:
        return None
    return name if name in NAMES else None


def test_models_have_the_vocabularies_that_tiktoken_says() -> None:
    prefixes = tiktoken.model.MODEL_PREFIX_TO_ENCODING
    cut = [f"{p}x" for p in prefixes] + [p[:-1] for p in prefixes]
    for model in (*tiktoken.model.MODEL_TO_ENCODING, *prefixes, *cut, "", "nonsense"):
        assert (model, built_in("gpt2", model)) == (model, _theirs(model))


@pytest.mark.parametrize("model", ["gpt-4", "gpt-4o", "no-model", "", 5])
def test_a_model_goes_before_the_encoding(model: Any) -> None:
    kwargs = {"model_name": model, "chunk_size": 3, "chunk_overlap": 1}
    text = "one two three four five"
    same_chunks("TokenTextSplitter", text, **kwargs)
    same_chunks("TokenTextSplitter", text, **BY_TIKTOKEN, **kwargs)
    same_chunks(RECURSIVE, text, **BY_TIKTOKEN, **kwargs)


@given(TEXTS, BUILT_IN, SPECIALS)
def test_lengths(text: str, encoding: str, special: Any) -> None:
    def lengths(module: Any) -> list[int]:
        classes = (module.RecursiveCharacterTextSplitter, module.TokenTextSplitter)
        return [
            c.from_tiktoken_encoder(encoding, **special)._length_function(text) for c in classes
        ]

    same(lengths)


@pytest.mark.parametrize("name", [RECURSIVE, "TokenTextSplitter"])
def test_splitters_by_tokens_pickle(name: str) -> None:
    text = "one two three four five"
    cls = getattr(ours, name)
    splitter = cls.from_tiktoken_encoder("cl100k_base", chunk_size=3, chunk_overlap=0)
    assert pickle.loads(pickle.dumps(splitter)).split_text(text) == splitter.split_text(text)


@given(st.text(max_size=30), st.integers(-2, 9), st.integers(-3, 9))
def test_a_tokenizer_of_the_callers(text: str, size: int, overlap: int) -> None:
    def split(module: Any) -> Any:
        tokenizer = module.Tokenizer(
            chunk_overlap=overlap,
            tokens_per_chunk=size,
            decode=lambda ids: "".join(map(chr, ids)).strip(),
            encode=lambda text: list(map(ord, text)),
        )
        return module.split_text_on_tokens(text=text, tokenizer=tokenizer)

    same(split)


def _word_pieces() -> Any:
    """A small tokenizer of `transformers` that needs no download."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    unknown = "[UNK]"
    tokenizer = Tokenizer(models.WordPiece(unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=60, special_tokens=[unknown, "[CLS]"])
    tokenizer.train_from_iterator(["one two three words and more", "fortytwo"], trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token=unknown)


def test_transformers() -> None:
    tokenizer = _word_pieces()

    @given(st.lists(st.sampled_from([*PARTS, "one ", "twothree", "more"])), limits(12))
    def check(parts: list[str], sizes: Any) -> None:
        maker = "from_huggingface_tokenizer"
        same_chunks(RECURSIVE, "".join(parts), tokenizer, maker=maker, **sizes)

    check()


def test_transformers_takes_only_tokenizers_of_its_own() -> None:
    found = same(lambda m: m.RecursiveCharacterTextSplitter.from_huggingface_tokenizer(len))
    assert found == (
        ValueError,
        "Tokenizer received was not an instance of PreTrainedTokenizerBase",
    )


@pytest.mark.parametrize("encoding", NAMES)
@pytest.mark.parametrize("path", long_files(), ids=lambda path: path.stem)
def test_long_texts(path: Path, encoding: str) -> None:
    text = path.read_text("utf-8")
    kwargs = {"chunk_size": 512, "chunk_overlap": 64, **BY_TIKTOKEN}
    for name in (RECURSIVE, "TokenTextSplitter"):
        assert same_chunks(name, text, encoding, **kwargs)
