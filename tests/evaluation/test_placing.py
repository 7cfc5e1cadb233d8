"""What chunkers give is understood, and every chunk stands where it should."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking.bases.strategy import fingerprint_of
from chunkwright.errors import ConfigError, TokenizerError
from chunkwright.evaluation.chunkers.adapter import ChunkerOutput, chunker_name, chunker_text, cut
from chunkwright.evaluation.chunkers.placing import PlacedChunks, place
from chunkwright.llm import OpenAIChat, Runner
from tests.support.scripted_models import silent

from .samples import CORPORA, MILL, Letters, sentences


@dataclass
class Item:
    text: str
    start_index: int
    end_index: int


@dataclass
class Page:
    page_content: str


class Splitter:
    """A peer: it has a method, and is a callable that does something else."""

    def split_text(self, text: str) -> list[str]:
        return sentences(text)

    def __call__(self, text: str) -> str:
        return text


class Chonker:
    def chunk(self, text: str) -> list[Item]:
        return [Item(text[:3], 0, 3), Item(text[3:9], 3, 9)]


def placed(chunker: object, placement: Any = "offsets", **corpora: str) -> PlacedChunks:
    texts = corpora or CORPORA
    return place([cut(chunker, text, name) for name, text in texts.items()], texts, placement)


def rows(chunks: PlacedChunks) -> list[tuple[str, int, int, int]]:
    columns = (chunks.corpora.tolist(), chunks.starts.tolist(), chunks.ends.tolist())
    return list(zip(chunks.texts, *columns, strict=True))


# ---------------------------------------------------------------------------------- chunkers


@pytest.mark.parametrize(
    "chunker",
    [
        cw.Sentence(sentences=1),
        sentences,
        Splitter(),
        lambda text: iter(sentences(text)),
        lambda text: [Page(said) for said in sentences(text)],
    ],
)
def test_all_kinds_of_chunkers_are_called(chunker: object) -> None:
    assert cut(chunker, MILL, "mill").texts == sentences(MILL)


def test_places_are_taken_if_they_are_true() -> None:
    assert cut(Chonker(), MILL, "mill") == ChunkerOutput(["The", " mill "], [(0, 3), (3, 9)])
    lies = [Item("mill", 0, 4), Item("The", 0, 3), Item("", 5, 5), Item("x", 80, 99)]
    assert cut(lambda _: lies, MILL, "mill") == ChunkerOutput(
        ["mill", "The", "x"], [None, (0, 3), None]
    )


@pytest.mark.parametrize(
    ("result", "why"),
    [
        ("text", "gave str instead of a list of texts for the corpus 'mill'"),
        (b"text", "gave bytes instead of a list"),
        ({"a": 1}, "gave dict instead of a list"),
        (None, "gave NoneType instead of a list"),
        (["text", 7], "gave a chunk that is no text, but 7, for the corpus 'mill'"),
        ([b"text"], "gave a chunk that is no text, but b'text'"),
    ],
)
def test_what_is_no_list_of_texts_is_named(result: object, why: str) -> None:
    def odd(text: str) -> object:
        del text
        return result

    with pytest.raises(ConfigError, match=f"odd {why}"):
        cut(odd, MILL, "mill")


def test_a_chunker_that_fails_is_named_and_its_error_stays_in_sight() -> None:
    def broken(text: str) -> Iterator[str]:
        yield text
        raise ZeroDivisionError("by nothing")

    with pytest.raises(ConfigError, match=r"broken failed on the corpus 'mill': ZeroDiv") as raised:
        cut(broken, MILL, "mill")
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_an_error_of_our_own_comes_as_it_is_with_a_note() -> None:
    strategy = cw.Recursive(max_tokens=5, tokenizer=lambda _: -1)
    with pytest.raises(TokenizerError) as raised:
        cut(strategy, MILL, "mill")
    assert any("while Recursive(" in note and "'mill'" in note for note in raised.value.__notes__)


def test_what_cannot_cut_is_named() -> None:
    with pytest.raises(ConfigError, match="chunker must be an object, got the class Splitter"):
        cut(Splitter, MILL, "mill")
    with pytest.raises(ConfigError, match=r"chunker must be a strategy, .*, got 'recursive'"):
        cut("recursive", MILL, "mill")


# ------------------------------------------------------------------------------------ places


def test_texts_without_places_are_found_in_order() -> None:
    assert rows(placed(sentences, mill=MILL)) == [
        ("The mill was built in 1743.", 0, 0, 27),
        ("It burnt down twice.", 0, 28, 48),
        ("Nobody was hurt.", 0, 49, 65),
        ("It burnt down twice.", 0, 66, 86),
    ]


def test_as_in_the_report_texts_stand_where_they_are_first() -> None:
    # A last full stop is not looked for, so it is not in the place either.
    chunks = placed(sentences, "first_occurrence", mill=MILL)
    assert list(zip(chunks.starts.tolist(), chunks.ends.tolist(), strict=True)) == [
        (0, 26),
        (28, 47),
        (49, 64),
        (28, 47),
    ]


@pytest.mark.parametrize("placement", ["offsets", "first_occurrence", "any_occurrence"])
def test_chunks_that_stand_nowhere_are_listed(placement: str) -> None:
    chunks = placed(lambda _: ["It burnt", "no such thing", "down\ntwice"], placement, mill=MILL)
    assert chunks.unplaced == ["no such thing"]
    assert rows(chunks) == [
        ("It burnt", 0, 28, 36),
        ("no such thing", -1, 0, 13),
        ("down\ntwice", 0, 37, 47),
    ]
    assert chunks.cut_from.tolist() == [0, 0, 0]


def test_corpora_are_numbered_in_order_and_chunks_counted() -> None:
    chunks = placed(sentences, empty="", **CORPORA)
    assert chunks.corpora.tolist() == chunks.cut_from.tolist() == [1] * 4 + [2] * 3
    assert chunks.n_tokens.tolist() == [cw.count_tokens(text) for text in chunks.texts]
    assert len(placed(sentences, empty="")) == 0
    columns = (chunks.corpora, chunks.starts, chunks.ends, chunks.n_tokens, chunks.cut_from)
    assert all(column.dtype == np.int64 and column.flags.c_contiguous for column in columns)


@given(
    st.text("ab. \n\ud800é", max_size=60), st.sampled_from(["offsets", "any_occurrence"]), st.data()
)
def test_true_places_of_our_chunks_are_kept(text: str, placement: Any, data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 12))
    strategy = cw.Recursive(max_chars=size, overlap=data.draw(st.integers(0, size - 1)))
    own, chunks = strategy(text), placed(strategy, placement, only=text)
    assert chunks.starts.tolist() == own.starts.tolist()
    assert chunks.ends.tolist() == own.ends.tolist()
    assert list(chunks.texts) == own.texts()


@given(st.lists(st.text("abc", min_size=1, max_size=6), max_size=12), st.sampled_from(" \n"))
def test_parts_of_a_text_are_placed_one_behind_the_other(parts: list[str], between: str) -> None:
    text = between.join(parts)
    expected = [len(between.join([*parts[:i], ""])) for i in range(len(parts))]
    assert placed(lambda _: parts, only=text).starts.tolist() == expected


# ------------------------------------------------------------------------------------- names


def test_chunkers_are_called_by_what_they_are() -> None:
    strategy = cw.Recursive(max_tokens=200, overlap=20)
    assert (
        chunker_name(strategy) == chunker_text(strategy) == "Recursive(max_tokens=200, overlap=20)"
    )
    assert chunker_name(sentences) == "sentences"
    assert chunker_text(sentences) == "tests.evaluation.samples.sentences"
    assert chunker_name(Splitter()) == chunker_text(Splitter()) == "Splitter"
    assert chunker_text(Item("x" * 1000, 0, 1)).endswith("...")


def test_fingerprints_tell_strategies_apart() -> None:
    strategies: list[Callable[..., object]] = [
        cw.Recursive(max_tokens=200),
        cw.Recursive(max_chars=200),
        cw.Recursive(max_tokens=200, tokenizer="o200k_base"),
        cw.Recursive(max_tokens=200, tokenizer=cw.Tokenizer("cl100k_base", special_tokens=False)),
        cw.Recursive(max_tokens=200, separators=["\n", cw.Separator(" ", keep="end")]),
        cw.Recursive(max_tokens=200, separators=["\n", " "]),
        cw.Sentence(max_tokens=200),
        cw.Cluster(max_tokens=200, embedder="lexical"),
        cw.Cluster(max_tokens=200, embedder=Letters()),
        cw.Basic(max_chars=200),
    ]
    prints = [fingerprint_of(strategy) for strategy in strategies]
    assert prints[0] == prints[3] == fingerprint_of(cw.Recursive(max_tokens=200))
    assert None not in prints
    assert len(set(prints)) == len(strategies) - 1


def test_what_may_change_unseen_has_no_fingerprint() -> None:
    class Named(Splitter):
        fingerprint = "mine, version 2"

    assert fingerprint_of(Named()) == "mine, version 2"
    assert fingerprint_of(sentences) is None
    assert fingerprint_of(Splitter()) is None
    assert fingerprint_of(cw.Recursive(max_tokens=9, tokenizer=len)) is None
    assert (
        fingerprint_of(cw.Cluster(max_tokens=9, embedder=lambda texts: [[1.0] for _ in texts]))
        is None
    )
    assert fingerprint_of(cw.LLM(llm=silent)) is None
    named = cw.LLM(llm=Runner(silent, name="silent, version 1"))
    assert "silent, version 1" in (fingerprint_of(named) or "")
    served = cw.LLM(llm=OpenAIChat("http://localhost:9/v1", "any", api_key="secret"))
    assert "http://localhost:9/v1" in (fingerprint_of(served) or "")
    assert "secret" not in f"{fingerprint_of(served)} {chunker_text(served)}"
