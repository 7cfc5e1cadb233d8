"""Hostile input over all strategies: the oracle holds, or a typed error names the value."""

from __future__ import annotations

import random
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ChunkwrightError, ConfigError, ReadError, TokenizerError
from chunkwright.readers.text import decode
from tests.support.hostile_cases import (
    RUNS,
    SEMANTIC,
    Run,
    load,
    lost_between_bodies,
    tiktoken_count,
    violations,
)
from tests.support.long_texts import NO_SHARED_DATA

hostile = load()
if hostile is None:
    pytest.skip(NO_SHARED_DATA, allow_module_level=True)

SCALE = 0.05
SEED = 20_260_808
STRATEGIES: list[Any] = [cw.Recursive, cw.Sentence, cw.Balanced, cw.Window, *SEMANTIC]
UNITS = ["tokens", "chars", "pieces"]

pytestmark = [pytest.mark.shared, pytest.mark.cpu_seconds(30)]


def _cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case.name) for case in hostile.cases(kind=kind)]


@pytest.mark.parametrize("case", [*_cases("text"), *_cases("code"), *_cases("json")])
def test_text(case: Any) -> None:
    made = case.make(SCALE)
    # Code comes with its language; whatever is no JSON is a text all the same.
    text = made if isinstance(made, str) else made[1]
    assert_holds(text)


def assert_holds(text: str) -> None:
    found = {str(run): _violations(run, text) for run in RUNS}
    assert not {run: bad for run, bad in found.items() if bad}


def _violations(run: Run, text: str) -> list[str]:
    try:
        chunks = run.chunks(text)
    except ChunkwrightError as error:
        return [f"refused: {error!r}"]
    return violations(hostile, text, chunks, run.size, run.measure)


# The time limit is the judge: what takes it too long is read once for each of its dots.
@pytest.mark.parametrize("dots", ["e.g. x ", "a.a"])
def test_blanks_behind_a_bullet_are_read_once(dots: str) -> None:
    text = "- " + 400_000 * " " + 100_000 * dots
    for strategy in STRATEGIES:
        chunks = strategy(max_chars=1000)(text)
        assert "".join(chunks.texts()).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("strategy", [cw.Recursive, cw.Sentence, cw.Balanced, *SEMANTIC])
def test_a_counters_dice_may_reach_less_far_than_the_overlap(strategy: Any) -> None:
    parts = ["a", "b ", ". ", "A", "\n", "\n\n", " ", "漢", ", ", "! "]
    dice = random.Random(SEED)
    chunker = strategy(
        max_tokens=39, soft_max=30, overlap=17, tokenizer=lambda _text: dice.randrange(60)
    )
    for _ in range(500):
        text = "".join(dice.choices(parts, k=80))
        assert lost_between_bodies(text, chunker(text)) == []


@pytest.mark.parametrize("case", _cases("bytes"))
def test_bytes(case: Any) -> None:
    data = case.make(SCALE)
    try:
        text = decode(data)
    except ReadError as error:
        # A place that is no UTF-8, or the name of what is no text at all.
        said = str(error)
        assert "at byte" in said or "not text" in said
        return
    assert case.expect != "error"
    assert text.encode() == data
    assert_holds(text)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("case", _cases("config"))
def test_config(case: Any, strategy: Any, unit: str) -> None:
    made = case.make(SCALE)
    size, overlap = made["params"]["chunk_size"], made["params"]["chunk_overlap"]
    run = Run(strategy=strategy, unit=unit, size=size, overlap=overlap)
    if case.expect == "error":
        blamed = overlap if "overlap" in case.name else size
        with pytest.raises(ConfigError) as caught:
            run.chunks(made["text"])
        assert str(blamed) in str(caught.value)
        return
    try:
        chunks = run.chunks(made["text"])
    except ConfigError as error:
        assert str(size) in str(error)  # noqa: PT017 - either outcome is right
        return
    assert violations(hostile, made["text"], chunks, size, run.measure) == []


@pytest.mark.parametrize("overlap", [0, 20])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("case", _cases("counter"))
def test_counter(case: Any, strategy: Any, overlap: int) -> None:
    made = case.make(SCALE)
    text, count = made["text"], made["count"]
    try:
        chunks = strategy(max_tokens=100, overlap=overlap, tokenizer=count)(text)
    except (TokenizerError, hostile.CounterError):
        return
    assert case.expect != "error"
    # A counter that answers by dice measures nothing a second time.
    again = count if case.name != "n_random" else (lambda _chunk: 0)
    assert violations(hostile, text, chunks, 100, again) == []


def test_a_counters_own_exception_comes_through() -> None:
    made = hostile.get("n_raises").make(SCALE)
    for strategy in STRATEGIES:
        with pytest.raises(hostile.CounterError, match="user counter failed"):
            strategy(max_tokens=100, tokenizer=made["count"])(made["text"])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("between", ["", " "], ids=["joined", "spaced"])
def test_surrogates_that_make_a_pair_are_one_character(between: str, strategy: Any) -> None:
    text = between.join(["\ud888\udfaf"] * 40)
    chunks = strategy(max_tokens=9)(text)
    assert "".join(chunks.texts()).replace(" ", "") == text.replace(" ", "")
    assert [chunk for chunk in chunks.texts() if "\udc00" <= chunk.strip()[0] <= "\udfff"] == []
    assert chunks.n_tokens.tolist() == [tiktoken_count(chunk) for chunk in chunks.texts()]
    assert max(chunks.n_tokens) <= 9
