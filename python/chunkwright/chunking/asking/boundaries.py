"""Boundaries from a language model: asked for many texts at once, failures counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from chunkwright.chunking.asking.requests import boundary_request
from chunkwright.chunking.asking.windows import Window, windows
from chunkwright.errors import ModelError
from chunkwright.llm.run.ledger import FailureSummary
from chunkwright.messages.terminal_text import counted

if TYPE_CHECKING:
    from chunkwright.llm.prompt import Prompt
    from chunkwright.llm.request import Request
    from chunkwright.llm.run.runner import Runner
    from chunkwright.tokens.tokenizer import Tokenizer

Texts: TypeAlias = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Asking:
    """Asks a model where the chunks of texts begin; what the core calls.

    Parameters
    ----------
    runner
        Asks the model.
    prompt
        What it is asked.
    tokenizer
        Counts what a window holds.
    window_tokens
        What a window may hold.
    """

    runner: Runner
    prompt: Prompt
    tokenizer: Tokenizer
    window_tokens: int

    def requests(self, texts: Texts) -> Iterator[Request[list[int]]]:
        """Yield the requests about some texts."""
        for pieces in texts:
            for window in self._windows(pieces):
                yield boundary_request(self.prompt, pieces, window)

    def __call__(self, texts: Texts) -> list[list[int] | Exception]:
        """Return the numbers of the pieces that the chunks of each text begin with.

        A text whose pieces cannot be counted has that error. Where the model refuses to go on,
        texts that have not all their answers have its error.
        """
        found: list[list[int] | Exception] = [[] for _ in texts]
        places: list[tuple[int, Window]] = []
        for number, pieces in enumerate(texts):
            try:
                places += ((number, window) for window in self._windows(pieces))
            except Exception as error:  # noqa: BLE001 - a tokenizer of the caller's raises any
                found[number] = error
        requests = (boundary_request(self.prompt, texts[number], each) for number, each in places)
        n_answers, failures = 0, FailureSummary()
        try:
            for answer in self.runner.ask(requests):
                starts = found[places[n_answers][0]]
                n_answers += 1
                if answer.value is None:
                    failures.add(answer)
                elif isinstance(starts, list):
                    starts += answer.value
        except ModelError as error:
            for number, _ in places[n_answers:]:
                found[number] = error
        failures.warn(
            f"the model set no boundaries in {{}} of {counted(n_answers, 'window')}",
            "without them the text is cut by the limit alone",
        )
        return found

    def _windows(self, pieces: Sequence[str]) -> list[Window]:
        sizes = self.tokenizer.count_batch(pieces)
        return list(windows(pieces, sizes, self.window_tokens))
