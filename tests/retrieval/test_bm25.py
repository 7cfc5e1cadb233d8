"""The index of words against the formula of the textbook, and what it does with odd input."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import _core
from chunkwright.errors import ConfigError
from chunkwright.retrieval import Retriever, bm25
from tests.retrieval import twins
from tests.support.texts import WITH_SURROGATES

# Terms that are words and nothing else, a few of them in most texts.
LONG = ("inflected", "inflections", "словами", "straffen")
WORDS = st.sampled_from([*"aaaabbcdefgh", "the", "the", "ქართ", "слово", *LONG])
LISTS = st.lists(st.lists(WORDS, max_size=30), min_size=1, max_size=12)
QUERIES = st.lists(st.lists(WORDS | st.just("unheard"), max_size=6), min_size=1, max_size=4)
K1 = st.floats(0, 3)
B = st.floats(0, 1)
SUBWORDS = st.sampled_from([None, "prefix", "4-grams"])


def made(
    lists: Sequence[Sequence[str]],
    k1: float = 1.2,
    b: float = 0.75,
    subwords: str | None = None,
) -> _core.Bm25:
    return _core.Bm25([" ".join(words) for words in lists], k1=k1, b=b, subwords=subwords)


def twin(
    lists: Sequence[Sequence[str]], query: Sequence[str], k1: float, b: float, context: Any = 0
) -> Any:
    """The formula, over dictionaries of counts; `context` is what a text (column) gives another."""
    n = len(lists)
    shares = np.eye(n) + context
    lengths = shares @ np.array([len(words) for words in lists])
    mean = lengths.mean() or 1.0
    scores = np.zeros(n)
    for term in set(query):
        own = np.array([Counter(words)[term] for words in lists])
        n_with = np.count_nonzero(own)
        if n_with:
            counts = shares @ own
            idf = math.log(1 + (n - n_with + 0.5) / (n_with + 0.5))
            below = counts + k1 * (1 - b + b * lengths / mean)
            gains = idf * (k1 + 1) * counts
            scores += np.divide(gains, below, out=np.zeros(n), where=counts > 0)
    return scores


def hits(index: _core.Bm25, query: str, k: int) -> list[tuple[int, float]]:
    offsets, texts, scores = (np.asarray(column) for column in index.top([query], k))
    assert offsets.tolist() == [0, len(texts)]
    return list(zip(texts.tolist(), scores.tolist(), strict=True))


@given(LISTS, QUERIES, K1, B, SUBWORDS)
def test_scores_are_those_of_the_formula(
    lists: Any, queries: Any, k1: float, b: float, subwords: str | None
) -> None:
    index = made(lists, k1, b, subwords)
    expanded = [twins.with_subwords(words, subwords) for words in lists]
    assert index.n_texts == len(lists)
    assert index.n_terms == len({word for words in expanded for word in words})
    texts = [" ".join(words) for words in queries]
    scores, bounds = map(np.asarray, index.scores(texts))
    assert bounds.tolist() == np.asarray(index.bounds(texts)).tolist()
    for words, row, bound in zip(queries, scores, bounds, strict=True):
        query = twins.with_subwords(words, subwords)
        np.testing.assert_allclose(row, twin(expanded, query, k1, b), rtol=1e-5)
        assert row.max() <= bound * (1 + 1e-5)


@given(LISTS, QUERIES, st.integers(0, 15), SUBWORDS)
def test_the_best_are_those_of_all_scores(
    lists: Any, queries: Any, k: int, subwords: str | None
) -> None:
    index = made(lists, subwords=subwords)
    texts = [" ".join(words) for words in queries]
    offsets, numbers, scores = (np.asarray(column) for column in index.top(texts, k))
    assert offsets[0] == 0
    rows = np.asarray(index.scores(texts)[0])
    for row, (start, end) in zip(rows, pairwise(offsets.tolist()), strict=True):
        order = np.argsort(-row, kind="stable")
        expected = order[row[order] > 0][:k]
        assert numbers[start:end].tolist() == expected.tolist()
        assert scores[start:end].tolist() == row[expected].tolist()


@given(twins.chunks(least=1), st.data(), st.floats(0, 2), st.floats(20, 400), B, SUBWORDS)
def test_context_counts_as_the_formula_has_it(  # noqa: PLR0913, PLR0917 - all that is drawn
    chunks: tuple[list[str], list[int]],
    data: st.DataObject,
    weight: float,
    reach: float,
    b: float,
    subwords: str | None,
) -> None:
    docs, sizes = chunks
    # A text without words of its own is in its context alone, however little that counts.
    lists = [data.draw(st.lists(WORDS, min_size=1, max_size=8)) for _ in docs]
    numbers = np.array([sorted(set(docs)).index(doc) for doc in docs], np.int64)
    neighbours = _core.Neighbours(numbers.data, np.array(sizes, np.int64).data, reach)
    given_by = weight * twins.kernel(docs, sizes, reach)
    index = made(lists, b=b, subwords=subwords)
    found = np.asarray(index.scores(["the a", "inflection"], index.context(neighbours, weight))[0])
    expanded = [twins.with_subwords(words, subwords) for words in lists]
    for row, words in zip(found, (["the", "a"], ["inflection"]), strict=True):
        expected = twin(expanded, twins.with_subwords(words, subwords), 1.2, b, given_by)
        # What counts less than a millionth is let go.
        np.testing.assert_allclose(row, expected, rtol=1e-4, atol=1e-4)


@given(st.lists(WITH_SURROGATES, max_size=5), WITH_SURROGATES)
def test_no_text_is_too_odd(texts: list[str], query: str) -> None:
    index = _core.Bm25(texts, k1=1.2, b=0.75)
    rows = np.asarray(index.scores([query, *texts])[0])
    if texts:
        assert rows.shape == (len(texts) + 1, len(texts))
    assert np.isfinite(rows).all()
    for text, row in zip(texts, rows[1:], strict=True):
        best = hits(index, text, 1)
        assert best == ([(int(row.argmax()), row.max())] if row.any() else [])


def test_terms_are_words_without_their_case_identifiers_and_their_parts() -> None:
    texts = ["parse_HTTPRequest", "The request failed", "漢字を読む", "Straße"]
    index = _core.Bm25(texts, k1=1.2, b=0.75)
    for query, expected in [
        ("REQUEST", [1, 0]),
        ("http", [0]),
        ("parse_httprequest", [0]),
        ("漢字", [2]),
        ("STRASSE", [3]),
    ]:
        assert [text for text, _ in hits(index, query, 9)] == expected


@pytest.mark.parametrize(
    ("texts", "query", "expected"),
    [
        (["Die Häuser sind leer.", "Haustiere"], "in den Häusern", [0]),
        (["пакеты программ", "паства"], "пакетов", [0]),
        (["οι υπολογιστές", "υπόλογος"], "του υπολογιστή", [0, 1]),
        (["kitapları okudum", "kıtalar"], "kitapların", [0]),
        (["المكتبات العامة", "كتاب"], "المكتبة", [0]),
        (["विद्यार्थियों के लिए", "विद्या"], "विद्यार्थी विद्यार्थियो", [0]),
        (["the tokenizer", "token"], "tokenization", [0]),
        (["def normalize_path():", "norm_path"], "normalization", [0]),
        (["parseHTTPRequests", "requi_re"], "requesting", [0]),
        (["漢字を読む", "한국어문서"], "漢文 한국사람들", [1, 0]),
        (["version 12345678", "1234567"], "123456", []),
    ],
)
def test_words_are_found_in_another_inflection(
    texts: list[str], query: str, expected: list[int]
) -> None:
    index = _core.Bm25(texts, k1=1.2, b=0.75, subwords="prefix")
    assert [text for text, _ in hits(index, query, 9)] == expected


def test_prefixes_are_the_default_and_can_be_turned_off() -> None:
    texts = ["many houses", "some households", "a horse"]
    for options, expected in [
        ({}, [1, 0]),
        ({"subwords": "prefix"}, [1, 0]),
        ({"subwords": "4-grams"}, [1, 0]),
        ({"subwords": None}, [1]),
    ]:
        found = bm25(texts, **options).search("households", 9)  # type: ignore[arg-type]
        assert found.indices.tolist() == expected, options
        index = Retriever(neighbour_smoothing=False, **options).index(texts)  # type: ignore[arg-type]
        assert index.search("households", 9) == found, options


@pytest.mark.parametrize("subwords", ["prefixes", "", True, 4])
def test_unknown_subwords_are_refused(subwords: Any) -> None:
    for call in (lambda: bm25(["a"], subwords=subwords), lambda: Retriever(subwords=subwords)):
        with pytest.raises(ConfigError, match=f"unknown subwords {subwords!r}"):
            call()
    with pytest.raises(ConfigError, match='unknown subwords "x"; known are "prefix"'):
        _core.Bm25(["a"], k1=1.2, b=0.75, subwords="x")


def test_a_term_of_a_question_counts_once() -> None:
    index = made([["a", "b"], ["b"], ["c"]])
    once, thrice = np.asarray(index.scores(["a b", "a B b a a b"])[0])
    assert once.tolist() == thrice.tolist()


def test_equal_texts_come_in_order() -> None:
    index = made([["x"], ["a"], ["a", "b"], ["a"], ["a", "b"]])
    assert [text for text, _ in hits(index, "a b", 3)] == [2, 4, 1]


def test_nothing_is_found_in_nothing() -> None:
    index = _core.Bm25([], k1=1.2, b=0.75)
    assert (index.n_texts, index.n_terms) == (0, 0)
    assert np.asarray(index.scores(["a"])[0]).size == 0
    assert [np.asarray(column).tolist() for column in index.top(["a", ""], 3)] == [
        [0, 0, 0],
        [],
        [],
    ]
    empty = _core.Bm25([""] * 100_000, k1=1.2, b=0.75)
    assert empty.n_texts == 100_000
    assert hits(empty, "a", 3) == []
    assert np.asarray(empty.bounds(["a", ""])).tolist() == [0, 0]
    assert np.asarray(empty.scores([])[0]).size == 0


def test_one_text_may_be_all_there_is() -> None:
    words = ["".join(chr(97 + i // 26**j % 26) for j in range(4)) for i in range(200_000)]
    lists = [words, words[7:8], []]
    index = made(lists)
    assert index.n_terms == 200_000
    assert [text for text, _ in hits(index, f"{words[7]} {words[-1]}", 5)] == [0, 1]
    # A question of nearly the whole text.
    [(text, score)] = hits(index, " ".join(words[8:]), 5)
    assert text == 0
    assert score == pytest.approx(twin(lists, words[8:9], 1.2, 0.75)[0] * 199_992, 1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k1": -1.0}, "k1 must be between 0 and 1000000, got -1"),
        ({"k1": math.nan}, "k1 must be between 0 and 1000000, got NaN"),
        ({"k1": math.inf}, "k1 must be between 0 and 1000000, got inf"),
        ({"b": 1.5}, "b must be between 0 and 1, got 1.5"),
        ({"b": math.nan}, "b must be between 0 and 1, got NaN"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        _core.Bm25(["a"], **({"k1": 1.2, "b": 0.75} | options))


def test_neighbours_are_checked() -> None:
    index = made([["a"], ["b"]])
    neighbours = _core.Neighbours(np.zeros(3, np.int64).data, np.ones(3, np.int64).data, 200.0)
    with pytest.raises(ConfigError, match="neighbours must be those of 2 texts, got 3"):
        index.context(neighbours, 0.5)
    neighbours = _core.Neighbours(np.zeros(2, np.int64).data, np.ones(2, np.int64).data, 200.0)
    with pytest.raises(ConfigError, match="weight must be between 0 and 1000000, got NaN"):
        index.context(neighbours, math.nan)


def test_what_is_no_text_is_refused() -> None:
    wrong: Any = ["a", 1]
    for call in (lambda: _core.Bm25(wrong, k1=1.2, b=0.75), lambda: made([["a"]]).scores(wrong)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(OverflowError):
        made([["a"]]).top(["a"], -1)


def test_threads_may_ask_at_once() -> None:
    lists = [[f"w{i % 7}", f"w{i % 11}", "the"] for i in range(2_000)]
    index = made(lists)
    expected = hits(index, "the w3 w5", 20)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda _: hits(index, "the w3 w5", 20) == expected, range(50)))


def test_an_interrupt_stops_it() -> None:
    program = """
from chunkwright import _core
texts = ["".join(chr(97 + i % 26 + j % 3) + " " for j in range(500)) for i in range(50)]
print("ready", flush=True)
_core.Bm25(texts * 400_000, k1=1.2, b=0.75)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=-1, stderr=-1) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert b"KeyboardInterrupt" in errors
