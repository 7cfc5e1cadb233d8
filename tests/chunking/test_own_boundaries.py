"""Strategies of one's own: laws of chunks, sentences that they are given, errors of theirs."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking.bases.own_boundaries import OwnBoundaries
from chunkwright.rows import BASE
from tests import laws

TEXT = "A cat naps. A dog barks. A bird sings. It rains."


@dataclass(frozen=True, kw_only=True)
class Given(OwnBoundaries):
    """Begins chunks at sentences of the caller's."""

    name = "given"
    numbers: Any = ()

    def starts(self, sentences: Sequence[str]) -> Iterable[int]:
        if isinstance(self.numbers, Exception):
            raise self.numbers
        found: Any = self.numbers(sentences) if callable(self.numbers) else self.numbers
        return [*found]


def every_third(sentences: Sequence[str]) -> list[int]:
    return [*range(0, len(sentences), 3)]


@given(st.text(alphabet="ab. \n#é", max_size=60), laws.options())
def test_chunks_obey_the_laws(text: str, options: dict[str, Any]) -> None:
    laws.hold(text, Given(numbers=every_third, **options)(text), options)


def test_chunks_begin_where_they_are_told_to() -> None:
    for numbers in ([2], [2, 2, 0], iter([2])):
        chunks = Given(max_chars=90, numbers=[*numbers])(TEXT)
        assert chunks.texts() == ["A cat naps. A dog barks.", "A bird sings. It rains."]
        assert chunks.reasons == ["given", "end"]
    assert len(Given(max_chars=90)(TEXT)) == 1


def test_the_limit_holds_between() -> None:
    chunks = Given(max_chars=25, numbers=[3])(TEXT)
    assert chunks.texts() == ["A cat naps. A dog barks.", "A bird sings.", "It rains."]
    assert chunks.reasons == ["limit", "given", "end"]


def test_sentences_are_whole_and_headings_are_with_what_follows() -> None:
    seen: list[list[str]] = []

    def look(sentences: Sequence[str]) -> list[int]:
        seen.append([*sentences])
        return []

    long = "A sentence of many words, " * 40 + "and an end."
    Given(max_chars=2000, numbers=look)(f"# Pets\n\nA cat naps. A dog barks.\n\n{long}")
    assert seen == [["# Pets\n\nA cat naps.", "A dog barks.", long]]


def test_documents_with_elements_and_tables_are_cut() -> None:
    strategy = Given(max_chars=90, numbers=[1])
    document = cw.read(b"# Pets\n\nA cat naps.\n\nA dog barks.", name="pets.md")
    chunks = strategy(document)
    assert chunks.texts() == ["# Pets\n\nA cat naps.", "A dog barks."]
    assert chunks[1].headings == ("Pets",)
    assert tuple(strategy(TEXT).to_columns()) == (*BASE, *strategy.columns)
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    rows = pa.record_batch(strategy.arrow(pa.record_batch({"text": [TEXT, "One."]})))
    assert rows["text"].to_pylist() == [*strategy(TEXT).texts(), "One."]
    assert {*strategy.columns} <= {*rows.schema.names}


@pytest.mark.parametrize("number", [4, -1, "1", 1.0, True, None])
def test_a_number_that_is_none_is_named(number: Any) -> None:
    message = f"Given.starts must return numbers from 0 to 3, got {number!r}"
    with pytest.raises(cw.ConfigError, match=message):
        Given(max_chars=90, numbers=[number])(TEXT)


def test_errors_of_a_strategy_are_those_of_the_text() -> None:
    error = KeyError("mine")
    strategy = Given(max_chars=90, numbers=error)
    with pytest.raises(KeyError, match="mine"):
        strategy(TEXT)
    chunks = strategy.batch([TEXT], errors="collect")
    assert isinstance(chunks.errors[0], KeyError)


def test_options_are_checked() -> None:
    with pytest.raises(cw.ConfigError, match="overlap must be less than max_chars=9, got 9"):
        Given(max_chars=9, overlap=9)
    with pytest.raises(TypeError, match="abstract"):
        OwnBoundaries()  # type: ignore[abstract]


def test_a_strategy_is_freed_when_nobody_has_it() -> None:
    strategy = Given(max_chars=90, numbers=every_third)
    strategy(TEXT)
    seen = weakref.ref(strategy)
    gc.disable()
    try:
        del strategy
        assert seen() is None
    finally:
        gc.enable()
