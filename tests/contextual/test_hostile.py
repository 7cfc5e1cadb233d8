"""Hostile replies in front of chunks: all texts are there, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ModelError
from chunkwright.llm import Runner
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

hostile = load()
CASES = [] if hostile is None else list(hostile.cases("llm"))

pytestmark = [pytest.mark.shared, pytest.mark.skipif(not CASES, reason=NO_SHARED_DATA)]


def played(script: list[Any]) -> Callable[[Any], str]:
    """Return a model that gives the replies of a script; what is no reply is an error."""
    left = list(script)

    def call(_messages: Any) -> str:
        reply = left[0] if left[0].repeat or len(left) == 1 else left.pop(0)
        if reply.status != 200 or reply.close or reply.hang or reply.delay or reply.drip:
            raise ModelError(f"status {reply.status}")
        if isinstance(reply.body, bytes):
            return reply.body.decode("utf-8", "replace")
        return str(reply.body)

    return call


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_hostile_replies(case: Any) -> None:
    made = case.make(1)
    strategy = cw.Recursive(max_tokens=512)
    plain = strategy(made["text"])
    runner = Runner(played(made["script"]), concurrency=1)
    chunks = cw.Contextual(strategy, llm=runner)(made["text"])
    assert chunks.texts() == plain.texts()
    assert runner.ledger.outcomes.total() == len(plain)
    for one in chunks:
        assert bool(one.context) == (one.context_outcome in {"answered", "repaired"})
        assert cw.count_tokens(one.context or "") <= 100
        assert one.contextual_text.endswith(one.text)
