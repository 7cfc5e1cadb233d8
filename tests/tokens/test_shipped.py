"""The tokenizer that ships with the package is that of all-MiniLM-L6-v2."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.tokens.shipped import SHIPPED, VOCABULARY_SHA256, tokenizer_json, vocabulary

TEXT = "Uncharacteristically, the Übermensch déjà-vu'd: 12,000 km! 東京 \u200d[SEP] naïve"


def test_the_vocabulary_is_the_one_that_its_hash_says() -> None:
    lines = "".join(f"{token}\n" for token in vocabulary())
    assert hashlib.sha256(lines.encode()).hexdigest() == VOCABULARY_SHA256


@pytest.mark.parametrize("name", SHIPPED)
def test_the_name_needs_no_file(name: str) -> None:
    tokenizer = cw.Tokenizer(name)
    assert tokenizer.name == name
    assert tokenizer.encode("Hello, world!") == [7592, 1010, 2088, 999]
    assert tokenizer.decode([7592, 2088]) == "hello world"
    limit = cw.Tokenizer(name, special_tokens=True)
    assert limit.count("Hello, world!") == 6
    assert pickle.loads(pickle.dumps(tokenizer)).count(TEXT) == tokenizer.count(TEXT)


def test_chunks_are_cut_by_the_name() -> None:
    chunks = cw.chunk("It rained all day. " * 40, "recursive", max_tokens=20, tokenizer=SHIPPED[1])
    assert max(chunks.n_tokens) <= 20
    assert len(chunks) > 1


@given(st.text(max_size=60))
def test_counts_are_those_of_the_library(text: str) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="the library is the judge")
    theirs = tokenizers.Tokenizer.from_str(tokenizer_json())
    ids = theirs.encode(text, add_special_tokens=False).ids
    assert cw.Tokenizer(SHIPPED[0]).encode(text) == ids


@pytest.mark.shared
def test_the_tokenizer_is_that_of_the_model(shared: Path) -> None:
    folder = shared / "models" / "all-MiniLM-L6-v2"
    theirs, ours = cw.Tokenizer(folder), cw.Tokenizer(SHIPPED[0])
    for text in (TEXT, *vocabulary()[::97]):
        assert ours.encode(text) == theirs.encode(text)
    limits = (cw.Tokenizer(each, special_tokens=True) for each in (folder, SHIPPED[0]))
    assert len({each.count(TEXT) for each in limits}) == 1
