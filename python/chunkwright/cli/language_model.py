"""Language model of a run: its runner, its progress, and what is said of it at the end."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import typer

from chunkwright.cli.settings.runner import named_runner
from chunkwright.cli.settings.table import Settings
from chunkwright.cli.show.report import Report
from chunkwright.cli.streams import piped
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.llm import Estimate, Ledger, Runner
    from chunkwright.llm.request import Outcome

OVER_BUDGET = 4
"""The exit code of a run whose budget did not suffice."""
OUTCOMES: tuple["Outcome", ...] = ("answered", "cached", "repaired", "invalid", "failed", "unpaid")
ROW = "requests"


@dataclass
class Asking:
    """The model that a run asks; it is made when it is needed.

    Parameters
    ----------
    settings
        Describe it.
    report
        Shows how far it is.
    """

    settings: Settings
    report: Report
    _is_made: bool = field(default=False, init=False)

    @cached_property
    def runner(self) -> "Runner":
        """The runner that asks the model.

        Raises
        ------
        ConfigError
            If a setting makes no sense; names it by its flag.
        """
        made = named_runner(self.settings, progress=self._show)
        self._is_made = True
        return made

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say at the end of the block, however it ends, what the model did."""
        try:
            yield
        finally:
            if self._is_made and self.runner.ledger.outcomes:
                self.report.close(f"Model: {ledger_summary(self.runner.ledger)}")

    def exit_code(self) -> int:
        """Return how the run ended: as for its inputs, unless the model did not answer.

        What could not be asked, and what was wrong with the last request that failed, is told,
        also to who wants no other messages.
        """
        if not self._is_made:
            return self.report.exit_code
        ledger = self.runner.ledger
        outcomes, problems = ledger.outcomes, ledger.problems
        if n_invalid := outcomes["invalid"]:
            said = f"{counted(n_invalid, 'request')} had no reply that could be used"
            self.report.note(f"Invalid: {said}; the last: {problems['invalid']}")
        if n_failed := outcomes["failed"]:
            said = f"{counted(n_failed, 'request')} had no answer"
            self.report.warn(f"Failed: {said}; the last: {problems['failed']}")
        if n_unpaid := outcomes["unpaid"]:
            goes_on = "; with a larger one, the same command resumes here"
            more = goes_on if self.runner.cache is not None else ""
            self.report.warn(f"The budget is spent: {counted(n_unpaid, 'request')} not sent{more}")
        return OVER_BUDGET if n_unpaid else 1 if n_failed else self.report.exit_code

    def _show(self, ledger: "Ledger") -> None:
        self.report.show(ROW, ledger.outcomes.total(), ledger_summary(ledger))


def ledger_summary(ledger: "Ledger") -> str:
    """Return what a model did, in one line."""
    outcomes = [f"{ledger.outcomes[name]:,} {name}" for name in OUTCOMES if ledger.outcomes[name]]
    usage = ledger.usage
    parts = [
        counted(ledger.n_calls, "call"),
        counted(usage.input_tokens + usage.output_tokens, "token"),
        *([] if ledger.cost is None else [f"cost {money(ledger.cost)}"]),
    ]
    return f"{', '.join(outcomes) or 'nothing asked'}; {', '.join(parts)}"


def money(amount: float) -> str:
    """Return an amount of money: its cents, and of small ones more digits.

    Examples
    --------
    >>> money(1234.5), money(0.00123), money(0)
    ('1,234.50', '0.0012', '0.00')
    """
    return f"{amount:,.2f}" if amount == 0 or amount >= 1 else f"{amount:.2g}"


def total(estimates: "Iterable[Estimate]") -> "Estimate":
    """Return what several runs would send together."""
    from chunkwright.llm import Estimate, Usage

    summed = Estimate(0, 0, Usage(), None)
    for each in estimates:
        costs = [cost for cost in (summed.cost, each.cost) if cost is not None]
        summed = Estimate(
            summed.n_requests + each.n_requests,
            summed.n_cached + each.n_cached,
            summed.usage + each.usage,
            sum(costs) if costs else None,
        )
    return summed


def write_estimate(estimate: "Estimate") -> None:
    """Write to standard output what a run would send: a table there, else values by tabs."""
    usage = estimate.usage
    rows = {
        "requests": f"{estimate.n_requests}",
        "cached": f"{estimate.n_cached}",
        "calls": f"{estimate.n_calls}",
        "input_tokens": f"{usage.input_tokens}",
        "output_tokens": f"{usage.output_tokens}",
        **({} if estimate.cost is None else {"cost": f"{estimate.cost:.6g}"}),
    }
    width = max(map(len, rows)) if sys.stdout.isatty() else 0
    with piped():
        for name, value in rows.items():
            typer.echo(f"{name:<{width}}  {value:>12}" if width else f"{name}\t{value}")
