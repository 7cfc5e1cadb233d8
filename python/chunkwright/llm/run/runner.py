"""Runs of many requests to a language model: concurrent, cached, counted, answers in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from chunkwright.checks import (
    checked_callable,
    checked_int,
    checked_number,
    checked_path,
    checked_text,
)
from chunkwright.concurrency.loop_thread import LoopThread
from chunkwright.errors import ConfigError, OptionName
from chunkwright.llm.adapters.conversion import as_language_model
from chunkwright.llm.protocol import NOTHING, LanguageModel, LanguageModelLike
from chunkwright.llm.request import Answer, Request
from chunkwright.llm.run.ledger import Budget, Estimate, Ledger, Prices
from chunkwright.llm.run.reply_cache import Replies
from chunkwright.llm.run.sender import Sender, most_tokens
from chunkwright.llm.run.slots import Deadlines, Slots
from chunkwright.llm.run.window import WINDOW, RequestWindow
from chunkwright.objects import MadeOfOptions

T = TypeVar("T")
Progress: TypeAlias = Callable[[Ledger], None]


@dataclass(frozen=True, eq=False)
class Runner(MadeOfOptions):
    """Sends many requests to a model, with a cache, a budget and prices.

    Answers come in the order of the requests, however many run at once. A repeated request is
    answered from the cache, so an interrupted run resumes where it was.

    Parameters
    ----------
    llm
        A model, or a function; see `chunkwright.llm.as_language_model`.
    name
        The name of a function in the cache, which requires one.
    cache
        The folder of the cache; None: nothing is kept.
    concurrency
        The largest number of requests at once, of all calls, threads and event loops of a process
        together. A plain function that itself asks the runner that called it lends its own place to
        that request.
    timeout
        Seconds that a reply may take, an adapter's own retries included.
    prices
        The prices of the model.
    budget
        Limits: a request that could exceed one is not sent.
    progress
        A function that is called with the ledger from time to time.

    Attributes
    ----------
    ledger
        Counts of all requests, tokens and costs.

    Raises
    ------
    ConfigError
        If ``llm`` is not a model, or an option makes no sense.

    Examples
    --------
    >>> from chunkwright.llm import Message, Request, Runner
    >>> from chunkwright.llm.request import plain_text
    >>> runner = Runner(lambda messages: messages[-1]["content"].upper())
    >>> requests = [Request((Message("user", text),), plain_text) for text in ("one", "two")]
    >>> [answer.value for answer in runner.ask(requests)]
    ['ONE', 'TWO']
    >>> runner.ledger.n_calls
    2
    """

    llm: LanguageModelLike
    name: str | None = field(default=None, kw_only=True)
    cache: str | os.PathLike[str] | None = field(default=None, kw_only=True)
    concurrency: int = field(default=8, kw_only=True)
    timeout: float = field(default=300.0, kw_only=True)
    prices: Prices | None = field(default=None, kw_only=True)
    budget: Budget | None = field(default=None, kw_only=True)
    progress: Progress | None = field(default=None, kw_only=True, repr=False)
    ledger: Ledger = field(init=False, repr=False)
    _model: LanguageModel = field(init=False, repr=False)
    _slots: Slots = field(init=False, repr=False)
    _deadlines: Deadlines = field(init=False, repr=False)
    _replies: Replies | None = field(init=False, repr=False, default=None)
    _loop: LoopThread = field(init=False, repr=False, default_factory=LoopThread)

    def __post_init__(self) -> None:
        if self.name is not None:
            checked_text("name", self.name)
        object.__setattr__(self, "_model", as_language_model(self.llm, name=self.name))
        checked_int("concurrency", self.concurrency, least=1)
        checked_number("timeout", self.timeout, least=0)
        if self.progress is not None:
            checked_callable("progress", self.progress)
        _check_kind("prices", self.prices, Prices)
        _check_kind("budget", self.budget, Budget)
        if self.budget is not None and self.budget.cost is not None and self.prices is None:
            raise ConfigError(OptionName("budget.cost"), " needs prices")
        object.__setattr__(self, "ledger", Ledger(self.prices, self.budget))
        object.__setattr__(self, "_slots", Slots(self.concurrency))
        object.__setattr__(self, "_deadlines", Deadlines(self.timeout))
        if self.cache is not None:
            folder = checked_path("cache", self.cache)
            if not self._model.fingerprint:
                raise ConfigError("cache needs a name: replies of an unnamed function are not kept")
            object.__setattr__(self, "_replies", Replies(folder, self._model.fingerprint))

    @property
    def fingerprint(self) -> str:
        """Identifies the model; empty if it has no name."""
        return self._model.fingerprint

    def ask(self, requests: Iterable[Request[T]]) -> Iterator[Answer[T]]:
        """Yield the answer to each request, in order.

        At most `WINDOW` requests are in memory. When the iterator is closed, pending requests are
        dropped, and answers are kept.

        Raises
        ------
        ModelError
            If the server refuses all requests, or 20 fail one after the other.
        """
        sender = Sender(self._model, self.ledger, slots=self._slots, deadlines=self._deadlines)
        window = RequestWindow(iter(requests), sender, self._replies)
        process = os.getpid()
        try:
            while answers := self._loop.call(window.next_answers(window.read())):
                if self.progress is not None:
                    self.progress(self.ledger)
                yield from answers
        finally:
            # A process that was forked meanwhile has a copy of this, and nothing under way.
            if process == os.getpid():
                self._end(window)

    def _end(self, window: RequestWindow[Any]) -> None:
        try:
            self._loop.call(window.close(), is_last=True)
        finally:
            window.keep()

    def estimate(self, requests: Iterable[Request[Any]]) -> Estimate:
        """Estimate an upper bound of what some requests would cost; nothing is sent.

        Examples
        --------
        >>> from chunkwright.llm import Message, Prices, Request, Runner
        >>> from chunkwright.llm.request import plain_text
        >>> runner = Runner(lambda messages: "Yes.", prices=Prices(input=1, output=10))
        >>> request = Request((Message("user", "Is it?"),), plain_text, max_tokens=10)
        >>> runner.estimate([request])
        Estimate(n_requests=1, n_cached=0, usage=Usage(input_tokens=3, cached_tokens=0, \
output_tokens=10, written_tokens=0), cost=0.000103)
        """
        n_requests = n_cached = 0
        usage = NOTHING
        for request, is_known in self._known(requests):
            n_requests += 1
            n_cached += is_known
            if not is_known:
                usage += most_tokens(request)
        cost = None if self.prices is None else self.prices.of(usage)
        return Estimate(n_requests, n_cached, usage, cost)

    def _known(self, requests: Iterable[Request[Any]]) -> Iterator[tuple[Request[Any], bool]]:
        """Yield each request, and whether the cache has a reply to it."""
        waiting = iter(requests)
        while block := list(islice(waiting, WINDOW)):
            keys = [request.key() for request in block]
            asked = {key: each.schema for key, each in zip(keys, block, strict=True)}
            found = self._replies.get(asked) if self._replies else {}
            yield from ((each, key in found) for each, key in zip(block, keys, strict=True))


def _check_kind(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind | None):
        raise ConfigError(f"{name} must be a {kind.__name__} or None, got {value!r}")


RunnerLike: TypeAlias = "Runner | LanguageModelLike"


def as_runner(like: RunnerLike) -> Runner:
    """Return a model as a runner that asks it; a runner as it is.

    Raises
    ------
    ConfigError
        If it is neither.
    """
    return like if isinstance(like, Runner) else Runner(like)
