"""Where `compat.semchunk` is knowingly different; see docs/differences.md."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
import tiktoken

from chunkwright.compat import semchunk as ours
from chunkwright.compat.semchunk.chunking import NativeCounter
from chunkwright.errors import ConfigError
from tests.support.made_tokenizers import made

from .semchunk_pair import theirs, with_semchunk, words

# Runs of newlines of one length that are all different: each is a splitter of its own.
LEVELS = "a".join("".join("\n\r"[i >> bit & 1] for bit in range(12)) for i in range(3000))


def test_levels_have_no_limit() -> None:
    assert ours.chunk(LEVELS, 1, len) == ["a"] * 2999


@with_semchunk
def test_levels_end_with_the_stack_of_the_peer() -> None:
    with pytest.raises(RecursionError):
        theirs().chunk(LEVELS, 1, len)


def test_what_cannot_be_split_is_named() -> None:
    with pytest.raises(RecursionError, match=r"^\"🚀\" is over the chunk size of 2 tokens"):
        ours.chunkerify("cl100k_base", 2)("one 🚀 two")


@pytest.mark.parametrize("text", ["..", "...", "a\n"])
def test_a_size_without_room_is_an_error(text: str) -> None:
    with pytest.raises((ConfigError, RecursionError)):
        ours.chunk(text, 0, len)
    with pytest.raises(ConfigError, match="a chunk_size of 0 leaves no room for a text"):
        ours.chunk("..", 0, len)


@with_semchunk
def test_a_size_without_room_in_the_peer() -> None:
    with pytest.raises(ValueError, match="lo must be non-negative"):
        theirs().chunk("..", 0, len)


def test_counts_are_forgotten_with_the_chunker() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text)

    def n_counted(chunker: Any) -> int:
        counted.clear()
        assert chunker("one two three") == ["one", "two", "three"]
        return len(counted)

    chunker = ours.chunkerify(count, 5)
    assert n_counted(chunker) > n_counted(chunker) == 0
    assert n_counted(ours.chunkerify(count, 5)) > 0
    assert n_counted(ours.chunkerify(count, 5, memoize=False)) > 0


def test_counts_are_floats() -> None:
    def count(text: str) -> Any:
        return Decimal(len(text))

    assert ours.chunk("one two", 5, count, overlap=3.5) == ["one", "ne t", "e tw", "two"]


@with_semchunk
def test_decimals_are_not_multiplied_by_floats_in_the_peer() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        theirs().chunk("one two", 5, lambda text: Decimal(len(text)), overlap=3.5)


def test_few_and_short_texts_are_remembered() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text)

    counter = ours.chunkerify(count, 5).token_counter
    texts = [str(i) for i in range(3000)]
    for text in [*texts, "x" * 5000]:
        assert counter(text) == counter(text) == len(text)
    assert counted == [*texts, "x" * 5000, "x" * 5000]
    counter("0")
    assert counted[-1] == "0"


@pytest.mark.parametrize(
    "source", [tiktoken.get_encoding("cl100k_base"), made("bert"), made("llama3"), "o200k_base"]
)
def test_known_tokenizers_are_not_called(source: Any) -> None:
    chunker = ours.chunkerify(source, 8)
    expected = chunker("One sentence. And another one, with more words.")

    def refuse(text: str) -> int:
        raise AssertionError(text)

    assert isinstance(chunker.token_counter, NativeCounter)
    chunker.token_counter.function = refuse
    assert chunker("One sentence. And another one, with more words.") == expected


@pytest.mark.parametrize("option", ["truncation", "padding"])
def test_tokenizers_that_cut_or_pad_are_called(option: str) -> None:
    tokenizer = made("bert").from_str(made("bert").to_str())
    if option == "truncation":
        tokenizer.enable_truncation(4)
    else:
        tokenizer.enable_padding(length=4)
    counter = ours.chunkerify(tokenizer, 8).token_counter
    assert not isinstance(counter, NativeCounter)
    for text in ("word", "word " * 6):
        assert counter(text) == len(tokenizer.encode(text, add_special_tokens=False))


def test_a_tokenizer_is_counted_as_it_was() -> None:
    tokenizer = made("llama3").from_str(made("llama3").to_str())
    chunker = ours.chunkerify(tokenizer, 3)
    before = chunker("xyzzyplugh and words")
    tokenizer.add_tokens(["xyzzyplugh"])
    assert chunker("xyzzyplugh and words") == before
    assert ours.chunkerify(tokenizer, 3)("xyzzyplugh and words") != before


def test_no_service_is_asked() -> None:
    message = "chunking_model='kanon-2-enricher' asks Isaacus' service"
    with pytest.raises(ConfigError, match=message):
        ours.chunk("text", 5, len, chunking_model="kanon-2-enricher")
    with pytest.raises(ConfigError, match=message):
        ours.chunkerify(len, 5, chunking_model="kanon-2-enricher")
    with pytest.raises(ConfigError, match=message):
        ours.Chunker(5, len, "kanon-2-enricher")
    assert ours.chunk("text", 5, len, isaacus_client=object()) == ["text"]


def test_threads_and_processes_give_the_same() -> None:
    texts = [f"Text number {i}. It has two sentences." for i in range(20)]
    for source in (words, len, "cl100k_base"):
        chunker = ours.chunkerify(source, 4)
        assert chunker(texts, processes=3) == chunker(texts)


def test_nothing_else_is_imported() -> None:
    program = (
        "import sys; from chunkwright.compat.semchunk import chunkerify\n"
        "assert chunkerify('gpt-4o', 4)('One, two. Three, four.')[0] == 'One, two.'\n"
        "print(*{'semchunk', 'tiktoken', 'transformers', 'tqdm', 'numpy'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout.strip() == b""
