"""`compat.chroma`: the chunker that asks a language model gives the chunks that Chroma's gives."""

from __future__ import annotations

import inspect
import logging
import pickle
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from chunkwright.compat.chroma import BaseChunker, LLMSemanticChunker, openai_token_count
from chunkwright.compat.chroma.llm import MAX_TRIES
from chunkwright.errors import ModelError
from chunkwright.llm import AnthropicChat, OpenAIChat, Runner
from tests.support import scripted_models

from . import chroma_naive_llm, chroma_pair

# Three are a piece.
SENTENCES = [f"Sentence number {i} is about as long as all the others are here." for i in range(90)]
WORDS = st.sampled_from(
    ["rain", "U.S.", "3.14", "\n", "\n\n", "why?", "so!", "漢字", "x" * 300, "a"]
)
TEXTS = st.one_of(
    st.integers(0, 90).map(lambda n: " ".join(SENTENCES[:n])),
    st.lists(WORDS, max_size=900).map(" ".join),
)
NUMBERS = st.lists(st.integers(0, 70), min_size=1, max_size=6)
REPLIES = st.one_of(
    NUMBERS.map(sorted), NUMBERS.map(sorted), NUMBERS, st.integers(0, 9).map(lambda n: [n])
).map(lambda numbers: "split_after: " + ", ".join(map(str, numbers)))
ODD = st.sampled_from(
    [
        "Here:\nsplit_after: 3, 9\nsplit_after: 1",
        "split_after: ٤, ９",
        "I would say split_after: 12 and 15.",
        "split_after: -3 7",
        "split_after: 99999999999999999999",
    ]
)


class EndlessError(Exception):
    """The model has nothing more to say."""


class Script:
    """A model that says one thing after another, and what it was asked."""

    def __init__(self, replies: list[str]) -> None:
        self.replies: Iterator[str] = iter(replies)
        self.asked: list[str] = []

    def __call__(self, messages: list[dict[str, str]]) -> str:
        return self.said(messages[-1]["content"])

    def said(self, shown: str) -> str:
        self.asked.append(
            "".join(re.findall(r"<\|start_chunk.*<\|end_chunk_\d+\|>", shown, re.DOTALL))
        )
        reply = next(self.replies, None)
        if reply is None:
            raise EndlessError
        return reply

    def create_message(self, _system: str, messages: Any, **_options: Any) -> str:
        return self(messages)


def naive(script: Script) -> Any:
    return chroma_naive_llm.LLMSemanticChunker(script.said)


def peer(script: Script) -> Any:
    """Return the peer's chunker, its client replaced."""
    chroma_pair.peer()
    module = import_module(f"{chroma_pair.PACKAGE}.chunking.llm_semantic_chunker")
    chunker = module.LLMSemanticChunker(api_key="none")
    chunker.client = script
    return chunker


against = pytest.mark.parametrize(
    "reference",
    [
        pytest.param(naive, id="naive"),
        pytest.param(
            peer,
            id="peer",
            marks=pytest.mark.skipif(
                find_spec(chroma_pair.PACKAGE) is None,
                reason="chunking_evaluation is not on PyPI; where it is, it is compared, too",
            ),
        ),
    ],
)


@against
@given(text=TEXTS, replies=st.lists(REPLIES | ODD, max_size=MAX_TRIES))
@example(
    text=" ".join(SENTENCES), replies=["split_after: 5, 3", "split_after: 4", "split_after: 99"]
)
@example(text=" ".join(SENTENCES), replies=["split_after: 0"] * 9 + ["split_after: 88"])
def test_the_same_chunks_wherever_the_peer_ends(
    reference: Callable[[Script], Any], text: str, replies: list[str]
) -> None:
    expected, found = Script(replies), Script(replies)
    try:
        chunks = reference(expected).split_text(text)
    except EndlessError:
        assume(False)  # noqa: FBT003 - its only argument
    assert LLMSemanticChunker(llm=found).split_text(text) == chunks
    # The same is shown as often: retries included.
    assert found.asked == expected.asked


@pytest.mark.parametrize("n_pieces", range(7))
def test_texts_of_few_pieces_are_not_asked_about(n_pieces: int) -> None:
    chunker = LLMSemanticChunker(llm=lambda _messages: "split_after: 99")
    text = " ".join(SENTENCES[: 3 * n_pieces])
    pieces = chunker.splitter.split_text(text)
    assert len(pieces) == n_pieces
    assert chunker.split_text(text) == ([" ".join(pieces)] if pieces else [])
    assert chunker.runner.ledger.n_calls == (n_pieces > 4)


# ---------------------------------------------------------------------- where the peer never ends

STUCK = {
    "the first": "split_after: 0",
    "falling": "split_after: 9, 3",
    "nothing": "split_after: none",
    "no line": "I cannot help with that.",
    "empty": "",
    "a number of 10,000 digits": "split_after: " + "9" * 10_000,
}


@pytest.mark.parametrize("reply", STUCK.values(), ids=STUCK)
def test_questions_that_lead_nowhere_end(reply: str, caplog: pytest.LogCaptureFixture) -> None:
    text = " ".join(SENTENCES)
    chunker = LLMSemanticChunker(llm=lambda _messages: reply)
    pieces = chunker.splitter.split_text(text)
    with caplog.at_level(logging.WARNING, "chunkwright"):
        chunks = chunker.split_text(text)
    assert chunks == [" ".join(pieces)]
    n_windows = len(caplog.records)
    assert n_windows > 1
    assert chunker.runner.ledger.n_calls == MAX_TRIES * n_windows
    assert "10 replies of the model name no end behind piece 0 of 30" in caplog.text


def test_a_piece_named_twice_is_left_behind() -> None:
    """The peer begins the next window at the piece that was named last, and never gets on."""
    chunker = LLMSemanticChunker(llm=lambda _messages: "split_after: 7")
    text = " ".join(SENTENCES)
    assert [chunk.count("Sentence") for chunk in chunker.split_text(text)] == [21, 69]


def test_a_model_that_fails_is_an_error() -> None:
    def broken(_messages: Any) -> str:
        raise RuntimeError("no power")

    with pytest.raises(ModelError, match=r"the model gave no reply: .*no power"):
        LLMSemanticChunker(llm=broken).split_text(" ".join(SENTENCES))


# ---------------------------------------------------------------------- its surface


def test_arguments_are_the_peers() -> None:
    parameters = inspect.signature(LLMSemanticChunker).parameters
    assert [*parameters] == ["organisation", "api_key", "model_name", "llm"]
    assert [p.default for p in parameters.values()] == ["openai", None, None, None]
    assert issubclass(LLMSemanticChunker, BaseChunker)


def test_organisations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of the environment")
    chunker = LLMSemanticChunker(api_key="a key")
    assert chunker.runner.llm == OpenAIChat("https://api.openai.com/v1", "gpt-4o", api_key="a key")
    chunker = LLMSemanticChunker("anthropic", model_name="claude-haiku-4-5")
    assert chunker.runner.llm == AnthropicChat("https://api.anthropic.com", "claude-haiku-4-5")
    with pytest.raises(ValueError, match=r"Invalid organisation\. Please choose either 'openai'"):
        LLMSemanticChunker("meta")
    with pytest.raises(ValueError, match="set the environment variable OPENAI_API_KEY"):
        LLMSemanticChunker()
    runner = Runner(scripted_models.silent)
    assert LLMSemanticChunker("meta", llm=runner).runner is runner


def test_what_is_asked() -> None:
    seen: list[Any] = []

    def model(messages: Any, schema: Any, max_tokens: int, temperature: float) -> str:
        seen.append((messages, schema, max_tokens, temperature))
        return "split_after: 5, 3" if len(seen) == 1 else "split_after: 90"

    chunker = LLMSemanticChunker(llm=model)
    chunker.split_text(" ".join(SENTENCES))
    assert [rest for _, *rest in seen] == [[None, 200, 0.2]] * 2
    [[first, *_], [second, *_]] = seen
    shown = re.findall(
        r"<\|start_chunk_(\d+)\|>(.*?)<\|end_chunk_\1\|>", first[1]["content"], re.DOTALL
    )
    assert [int(number) for number, _ in shown] == list(range(1, len(shown) + 1))
    sizes = [openai_token_count(piece) for _, piece in shown]
    assert sum(sizes[:-1]) <= 800 < sum(sizes)
    assert "split_after:" in first[0]["content"]
    assert "[5, 3]" in second[1]["content"]
    shown_again = "".join(f"<|start_chunk_{n}|>{text}<|end_chunk_{n}|>" for n, text in shown)
    assert chunker.get_prompt(shown_again) == first
    assert chunker.get_prompt(shown_again, 0, [5, 3]) == second


def test_a_chunker_of_ones_own_words() -> None:
    class Mine(LLMSemanticChunker):
        def get_prompt(self, chunked_input: str, *_: Any) -> list[dict[str, str]]:
            return [{"role": "user", "content": f"Mine: {chunked_input}"}]

    asked: list[str] = []

    def model(messages: Any) -> str:
        asked.append(messages[0]["content"])
        return "split_after: 9, 30"

    assert len(Mine(llm=model).split_text(" ".join(SENTENCES))) == 2
    assert asked[0].startswith("Mine: <|start_chunk_1|>")


def test_pickled() -> None:
    again = pickle.loads(pickle.dumps(LLMSemanticChunker("anthropic", "a key")))
    assert again.runner.llm.model == "claude-3-5-sonnet-20240620"
