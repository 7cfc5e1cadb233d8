"""Snippets that a model is asked for: of many documents at once, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from chunkwright.context import Context
from chunkwright.contextual.passages import Passages
from chunkwright.contextual.requests import Asking
from chunkwright.llm.request import Answer, Request
from chunkwright.llm.run.ledger import FailureSummary
from chunkwright.llm.run.runner import Runner
from chunkwright.messages.terminal_text import counted

T = TypeVar("T")


@dataclass(eq=False)
class Asked(Generic[T]):
    """What a model is asked about, in the order in which it is yielded.

    Parameters
    ----------
    runner
        Asks the model.
    asking
        What is asked.
    pairs
        Anything, with the passages that belong to it; read as there is room for requests.
    """

    runner: Runner
    asking: Asking
    pairs: Iterator[tuple[T, list[Passages]]]
    _waiting: deque[_Waiting[T]] = field(init=False, default_factory=deque)
    _failed: list[Exception] = field(init=False, default_factory=list)

    def results(self) -> Iterator[tuple[T, list[Passages], list[Context]]]:
        """Yield what was given, with a snippet for each passage.

        Raises
        ------
        ModelError
            If the model refuses all requests.
        Exception
            What `pairs` raises, when its turn comes.
        """
        failures, n_answers = FailureSummary(), 0
        try:
            for answer in self.runner.ask(self._requests()):
                yield from self._whole()
                n_answers += 1
                if answer.value is None:
                    failures.add(answer)
                self._waiting[0].add(answer)
                if self._waiting[0].is_whole:
                    yield from self._whole()
            yield from self._whole()
        finally:
            failures.warn(
                f"the model wrote no snippet for {{}} of {counted(n_answers, 'chunk')}",
                "a chunk without one keeps its own text",
            )
        if self._failed:
            raise self._failed[0]

    def _whole(self) -> Iterator[tuple[T, list[Passages], list[Context]]]:
        while self._waiting and self._waiting[0].is_whole:
            first = self._waiting.popleft()
            yield first.item, first.passages, first.snippets

    def _requests(self) -> Iterator[Request[str]]:
        try:
            for item, passages in self.pairs:
                waiting = _Waiting(item, passages)
                self._waiting.append(waiting)
                for of in passages:
                    prompt, requests = self.asking.about(of)
                    waiting.prompts.extend([prompt] * len(of))
                    yield from requests
        except Exception as error:  # noqa: BLE001 - raised again behind what was asked before
            self._failed.append(error)


@dataclass(eq=False, slots=True)
class _Waiting(Generic[T]):
    """Something whose snippets are not all there; the prompts are those of each request."""

    item: T
    passages: list[Passages]
    prompts: list[str] = field(default_factory=list)
    snippets: list[Context] = field(default_factory=list)
    _n: int = field(init=False)

    def __post_init__(self) -> None:
        self._n = sum(map(len, self.passages))

    @property
    def is_whole(self) -> bool:
        return len(self.snippets) == self._n

    def add(self, answer: Answer[str]) -> None:
        prompt = self.prompts[len(self.snippets)]
        self.snippets.append(Context(answer.value or "", answer.outcome, prompt, answer.why))
