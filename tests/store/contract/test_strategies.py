"""Strategies of imports: what cuts texts without elements, on all databases."""

from __future__ import annotations

import pytest

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.store.store import Store

PLAIN = cw.Document(text="Words one. Words two.", name="plain.txt")
ELEMENTS = cw.read(b"# Rain\n\nIt rained.", name="rain.md")


def test_texts_without_elements_have_a_strategy_of_their_own(target: str) -> None:
    with Store.open(target) as store:
        sentences = cw.Sentence(max_chars=10)
        store.add([PLAIN, ELEMENTS], strategy=cw.Structural(), for_texts=sentences)
        assert store.chunks("plain.txt").texts() == ["Words one.", "Words two."]
        assert store.chunks("rain.md").texts() == ["# Rain\n\nIt rained."]
        # Another one cuts them again.
        found = store.add([PLAIN, ELEMENTS], strategy=cw.Structural(), for_texts="auto")
        assert [each.outcome for each in found] == ["changed", "unchanged"]
        assert store.add(PLAIN, strategy=cw.Structural())[0].outcome == "failed"


def test_what_is_no_strategy_is_named(target: str) -> None:
    with (
        Store.open(target) as store,
        pytest.raises(ConfigError, match="for_texts must be a strategy or its name, got 7"),
    ):
        store.add(PLAIN, for_texts=7)  # type: ignore[arg-type]
