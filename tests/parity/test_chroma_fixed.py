"""`compat.chroma.FixedTokenChunker` gives what Chroma's gives, and ends where Chroma's does not."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from chunkwright import errors
from chunkwright.compat.chroma import (
    FixedTokenChunker,
    Tokenizer,
    openai_token_count,
    split_text_on_tokens,
)

from .chroma_pair import Reference, against, same_chunks
from .langchain_inputs import PARTS

FIXED = "FixedTokenChunker"
SPECIAL = ["<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|", "日本語テキスト", "🚀"]
TEXTS = st.lists(st.sampled_from([*PARTS, *SPECIAL, "longer words "])).map("".join)
ALLOWED: list[Any] = [frozenset(), set(), "all", {"<|endoftext|>"}]
DISALLOWED: list[Any] = ["all", (), set(), {"<|endofprompt|>"}]


@against
@given(
    text=TEXTS,
    encoding=st.sampled_from(["cl100k_base", "o200k_base", "gpt2"]),
    sizes=st.tuples(st.integers(-3, 12), st.integers(-3, 12)),
    allowed=st.sampled_from(ALLOWED),
    disallowed=st.sampled_from(DISALLOWED),
)
@example(text="日本語テキスト", encoding="cl100k_base", sizes=(2, 1), allowed=set(), disallowed=())
@example(text="a b c d e f", encoding="cl100k_base", sizes=(2, -2), allowed=set(), disallowed=())
def test_windows(  # noqa: PLR0913, PLR0917
    reference: Reference,
    text: str,
    encoding: str,
    sizes: tuple[int, int],
    allowed: Any,
    disallowed: Any,
) -> None:
    size, overlap = sizes
    assume(size != overlap)
    same_chunks(
        reference,
        FIXED,
        text,
        encoding_name=encoding,
        chunk_size=size,
        chunk_overlap=overlap,
        allowed_special=allowed,
        disallowed_special=disallowed,
    )


@against
def test_long_texts(reference: Reference, long_texts: dict[str, str]) -> None:
    for text in long_texts.values():
        for size, overlap in ((200, 0), (250, 125)):
            sizes: Any = {"chunk_size": size, "chunk_overlap": overlap}
            # The guides speak of special tokens.
            chunks = same_chunks(reference, FIXED, text, **sizes, disallowed_special=())
            assert len(chunks) > 30


def test_counts_of_the_report(corpora: dict[str, str]) -> None:
    counts = {(250, 125): 2623, (250, 0): 1314, (200, 0): 1644, (400, 0): 824}
    for (size, overlap), expected in counts.items():
        chunker = FixedTokenChunker(chunk_size=size, chunk_overlap=overlap)
        assert sum(len(chunker.split_text(text)) for text in corpora.values()) == expected


@against
@pytest.mark.parametrize("kwargs", [{}, {"chunk_size": 100}, {"model_name": "gpt-4o"}])
@pytest.mark.parametrize("text", ["", "word " * 9000, "<|endoftext|>"])
def test_defaults(reference: Reference, kwargs: dict[str, Any], text: str) -> None:
    same_chunks(reference, FIXED, text, **kwargs)


def test_an_overlap_as_large_as_the_window_ends_with_an_error() -> None:
    chunker = FixedTokenChunker(chunk_size=3, chunk_overlap=3)
    assert chunker.split_text("") == []
    assert chunker.split_text("one two three") == ["one two three"]
    with pytest.raises(errors.ConfigError, match=r"must be less than chunk_size=3, got 3"):
        chunker.split_text("one two three four")


@pytest.mark.parametrize(("size", "overlap"), [(3, 3), (3, 4), (0, 0), (-1, -1)])
def test_windows_that_never_end(size: int, overlap: int) -> None:
    tokenizer = Tokenizer(
        tokens_per_chunk=size, chunk_overlap=overlap, encode=lambda text: [*map(ord, text)],
        decode=lambda ids: "".join(map(chr, ids)),
    )  # fmt: skip
    with pytest.raises(errors.ConfigError, match=f"got {overlap}"):
        split_text_on_tokens(text="abcdef", tokenizer=tokenizer)
    assert split_text_on_tokens(text="", tokenizer=tokenizer) == []


def test_windows_of_other_tokens() -> None:
    tokenizer = Tokenizer(tokens_per_chunk=3, chunk_overlap=1, encode=list, decode="".join)  # type: ignore[arg-type]
    assert split_text_on_tokens(text="abcdef", tokenizer=tokenizer) == ["abc", "cde", "ef"]


def test_a_maker_of_its_own() -> None:
    chunker = FixedTokenChunker.from_tiktoken_encoder("o200k_base", chunk_size=2, chunk_overlap=0)
    assert chunker.split_text("One, two, three") == ["One,", " two,", " three"]


def test_special_tokens_are_counted_as_text() -> None:
    assert openai_token_count("<|endoftext|>") == 7
    assert openai_token_count(string="Hello, world!") == 4


ALONE = """
import json, sys
for name in ("tiktoken", "chunking_evaluation", "langchain_text_splitters", "langchain_core"):
    sys.modules[name] = None
from chunkwright.compat.chroma import FixedTokenChunker, RecursiveTokenChunker, openai_token_count

def error(work):
    try:
        return work()
    except Exception as raised:
        return [type(raised).__name__, str(raised)]

chunkers = [
    FixedTokenChunker(chunk_size=4, chunk_overlap=1),
    RecursiveTokenChunker(4, 0, length_function=openai_token_count),
]
found = [chunker.split_text("One two three. Four five six.") for chunker in chunkers]
found.append(error(lambda: chunkers[0].split_text("<|endoftext|>")))
found.append(error(lambda: FixedTokenChunker("p50k_base")))
found.append(error(lambda: RecursiveTokenChunker.from_tiktoken_encoder("p50k_base")))
print(json.dumps(found))
"""


def test_without_tiktoken() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    fixed, recursive, special, windows, lengths = json.loads(done.stdout)
    assert fixed == ["One two three.", ". Four five six", " six."]
    assert recursive == ["One two three", ". Four five six", "."]
    assert special[0] == "ValueError"
    purposes = ("for FixedTokenChunker", "calculate max_tokens_for_prompt")
    for (kind, message), purpose in zip((windows, lengths), purposes, strict=True):
        assert kind == "ImportError"
        assert message == (
            f"Could not import tiktoken python package. This is needed in order to {purpose}. "
            "Please install it with `pip install tiktoken`."
        )
