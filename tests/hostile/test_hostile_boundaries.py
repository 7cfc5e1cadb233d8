"""Boundaries of models that fail or answer wrongly: all text, the limit, and true counts."""

from __future__ import annotations

import json
import re
from itertools import chain, repeat
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.errors import ModelError
from chunkwright.llm import ModelAccessError, Runner
from tests import laws
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA

pytestmark = [pytest.mark.shared, pytest.mark.cpu_seconds(60)]

hostile = load()
CASES = [] if hostile is None else [pytest.param(c, id=c.name) for c in hostile.cases(kind="llm")]
OPTIONS: dict[str, Any] = {"max_tokens": 200, "overlap": 0, "tokenizer": "cl100k_base"}


class Scripted:
    """A model that replies as a script says, in the words of the script or in our form."""

    def __init__(self, script: list[Any], *, in_our_form: bool) -> None:
        last = script[-1]
        self.replies = chain(script, repeat(last if last.repeat else hostile.Reply()))
        self.in_our_form = in_our_form

    def __call__(self, _messages: Any) -> Any:
        reply = next(self.replies)
        if reply.status in {401, 403, 404}:
            raise ModelAccessError(f"status {reply.status}")
        if reply.status != 200 or reply.close or reply.hang or reply.delay or reply.drip:
            raise ModelError(f"status {reply.status}, or no whole reply")
        body = reply.body
        text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
        if self.in_our_form and (numbers := re.findall(r"-?\d{1,9}", text[:1000])):
            return json.dumps({"starts": [int(number) for number in numbers]})
        return text


@pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA)
@pytest.mark.parametrize("in_our_form", [False, True], ids=["as it is", "in our form"])
@pytest.mark.parametrize("case", CASES)
def test_replies(case: Any, *, in_our_form: bool) -> None:
    made = case.make(0.05)
    text = made["text"]
    runner = Runner(Scripted(made["script"], in_our_form=in_our_form), concurrency=1)
    splitter = cw.LLM(llm=runner, **OPTIONS)
    n_requests = splitter.estimate([text]).n_requests
    assert n_requests > 1
    outcomes = runner.ledger.outcomes
    try:
        chunks = splitter(text)
    except ModelError:
        # The server refuses all, or nothing came for twenty requests.
        assert case.expect != "chunks"
        assert not outcomes["answered"]
        return
    laws.hold(text, chunks, OPTIONS)
    assert outcomes.total() == n_requests
    n_good = outcomes["answered"] + outcomes["repaired"]
    assert n_good or "given" not in chunks.reasons
    if not in_our_form:
        # No reply of the scripts has the form that is asked for.
        assert n_good == 0
