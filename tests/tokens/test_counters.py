"""A callable as tokenizer: a right result or a typed error, whatever it returns."""

import random
from collections.abc import Callable
from typing import Any

import pytest

import chunkwright as cw

TEXT = "The quick brown fox jumps over the lazy dog. " * 20


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["recursive", "window"])
def test_words_as_units(strategy: Any) -> None:
    chunks = cw.chunk(TEXT, strategy, max_tokens=7, overlap=2, tokenizer=lambda t: len(t.split()))
    assert max(len(text.split()) for text in chunks.texts()) == 7
    assert chunks.n_tokens.tolist() == [len(text.split()) for text in chunks.texts()]


def test_characters_by_a_callable_are_characters() -> None:
    strategy: Any
    for strategy in ("recursive", "window"):
        native = cw.chunk(TEXT, strategy, max_chars=50, overlap=10)
        called = cw.chunk(TEXT, strategy, max_tokens=50, overlap=10, tokenizer=len)
        assert called.texts() == native.texts()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "returned None, which is not an int"),
        (-1, "returned -1, a negative number"),
        (-(2**70), "a negative number"),
        (10**30, r"returned 1000000000000000000000000000000, a number over 2\*\*63 - 1"),
        (float("nan"), "returned nan, which is not an int"),
        ("5", "returned '5', which is not an int"),
        (2.0, "returned 2.0, which is not an int"),
    ],
)
def test_no_count(answer: object, message: str) -> None:
    def count(text: str) -> int:
        del text
        return answer  # type: ignore[return-value]

    for ask in (
        lambda: cw.chunk(TEXT, max_tokens=5, tokenizer=count),
        lambda: cw.count_tokens(TEXT, count),
        lambda: cw.Tokenizer(count).index(TEXT).longest(0, 5),
    ):
        with pytest.raises(cw.TokenizerError, match=message):
            ask()


def test_an_exception_comes_through() -> None:
    class OwnError(Exception):
        pass

    def count(text: str) -> int:
        raise OwnError(len(text))

    with pytest.raises(OwnError):
        cw.chunk(TEXT, max_tokens=5, tokenizer=count)


@pytest.mark.parametrize("strategy", ["recursive", "window"])
def test_strange_counts_end(strategy: Any) -> None:
    rng = random.Random(1)
    counters: dict[str, Callable[[str], int]] = {
        "zero": lambda text: 0 * len(text),
        "huge": lambda text: 10**9 + len(text),
        "enormous": lambda text: 2**62 + len(text),
        "random": lambda text: rng.randint(0, len(text) + 1),
        "decreasing": lambda text: max(0, 2000 - len(text)),
        "square": lambda text: len(text) ** 2 // 100 + 1,
    }
    for name, count in counters.items():
        calls = 0

        def counted(text: str, count: Callable[[str], int] = count) -> int:
            nonlocal calls
            calls += 1
            return count(text)

        chunks = cw.chunk(TEXT, strategy, max_tokens=20, overlap=4, tokenizer=counted)
        assert calls < 100 * len(TEXT), name
        bodies = [piece for chunk in chunks for piece in chunk.pieces if piece.role == "body"]
        kept = "".join(TEXT[body.start : body.end] for body in bodies)
        assert "".join(kept.split()) == "".join(TEXT.split()), name
        if name != "random":
            assert all((count(c.text) > 20) == c.oversize for c in chunks), name


def test_counts_are_asked_for_a_few_times_a_chunk() -> None:
    calls = 0

    def count(text: str) -> int:
        nonlocal calls
        calls += 1
        return len(text.split())

    chunks = cw.chunk(TEXT * 20, max_tokens=50, tokenizer=count)
    assert calls < 40 * len(chunks)


def test_a_counter_only_counts() -> None:
    tokenizer = cw.Tokenizer(len)
    assert tokenizer.name == "len"
    with pytest.raises(cw.TokenizerError, match="len only counts"):
        tokenizer.encode("text")
    with pytest.raises(cw.TokenizerError, match="len only counts"):
        tokenizer.decode([1, 2])
    index = tokenizer.index("some text")
    assert (index.count(2, 7), index.longest(2, 4)) == (5, 6)
