"""Where `compat.langchain` is knowingly different; see docs/differences.md."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import langchain_text_splitters as theirs
import pytest

from chunkwright.compat import langchain as ours
from chunkwright.errors import TokenizerError


def test_each_piece_is_measured_once() -> None:
    def calls(module: Any) -> list[str]:
        measured: list[str] = []

        def measure(text: str) -> int:
            measured.append(text)
            return len(text)

        kwargs = {"chunk_size": 9, "chunk_overlap": 4, "length_function": measure}
        module.RecursiveCharacterTextSplitter(**kwargs).split_text("one two three four")
        return measured

    assert calls(ours) == ["one", "", " two", " three", " four"]
    assert len(calls(theirs)) > 2 * len(calls(ours))


def test_fractions_are_rounded() -> None:
    kwargs: dict[str, Any] = {"chunk_size": 1, "chunk_overlap": 0}
    kwargs["length_function"] = lambda text: Fraction(len(text), 7)
    expected = theirs.RecursiveCharacterTextSplitter(**kwargs).split_text("x" * 8)
    found = ours.RecursiveCharacterTextSplitter(**kwargs).split_text("x" * 8)
    assert expected == ["xxxxxxx", "x"]
    assert found == ["xxxxxx", "xx"]


class Comparable:
    """Can be compared and added, but is no number."""

    def __lt__(self, other: object) -> bool:
        return True

    def __radd__(self, other: object) -> int:
        return 0

    def __repr__(self) -> str:
        return "<odd>"


@pytest.mark.parametrize("name", ["RecursiveCharacterTextSplitter", "CharacterTextSplitter"])
def test_a_length_that_is_no_number_is_named(name: str) -> None:
    splitter = getattr(ours, name)(length_function=lambda _: Comparable())
    with pytest.raises(TokenizerError, match="a length must be a number, got <odd>"):
        splitter.split_text("some text")
