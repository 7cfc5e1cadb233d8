"""Contextual chunking with the functions and dicts of the recipe after Anthropic's article.

The recipe makes three functions of the article on contextual retrieval. Chunks
are dicts with ``text``, and ``chunk_id``, ``book_id``, ``section`` and ``context`` where they are
known. `chunkwright.Contextual` does the same for whole corpora, many requests at once.

Examples
--------
>>> chunks = [{"text": "ACME's report on 2023."}, {"text": "Revenue grew.", "section": "Sales"}]
>>> around = gather_document_context(chunks, 1)
>>> snippet = generate_contextual_snippet(chunks[1], around, llm=lambda messages: "On ACME.")
>>> contextualize_chunk(chunks[1], snippet)["text"]
'[On ACME.] Revenue grew.'
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from chunkwright.checks import checked_int
from chunkwright.context import contextual_text
from chunkwright.contextual.neighbours import Neighbourhood
from chunkwright.contextual.requests import FRAMES
from chunkwright.contextual.sections import below
from chunkwright.errors import ModelError
from chunkwright.llm.framing import framed
from chunkwright.llm.prompt import Prompt
from chunkwright.llm.protocol import Reply
from chunkwright.llm.request import Request
from chunkwright.llm.run.runner import RunnerLike, as_runner
from chunkwright.tokens.tokenizer import as_tokenizer, count_tokens

__all__ = ["contextualize_chunk", "gather_document_context", "generate_contextual_snippet"]

_TOKENIZER = "cl100k_base"
_PROMPT = "context-1"
_TEMPERATURE = 0.3
_OPENAI = "https://api.openai.com/v1"


def gather_document_context(
    chunks: Sequence[Mapping[str, Any]],
    current_index: int,
    neighbor_count: int = 2,
    max_context_tokens: int = 2000,
) -> str:
    """Return the texts around a chunk, each behind its section, with blank lines between them.

    Parameters
    ----------
    chunks
        Those of a document, in order.
    current_index
        The chunk's place.
    neighbor_count
        Chunks before it, and chunks behind it.
    max_context_tokens
        Tokens of cl100k_base at most; what is farthest from the chunk is left out.

    Raises
    ------
    ConfigError
        If a number is none.
    """
    current = checked_int("current_index", current_index, least=0)
    n = checked_int("neighbor_count", neighbor_count, least=0)
    room = most = checked_int("max_context_tokens", max_context_tokens, least=0)
    before = _shown(chunks[max(0, current - n) : current])
    after = _shown(chunks[current + 1 : current + n + 1])
    while True:
        neighbourhood = Neighbourhood(
            [*before, "", *after], n=n, max_tokens=room, tokenizer=as_tokenizer(_TOKENIZER)
        )
        context = "\n\n".join(filter(None, neighbourhood.around(len(before))))
        # The blank line between what stands before and behind counts as well.
        over = count_tokens(context, _TOKENIZER) - most
        if over <= 0:
            return context
        room = max(0, room - over)


def generate_contextual_snippet(
    chunk: Mapping[str, Any],
    document_context: str,
    model: str = "openai/gpt-4o-mini",
    max_tokens: int = 100,
    *,
    llm: RunnerLike | None = None,
) -> str:
    """Return what a model says of where a chunk stands.

    Parameters
    ----------
    chunk
        The chunk.
    document_context
        What stands around it.
    model
        The model, for a server of OpenAI's kind: that of the environment's ``OPENAI_BASE_URL``, or
        else OpenAI's, which knows it without ``openai/``. The key is that of ``OPENAI_API_KEY``.
    max_tokens
        Tokens of the reply at most.
    llm
        What answers instead: a model, a function, or a `chunkwright.llm.Runner`.

    Raises
    ------
    ModelError
        If there is no reply.
    MissingExtraError
        If `llm` is not given, and OpenAI's library is not installed.
    """
    path = below(str(chunk.get("book_id", "Unknown")), str(chunk.get("context", "")))
    texts = {"path": path, "context": document_context, "chunk": chunk.get("text", "")}
    code = FRAMES.code(texts.values())
    messages = FRAMES.prompt(Prompt.named(_PROMPT), code).messages(
        **{name: framed(name, text, code) if text else "" for name, text in texts.items()},
        tokens=str(max_tokens),
    )
    request = Request(messages, _stripped, max_tokens=max_tokens, temperature=_TEMPERATURE)
    (answer,) = as_runner(_served(model) if llm is None else llm).ask([request])
    if answer.value is None:
        raise ModelError(f"no snippet: {answer.why}")
    return answer.value


def contextualize_chunk(chunk: Mapping[str, Any], contextual_snippet: str) -> dict[str, Any]:
    """Return a chunk with a snippet in front; without one, its text stays as it is.

    Parameters
    ----------
    chunk
        The chunk.
    contextual_snippet
        What a model says of where it stands; empty if it says nothing.

    Returns
    -------
    dict
        ``chunk_id``, ``book_id``, ``context`` and ``section`` of the chunk, empty where it has
        none; ``text``, its ``token_count`` in cl100k_base, ``chunking_strategy``,
        ``original_text`` and ``contextual_snippet``.
    """
    original = chunk.get("text", "")
    text = contextual_text(contextual_snippet, original)
    return {
        **{name: chunk.get(name, "") for name in ("chunk_id", "book_id", "context", "section")},
        "text": text,
        "token_count": count_tokens(text, _TOKENIZER),
        "chunking_strategy": "contextual",
        "original_text": original,
        "contextual_snippet": contextual_snippet,
    }


def _shown(chunks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the texts of chunks behind their sections; of those that have one."""
    pairs = ((chunk.get("section", ""), chunk.get("text", "")) for chunk in chunks)
    return [f"[{section}] {text}" if section else text for section, text in pairs if text]


def _stripped(reply: Reply) -> str:
    return reply.text.strip()


def _served(model: str) -> RunnerLike:
    from chunkwright.llm.adapters.providers import OpenAIChat

    url = os.environ.get("OPENAI_BASE_URL") or _OPENAI
    return OpenAIChat(url, model.removeprefix("openai/") if url == _OPENAI else model)
