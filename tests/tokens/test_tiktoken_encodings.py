"""Encodings of tiktoken that are not built in: natively, or by tiktoken where that cannot be."""

import pickle
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from tests.support.texts import TEXTS, WITH_SURROGATES

pytestmark = pytest.mark.differential

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
GPT2_PLAIN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
WORDS = r"\w+|\W+"


@pytest.fixture(scope="module")
def ranks() -> dict[bytes, int]:
    """Tokens of cl100k_base with their ranks."""
    return tiktoken.get_encoding("cl100k_base")._mergeable_ranks


def _encoding(pattern: str, ranks: dict[bytes, int]) -> tiktoken.Encoding:
    end = max(ranks.values()) + 1
    return tiktoken.Encoding(
        "own", pat_str=pattern, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": end}
    )


@pytest.fixture(scope="module")
def encodings(ranks: dict[bytes, int]) -> dict[str, tiktoken.Encoding]:
    """Encodings of known and of own patterns, with all tokens or with some."""
    some = {token: rank for token, rank in ranks.items() if rank < 20_000}
    # Ids with gaps, and tokens that can no longer be made of others.
    gaps = {token: rank for token, rank in ranks.items() if len(token) == 1 or rank % 3}
    o200k = tiktoken.get_encoding("o200k_base")._pat_str
    cl100k = tiktoken.get_encoding("cl100k_base")._pat_str
    return {
        "gpt2": _encoding(GPT2, some),
        "gpt2-plain": _encoding(GPT2_PLAIN, ranks),
        "o200k-pattern": _encoding(o200k, some),
        "cl100k-few": _encoding(cl100k, {t: r for t, r in ranks.items() if r < 600}),
        "gaps": _encoding(cl100k, gaps),
        "words": _encoding(WORDS, some),
    }


NAMES = ["gpt2", "gpt2-plain", "o200k-pattern", "cl100k-few", "gaps", "words"]


@pytest.mark.parametrize("name", NAMES)
@given(text=WITH_SURROGATES)
def test_whole_texts(encodings: dict[str, tiktoken.Encoding], name: str, text: str) -> None:
    theirs, ours = encodings[name], cw.Tokenizer(encodings[name])
    ids = theirs.encode_ordinary(text)
    assert ours.encode(text) == ids
    assert ours.count(text) == len(ids)
    assert ours.decode(ids) == theirs.decode(ids)


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS, data=st.data())
def test_spans(
    encodings: dict[str, tiktoken.Encoding], name: str, text: str, data: st.DataObject
) -> None:
    theirs, index = encodings[name], cw.Tokenizer(encodings[name]).index(text)
    for _ in range(4):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        assert index.count(start, end) == len(theirs.encode_ordinary(text[start:end]))


@pytest.mark.parametrize("name", NAMES[:-1])
@given(text=TEXTS.filter(lambda text: len(text) < 120), data=st.data())
def test_longest_prefix(
    encodings: dict[str, tiktoken.Encoding], name: str, text: str, data: st.DataObject
) -> None:
    theirs, index = encodings[name], cw.Tokenizer(encodings[name]).index(text)
    start, most = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 15))
    ends = range(start, len(text) + 1)
    fitting = [e for e in ends if len(theirs.encode_ordinary(text[start:e])) <= most]
    assert index.longest(start, most) == max(fitting)


def test_known_patterns_are_counted_natively(encodings: dict[str, tiktoken.Encoding]) -> None:
    kinds = {
        name: getattr(getattr(cw.Tokenizer(encoding)._backend, "core", None), "kind", None)
        for name, encoding in encodings.items()
    }
    assert kinds == {**dict.fromkeys(NAMES, "bpe"), "words": None}


def test_a_text_without_boundary(encodings: dict[str, tiktoken.Encoding]) -> None:
    for name in NAMES[:-1]:
        theirs, ours = encodings[name], cw.Tokenizer(encodings[name])
        for unit in ("a", " ", "^", "0", "ab", "漢", "\n", "1 ", "\n "):
            text = unit * (20_000 // len(unit))
            index = ours.index(text)
            for start, end in ((0, len(text)), (7_001, 15_002), (1, 9_999)):
                assert index.count(start, end) == len(theirs.encode_ordinary(text[start:end]))


def test_long_texts(encodings: dict[str, tiktoken.Encoding], long_texts: dict[str, str]) -> None:
    text = "".join(each[:40_000] for each in long_texts.values())
    for name, encoding in encodings.items():
        assert cw.Tokenizer(encoding).encode(text) == encoding.encode_ordinary(text), name


@pytest.mark.parametrize("strategy", ["recursive", "window"])
def test_chunks_keep_the_limit(
    encodings: dict[str, tiktoken.Encoding], long_texts: dict[str, str], strategy: Any
) -> None:
    text = long_texts["guides"][:20_000]
    for encoding in encodings.values():
        chunks = cw.chunk(text, strategy, max_tokens=64, overlap=9, tokenizer=encoding)
        counts = [len(encoding.encode_ordinary(chunk)) for chunk in chunks.texts()]
        assert chunks.n_tokens.tolist() == counts
        assert max(counts) <= 64


def test_a_missing_byte_is_left_to_tiktoken() -> None:
    letters = tiktoken.Encoding(
        "letters",
        pat_str=GPT2,
        mergeable_ranks={bytes([i]): i for i in range(97, 123)},
        special_tokens={},
    )
    ours = cw.Tokenizer(letters)
    assert ours.encode("abc") == [97, 98, 99]
    assert ours.decode([97]) == "a"
    with pytest.raises(cw.TokenizerError):
        ours.decode([5])


def test_a_name_does_not_make_it_the_built_in_one(ranks: dict[bytes, int]) -> None:
    token, other = b" Web", next(token for token, rank in ranks.items() if rank == 60_000)
    swapped = ranks | {token: ranks[other], other: ranks[token]}
    own = tiktoken.Encoding(
        "cl100k_base",
        pat_str=tiktoken.get_encoding("cl100k_base")._pat_str,
        mergeable_ranks=swapped,
        special_tokens={},
    )
    assert cw.Tokenizer(own).encode(" Web") == own.encode_ordinary(" Web") == [60_000]


def test_an_own_way_to_encode_is_kept(ranks: dict[bytes, int]) -> None:
    class Shouting(tiktoken.Encoding):
        def encode_ordinary(self, text: str) -> list[int]:
            return super().encode_ordinary(text.upper())

    own = Shouting("loud", pat_str=GPT2, mergeable_ranks=ranks, special_tokens={})
    text = "a quiet sentence"
    assert cw.Tokenizer(own).count(text) == len(own.encode_ordinary(text)) != cw.count_tokens(text)


def test_pickling(encodings: dict[str, Any]) -> None:
    # tiktoken pickles encodings that are registered by their name, others by their tokens.
    tokenizer = cw.Tokenizer(encodings["cl100k-few"])
    assert pickle.loads(pickle.dumps(tokenizer)).count("a few words") == tokenizer.count(
        "a few words"
    )
    assert tokenizer.name == "own"
    with pytest.raises(cw.TokenizerError, match="ids must be ints from 0 to 599"):
        tokenizer.decode([-1])
    with pytest.raises(cw.TokenizerError, match="token id 600 is not in own"):
        tokenizer.decode([600])
