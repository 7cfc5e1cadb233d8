"""Rounds of questions about several corpora: what is asked when, and what came of it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from chunkwright.errors import ModelError
from chunkwright.evaluation.data.questions import Question
from chunkwright.evaluation.synthetic.excerpts import (
    Window,
    random_of,
    random_sample,
    random_window,
)
from chunkwright.evaluation.synthetic.journal import Attempt, Journal, Outcome
from chunkwright.evaluation.synthetic.question_requests import (
    MAX_QUESTION_CHARS,
    QuestionRequests,
    check_is_new,
)
from chunkwright.evaluation.synthetic.table import QuestionTable
from chunkwright.llm.protocol import Reply
from chunkwright.llm.request import Answer, Request
from chunkwright.llm.run.ledger import FailureSummary
from chunkwright.llm.run.runner import Runner

MAX_ATTEMPTS = 3
"""Windows that are tried for one question."""

# A server that fails so many requests one after the other, of several waves, will fail the rest.
_MAX_FAILURES = 20

Attempts: TypeAlias = list[tuple[Attempt, Window]]


@dataclass
class Rounds:
    """A run over rounds, which goes on where an interrupted one was.

    A round is made of waves. The windows of a wave are disjoint within a corpus, and shown with the
    questions that are known when it begins: all of them can be asked at once. What was asked before
    is taken from the journal, so that an interrupted run asks for the same as a whole one.

    Parameters
    ----------
    texts
        The corpora, by name; none is blank.
    requests
        How questions are asked for.
    runner
        Asks.
    table, journal
        Where questions and outcomes are put.
    window_chars, n_shown, seed
        The options of `QuestionGenerator`.
    counts
        What came of the attempts of this run.
    """

    texts: Mapping[str, str]
    requests: QuestionRequests
    runner: Runner
    table: QuestionTable
    journal: Journal
    window_chars: int
    n_shown: int
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    _known: dict[str, dict[str, None]] = field(init=False)
    _order: dict[str, int] = field(init=False)
    _n_failed_in_row: int = field(init=False, default=0)
    _failures: FailureSummary = field(init=False, default_factory=FailureSummary)

    def __post_init__(self) -> None:
        self._order = {corpus: number for number, corpus in enumerate(self.texts)}
        # What the journal has kept is known from when it was kept.
        noted = {(each.corpus, each.text) for each in self.journal.questions.values()}
        self._known = {corpus: {} for corpus in self.texts}
        for row in self.table.rows:
            corpus, question = row["corpus_id"], row["question"]
            if corpus in self._known and (corpus, question) not in noted:
                self._known[corpus][question] = None

    def run(self, rounds: int, per_corpus_and_round: int) -> None:
        """Ask for what is not there yet of some rounds, as far as the budget suffices.

        Raises
        ------
        ModelError
            If the model refuses all requests, or 20 fail one after the other.
        """
        try:
            for number in range(rounds):
                pending = self._pending(number, per_corpus_and_round)
                while pending and not self.counts["unpaid"]:
                    pending = self._after_wave(pending)
        finally:
            self._failures.warn(
                "the model asked no question in {} of its replies", "those are left out"
            )

    def planned(self, rounds: int, per_corpus_and_round: int) -> Iterator[Request[Question]]:
        """Yield a request for each question that is still to be asked for, the longest there is."""
        for number in range(rounds):
            for first, _ in self._pending(number, per_corpus_and_round):
                attempt = first
                while self.journal.outcomes.get(attempt, "kept") != "kept":
                    attempt = attempt._replace(n_before=attempt.n_before + 1)
                if attempt.n_before < MAX_ATTEMPTS and attempt not in self.journal.outcomes:
                    n_known = len(self._known[attempt.corpus]) + attempt.number
                    known = {_longest(i): None for i in range(min(n_known, self.n_shown))}
                    yield self.request(attempt, self._window(attempt), known)

    def _pending(self, round_number: int, per_corpus: int) -> Attempts:
        first = round_number * per_corpus
        attempts = (
            Attempt(corpus, number, 0)
            for corpus in self.texts
            for number in range(first, first + per_corpus)
            if number >= self.journal.found[corpus]
        )
        return [(attempt, self._window(attempt)) for attempt in attempts]

    def _window(self, attempt: Attempt) -> Window:
        random = random_of(self.seed, "window", *attempt)
        return random_window(self.texts[attempt.corpus], self.window_chars, random)

    def _after_wave(self, pending: Attempts) -> Attempts:
        """Ask what can be asked at once, and return what is then left to be asked, in order."""
        wave, later = _disjoint(pending)
        for attempt, outcome in self._outcomes(wave):
            if outcome in {"rejected", "repeated"}:
                again = attempt._replace(n_before=attempt.n_before + 1)
                if again.n_before < MAX_ATTEMPTS:
                    later.append((again, self._window(again)))
                else:
                    self.counts["given up"] += 1
        return sorted(later, key=lambda pair: (self._order[pair[0].corpus], pair[0].number))

    def _outcomes(self, wave: Attempts) -> Iterator[tuple[Attempt, Outcome | None]]:
        """Yield what comes of each attempt, in order; None if there was no reply."""
        known = {corpus: dict(self._known[corpus]) for corpus in {each.corpus for each, _ in wave}}
        new = [pair for pair in wave if pair[0] not in self.journal.outcomes]
        requests = (self.request(*pair, known[pair[0].corpus]) for pair in new)
        # Closed at once if an error ends the wave, so that what is under way is given up.
        answers = cast("Generator[Answer[Question]]", self.runner.ask(requests))
        with closing(answers):
            for attempt, _ in wave:
                if outcome := self.journal.outcomes.get(attempt):
                    if question := self.journal.questions.get(attempt):
                        self._known[attempt.corpus][question.text] = None
                    yield attempt, outcome
                else:
                    yield attempt, self._outcome(attempt, next(answers))

    def request(
        self, attempt: Attempt, window: Window, known: Mapping[str, None]
    ) -> Request[Question]:
        """Return the request of an attempt.

        Parameters
        ----------
        attempt, window
            What is asked, and about what.
        known
            The corpus's questions, of which some are shown.
        """

        def check(reply: Reply) -> Question:
            return check_is_new(self.requests.question(reply, window, attempt.corpus), known)

        shown = random_sample(list(known), self.n_shown, random_of(self.seed, "shown", *attempt))
        number = attempt.number * MAX_ATTEMPTS + attempt.n_before + 1
        about = f"question {attempt.number + 1} about {attempt.corpus!r}"
        return replace(self.requests.request(window.text, shown, number, check), about=about)

    def _outcome(self, attempt: Attempt, answer: Answer[Question]) -> Outcome | None:
        """Put down an answer, and return what it is; None if the model said nothing."""
        if answer.value is None:
            self._failures.add(answer)
        if answer.outcome == "failed":
            self._count_failure(answer.why)
            return None
        self._n_failed_in_row = 0
        if answer.outcome == "unpaid":
            self.counts["unpaid"] += 1
            return None
        question = answer.value
        if question is None:
            return self._noted(attempt, "rejected")
        known = self._known[attempt.corpus]
        # Another window of the same wave may have brought it.
        if question.text in known:
            return self._noted(attempt, "repeated")
        known[question.text] = None
        self.journal.note_attempt(attempt, "kept", question)
        self.table.append(question)
        return "kept"

    def _count_failure(self, why: str) -> None:
        self.counts["failed"] += 1
        self._n_failed_in_row += 1
        if self._n_failed_in_row == _MAX_FAILURES:
            raise ModelError(f"{_MAX_FAILURES} requests failed one after the other: {why}")

    def _noted(self, attempt: Attempt, outcome: Outcome) -> Outcome:
        self.journal.note_attempt(attempt, outcome, None)
        self.counts[outcome] += 1
        return outcome


def _disjoint(pending: Attempts) -> tuple[Attempts, Attempts]:
    """Return attempts whose windows are disjoint within their corpora, and the others."""
    wave: Attempts = []
    later: Attempts = []
    taken: dict[str, list[int]] = {}
    for attempt, window in pending:
        starts = taken.setdefault(attempt.corpus, [])
        at = bisect_left(starts, window.start)
        # All windows of a corpus are of one size.
        size = window.end - window.start
        if any(abs(start - window.start) < size for start in starts[max(at - 1, 0) : at + 1]):
            later.append((attempt, window))
        else:
            starts.insert(at, window.start)
            wave.append((attempt, window))
    return wave, later


def _longest(number: int) -> str:
    """Return a text as long as a question may be, of words as they are in questions."""
    return (f"{number} " + "which of these words is the next " * MAX_QUESTION_CHARS)[
        :MAX_QUESTION_CHARS
    ]
