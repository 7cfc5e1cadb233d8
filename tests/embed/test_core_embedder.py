"""Vectors that Python gives the core, and those that the core makes of tokens."""

from __future__ import annotations

import ctypes
import gc
import json
import struct
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import _core
from chunkwright.errors import ConfigError, ModelError
from tests.support.texts import TEXTS

np = pytest.importorskip("numpy")


def embedded(embedder: _core.Embedder, texts: list[str]) -> Any:
    """The rows as NumPy sees them."""
    return np.asarray(embedder.embed(texts))


def giving(rows: Any) -> _core.Embedder:
    """One that gives these rows, whatever the texts."""
    return _core.Embedder.called(lambda _: rows)


def test_rows_are_what_the_callable_gave() -> None:
    asked = []

    def embed(texts: list[str]) -> Any:
        asked.append(texts)
        return np.array([[len(text), 0.5, -1] for text in texts], np.float32)

    embedder = _core.Embedder.called(embed)
    matrix = embedder.embed(["a", "", "é\ud800", "\ud83d\ude00"])
    assert asked == [["a", "", "é\ufffd", "😀"]]
    rows = np.asarray(matrix)
    assert rows.dtype == np.float32
    assert rows.tolist() == [[1, 0.5, -1], [0, 0.5, -1], [2, 0.5, -1], [1, 0.5, -1]]
    assert not rows.flags.writeable
    assert memoryview(matrix).shape == (4, 3)
    with pytest.raises(TypeError):
        embedder.embed([b"bytes"])  # type: ignore[list-item]


def test_no_texts_are_not_embedded() -> None:
    def embed(_: list[str]) -> Any:
        raise AssertionError

    assert embedded(_core.Embedder.called(embed), []).shape == (0, 0)


def test_doubles_are_taken() -> None:
    rows = embedded(giving(np.array([[1 / 3, 1e300]])), ["a"])
    assert rows.dtype == np.float32
    assert rows.tolist() == [[np.float32(1 / 3), np.inf]]


def test_buffers_need_not_be_of_numpy() -> None:
    # Of ctypes they are, whose format says in which order the bytes are.
    rows = (ctypes.c_float * 2 * 2).from_buffer(bytearray(struct.pack("<4f", 1, 2, 3, 4)))
    assert memoryview(rows).format == "<f"
    assert embedded(giving(memoryview(rows)), ["a", "b"]).tolist() == [[1, 2], [3, 4]]
    unaligned = np.frombuffer(bytes(17), np.float32, 4, 1).reshape(2, 2)
    with pytest.raises(ModelError, match="vectors must be aligned in memory"):
        giving(unaligned).embed(["a", "b"])


def test_the_matrix_is_let_go() -> None:
    kept = []

    def embed(texts: list[str]) -> Any:
        rows = np.ones((len(texts), 2), np.float32)
        kept.append(weakref.ref(rows))
        return rows

    embedded(_core.Embedder.called(embed), ["a"])
    gc.collect()
    assert kept[0]() is None


ONES = np.ones((2, 4), np.float32)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.array([[1, np.nan], [0, 0]]), "the embedder gave nan as value 1 of row 0"),
        (np.array([[1, 2], [-np.inf, 0]]), "the embedder gave -inf as value 0 of row 1"),
        (np.float32([[1, 2], [3, np.inf]]), "the embedder gave inf as value 1 of row 1"),
        (ONES[:1], "the embedder gave 1 vectors for 2 texts"),
        (np.ones((3, 4)), "the embedder gave 3 vectors for 2 texts"),
        (ONES[0], r"vectors must have the shape \(n, d\), got \(4,\)"),
        (ONES[:, :, None], r"vectors must have the shape \(n, d\), got \(2, 4, 1\)"),
        (ONES[:, :0], r"vectors must have the shape \(n, d\), got \(2, 0\)"),
        (np.float32([])[None], r"vectors must have the shape \(n, d\), got \(1, 0\)"),
        (ONES[:, ::2], r"vectors must be C-contiguous, got strides of \[16, 8\] bytes"),
        (np.asfortranarray(ONES), r"vectors must be C-contiguous, got strides of \[4, 8\] bytes"),
        (ONES.astype(int), 'vectors must be an array of float32 or float64, got .*format "l"'),
        (ONES.astype(np.float16), 'float32 or float64, got an array of format "e"'),
        (ONES.astype(">f4"), 'float32 or float64, got an array of format ">f"'),
        ([[1.0], [2.0]], "vectors must be an array of float32 or float64, got list"),
        (None, "vectors must be an array of float32 or float64, got NoneType"),
        (ONES.astype(object), "vectors must be an array of float32 or float64, got"),
    ],
)
def test_wrong_vectors_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        giving(rows).embed(["a", "b"])


class OurOwnError(Exception):
    """What a caller's code may raise."""


class OurOwnExit(BaseException):
    """What passes through everything."""


@pytest.mark.parametrize("error", [OurOwnError, OurOwnExit, KeyboardInterrupt, SystemExit])
def test_exceptions_pass_through(error: type[BaseException]) -> None:
    raised = error("it broke")

    def embed(_: list[str]) -> Any:
        raise raised

    with pytest.raises(error, match="it broke") as found:
        _core.Embedder.called(embed).embed(["a"])
    assert found.value is raised


@pytest.mark.skipif(sys.version_info < (3, 12), reason="__buffer__ is called from Python 3.12 on")
def test_exceptions_of_a_buffer_pass_through() -> None:
    class Broken:
        def __buffer__(self, _: int) -> memoryview:
            raise OurOwnError("no buffer today")

    with pytest.raises(OurOwnError, match="no buffer today"):
        giving(Broken()).embed(["a"])


def test_threads_may_ask_at_once() -> None:
    embedder = _core.Embedder.called(
        lambda texts: np.array([[float(text), 1] for text in texts], np.float32)
    )

    def first(i: int) -> list[float]:
        texts = [str(i + k) for k in range(50)]
        column: list[float] = embedded(embedder, texts)[:, 0].tolist()
        return column

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(first, range(100)))
    assert found == [[float(i + k) for k in range(50)] for i in range(100)]


# Static embeddings.

WORDS = ["[UNK]", "a", "b", "ab", "##b", "c", "é"]


def tokenizer() -> _core.Tokenizer:
    """A small one of BERT's kind."""
    made: dict[str, Any] = {
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": False,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {word: i for i, word in enumerate(WORDS)},
        },
    }
    tokenizer = _core.Tokenizer.from_json("made.json", json.dumps(made))
    assert tokenizer is not None
    return tokenizer


TABLE = np.random.default_rng(6).normal(size=(len(WORDS), 5)).astype(np.float32)


def static(vectors: Any = TABLE, **options: Any) -> _core.Embedder:
    """Vectors of the small tokenizer's tokens."""
    given = {
        "weights": None,
        "mapping": None,
        "unknown": 0,
        "max_tokens": None,
        "normalize": False,
    }
    return _core.Embedder.static(tokenizer(), vectors, **(given | options))


def mean(text: str, weights: Any, mapping: Any, max_tokens: int | None, normalize: bool) -> Any:
    """The vector of a text as NumPy has it."""
    ids = [token for token in tokenizer().encode(text)[:max_tokens] if token != 0]
    if not ids:
        return np.zeros(TABLE.shape[1])
    rows = TABLE[np.array(mapping)[ids] if mapping else ids]
    if weights:
        rows = rows * np.array(weights)[ids][:, None]
    row = rows.mean(axis=0)
    return row / np.linalg.norm(row) if normalize else row


@given(
    texts=st.lists(TEXTS | st.text("abcdé \ud800", max_size=20), max_size=5),
    weights=st.none() | st.lists(st.floats(0.25, 4), min_size=7, max_size=7),
    mapping=st.none() | st.lists(st.integers(0, 6), min_size=7, max_size=7),
    max_tokens=st.none() | st.integers(0, 4),
    normalize=st.booleans(),
)
def test_a_text_is_the_mean_of_its_tokens(
    texts: list[str], weights: Any, mapping: Any, max_tokens: int | None, normalize: bool
) -> None:
    options = {"weights": weights, "mapping": mapping, "max_tokens": max_tokens}
    found = embedded(static(normalize=normalize, **options), texts)
    assert found.shape == (len(texts), TABLE.shape[1])
    for text, row in zip(texts, found, strict=True):
        expected = mean(text, normalize=normalize, **options)
        np.testing.assert_allclose(row, expected, rtol=1e-5, atol=1e-6)


def test_texts_are_cut_by_code_points_first() -> None:
    [cut, whole] = embedded(static(max_chars=3), ["é a b c", "é a"])
    assert cut.tolist() == whole.tolist() != [0] * 5


def test_unknown_tokens_count_unless_they_are_left_out() -> None:
    [row] = embedded(static(unknown=None), ["a zzz"])
    np.testing.assert_allclose(row, (TABLE[1] + TABLE[0]) / 2, atol=1e-6)
    [row] = embedded(static(), ["a zzz"])
    assert row.tolist() == TABLE[1].tolist()


def test_static_embedders_run_on_any_thread() -> None:
    embedder = static()
    expected = embedded(embedder, ["a b ab"]).tolist()
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda _: embedded(embedder, ["a b ab"]).tolist(), range(100))
    assert all(rows == expected for rows in found)


def test_tables_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ConfigError, match="token 6 is mapped to row 7 of 7"):
        static(mapping=[0, 1, 2, 3, 4, 5, 7])
    with pytest.raises(ConfigError, match="float32, got float64"):
        static(TABLE.astype(np.float64))
    with pytest.raises(ModelError, match="vectors must be C-contiguous"):
        static(TABLE[:, ::2])
    with pytest.raises(ModelError, match="the model has no vector for token 6"):
        static(TABLE[:6]).embed(["é"])
    broken = TABLE.copy()
    broken[1, 3] = np.nan
    with pytest.raises(ModelError, match="the embedder gave nan as value 3 of row 1"):
        static(broken).embed(["b", "a"])
