"""Ledger of a run: calls, tokens, money and failures, and the budget that ends it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from chunkwright.checks import checked_int, checked_number
from chunkwright.llm.protocol import NOTHING, Usage
from chunkwright.llm.request import Answer, Outcome
from chunkwright.messages.logs import logger

_PER = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a model for a million tokens, in any currency.

    Parameters
    ----------
    input
        For tokens of the messages.
    output
        For tokens of replies.
    cached
        For tokens of the messages that the provider reads from its cache; None: as ``input``.
    written
        For tokens of the messages that the provider writes to its cache; None: as ``input``.

    Raises
    ------
    ConfigError
        If one is below 0.
    """

    input: float
    output: float
    cached: float | None = None
    written: float | None = None

    def __post_init__(self) -> None:
        for name in ("input", "output", "cached", "written"):
            value = getattr(self, name)
            if value is not None:
                checked_number(name, value, least=0)

    def of(self, usage: Usage) -> float:
        """Return what some tokens cost.

        Examples
        --------
        >>> Prices(input=2.5, output=10).of(Usage(input_tokens=1000, output_tokens=100))
        0.0035
        """
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        fresh = usage.input_tokens - usage.cached_tokens - usage.written_tokens
        total = (
            fresh * self.input
            + usage.cached_tokens * cached
            + usage.written_tokens * written
            + usage.output_tokens * self.output
        )
        return total / _PER


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run: a request that could exceed one of them is not sent.

    Parameters
    ----------
    calls
        Requests that are sent.
    tokens
        Tokens of messages and replies.
    cost
        Money, in the currency of the prices, which a runner then needs.

    Raises
    ------
    ConfigError
        If one is below 0.
    """

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        for name in ("calls", "tokens"):
            value = getattr(self, name)
            if value is not None:
                checked_int(name, value, least=0)
        if self.cost is not None:
            checked_number("cost", self.cost, least=0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimate of the requests and the cost of a run, before anything is sent.

    Parameters
    ----------
    n_requests
        Requests of the run.
    n_cached
        Requests with a reply in the cache, which cost nothing.
    usage
        Tokens of the other requests: of their messages, counted by cl100k_base, and of the longest
        replies that they allow. Repeated requests are not included.
    cost
        The highest price of these tokens; None if the prices are not known.
    """

    n_requests: int
    n_cached: int
    usage: Usage
    cost: float | None

    @property
    def n_calls(self) -> int:
        """Requests that would be sent."""
        return self.n_requests - self.n_cached


@dataclass(slots=True)
class Ledger:
    """The counts of a run's requests, tokens and costs; several threads may share it.

    Parameters
    ----------
    prices
        The prices of the model; None: costs are not known.
    budget
        The limits of the run; None: there are none.

    Attributes
    ----------
    n_calls
        Requests that were sent, those that failed included.
    usage
        Tokens of messages and replies.
    outcomes
        The number of requests by outcome: see `chunkwright.llm.Answer`.
    problems
        For each outcome without a value, the problem of the last such request, and its subject.
    """

    prices: Prices | None = None
    budget: Budget | None = None
    n_calls: int = 0
    usage: Usage = NOTHING
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    problems: dict[Outcome, str] = field(default_factory=dict)
    # Calls and tokens of requests that are under way, at their most.
    _reserved_calls: int = 0
    _reserved: Usage = NOTHING
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    @property
    def cost(self) -> float | None:
        """The price of the tokens; None if the prices are not known."""
        return None if self.prices is None else self.prices.of(self.usage)

    def reserve(self, most: Usage) -> bool:
        """Reserve the most that a request can need; return whether the budget allows it."""
        with self._lock:
            if not self._allows(most):
                return False
            self._reserved_calls += 1
            if most is not NOTHING:
                self._reserved += most
            return True

    def settle(self, most: Usage, used: Usage) -> None:
        """Count a call, with what it used instead of what was reserved."""
        with self._lock:
            self._reserved_calls -= 1
            if most is not NOTHING:
                self._reserved -= most
            self.n_calls += 1
            if used is not NOTHING:
                self.usage += used

    def count(self, answers: Sequence[Answer[Any]]) -> None:
        """Count the outcomes of some requests."""
        with self._lock:
            self.outcomes.update([answer.outcome for answer in answers])
            self.problems.update(
                {answer.outcome: answer.problem for answer in answers if answer.why}
            )

    def _allows(self, most: Usage) -> bool:
        if self.budget is None:
            return True
        after = self.usage + self._reserved + most
        calls, tokens, cost = self.budget.calls, self.budget.tokens, self.budget.cost
        if calls is not None and self.n_calls + self._reserved_calls >= calls:
            return False
        if tokens is not None and after.input_tokens + after.output_tokens > tokens:
            return False
        return cost is None or self.prices is None or self.prices.of(after) <= cost


class FailureSummary:
    """Requests of a run that brought nothing."""

    def __init__(self) -> None:
        self._outcomes: Counter[str] = Counter()
        self._last = ""

    def add(self, answer: Answer[Any]) -> None:
        """Put down an answer without a value."""
        self._outcomes[answer.outcome] += 1
        self._last = answer.problem

    def warn(self, failed: str, so: str) -> None:
        """Log a warning, if there are failures: how many of each kind, and what the last one is.

        Parameters
        ----------
        failed
            What the model failed to do, with ``{}`` where the number of failures stands.
        so
            What comes of it.
        """
        if not self._outcomes:
            return
        each = ", ".join(f"{n} {outcome}" for outcome, n in sorted(self._outcomes.items()))
        n_gaps = f"{self._outcomes.total():,}"
        logger().warning("%s (%s); %s; the last: %s", failed.format(n_gaps), each, so, self._last)
