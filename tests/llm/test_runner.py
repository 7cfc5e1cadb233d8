"""Runs of requests: order, concurrency, cache, repair, budget, and servers that fail."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest

import chunkwright as cw
from chunkwright.concurrency.daemon_threads import in_thread
from chunkwright.errors import ConfigError, ModelError
from chunkwright.llm import (
    Budget,
    Message,
    ModelAccessError,
    Prices,
    Reply,
    Request,
    Runner,
    Usage,
    as_language_model,
    as_runner,
)
from chunkwright.llm.protocol import NOTHING
from chunkwright.llm.request import InvalidReplyError, plain_text
from chunkwright.llm.run.reply_cache import Replies

TEXTS = [f"text {i}" for i in range(1300)]


def asked(text: str, **options: Any) -> Request[str]:
    return Request((Message("user", text),), plain_text, **options)


def upper(messages: list[dict[str, str]]) -> str:
    return messages[-1]["content"].upper()


async def upper_later(messages: list[dict[str, str]]) -> str:
    # Later ones are often done first.
    await asyncio.sleep(hash(messages[-1]["content"]) % 3 / 1000)
    return upper(messages)


class Counted:
    """A model that counts its calls, and those under way."""

    fingerprint = "counted"

    def __init__(self, usage: Usage = NOTHING) -> None:
        self.texts: list[str] = []
        self.answered: list[str] = []
        self.most = 0
        self._now = 0
        self._usage = usage

    async def complete(self, messages: Any, **_options: Any) -> Reply:
        self._now += 1
        self.most = max(self.most, self._now)
        self.texts.append(messages[-1].content)
        await asyncio.sleep(0)
        self.answered.append(messages[-1].content)
        self._now -= 1
        return Reply(messages[-1].content.upper(), usage=self._usage)


@pytest.mark.parametrize("model", [upper, upper_later])
@pytest.mark.parametrize("concurrency", [1, 7])
def test_answers_come_in_order(model: Any, concurrency: int) -> None:
    runner = Runner(model, concurrency=concurrency)
    values = [answer.value for answer in runner.ask(map(asked, TEXTS))]
    assert values == [text.upper() for text in TEXTS]
    assert runner.ledger.n_calls == len(TEXTS)
    assert runner.ledger.outcomes == Counter(answered=len(TEXTS))


def test_no_more_than_so_many_at_once() -> None:
    model = Counted()
    list(Runner(model, concurrency=5).ask(map(asked, TEXTS)))
    assert model.most == 5


def test_inside_an_event_loop() -> None:
    async def run() -> list[str | None]:
        return [answer.value for answer in Runner(upper).ask(map(asked, TEXTS[:3]))]

    assert asyncio.run(run()) == ["TEXT 0", "TEXT 1", "TEXT 2"]


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    first, second = Counted(), Counted()
    list(Runner(first, cache=tmp_path).ask(map(asked, TEXTS)))
    runner = Runner(second, cache=tmp_path)
    answers = list(runner.ask(map(asked, TEXTS)))
    assert [answer.value for answer in answers] == [text.upper() for text in TEXTS]
    assert (second.texts, runner.ledger.n_calls) == ([], 0)
    assert runner.ledger.outcomes == Counter(cached=len(TEXTS))
    # Another question, another temperature, another length: all are asked.
    others = [asked("x"), asked(TEXTS[0], temperature=0.5), asked(TEXTS[0], max_tokens=5)]
    list(runner.ask(others))
    assert second.texts == ["x", TEXTS[0], TEXTS[0]]


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    first, second = Counted(), Counted()
    n_threads = threading.active_count()
    answers = Runner(first, cache=tmp_path).ask(map(asked, TEXTS))
    for _ in range(100):
        next(answers)
    answers.close()  # type: ignore[attr-defined]
    list(Runner(second, cache=tmp_path).ask(map(asked, TEXTS)))
    assert len(first.texts) >= 100
    assert len(second.texts) <= len(TEXTS) - 100
    assert {*first.texts, *second.texts} == set(TEXTS)
    # Those of other tests may end meanwhile.
    assert threading.active_count() <= n_threads + 2


def test_a_function_is_kept_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cache needs a name"):
        Runner(upper, cache=tmp_path)
    list(Runner(upper, name="upper", cache=tmp_path).ask([asked("one")]))
    assert Runner(upper, name="other", cache=tmp_path).ledger.n_calls == 0
    runner = Runner(lambda _: "never", name="upper", cache=tmp_path)
    assert [answer.value for answer in runner.ask([asked("one")])] == ["ONE"]


def even(reply: Reply) -> int:
    if len(reply.text) % 2:
        raise InvalidReplyError(f"{len(reply.text)} is odd")
    return len(reply.text)


def test_a_wrong_reply_is_repaired(tmp_path: Path) -> None:
    heard: list[list[dict[str, str]]] = []

    def model(messages: list[dict[str, str]]) -> str:
        heard.append(messages)
        return "odd" if len(messages) == 1 else "even"

    request = Request((Message("user", "a word"),), even)
    runner = Runner(model, name="m", cache=tmp_path)
    (answer,) = runner.ask([request])
    assert (answer.value, answer.outcome) == (4, "repaired")
    assert heard[1][1] == {"role": "assistant", "content": "odd"}
    assert "3 is odd" in heard[1][2]["content"]
    # The second time, both replies are read.
    again = Runner(lambda _: "never", name="m", cache=tmp_path)
    (answer,) = again.ask([request])
    assert (answer.value, again.ledger.n_calls) == (4, 0)


def test_a_reply_that_stays_wrong_is_said() -> None:
    runner = Runner(lambda _: "odd")
    (answer,) = runner.ask([Request((Message("user", "a word"),), even)])
    assert (answer.value, answer.outcome, answer.why) == (None, "invalid", "3 is odd")
    assert runner.ledger.n_calls == 2


def test_a_failure_is_of_one_request() -> None:
    def model(messages: list[dict[str, str]]) -> str:
        if messages[-1]["content"] == "text 3":
            raise OSError("gone")
        return "fine"

    answers = list(Runner(model).ask(map(asked, TEXTS[:9])))
    assert [answer.outcome for answer in answers] == ["answered"] * 3 + ["failed"] + [
        "answered"
    ] * 5
    assert answers[3].why == "the model failed: OSError: gone"


def test_a_server_that_is_down_ends_the_run() -> None:
    n_calls = 0

    def model(_messages: object) -> str:
        nonlocal n_calls
        n_calls += 1
        raise OSError("down")

    with pytest.raises(ModelAccessError, match=r"20 requests failed .* OSError: down") as raised:
        list(Runner(model, concurrency=1).ask(map(asked, TEXTS)))
    assert n_calls < 30
    # That of the error alone, not of each request that was given up for it.
    assert len(raised.traceback) < 15


def test_a_refused_key_ends_the_run() -> None:
    def model(_messages: object) -> str:
        raise ModelAccessError("401: no such key")

    with pytest.raises(ModelError, match="401"):
        list(Runner(model).ask(map(asked, TEXTS)))


def test_a_slow_reply_fails() -> None:
    async def model(_messages: object) -> str:
        await asyncio.sleep(60)
        return ""

    (answer,) = Runner(model, timeout=0.01).ask([asked("one")])
    assert (answer.outcome, answer.why) == ("failed", "no reply in 0.01 s")


@pytest.mark.parametrize(
    "budget",
    [Budget(calls=4), Budget(tokens=50), Budget(cost=50 * 2 / 1e6)],
)
def test_a_budget_is_kept(budget: Budget) -> None:
    model = Counted(Usage(1, 0, 10))
    runner = Runner(model, concurrency=3, budget=budget, prices=Prices(input=2, output=2))
    answers = list(runner.ask(asked(text, max_tokens=10) for text in TEXTS[:20]))
    sent = [answer for answer in answers if answer.outcome == "answered"]
    assert 1 <= len(sent) <= 4
    assert {answer.outcome for answer in answers} == {"answered", "unpaid"}
    assert runner.ledger.n_calls == len(sent) == len(model.texts)
    assert runner.ledger.usage == Usage(len(sent), 0, 10 * len(sent))


def test_an_async_function_always_runs_on_one_loop() -> None:
    loops = []

    async def model(_messages: Any) -> str:
        # The connections of a client are bound to the loop that they were made on.
        loops.append(asyncio.get_running_loop())
        return "Yes."

    runner = Runner(model)
    for _ in range(3):
        assert [answer.outcome for answer in runner.ask([asked("one")])] == ["answered"]
    assert len(set(loops)) == 1
    assert not loops[0].is_closed()
    del runner
    deadline = time.monotonic() + 120
    while not loops[0].is_closed():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_async_model_that_waits_for_its_own_runner() -> None:
    async def model(_messages: Any) -> Any:
        return next(runner.ask([asked("again")])).value

    runner = Runner(model)
    (answer,) = runner.ask([asked("one")])
    assert answer.outcome == "failed"
    assert answer.why == "an async model cannot wait for the runner that asks it"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_asks_and_ends() -> None:
    program = """
import asyncio, os, sys
from chunkwright.llm import Message, Request, Runner
from chunkwright.llm.request import plain_text

async def model(messages):
    await asyncio.sleep(0 if messages[0]["content"] == "0" else 0.2)
    return "Yes."

requests = [Request((Message("user", str(i)),), plain_text) for i in range(9)]
runner = Runner(model)
answers = runner.ask(requests)
next(answers)
if pid := os.fork():
    print(os.waitpid(pid, 0)[1], len(list(answers)))
else:
    print(len(list(runner.ask(requests))), flush=True)
    sys.exit()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("9\n0 8\n", "")


def test_a_budget_is_kept_where_the_model_tells_no_tokens() -> None:
    model = Counted()
    request = asked("A cat naps.", max_tokens=10)
    runner = Runner(model, concurrency=3, budget=Budget(tokens=60))
    answers = list(runner.ask([request] * 50))
    assert Counter(answer.outcome for answer in answers)["answered"] == len(model.texts) < 15
    used = runner.ledger.usage
    assert used.input_tokens == len(model.texts) * cw.count_tokens("A cat naps.")
    assert used.output_tokens == len(model.texts) * cw.count_tokens("A CAT NAPS.")
    assert used.input_tokens + used.output_tokens <= 60


def test_costs_where_the_model_tells_no_tokens() -> None:
    runner = Runner(upper, prices=Prices(input=1, output=4))
    list(runner.ask([asked("A cat naps.")]))
    n_input, n_output = map(cw.count_tokens, ("A cat naps.", "A CAT NAPS."))
    assert runner.ledger.cost == pytest.approx((n_input * 1 + n_output * 4) / 1e6)
    runner = Runner(upper)
    list(runner.ask([asked("A cat naps.")]))
    assert runner.ledger.usage == NOTHING


def test_costs() -> None:
    model = Counted(Usage(input_tokens=1000, cached_tokens=400, output_tokens=50))
    runner = Runner(model, prices=Prices(input=1, output=4, cached=0.1))
    list(runner.ask([asked("one")]))
    assert runner.ledger.cost == pytest.approx((600 * 1 + 400 * 0.1 + 50 * 4) / 1e6)
    assert Runner(model).ledger.cost is None


def test_what_a_provider_puts_into_its_cache_has_its_own_price(tmp_path: Path) -> None:
    usage = Usage(input_tokens=1000, cached_tokens=100, output_tokens=50, written_tokens=700)
    for prices, cost in (
        (Prices(input=1, output=4, cached=0.1, written=1.25), 200 + 10 + 875 + 200),
        (Prices(input=1, output=4), 1000 + 200),
    ):
        runner = Runner(Counted(usage), prices=prices, cache=tmp_path)
        list(runner.ask([asked(f"at {cost}")]))
        assert runner.ledger.cost == pytest.approx(cost / 1e6)
    (reply,) = Replies(tmp_path, "counted").get({asked("at 1200").key(): None}).values()
    assert reply.usage == usage


def test_the_first_of_a_prefix_goes_first() -> None:
    done: list[str] = []

    async def model(messages: list[dict[str, str]]) -> str:
        await asyncio.sleep(0.01 if not done else 0)
        done.append(messages[-1]["content"])
        return "fine"

    book = Message("system", "a book", ends_prefix=True)
    requests = [Request((book, Message("user", text)), plain_text) for text in TEXTS[:50]]
    list(Runner(model, concurrency=50).ask(requests))
    assert done[0] == TEXTS[0]
    assert sorted(done) == sorted(TEXTS[:50])


def test_an_estimate_leaves_out_what_is_in_the_cache(tmp_path: Path) -> None:
    runner = Runner(upper, name="upper", cache=tmp_path, prices=Prices(input=1e6, output=2e6))
    list(runner.ask(map(asked, TEXTS[:3])))
    estimate = runner.estimate(asked(text, max_tokens=10) for text in TEXTS[:3])
    assert (estimate.n_calls, estimate.n_cached) == (3, 0)
    estimate = runner.estimate([*map(asked, TEXTS[:3]), asked("one two", max_tokens=10)])
    assert (estimate.n_requests, estimate.n_cached, estimate.n_calls) == (4, 3, 1)
    assert estimate.usage == Usage(2, 0, 10)
    assert estimate.cost == 22
    assert runner.ledger.n_calls == 3


def test_a_runner_is_taken_as_it_is() -> None:
    runner = Runner(upper, name="upper", concurrency=2)
    assert as_runner(runner) is runner
    assert as_runner(upper).llm is upper
    assert (runner.fingerprint, as_runner(upper).fingerprint) == ("named:upper", "")
    with pytest.raises(ConfigError, match="no language model"):
        as_runner(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("like", [None, "gpt", 3, Counted, type("Odd", (), {"complete": len})()])
def test_no_model(like: Any) -> None:
    with pytest.raises(ConfigError, match=r"language model|class Counted"):
        as_language_model(like)


@pytest.mark.parametrize(
    "options",
    [
        {"concurrency": 0},
        {"timeout": -1},
        {"progress": 1},
        {"name": 3},
        {"name": "upper", "cache": 3},
        {"prices": 3},
        {"budget": {"calls": 3}},
    ],
)
def test_odd_options(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=[*options][-1]):
        Runner(upper, **options)


def test_options_reach_a_function() -> None:
    def model(_messages: object, *, schema: Any, max_tokens: int, temperature: float) -> Any:
        return {"said": [schema, max_tokens, temperature]}

    request = Request((), lambda reply: reply.parsed, {"type": "object"}, 7, 0.5)
    (answer,) = Runner(model).ask([request])
    assert answer.value == {"said": [{"type": "object"}, 7, 0.5]}


def test_a_process_ends_without_waiting_for_what_is_under_way() -> None:
    program = """
import signal, threading
from chunkwright.llm import Message, Request, Runner
from chunkwright.llm.request import plain_text

def model(messages):
    if messages[-1]["content"] == "3":
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    threading.Event().wait()

requests = [Request((Message("user", str(i)),), plain_text) for i in range(9)]
try:
    list(Runner(model, concurrency=4).ask(requests))
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


def test_what_was_answered_is_kept_when_the_run_is_given_up(tmp_path: Path) -> None:
    calls, texts = Counted(), TEXTS[:40]
    answers = Runner(calls, cache=tmp_path).ask(map(asked, texts))
    assert [answer.value for answer in islice(answers, 3)] == [text.upper() for text in texts[:3]]
    answers.close()  # type: ignore[attr-defined]
    answered, n_sent = set(calls.answered), len(calls.texts)
    assert answered >= set(texts[:3])
    again = Runner(calls, cache=tmp_path).ask(map(asked, texts))
    assert [answer.value for answer in again] == [text.upper() for text in texts]
    # What was under way has no answer: it is asked again, and nothing else is.
    assert sorted(calls.texts[n_sent:]) == sorted(set(texts) - answered)


def test_a_runner_can_be_sent_to_another_process(tmp_path: Path) -> None:
    runner = Runner(upper, name="upper", cache=tmp_path, concurrency=3, budget=Budget(calls=2))
    list(runner.ask(map(asked, TEXTS[:2])))
    other = pickle.loads(pickle.dumps(runner))
    assert (other.llm, other.fingerprint, other.concurrency) == (upper, "named:upper", 3)
    assert (other.budget, other.ledger.n_calls) == (Budget(calls=2), 0)


def test_threads_that_share_a_runner_share_its_counts_and_budget() -> None:
    runner = Runner(Counted(Usage(1, 0, 1)), budget=Budget(calls=150))
    with ThreadPoolExecutor(4) as pool:
        asked_by_all = pool.map(lambda _: list(runner.ask(map(asked, TEXTS[:50]))), range(4))
        outcomes = Counter(answer.outcome for answers in asked_by_all for answer in answers)
    assert outcomes == runner.ledger.outcomes == {"answered": 150, "unpaid": 50}
    assert (runner.ledger.n_calls, runner.ledger.usage) == (150, Usage(150, 0, 150))


def test_keys_are_those_of_all_that_is_asked() -> None:
    def key(*said: Any, **options: Any) -> bytes:
        return Request(tuple(Message(*each) for each in said), plain_text, **options).key()

    asked = [
        key(("user", "a")),
        key(("system", "a")),
        key(("user", "a"), ("user", "b")),
        key(("user", "a\0user\x001\0b")),
        key(("user", "ab")),
        key(("user", "a"), max_tokens=1),
        key(("user", "a"), temperature=0.5),
        key(("user", "a"), schema={"type": "string"}),
        key(("user", "\ud800")),
        key(("user", "a", True)),
        key(("user", "b", True)),
        key(("user", sha256(b"a" * 64).hexdigest())),
        key(("user", "a" * 64, True)),
    ]
    assert len(set(asked)) == len(asked)
    assert key(("user", "a"), temperature=0) == asked[0]
    schemas: list[Any] = [{"a": 1, "b": 2}, {"b": 2, "a": 1}]
    assert len({key(("user", "a"), schema=schema) for schema in schemas}) == 1


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_model_that_wants_to_end_the_program(kind: type[BaseException], is_async: bool) -> None:
    def plain(_messages: Any) -> str:
        raise kind(7)

    async def later(_messages: Any) -> str:
        raise kind(7)

    (answer,) = Runner(later if is_async else plain).ask([asked("text")])
    assert (answer.outcome, answer.why) == ("failed", f"the model failed: {kind.__name__}(7)")


class Odd:
    """A model that does not do as the protocol says."""

    fingerprint = ""

    def __init__(self, does: Any) -> None:
        self._does = does

    def complete(self, _messages: Any, **_options: Any) -> Any:
        return self._does()


async def cancelled() -> Reply:
    raise asyncio.CancelledError


async def broken() -> Reply:
    raise RuntimeError("broken")


@pytest.mark.parametrize(
    ("does", "why"),
    [
        (broken, "the model failed: RuntimeError('broken')"),
        (lambda: 1 / 0, "the model failed: ZeroDivisionError('division by zero')"),
        (cancelled, "the model failed: CancelledError()"),
        (lambda: "a text", "the model returned str, not a Reply"),
        (lambda: None, "the model returned NoneType, not a Reply"),
    ],
)
def test_a_model_that_breaks_the_protocol_fails_request_by_request(does: Any, why: str) -> None:
    answers = list(Runner(cast("Any", Odd(does))).ask(map(asked, TEXTS[:3])))
    assert [(answer.outcome, answer.why) for answer in answers] == [("failed", why)] * 3


def test_a_model_that_answers_without_await() -> None:
    (answer,) = Runner(cast("Any", Odd(lambda: Reply("Yes.")))).ask([asked("Is it?")])
    assert (answer.value, answer.outcome) == ("Yes.", "answered")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("<think>\nIs it?\n</think>\n\nYes.", "Yes."),
        (" <think></think>Yes.", "Yes."),
        ("<think>Is it? I must", None),
        ("Yes, <think>it</think> is.", "Yes, <think>it</think> is."),
    ],
)
def test_thoughts_are_no_part_of_a_reply(said: str, text: str | None) -> None:
    (answer,) = Runner(lambda _messages: said).ask([asked("Is it?")])
    assert answer.value == text


def test_thoughts_are_no_json() -> None:
    model = as_language_model(lambda _messages: '<think>{"starts": [9]}?</think>{"starts": [1]}')
    said = model.complete([], schema={}, max_tokens=9, temperature=0)
    assert asyncio.run(cast("Any", said)).parsed == {"starts": [1]}


def test_a_function_whose_iterator_is_at_its_end() -> None:
    replies = iter(["one"])
    answers = Runner(lambda _messages: next(replies), concurrency=1).ask(map(asked, "ab"))
    assert [answer.outcome for answer in answers] == ["answered", "failed"]


def test_threads_of_functions_end_and_raise() -> None:
    async def run() -> list[object]:
        begun = [in_thread(partial(int, text)) for text in ("1", "x", "3")]
        return await asyncio.gather(*begun, return_exceptions=True)

    for _ in range(3):
        one, error, three = asyncio.run(run())
        assert (one, three) == (1, 3)
        assert isinstance(error, ValueError)
    deadline = time.monotonic() + 120
    while any(thread.name == "chunkwright-call" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_run_that_is_given_up_keeps_no_program() -> None:
    program = """
import time
from chunkwright.llm import Message, Request, Runner
from chunkwright.llm.request import plain_text

runner = Runner(lambda messages: time.sleep(600), timeout=0.1)
(answer,) = runner.ask([Request((Message("user", "Where?"),), plain_text)])
print(answer.outcome)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "failed\n"


def test_requests_are_made_by_the_callers_thread() -> None:
    threads = set()

    def requests() -> Iterator[Request[str]]:
        for text in TEXTS:
            threads.add(threading.current_thread())
            yield asked(text)

    assert len(list(Runner(upper_later).ask(requests()))) == len(TEXTS)
    assert threads == {threading.current_thread()}


def test_a_prefix_counts_each_time() -> None:
    def request(text: str) -> Request[str]:
        return Request(
            (Message("user", "A book.", ends_prefix=True), Message("user", text)), plain_text
        )

    runner = Runner(upper)
    one, two = (runner.estimate([request(text)]).usage.input_tokens for text in ("One.", "Two."))
    both = runner.estimate(map(request, ("One.", "Two."))).usage.input_tokens
    assert both == one + two
    assert one == cw.count_tokens("A book.") + cw.count_tokens("One.")


def test_a_runner_is_fixed() -> None:
    runner = Runner(upper)
    with pytest.raises(AttributeError, match="timeout"):
        runner.timeout = 1.0  # type: ignore[misc]
