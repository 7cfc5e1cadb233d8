"""Laws of contextual chunks: originals never change, order is kept, nothing is lost."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.llm import Budget, Runner
from tests.contextual.models import chunk_in

TEXTS = st.lists(st.text("aB. \n\ud800<>[]/chunk", max_size=60), max_size=6)
ANSWERS = st.lists(st.sampled_from(["Fine.", "", "[]", "long " * 99, None]), min_size=1, max_size=7)
STRATEGIES = st.sampled_from(
    [
        cw.Sentence(sentences=1),
        cw.Recursive(max_tokens=5),
        cw.Window(max_chars=7, overlap=2),
        cw.Hybrid(max_tokens=6),
    ]
)


def model(answers: list[Any]) -> Any:
    async def call(messages: list[dict[str, str]]) -> str:
        await asyncio.sleep(0)
        about = messages[1] if len(messages) > 1 else messages[0]
        answer = answers[len(chunk_in([about])) % len(answers)]
        if answer is None:
            raise OSError("gone")
        return str(answer)

    return call


@given(
    TEXTS,
    ANSWERS,
    STRATEGIES,
    st.sampled_from(["neighbours", "document", "structure"]),
    st.integers(1, 9),
    st.none() | st.integers(0, 9),
)
def test_nothing_is_lost(  # noqa: PLR0913, PLR0917 - what hypothesis draws
    texts: list[str],
    answers: list[Any],
    strategy: Any,
    context: Any,
    concurrency: int,
    calls: int | None,
) -> None:
    budget = None if calls is None else Budget(calls=calls)
    runner = Runner(model(answers), concurrency=concurrency, budget=budget)
    llm = None if context == "structure" else runner
    writer = cw.Contextual(strategy, llm=llm, context=context, max_snippet_tokens=9)
    plain = list(strategy.stream(texts))
    try:
        made = list(writer.stream(texts))
    except cw.ModelError as error:
        assert "requests failed one after the other" in str(error)  # noqa: PT017
        return
    for chunks, original in zip(made, plain, strict=True):
        before = original.to_dicts()
        for row, own in zip(chunks.to_dicts(), before, strict=True):
            assert {name: row[name] for name in own} == own
            context = row["context"]
            assert row["contextual_text"] == (f"[{context}] " if context else "") + own["text"]
            assert row["contextual_n_tokens"] == cw.count_tokens(row["contextual_text"])
            assert cw.count_tokens(context or "") <= 9
            made_it = row["context_outcome"] in {"answered", "repaired", "structure"}
            assert made_it or context is None
        assert [one.text for one in chunks] == original.texts()
        assert [one.contextual_text for one in chunks] == chunks.contextual_texts()
