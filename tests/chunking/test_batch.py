"""Many texts at once: the same chunks as one by one, for any number of workers."""

import gc
import itertools
import os
import pickle
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import batch as many
from tests.support.texts import WITH_SURROGATES

STRATEGIES: list[Any] = [
    cw.Recursive(max_tokens=9, overlap=3),
    cw.Recursive(max_chars=20),
    cw.Window(max_tokens=7, tokenizer="o200k_base"),
    cw.Sentence(max_tokens=9, overlap=3),
    cw.Balanced(max_tokens=9),
    cw.Window(max_tokens=7, tokenizer=lambda text: len(text.split())),
]
# Of more than a megabyte: indexed in parts.
LONG = "Words in a line, Wörter, 漢字, and then 12 more.\n\n" * 30_000


def fails_on(word: str) -> Callable[[str], int]:
    def count(text: str) -> int:
        if word in text:
            raise ZeroDivisionError(word)
        return len(text)

    return count


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(texts=st.lists(WITH_SURROGATES, max_size=8), workers=st.none() | st.integers(1, 5))
def test_a_batch_is_its_texts_one_by_one(
    strategy: cw.Recursive, texts: list[str], workers: int | None
) -> None:
    names = [f"{i}.txt" for i in range(len(texts))]
    batch = strategy.batch(texts, names=names, workers=workers)
    each = [strategy(text, name=name) for text, name in zip(texts, names, strict=True)]
    assert list(batch) == list(itertools.chain.from_iterable(each))
    assert batch.doc_index.tolist() == [i for i, chunks in enumerate(each) for _ in chunks]
    assert batch.ids == [id_ for chunks in each for id_ in chunks.ids]
    for column in (
        "starts",
        "ends",
        "byte_starts",
        "byte_ends",
        "line_starts",
        "line_ends",
        "n_tokens",
    ):
        expected = [number for chunks in each for number in getattr(chunks, column).tolist()]
        assert getattr(batch, column).tolist() == expected
    assert batch.texts() == [text for chunks in each for text in chunks.texts()]
    assert [chunk.oversize for chunk in batch] == [c.oversize for chunks in each for c in chunks]
    assert (batch.sources, batch.names, batch.errors) == (texts, names, {})
    assert list(strategy.stream(iter(texts), workers=workers)) == [strategy(text) for text in texts]


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_a_long_text_is_indexed_in_parts(encoding: str) -> None:
    strategy = cw.Recursive(max_tokens=100, overlap=10, tokenizer=encoding)
    texts = ["short", LONG, "x" * 2**21, "", LONG[:-1]]
    batch = strategy.batch(texts, workers=3)
    assert batch == strategy.batch(texts, workers=1)
    chunks = [strategy(text) for text in texts]
    assert batch.n_tokens.tolist() == np.concatenate([c.n_tokens for c in chunks]).tolist()
    assert batch.texts() == [text for c in chunks for text in c.texts()]
    assert strategy.batch([LONG])[:] == strategy(LONG)


def test_more_texts_than_a_stream_reads_ahead() -> None:
    texts = [f"Text number {i} of many." for i in range(3 * many.WINDOW_TEXTS)]
    strategy = cw.Window(max_chars=12)
    assert [chunks.source for chunks in strategy.stream(texts, workers=2)] == texts
    batch = strategy.batch(texts, workers=2)
    assert batch.texts() == [text[at : at + 12] for text in texts for at in range(0, len(text), 12)]
    assert batch.doc_index[-1] == len(texts) - 1


def test_any_iterable_of_texts() -> None:
    strategy = cw.Window(max_chars=5)
    expected = strategy.batch(["one two", "three"])
    for texts in (("one two", "three"), iter(["one two", "three"]), {"one two": 1, "three": 2}):
        assert strategy.batch(texts) == expected
    assert strategy.batch(np.array(["one two", "three"])) == expected
    assert len(strategy.batch([])) == len(strategy.batch(["", "  "])) == 0


def test_documents_bring_their_names() -> None:
    document = cw.Document(text="one two", name="a.txt")
    strategy = cw.Window(max_chars=5)
    chunks = strategy.batch([document, "three", document], names=[None, "b.txt", "c.txt"])
    assert chunks.names == ["a.txt", "b.txt", "c.txt"]
    assert chunks[:2].ids == strategy(document).ids
    assert len(set(chunks.ids)) == len(chunks)
    assert [chunks.name for chunks in strategy.stream([document, "three"])] == ["a.txt", None]


def test_one_text_and_none() -> None:
    strategy = cw.Window(max_chars=5)
    one, none, two = (strategy.batch(["one two"] * n, names=["a"] * n) for n in (1, 0, 2))
    assert one == strategy("one two", name="a")
    assert (one.source, one.name) == ("one two", "a")
    for chunks in (none, two):
        assert chunks.name is None
        with pytest.raises(cw.ConfigError, match="no one source of"):
            _ = chunks.source


def test_views_of_a_batch() -> None:
    chunks = cw.Window(max_chars=4).batch(["one two", "", "three\ud800"], names=["a", "b", "c"])
    assert [chunk.doc_index for chunk in chunks] == [0, 0, 2, 2]
    view = chunks[::-2]
    assert view.doc_index.tolist() == [2, 0]
    assert view.texts() == ["e\ud800", "two"]
    assert pickle.loads(pickle.dumps(chunks)) == chunks
    assert pickle.loads(pickle.dumps(view)) == view
    assert chunks != cw.Window(max_chars=4).batch(["one two", "three\ud800"], names=["a", "c"])
    assert repr(chunks).startswith("<4 chunks of 3 documents>\n  0: Chunk('one '")
    assert "three" not in chunks._repr_html_()
    assert "thre" in chunks._repr_html_()


def test_arrow_has_the_documents_numbers() -> None:
    chunks = cw.Window(max_chars=4).batch(["one two", "three\ud800"])
    batch = pa.record_batch(chunks)
    batch.validate(full=True)
    assert batch.schema == pa.schema(chunks)
    assert batch.schema.names[:4] == ["chunk_id", "document", "document_id", "doc_index"]
    assert batch["doc_index"].to_pylist() == [0, 0, 1, 1]
    assert batch["text"].to_pylist() == ["one ", "two", "thre", "e\ufffd"]
    assert pa.table(chunks[::-1])["doc_index"].to_pylist() == [1, 1, 0, 0]
    # The columns do not depend on how many texts there are.
    for texts in ([], ["one"]):
        assert pa.record_batch(cw.Window(max_chars=4).batch(texts)).schema == batch.schema


# ---------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize("texts", ["a text", b"bytes", 5, None, cw.Document(text="a")])
def test_what_is_no_iterable_of_texts(texts: Any) -> None:
    strategy = cw.Window(max_chars=5)
    for cut in (strategy.batch, strategy.stream):
        with pytest.raises(cw.ConfigError, match=f"iterable of str, got {type(texts).__name__}"):
            cut(texts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "workers must be between 1 and 1024, got 0"),
        ({"workers": 1.5}, "workers must be an int, got 1.5"),
        ({"errors": "ignore"}, "unknown errors 'ignore'"),
        ({"errors": ["raise"]}, "unknown errors"),
        ({"names": ["a"]}, "2 texts need as many names, got 1"),
        ({"names": "ab"}, "names must be an iterable of str, got 'ab'"),
        ({"names": ["a", 3]}, r"names\[1\] must be a str or None, got 3"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    strategy = cw.Window(max_chars=5)
    with pytest.raises(cw.ConfigError, match=message):
        strategy.batch(["a", "b"], **options)
    if "names" not in options:
        with pytest.raises(cw.ConfigError, match=message):
            strategy.stream(["a", "b"], **options)


def test_an_item_that_is_no_text() -> None:
    texts: list[Any] = ["one two", 3, "three", None]
    strategy = cw.Window(max_chars=4)
    message = r"texts\[1\] must be a str or a Document, got int"
    with pytest.raises(cw.ConfigError, match=message):
        strategy.batch(texts)
    chunks = strategy.batch(texts, errors="collect")
    assert chunks.texts() == ["one ", "two", "thre", "e"]
    assert chunks.doc_index.tolist() == [0, 0, 2, 2]
    assert chunks.sources == ["one two", "", "three", ""]
    assert {i: str(error) for i, error in chunks.errors.items()} == {
        1: "texts[1] must be a str or a Document, got int",
        3: "texts[3] must be a str or a Document, got NoneType",
    }
    streamed = strategy.stream(texts)
    assert next(streamed).texts() == ["one ", "two"]
    with pytest.raises(cw.ConfigError, match=message):
        next(streamed)
    collected = list(strategy.stream(texts, errors="collect"))
    assert [list(c.errors) for c in collected] == [[], [0], [], [0]]
    assert str(collected[3].errors[0]) == "texts[3] must be a str or a Document, got NoneType"


def test_a_counter_that_fails_on_one_text() -> None:
    texts = ["one two", "bad text", "three", "worse bad"]
    strategy = cw.Window(max_tokens=4, tokenizer=fails_on("bad"))
    with pytest.raises(ZeroDivisionError):
        strategy.batch(texts)
    chunks = strategy.batch(texts, errors="collect")
    assert chunks.texts() == ["one ", "two", "thre", "e"]
    assert {i: type(error) for i, error in chunks.errors.items()} == {
        1: ZeroDivisionError,
        3: ZeroDivisionError,
    }
    assert pickle.loads(pickle.dumps(chunks.errors)).keys() == {1, 3}
    streamed = strategy.stream(texts, workers=4)
    assert next(streamed).texts() == ["one ", "two"]
    with pytest.raises(ZeroDivisionError):
        next(streamed)
    assert list(streamed) == []
    collected = list(strategy.stream(texts, errors="collect"))
    assert [list(c.errors) for c in collected] == [[], [0], [], [0]]


def test_the_first_error_is_raised_and_no_more_is_counted() -> None:
    counted = []

    def count(text: str) -> int:
        counted.append(text)
        if text.startswith("bad"):
            raise ValueError(text)
        return 1

    strategy = cw.Window(max_tokens=4, tokenizer=count)
    with pytest.raises(ValueError, match="bad 1"):
        strategy.batch(["fine", "bad 1", "bad 2"])
    assert "bad 2" not in counted


@pytest.mark.parametrize("errors", ["raise", "collect"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_is_no_error_of_a_text_is_not_collected(
    errors: Any, error: type[BaseException]
) -> None:
    def count(text: str) -> int:
        raise error(text)

    strategy = cw.Window(max_tokens=4, tokenizer=count)
    with pytest.raises(error):
        strategy.batch(["a"], errors=errors)
    with pytest.raises(error):
        list(strategy.stream(["a"], errors=errors))


# ---------------------------------------------------------------------- streams


def test_a_stream_is_lazy_and_reads_ahead_a_little() -> None:
    pulled = 0

    def texts() -> Iterator[str]:
        nonlocal pulled
        for pulled in itertools.count(1):
            yield f"Text {pulled}. " * 10

    stream = cw.Window(max_chars=10).stream(texts(), workers=2)
    assert pulled == 0
    next(stream)
    assert pulled == 2
    for _ in range(5 * many.WINDOW_TEXTS):
        next(stream)
    assert pulled <= 6 * many.WINDOW_TEXTS + 1
    before = pulled
    stream.close()  # type: ignore[attr-defined]
    assert pulled == before


def test_a_stream_reads_few_long_texts_ahead() -> None:
    pulled = 0

    def texts() -> Iterator[str]:
        nonlocal pulled
        while True:
            pulled += 1
            yield "word " * 500_000

    stream = cw.Window(max_chars=1000).stream(texts(), workers=64)
    next(stream)
    assert pulled == -(-many.WINDOW_CHARS // 2_500_000)


def test_a_stream_forgets_what_was_taken() -> None:
    class Text(str):
        __slots__ = ("__weakref__",)

    alive: list[weakref.ref[Text]] = []

    def texts() -> Iterator[str]:
        for i in range(8):
            text = Text(f"Text {i}.")
            alive.append(weakref.ref(text))
            yield text

    stream = cw.Window(max_chars=100).stream(texts(), workers=8)
    first = next(stream)
    assert first.source == "Text 0."
    for _ in range(3):
        next(stream)
    del first
    gc.collect()
    assert sum(text() is not None for text in alive) <= 5


def test_an_error_of_the_iterable_comes_behind_the_texts_before_it() -> None:
    def texts() -> Iterator[str]:
        yield from ["one", "two", "three"]
        raise LookupError("the source is gone")

    stream = cw.Window(max_chars=10).stream(texts(), workers=8)
    assert [next(stream).source for _ in range(3)] == ["one", "two", "three"]
    with pytest.raises(LookupError, match="the source is gone"):
        next(stream)


# ---------------------------------------------------------------------- processes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_batches_after_a_fork() -> None:
    strategy = cw.Recursive(max_tokens=20)
    texts = [LONG[:20_000], LONG] * 2
    expected = strategy.batch(texts, workers=2)
    child = os.fork()
    if child == 0:
        right = strategy.batch(texts, workers=2) == expected
        right &= [c.source for c in strategy.stream(texts, workers=2)] == texts
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert strategy.batch(texts, workers=2) == expected


def test_a_strategy_pickles_as_its_options_only() -> None:
    strategy = cw.Recursive(max_tokens=20)
    size = len(pickle.dumps(strategy))
    strategy.batch([LONG], workers=2)
    assert len(pickle.dumps(strategy)) == size < 500
    assert pickle.loads(pickle.dumps(strategy)).batch(["a b"]).texts() == ["a b"]


class Own(str):
    """A text with methods of its own, which say nothing about its code points."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(str(self).encode("utf-8", "surrogatepass"))

    def encode(self, *_: Any) -> bytes:
        return b"\xff"


@pytest.mark.parametrize("text", ["漢字とかな。" * 9, "One \ud800 word. \ud83d\ude00 And more."])
def test_a_subclass_of_str_is_its_code_points(text: str) -> None:
    for strategy in (cw.Recursive(max_chars=12), cw.Window(max_chars=7), cw.Window(max_tokens=5)):
        expected = strategy(text)
        assert strategy(Own(text)) == expected
        assert list(strategy.batch([Own(text)], workers=2)) == list(expected)
    assert cw.Tokenizer("cl100k_base").encode(Own(text)) == cw.Tokenizer("cl100k_base").encode(text)
