"""Summary of the requests of a run that failed: counted, and logged as one warning."""

from __future__ import annotations

from collections import Counter
from typing import Any

from chunkwright.llm.request import Answer
from chunkwright.messages.logs import logger


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
