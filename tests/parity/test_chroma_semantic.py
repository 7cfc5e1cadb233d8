"""`compat.chroma`: the chunkers that ask an embedding function give what Chroma's give."""

from __future__ import annotations

import inspect
import pickle
import zlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from chunkwright import _core
from chunkwright.compat import chroma
from chunkwright.compat.chroma import (
    BaseChunker,
    ClusterSemanticChunker,
    KamradtModifiedChunker,
    openai_token_count,
)
from chunkwright.embed import OpenAICompatible
from chunkwright.errors import ModelError

from . import chroma_naive_semantic as naive
from .chroma_pair import Reference, against, same_chunks
from .test_chroma_recursive import PROSE

CLUSTER, KAMRADT = "ClusterSemanticChunker", "KamradtModifiedChunker"
Vectors = NDArray[np.floating[Any]]
Function = Callable[[list[str]], Any]

# Of unit length and exact: their cosines are sums of exact products, so ties are ties everywhere.
EXACT = [
    *(sign * row for row in np.eye(4) for sign in (1, -1)),
    *(np.array([a, b, c, 1]) / 2 for a in (1, -1) for b in (1, -1) for c in (1, -1)),
]
ZERO = np.zeros(4)


def checksum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def toy(pool: list[NDArray[np.float64]], dtype: Any = np.float64) -> Function:
    """Gives a text the vector of the pool that a checksum picks."""

    def embed(texts: list[str]) -> list[Any]:
        return [pool[checksum(text) % len(pool)].astype(dtype) for text in texts]

    return embed


def of_words(texts: list[str]) -> list[list[float]]:
    """Gives texts vectors that are alike where their words are."""
    vectors = np.zeros((len(texts), 64))
    for row, text in zip(vectors, texts, strict=True):
        for word in text.lower().split():
            row[checksum(word) % 64] += 1
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: list[list[float]] = (vectors / np.maximum(norms, 1)).tolist()
    return unit


def random_pool(n: int, d: int) -> list[NDArray[np.float64]]:
    return list(np.random.default_rng(n + d).standard_normal((n, d)))


FUNCTIONS = {
    "exact": toy(EXACT),
    "with zeros": toy([*EXACT[:3], ZERO]),
    "few": toy(EXACT[:3]),
    "one": toy(EXACT[:1]),
    "opposed": toy(EXACT[:2]),
    "all zeros": toy([ZERO]),
    "random": toy(random_pool(997, 8)),
    "exact, single precision": toy(EXACT, np.float32),
    "words": of_words,
}
functions = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


def ends_of(pieces: list[str], chunks: list[str]) -> list[int]:
    """After how many pieces each chunk ends."""
    ends: list[int] = []
    for chunk in chunks:
        start = ends[-1] if ends else 0
        after = range(start + 1, len(pieces) + 1)
        ends.append(next(end for end in after if " ".join(pieces[start:end]) == chunk))
    assert ends[-1] == len(pieces)
    return ends


def same_clusters(reference: Reference, function: Function, text: str, sizes: Any) -> None:
    """Asserts that chunks are equal, or worth the same but for rounding."""
    options = {"max_chunk_size": sizes[0], "min_chunk_size": sizes[1]}
    chunker = ClusterSemanticChunker(function, **options)
    pieces, found = chunker.splitter.split_text(text), chunker.split_text(text)
    assert " ".join(found) == " ".join(pieces)
    if len(pieces) < 2:
        assert found == pieces
        return
    expected = reference().ClusterSemanticChunker(function, **options).split_text(text)
    if found != expected:
        vectors = naive.embedded(function, pieces).astype(np.float64)
        alike, most = vectors @ vectors.T, chunker.max_cluster
        worths = [naive.worth_of(alike, most, ends_of(pieces, each)) for each in (found, expected)]
        assert worths[0] == pytest.approx(worths[1], abs=1e-4)


@against
@functions
@given(text=PROSE.map("".join), sizes=st.tuples(st.integers(0, 24), st.integers(1, 4)))
@example(text="one. two. three. four. five. six. seven.", sizes=(6, 2))
def test_clusters(
    reference: Reference, function: Function, text: str, sizes: tuple[int, int]
) -> None:
    same_clusters(reference, function, text, sizes)


def ends(vectors: Vectors, most: int) -> list[int]:
    return _core.cluster_ends(vectors.data, most)


small = st.integers(-3, 3).map(float)
matrices = st.integers(1, 4).flatmap(
    lambda d: arrays.arrays(np.float64, st.tuples(st.integers(1, 24), st.just(d)), elements=small)
)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(vectors=matrices, most=st.integers(0, 6))
@example(vectors=np.ones((9, 2)), most=3)
@example(vectors=np.zeros((9, 2)), most=3)
@example(vectors=np.array([[1.0], [-1.0]] * 6), most=2)
@example(vectors=np.eye(4)[[0, 1, 2, 3, 3]], most=2)
def test_groups_are_worth_the_most(vectors: Vectors, most: int, dtype: Any) -> None:
    found = ends(vectors.astype(dtype), most)
    if most == 0 or len(vectors) == 1:
        assert found == [len(vectors)]
        return
    exact = np.array([[Fraction(value) for value in row] for row in vectors])
    alike = exact @ exact.T
    best = naive.worth_of(alike, most, naive.group_ends(alike, most))
    assert naive.worth_of(alike, most, found) == best


def test_the_programme_starts_at_nothing() -> None:
    """Pieces that are unlike all before them stay in the first chunk, over the limit or not."""
    unlike = np.eye(9)
    assert ends(unlike, 2) == [9]
    vectors = np.vstack([np.eye(12)[:9], np.eye(12)[9], np.eye(12)[9], np.eye(12)[11]])
    assert ends(vectors, 2) == [9, 11, 12]
    assert ends(np.ones((5, 2)), 2) == [5]
    assert ends(np.array([[1.0], [-1.0]]), 1) == [2]


@pytest.mark.filterwarnings(
    "ignore:invalid value:RuntimeWarning"
)  # of vectors of zeros, the peer's
@against
@functions
@given(
    text=PROSE.map("".join),
    sizes=st.tuples(st.integers(1, 30), st.integers(1, 4)),
    length=st.sampled_from([openai_token_count, len, lambda text: len(text.split())]),
)
def test_kamradt_modified(
    reference: Reference, function: Function, text: str, sizes: tuple[int, int], length: Any
) -> None:
    kwargs = {
        "avg_chunk_size": sizes[0],
        "min_chunk_size": sizes[1],
        "embedding_function": function,
        "length_function": length,
    }
    if KamradtModifiedChunker(**kwargs).splitter.split_text(text):
        same_chunks(reference, KAMRADT, text, **kwargs)


@against
@pytest.mark.parametrize("sizes", [(200, 50), (60, 20)])
def test_long_texts(
    reference: Reference, long_texts: dict[str, str], sizes: tuple[int, int]
) -> None:
    for text in long_texts.values():
        excerpt = text[:8_000]
        same_clusters(reference, of_words, excerpt, sizes)
        kwargs: dict[str, Any] = {"avg_chunk_size": sizes[0], "min_chunk_size": sizes[1]}
        chunks = same_chunks(reference, KAMRADT, excerpt, embedding_function=of_words, **kwargs)
        assert len(chunks) > 5


class Words:
    """Stands in for a splitter: each word is a piece."""

    def split_text(self, text: str) -> list[str]:
        return text.split()


def by_words(cls: Any, function: Any, **kwargs: Any) -> Any:
    """A chunker whose pieces are words."""
    chunker = cls(embedding_function=function, **kwargs)
    chunker.splitter = Words()
    return chunker


LETTERS = "a b c d e f g h i j"


def cut_letters(vectors: Vectors, average: int) -> list[str]:
    """The letters' chunks if these are their vectors."""
    kwargs = {"avg_chunk_size": average, "length_function": len}
    chunks: list[str] = by_words(KamradtModifiedChunker, lambda _: vectors, **kwargs).split_text(
        LETTERS
    )
    return chunks


def test_equal_distances_are_cut_all_or_none() -> None:
    counts = []
    for angle in np.linspace(0.1, 1.5, 15):
        turned = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]] * 5)
        counts.append(len(cut_letters(turned, 9)))  # one cut is wanted
    assert set(counts) == {1, 10}


def test_opposed_neighbours_are_always_cut() -> None:
    opposed = np.array([[1.0, 0.0], [-1.0, 0.0]] * 5)
    assert cut_letters(opposed, 1000) == LETTERS.split()


def test_zeros_are_never_cut() -> None:
    vectors = np.array([[1.0, 0.0], [-1.0, 0.0]] * 5)
    vectors[4] = 0
    assert cut_letters(vectors, 1) == ["a", "b", "c", "d e f", "g", "h", "i", "j"]


def test_helpers_of_the_peer() -> None:
    chunker = KamradtModifiedChunker(embedding_function=of_words)
    sentences = [{"sentence": text, "index": i} for i, text in enumerate("abc")]
    for buffer, combined in (
        (-2, ["a", "b", "c"]),
        (0, ["a", "b", "c"]),
        (1, ["a b", "a b c", "b c"]),
        (9, ["a b c"] * 3),
    ):
        assert chunker.combine_sentences(sentences, buffer) is sentences
        assert [each["combined_sentence"] for each in sentences] == combined
    chunker.combine_sentences(sentences)
    distances, same = chunker.calculate_cosine_distances(sentences)
    assert same is sentences
    assert distances == [each["distance_to_next"] for each in sentences[:2]]
    assert "distance_to_next" not in sentences[2]
    assert chunker.calculate_cosine_distances([]) == ([], [])


def _parameters(function: Any) -> list[tuple[str, Any, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, p.default) for p in found]


ARGUMENTS = {
    CLUSTER: ["embedding_function", "max_chunk_size", "min_chunk_size", "length_function"],
    KAMRADT: ["avg_chunk_size", "min_chunk_size", "embedding_function", "length_function"],
}


@pytest.mark.parametrize("name", [CLUSTER, KAMRADT])
def test_arguments_and_attributes(name: str) -> None:
    cls = getattr(chroma, name)
    defaults = {
        "embedding_function": None,
        "max_chunk_size": 400,
        "avg_chunk_size": 400,
        "min_chunk_size": 50,
        "length_function": openai_token_count,
    }
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert _parameters(cls) == [(each, kind, defaults[each]) for each in ARGUMENTS[name]]
    chunker = cls(embedding_function=of_words, min_chunk_size=40)
    assert issubclass(cls, BaseChunker)
    assert chunker.embedding_function is of_words
    assert chunker.splitter._chunk_size == 40
    if name == CLUSTER:
        assert (chunker._chunk_size, chunker.max_cluster) == (400, 10)
    else:
        assert (chunker.avg_chunk_size, chunker.length_function) == (400, openai_token_count)


@pytest.mark.parametrize("cls", [ClusterSemanticChunker, KamradtModifiedChunker])
@pytest.mark.parametrize("text", ["", " \n "])
def test_a_text_of_nothing_has_no_chunks(cls: Any, text: str) -> None:
    assert cls(embedding_function=of_words).split_text(text) == []


@pytest.mark.parametrize("cls", [ClusterSemanticChunker, KamradtModifiedChunker])
class TestBothChunkers:
    def test_functions_get_500_texts_at_a_time(self, cls: Any) -> None:
        calls: list[int] = []

        def embed(texts: list[str]) -> Any:
            calls.append(len(texts))
            return of_words(texts)

        by_words(cls, embed).split_text("word " * 1200)
        assert calls == [500, 500, 200]

    def test_whatever_is_an_embedder(self, cls: Any) -> None:
        class Encoder:
            """As models of sentence-transformers, which are callable with other things."""

            def encode(self, texts: list[str]) -> Any:
                return np.array(of_words(texts))

            def __call__(self, texts: list[str]) -> Any:
                raise AssertionError(texts)

        class Documents:
            def embed_documents(self, texts: list[str]) -> Any:
                return of_words(texts)

        text = "one two. three one! four two? five six. " * 5
        expected = cls(embedding_function=of_words, min_chunk_size=5).split_text(text)
        for embedder in (Encoder(), Documents(), lambda texts: np.array(of_words(texts))):
            found = cls(embedding_function=embedder, min_chunk_size=5).split_text(text)
            assert found == expected
        assert " ".join(cls(embedding_function="lexical", min_chunk_size=5).split_text(text))

    @pytest.mark.parametrize(
        ("vectors", "message"),
        [
            ([[1.0, 2.0]] * 2 + [[1.0, float("nan")]], "nan as value 1 of row 2"),
            ([[float("-inf"), 2.0]] * 3, "-inf as value 0 of row 0"),
            ([[1.0, 2.0]] * 2, "2 vectors for 3 texts"),
            ([[1.0, 2.0]] * 4, "4 vectors for 3 texts"),
            ([[1.0, 2.0], [1.0], [1.0]], "row 1 has 1 values, row 0 has 2"),
            ([1.0, 2.0, 3.0], r"shape \(3, d\), got \(3,\)"),
            ([["a"], ["b"], ["c"]], "no numbers"),
            (None, "no numbers"),
        ],
    )
    def test_vectors_that_are_none(self, cls: Any, vectors: Any, message: str) -> None:
        chunker = by_words(cls, lambda _: vectors)
        with pytest.raises(ModelError, match=message):
            chunker.split_text("a b c")

    def test_rows_are_those_of_all_batches(self, cls: Any) -> None:
        def embed(texts: list[str]) -> Any:
            return [[float("nan") if len(texts) == 200 else 1.0]] * len(texts)

        with pytest.raises(ModelError, match="nan as value 0 of row 1000"):
            by_words(cls, embed).split_text("word " * 1200)

    def test_batches_of_other_lengths(self, cls: Any) -> None:
        def embed(texts: list[str]) -> Any:
            return np.ones((len(texts), 2 if len(texts) == 500 else 3))

        with pytest.raises(ModelError, match="3 values for texts 500 to 599, 2 for those before"):
            by_words(cls, embed).split_text("word " * 600)

    def test_errors_of_the_function_are_its_own(self, cls: Any) -> None:
        def embed(texts: list[str]) -> Any:
            raise TimeoutError(len(texts))

        with pytest.raises(TimeoutError):
            cls(embedding_function=embed).split_text("a b c")

    def test_without_a_function(self, cls: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        with pytest.raises(ValueError, match="OPENAI_API_KEY"):
            cls()
        monkeypatch.setenv("OPENAI_API_KEY", "a-key")
        embedder = cls().embedding_function
        assert isinstance(embedder, OpenAICompatible)
        assert embedder.model == "text-embedding-3-large"

    def test_sizes_that_make_no_sense(self, cls: Any) -> None:
        with pytest.raises(ValueError, match=r"larger chunk overlap \(0\) than chunk size \(-1\)"):
            cls(embedding_function=of_words, min_chunk_size=-1)
        size = "min_chunk_size" if cls is ClusterSemanticChunker else "avg_chunk_size"
        with pytest.raises(ZeroDivisionError):
            cls(embedding_function=of_words, **{size: 0}).split_text("a b c")

    def test_it_pickles(self, cls: Any) -> None:
        chunker = cls(embedding_function=of_words, min_chunk_size=5)
        text = "one two. three one! four two? five six. " * 5
        assert pickle.loads(pickle.dumps(chunker)).split_text(text) == chunker.split_text(text)

    def test_thousands_of_pieces_need_no_matrix(self, cls: Any) -> None:
        """A matrix of 40,000 pieces would take 12.8 GB."""
        text = " ".join(map(str, range(40_000)))
        assert " ".join(by_words(cls, toy(EXACT)).split_text(text)) == text
