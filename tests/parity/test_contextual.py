"""The functions of the contextual recipe beside its published algorithm, in our own words."""

from __future__ import annotations

import re
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.compat.contextual import (
    contextualize_chunk,
    gather_document_context,
    generate_contextual_snippet,
)
from chunkwright.errors import ConfigError, ModelError
from chunkwright.llm import Message, Reply, Runner

ENCODING = tiktoken.get_encoding("cl100k_base")
TEXTS = st.text("ab .\n[]", max_size=12)
CHUNKS = st.lists(
    st.fixed_dictionaries({}, optional={"text": TEXTS, "section": TEXTS, "chunk_id": TEXTS}),
    min_size=1,
    max_size=8,
)


def peers_context(chunks: list[dict[str, Any]], at: int, n: int) -> str:
    around = chunks[max(0, at - n) : at] + chunks[at + 1 : at + 1 + n]
    parts = []
    for chunk in around:
        if text := chunk.get("text"):
            section = chunk.get("section")
            parts.append(f"[{section}] {text}" if section else text)
    return "\n\n".join(parts)


@given(CHUNKS, st.data(), st.integers(0, 4))
def test_the_context_is_the_peers(chunks: list[dict[str, Any]], data: Any, n: int) -> None:
    at = data.draw(st.integers(0, len(chunks) - 1))
    assert gather_document_context(chunks, at, n) == peers_context(chunks, at, n)
    assert gather_document_context(chunks, at) == peers_context(chunks, at, 2)


@given(CHUNKS, st.data(), st.integers(0, 30))
def test_the_limit_holds(chunks: list[dict[str, Any]], data: Any, most: int) -> None:
    at = data.draw(st.integers(0, len(chunks) - 1))
    context = gather_document_context(chunks, at, 3, max_context_tokens=most)
    whole = peers_context(chunks, at, 3)
    assert len(ENCODING.encode_ordinary(context)) <= most
    if len(ENCODING.encode_ordinary(whole)) <= most:
        assert context == whole


def test_what_is_farthest_is_left_out() -> None:
    chunks = [{"text": f"Number {i}."} for i in range(7)]
    assert gather_document_context(chunks, 3, 2, 8) == "Number 2.\n\nNumber 4."
    assert gather_document_context(chunks, 3, 2, 11) == "1.\n\nNumber 2.\n\nNumber 4."
    assert gather_document_context(chunks, 3, 2, 12) == "Number 1.\n\nNumber 2.\n\nNumber 4."
    assert gather_document_context(chunks, 3, 2, 3) == "2."


CHUNK = {
    "text": "It grew.",
    "chunk_id": "c1",
    "book_id": "ACME",
    "context": "ACME > Sales",
    "section": "Sales",
    "page": 3,
}


def test_a_chunk_with_a_snippet() -> None:
    assert contextualize_chunk(CHUNK, "On sales.") == {
        "chunk_id": "c1",
        "book_id": "ACME",
        "context": "ACME > Sales",
        "section": "Sales",
        "text": "[On sales.] It grew.",
        "token_count": len(ENCODING.encode_ordinary("[On sales.] It grew.")),
        "chunking_strategy": "contextual",
        "original_text": "It grew.",
        "contextual_snippet": "On sales.",
    }
    assert list(contextualize_chunk({}, "")) == list(contextualize_chunk(CHUNK, ""))
    assert contextualize_chunk({}, "")["text"] == ""
    assert contextualize_chunk(CHUNK, "")["text"] == "It grew."


class Seen:
    """A model that remembers what it was asked."""

    fingerprint = "seen"

    def __init__(self, said: str) -> None:
        self.said = said
        self.asked: list[tuple[tuple[Message, ...], int, float]] = []

    async def complete(
        self, messages: Any, *, schema: Any = None, max_tokens: int, temperature: float
    ) -> Reply:
        assert schema is None
        self.asked.append((tuple(messages), max_tokens, temperature))
        return Reply(self.said)


def test_what_a_model_is_shown() -> None:
    model = Seen("  On sales.\n")
    assert generate_contextual_snippet(CHUNK, "Before it.", llm=model) == "On sales."
    ((messages, max_tokens, temperature),) = model.asked
    assert (max_tokens, temperature) == (100, 0.3)
    assert "<chunk>\nIt grew.\n</chunk>" in messages[-1].content
    assert "<context>\nBefore it.\n</context>" in messages[-1].content
    assert "<path>\nACME > Sales\n</path>" in messages[-1].content
    generate_contextual_snippet({}, "</context>", max_tokens=7, llm=Runner(model))
    messages, max_tokens, _ = model.asked[-1]
    assert max_tokens == 7
    assert "Unknown" in messages[-1].content
    assert re.search(r"<context(-[a-p]{8})>\n</context>\n</context\1>", messages[-1].content)


def test_an_empty_reply_is_an_empty_snippet() -> None:
    assert generate_contextual_snippet(CHUNK, "", llm=lambda _messages: " ") == ""


def test_a_model_that_fails() -> None:
    def broken(_messages: object) -> str:
        raise OSError("gone")

    with pytest.raises(ModelError, match="gone"):
        generate_contextual_snippet(CHUNK, "", llm=broken)


def test_models_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from chunkwright.compat import contextual

    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    served: Any = contextual._served("openai/gpt-4o-mini")
    assert served.fingerprint == "openai:https://api.openai.com/v1:gpt-4o-mini"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:4000")
    served = contextual._served("openai/gpt-4o-mini")
    assert served.fingerprint == "openai:http://localhost:4000:openai/gpt-4o-mini"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1,), "current_index must be at least 0, got -1"),
        ((0, -1), "neighbor_count must be at least 0, got -1"),
        ((0, 2, None), "max_context_tokens must be an int, got None"),
    ],
)
def test_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        gather_document_context([CHUNK], *arguments)
