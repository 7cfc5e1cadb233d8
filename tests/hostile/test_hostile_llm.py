"""Hostile servers of language models: each request has an answer that says what came of it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from chunkwright.llm import Message, ModelAccessError, Reply, Request, Runner
from chunkwright.llm.request import Answer, InvalidReplyError, plain_text
from tests.llm.providers import INTERFACES, KEY
from tests.support.hostile_cases import load
from tests.support.long_texts import NO_SHARED_DATA
from tests.support.scripted_server import scripted_server

hostile = load()
CASES = [] if hostile is None else [pytest.param(c, id=c.name) for c in hostile.cases(kind="llm")]
N_PIECES = 40
N_REQUESTS = 2
# Seconds that an answer may take here.
TIMEOUT = 0.7
# Two failures of one request, of which the second is of its first retry.
RETRIES = 2
GOOD = {"answered", "repaired"}

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(hostile is None, reason=NO_SHARED_DATA),
    # What is left by the other end of a connection that was cut off.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def split_after(reply: Reply) -> list[int]:
    """Check the ids that the cases ask for."""
    found = re.fullmatch(r"split_after: (\d{1,9}(?:, \d{1,9})*)", reply.text.strip(), re.ASCII)
    if found is None:
        raise InvalidReplyError("it must be split_after: and ids with commas between")
    ids = [int(each) for each in found[1].split(", ")]
    if ids != sorted(set(ids)) or ids[-1] >= N_PIECES:
        raise InvalidReplyError(f"ids must be below {N_PIECES}, each once and in order")
    return ids


@pytest.mark.parametrize("name", INTERFACES)
@pytest.mark.parametrize("case", CASES)
def test_servers(case: Any, name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    interface = INTERFACES[name]
    made = case.make()
    texts = [f"{i}: {made['text']}" for i in range(N_REQUESTS)]
    check = plain_text if "injection" in case.tags else split_after
    requests = [Request((Message("user", text),), check) for text in texts]
    with scripted_server(made["script"], interface.answer) as server:
        n_retries = RETRIES if "retry" in case.tags else 0
        options = {"api_key": KEY, "timeout": TIMEOUT, "retries": n_retries}
        model = interface.kind(server.url + interface.base, "m", **options)
        runner = Runner(model, concurrency=1, cache=tmp_path)
        answers: list[Answer[Any]] = []
        refused = ""
        try:
            answers += runner.ask(requests)
        except ModelAccessError as error:
            refused = str(error)
        n_asked = server.n_asked

    if refused:
        assert case.expect != "chunks"
        assert n_asked < 2 * N_REQUESTS
    else:
        assert len(answers) == N_REQUESTS
        assert runner.ledger.outcomes == Counter(answer.outcome for answer in answers)
        assert runner.ledger.n_calls <= n_asked
    outcomes = {answer.outcome for answer in answers}
    if case.expect == "chunks":
        assert outcomes == {"answered"}
    if case.expect == "error":
        assert refused or outcomes == {"failed"}
    for answer in answers:
        assert (answer.value is None) == (answer.outcome not in GOOD) == bool(answer.why)
        assert len(answer.why) < 1000
        if isinstance(answer.value, str):
            answer.value.encode()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    shown = "".join([refused, caplog.text, *(answer.why for answer in answers)])
    assert KEY.encode() not in kept
    assert KEY not in shown
