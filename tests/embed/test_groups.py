"""Embedders and many documents: how often they are asked, for how much, and who an error is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.errors import ModelError
from tests.support.examples import n_examples

# As the engine has them.
GROUP_TEXTS = 4096
GROUP_BYTES = 2**22

DOCUMENTS = [
    f"Cats sleep {i} hours. Engines hum in the night. Dogs bark at cat {i % 7}. Trains are late."
    for i in range(50)
]


class Counting:
    """Vectors of letters, of which it is known how often they were asked for."""

    fingerprint = "letters"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Any:
        if any("refused" in text for text in texts):
            raise ValueError(f"refused {len(texts)}")
        self.asked.append(list(texts))
        return np.array([[t.count(x) + 0.25 for x in "aeinst"] for t in texts], np.float32)


def _facts(chunks: cw.Chunks) -> list[Any]:
    boundaries = chunks.boundaries
    assert boundaries is not None
    return [
        chunks.texts(),
        chunks.starts.tolist(),
        chunks.n_tokens.tolist(),
        boundaries.scores.tolist(),
        boundaries.verdicts.tolist(),
    ]


def flat(lists: list[list[str]]) -> list[str]:
    return [text for texts in lists for text in texts]


def _splitters(embedder: Any) -> list[Any]:
    return [
        cw.Cluster(max_tokens=30, piece_max=12, embedder=embedder),
        cw.Kamradt(max_tokens=30, embedder=embedder),
        cw.Discontinuity(max_tokens=30, embedder=embedder),
    ]


def test_50_short_documents_are_one_call() -> None:
    for splitter in _splitters(Counting()):
        asked = splitter.embedder.asked
        asked.clear()
        expected = [splitter(text).texts() for text in DOCUMENTS]
        assert len(asked) == len(DOCUMENTS)
        asked.clear()
        assert splitter.batch(DOCUMENTS).texts() == flat(expected)
        assert [chunks.texts() for chunks in splitter.stream(DOCUMENTS)] == expected
        batches = [pa.record_batch({"text": part}) for part in (DOCUMENTS[:20], DOCUMENTS[20:])]
        assert len(asked) == 2
        table = pa.table(splitter.arrow(pa.Table.from_batches(batches)))
        assert table["text"].to_pylist() == flat(expected)
        # One call for each batch of the table.
        assert len(asked) == 4
        assert all(len(texts) == len(set(texts)) for texts in asked)


@settings(max_examples=n_examples(0.3), deadline=None)
@given(
    texts=st.lists(st.text("abeins .!\n\ud800é", max_size=120), min_size=1, max_size=8),
    workers=st.integers(1, 3),
)
def test_a_document_is_cut_as_if_it_were_alone(texts: list[str], workers: int) -> None:
    for splitter in _splitters(Counting()):
        alone = [splitter(text) for text in texts]
        together = list(splitter.stream(texts, workers=workers))
        for one, other in zip(alone, together, strict=True):
            np.testing.assert_equal(_facts(one), _facts(other))


def test_large_groups_are_divided() -> None:
    embedder = Counting()
    splitter = cw.Discontinuity(max_tokens=500, embedder=embedder)
    texts = [" ".join(f"Number {i} of text {n} is." for i in range(900)) for n in range(10)]
    splitter.batch(texts, workers=2)
    assert len(embedder.asked) == 3
    assert max(map(len, embedder.asked)) <= GROUP_TEXTS
    embedder.asked.clear()
    # Sentences with fifty on each side are many bytes.
    cw.Kamradt(max_tokens=500, window=50, embedder=embedder).batch(texts)
    sizes = [sum(map(len, asked)) for asked in embedder.asked]
    assert len(sizes) > 1
    assert max(sizes) <= GROUP_BYTES


def test_a_document_that_fails_is_the_only_one() -> None:
    texts = [*DOCUMENTS]
    texts[7] = "This is refused. That is not, one thinks. It is."
    texts[30] = texts[7]
    embedder = Counting()
    splitter = cw.Kamradt(max_tokens=30, embedder=embedder)
    chunks = splitter.batch(texts, errors="collect")
    assert list(chunks.errors) == [7, 30]
    message = "the embedder failed on 3 texts: ValueError('refused 3')"
    assert {str(error) for error in chunks.errors.values()} == {message}
    expected = [splitter(text).texts() for i, text in enumerate(texts) if i not in (7, 30)]
    assert chunks.texts() == flat(expected)
    with pytest.raises(ModelError) as raised:
        splitter.batch(texts)
    assert str(raised.value) == message
    stream = splitter.stream(texts)
    assert [next(stream).texts() for _ in range(7)] == expected[:7]
    with pytest.raises(ModelError):
        next(stream)


def test_vectors_that_are_none_are_those_of_their_document() -> None:
    def embed(texts: list[str]) -> Any:
        return [[float("nan") if "odd" in text else 1.0] for text in texts]

    texts = ["One. Two. Three.", "One. An odd one. Three.", "Four. Five."]
    splitter = cw.Kamradt(max_tokens=9, window=0, embedder=embed)
    chunks = splitter.batch(texts, errors="collect")
    errors = {number: str(error) for number, error in chunks.errors.items()}
    assert errors == {1: "the embedder gave nan as value 0 of row 1"}


def test_the_lexical_embedder_is_fitted_on_each_document() -> None:
    splitter = cw.Kamradt(max_tokens=30, embedder="lexical")
    expected = [splitter(text) for text in DOCUMENTS]
    for one, other in zip(expected, splitter.stream(DOCUMENTS), strict=True):
        np.testing.assert_equal(_facts(one), _facts(other))


def test_an_interrupt_is_no_documents_error() -> None:
    def interrupted(texts: list[str]) -> Any:
        raise KeyboardInterrupt(len(texts))

    splitter = cw.Kamradt(max_tokens=30, embedder=interrupted)
    with pytest.raises(KeyboardInterrupt):
        splitter.batch(DOCUMENTS, errors="collect")
