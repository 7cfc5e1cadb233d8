"""Two phases of strategies that embed or ask: pieces of many texts, then cuts by what is known."""

from typing import Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright import _core
from tests.support import toy_embedders

TEXTS = [
    "A cat naps. A cat purrs. A cat plays. An engine hums. An engine stops.",
    "",
    "One piece",
    "Rain falls. The sun shines. Rain falls again, and nobody minds it. The end.",
]
CHARS = _core.Unit.named("chars")
SPECS: list[dict[str, Any]] = [
    {"strategy": "kamradt", "max_chars": 40, "window": 0, "amount": 50.0},
    {"strategy": "kamradt_modified", "max_chars": 40, "piece_max": 16},
    {"strategy": "cluster", "max_chars": 40, "piece_max": 16},
    {"strategy": "discontinuity", "max_chars": 40, "window": 1},
]


def letters(texts: list[str]) -> Any:
    return np.array(toy_embedders.letters(texts), dtype=np.float32)


def never(texts: Any) -> Any:
    raise AssertionError(texts)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["strategy"])
@pytest.mark.parametrize("workers", [1, 3])
def test_a_cut_by_vectors_of_the_callers_is_that_of_an_embedder(
    spec: dict[str, Any], workers: int
) -> None:
    called = _core.Cutter(CHARS, spec, embedder=_core.Embedder.called(letters))
    cutter = _core.Cutter(CHARS, spec, embedder=_core.Embedder.called(never))
    pieces = cutter.pieces(TEXTS, workers)
    # All vectors of all texts, in one call.
    vectors = letters([text for each in pieces for text in each.texts()])
    n_texts, start = [len(each.texts()) for each in pieces], 0
    assert n_texts[1:3] == [0, 0]
    assert min(n_texts[0], n_texts[3]) > 2
    for text, each, n in zip(TEXTS, pieces, n_texts, strict=True):
        own = vectors[start : start + n] if n else None
        start += n
        cut, expected = cutter.cut_given(each, vectors=own), called.cut(text)
        assert cut.texts() == expected.texts()
        assert cut.to_bytes() == expected.to_bytes()


def test_a_cut_at_boundaries_of_the_callers_is_that_of_a_model() -> None:
    spec = {"strategy": "llm", "max_chars": 60, "piece_max": 12}
    cutter = _core.Cutter(CHARS, spec, asked=never)
    (pieces,) = cutter.pieces(TEXTS[:1], 1)
    assert pieces.texts() == [f"{part}." for part in TEXTS[0][:-1].split(". ")]
    assert len(pieces) == 5
    assert (
        cutter.cut_given(pieces, starts=[3]).texts()
        == cw.LLM(max_chars=60, piece_max=12, llm=lambda _: {"starts": [4]})(TEXTS[0]).texts()
    )
    assert len(cutter.cut_given(pieces, starts=[0, 1, 2, 3, 4])) == 5
    # Nobody has said anything: the limit decides.
    assert len(cutter.cut_given(pieces)) == 2


def test_elements_are_pieces() -> None:
    elements = cw.read_markdown("Cats purr.\n\nCats nap.\n\nEngines hum.").elements
    assert elements is not None
    spec = {"strategy": "by_similarity", "max_chars": 90, "similarity_threshold": 0.5}
    cutter = _core.Cutter(CHARS, spec, embedder=_core.Embedder.called(never))
    (pieces,) = cutter.pieces([elements.core], 1)
    assert pieces.texts() == ["Cats purr.", "Cats nap.", "Engines hum."]
    vectors: Any = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    found = cutter.cut_given(pieces, vectors=vectors)
    assert found.texts() == ["Cats purr.\n\nCats nap.", "Engines hum."]


def test_blocks_are_pieces() -> None:
    text = (
        "# Cats\n\nCats purr.\n\nCats nap.\n\n- one\n- two\n\nEngines hum. Engines stop. Cats run."
    )
    elements = cw.read_markdown(text).elements
    assert elements is not None
    spec = {"strategy": "structural", "max_chars": 90, "split_above": 30}
    cutter = _core.Cutter(CHARS, spec, embedder=_core.Embedder.called(never))
    (pieces,) = cutter.pieces([elements.core], 1)
    sentences = ["Engines hum.", "Engines stop.", "Cats run."]
    assert pieces.texts() == ["# Cats\n\nCats purr.", "Cats nap.", "- one\n- two", *sentences]
    vectors: Any = np.array([[1, 0]] * 2 + [[0, 1]] * 3 + [[1, 0]], dtype=np.float32)
    found = cutter.cut_given(pieces, vectors=vectors)
    assert found.texts() == [
        "# Cats\n\nCats purr.\n\nCats nap.",
        "- one\n- two",
        "Engines hum. Engines stop.",
        "Cats run.",
    ]
    # Without an embedder nobody has to be asked.
    alone = _core.Cutter(CHARS, spec)
    (none,) = alone.pieces([elements.core], 1)
    assert (len(none), none.texts()) == (0, [])
    assert alone.cut_given(none).texts() == alone.cut(elements.core).texts()


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec["strategy"])
def test_pieces_of_another_strategy_are_no_panic(spec: dict[str, Any]) -> None:
    elements = cw.read_markdown("# Cats\n\nCats purr. Cats nap.\n\n- one\n- two").elements
    assert elements is not None
    embedder = _core.Embedder.called(letters)
    (pieces,) = _core.Cutter(CHARS, spec, embedder=embedder).pieces([elements.core], 1)
    own = {"strategy": "structural", "max_chars": 30}
    cutter = _core.Cutter(CHARS, own, embedder=embedder)
    assert cutter.cut_given(pieces, vectors=letters(pieces.texts())).texts()
    assert cutter.cut_given(pieces).texts()


def test_a_counter_of_the_callers_measures_pieces() -> None:
    unit = _core.Unit.counter(lambda text: len(text.split()))
    spec = {"strategy": "cluster", "max_tokens": 9, "piece_max": 3}
    cutter = _core.Cutter(unit, spec, embedder=_core.Embedder.called(never))
    counts = [len(each.texts()) for each in cutter.pieces(TEXTS, 2)]
    assert counts == [5, 0, 0, 4]


def test_what_does_not_fit_the_pieces_is_refused() -> None:
    cutter = _core.Cutter(CHARS, SPECS[0], embedder=_core.Embedder.called(never))
    (pieces,) = cutter.pieces(TEXTS[:1], 1)
    vectors: Any = np.eye(2, dtype=np.float32)
    with pytest.raises(cw.ModelError, match="2 vectors for 5 texts"):
        cutter.cut_given(pieces, vectors=vectors)
    with pytest.raises(cw.ConfigError, match="asks for nothing of the kind"):
        cutter.cut_given(pieces, starts=[1])
    window = _core.Cutter(CHARS, {"strategy": "window", "max_chars": 9})
    (none,) = window.pieces(TEXTS[:1], 1)
    assert none.texts() == []
    assert window.cut_given(none).texts() == window.cut(TEXTS[0]).texts()


def test_an_estimate_asks_nobody() -> None:
    asked: list[Any] = []

    def model(messages: Any) -> dict[str, list[int]]:
        asked.append(messages)
        return {"starts": []}

    splitter = cw.LLM(max_chars=60, piece_max=12, llm=model)
    documents: list[Any] = [TEXTS[0], cw.Document(text=TEXTS[3], name="rain"), "", "One piece"]
    assert splitter.estimate(documents).n_calls == 2
    assert asked == []
    splitter.batch(documents)
    assert len(asked) == 2
