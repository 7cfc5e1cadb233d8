"""Embedders that fail or answer wrongly: an error that names the value, or right chunks."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright.chunking import ElementStrategy, make_strategy
from chunkwright.errors import ModelError
from tests.support.element_lists import element
from tests.support.hostile_cases import load, violations
from tests.support.long_texts import NO_SHARED_DATA

LIMIT = 500
STRATEGIES: dict[str, dict[str, Any]] = {
    "kamradt": {"window": 0},
    "kamradt_modified": {"window": 0, "piece_max": 40},
    "cluster": {"piece_max": 40},
    "discontinuity": {},
    "by_similarity": {},
}
TWO = ["One sentence is standing here.", "Another one is standing there."]


def _cut(strategy: str, texts: list[str], embedder: Any) -> cw.Chunks:
    """Cut texts that each are one piece of what is cut."""
    options = {"max_chars": LIMIT, "embedder": embedder, **STRATEGIES[strategy]}
    splitter: Any = make_strategy(strategy, options)
    return splitter(_document(splitter, texts))  # type: ignore[no-any-return]


def _document(splitter: Any, texts: list[str]) -> Any:
    """What the strategy cuts: a text of paragraphs, or a list of elements."""
    if isinstance(splitter, ElementStrategy):
        return [element("NarrativeText", text) for text in texts]
    return "\n\n".join(texts)


hostile = load()
CASES = (
    [] if hostile is None else [pytest.param(c, id=c.name) for c in hostile.cases(kind="vectors")]
)
# Cases that are about size are made smaller.
SCALE = 0.05


@pytest.mark.shared
@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("case", CASES)
def test_vectors(case: Any, strategy: str) -> None:
    made = case.make(SCALE)
    asked: list[str] = []

    def embedder(texts: list[str]) -> Any:
        asked.extend(texts)
        return made["vectors"]

    try:
        chunks = _cut(strategy, made["texts"], embedder)
    except ModelError as error:
        assert case.expect != "chunks"
        assert "row" in str(error)  # noqa: PT017 - either outcome is right
        return
    finally:
        assert asked in ([], made["texts"])
    assert case.expect != "error"
    text = chunks.source
    assert violations(hostile, text, chunks, LIMIT, len) == []
    assert [part for chunk in chunks.texts() for part in chunk.split("\n\n")] == made["texts"]
    _scores_are_numbers(chunks)


def _scores_are_numbers(chunks: cw.Chunks) -> None:
    if chunks.boundaries is not None:
        assert np.all((chunks.boundaries.scores >= 0) & (chunks.boundaries.scores <= 2))


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, list])
def test_the_row_and_the_value_are_named(strategy: str, value: float, dtype: Any) -> None:
    texts = [f"Sentence number {i} is standing here." for i in range(9)]

    def embedder(texts: list[str]) -> Any:
        rows = np.ones((len(texts), 5), dtype=np.float64)
        rows[7, 3] = value
        return rows.tolist() if dtype is list else rows.astype(dtype)

    with pytest.raises(ModelError, match=f"the embedder gave {value} as value 3 of row 7"):
        _cut(strategy, texts, embedder)


class Tensor:
    """What NumPy can read without being told how, as a tensor of torch."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        del copy
        return np.asarray(self._rows, dtype=dtype)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize(
    "form",
    [
        np.array,
        list,
        tuple,
        iter,
        Tensor,
        lambda rows: np.array(rows, dtype=np.float32),
        lambda rows: np.array(rows, dtype=np.float16),
        lambda rows: np.array(rows, dtype=np.longdouble),
        lambda rows: np.array(rows, dtype=np.int8),
        lambda rows: np.array(rows, dtype=np.uint64),
        lambda rows: np.array(rows, dtype=">f8"),
        lambda rows: np.asfortranarray(rows, dtype=np.float32),
        lambda rows: np.repeat(np.array(rows), 3, axis=0)[::3],
        lambda rows: [np.array(row) for row in rows],
        lambda rows: [tuple(row) for row in rows],
        lambda rows: memoryview(np.array(rows).data),
    ],
)
def test_vectors_of_any_form(strategy: str, form: Any) -> None:
    texts = [f"Sentence number {i} is standing here." for i in range(12)]

    def rows(texts: list[str]) -> list[list[int]]:
        return [[1, i // 4 + 1, (i * i) % 5] for i in range(len(texts))]

    expected = _cut(strategy, texts, rows)
    assert _cut(strategy, texts, lambda texts: form(rows(texts))) == expected


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "no numbers, but NoneType"),
        ("vectors", "no numbers, but str"),
        ([1.0, 2.0], r"must give an array of shape \(2, d\), got \(2,\)"),
        ([[], []], r"must give an array of shape \(2, d\), got \(2, 0\)"),
        ([[1.0]], "gave 1 vector for 2 texts"),
        (np.ones((3, 2)), "gave 3 vectors for 2 texts"),
        (np.ones((0, 2)), "gave 0 vectors for 2 texts"),
        ([[[1.0]], [[1.0]]], r"got \(2, 1, 1\)"),
        ([["a"], ["b"]], "no numbers"),
        ([[1j], [2.0]], "no numbers"),
        ([[True], [False]], "no numbers"),
        (np.array([[object()], [1.0]]), "no numbers"),
        ([[1.0, 2.0], [1.0]], "row 1 has 1 values, row 0 has 2"),
        ([[1.0], [10**400]], "no numbers"),
    ],
)
def test_answers_that_are_no_vectors(strategy: str, answer: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        _cut(strategy, TWO, lambda _texts: answer)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_an_embedder_that_fails_is_the_cause(strategy: str) -> None:
    def embedder(texts: list[str]) -> Any:
        raise OSError(f"no model for {texts[0]}")

    with pytest.raises(
        ModelError, match=r"failed on 2 texts: OSError\('no model for One"
    ) as caught:
        _cut(strategy, TWO, embedder)
    assert isinstance(caught.value.__cause__, OSError)
    # Nothing is to be embedded.
    assert len(_cut(strategy, ["", " "], embedder)) == 0


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_no_error_of_an_embedder_comes_through(
    strategy: str, error: type[BaseException]
) -> None:
    def embedder(texts: list[str]) -> Any:
        raise error(texts)

    with pytest.raises(error):
        _cut(strategy, TWO, embedder)
    options = {"max_chars": LIMIT, "embedder": embedder, **STRATEGIES[strategy]}
    splitter: Any = make_strategy(strategy, options)
    for errors in ("raise", "collect"):
        with pytest.raises(error):
            splitter.batch([_document(splitter, TWO)] * 3, errors=errors, workers=2)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_embedders_that_fail_on_one_document(strategy: str) -> None:
    def embedder(texts: list[str]) -> Any:
        if any("bad" in text for text in texts):
            raise OSError("bad")
        return [[1.0, i % 2] for i in range(len(texts))]

    options = {"max_chars": LIMIT, "embedder": embedder, **STRATEGIES[strategy]}
    splitter: Any = make_strategy(strategy, options)
    texts = [
        _document(splitter, sentences)
        for sentences in (
            ["Good one is standing here.", "And so is the other."],
            ["A bad one is standing here.", "And so on it goes."],
            ["Good again."],
        )
    ]
    with pytest.raises(ModelError, match="OSError"):
        splitter.batch(texts, workers=2)
    chunks = splitter.batch(texts, errors="collect", workers=2)
    assert list(chunks.errors) == [1]
    assert isinstance(chunks.errors[1], ModelError)
    assert chunks.doc_index.tolist() == [i for i in (0, 2) for _ in splitter(texts[i])]
    if chunks.boundaries is not None:
        assert len(chunks.boundaries.thresholds) == 3
        assert set(chunks.boundaries.doc_index.tolist()) <= {0, 2}
        own = [splitter(texts[i]) for i in (0, 2)]
        assert chunks.reasons == [reason for one in own for reason in one.reasons]
    collected = list(splitter.stream(texts, errors="collect"))
    assert [list(one.errors) for one in collected] == [[], [0], []]


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_an_embedder_may_cut_texts_itself(strategy: str) -> None:
    inner = cw.Recursive(max_chars=5)

    def embedder(texts: list[str]) -> Any:
        return [[len(inner(text)), 1.0] for text in texts]

    texts = [" ".join(pair) for pair in itertools.combinations(TWO, 2)] * 4
    assert _cut(strategy, texts, embedder) == _cut(strategy, texts, embedder)
