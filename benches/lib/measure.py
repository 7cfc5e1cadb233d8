"""The clock and the checks: how fast a contender is, and whether what it gives is right."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from lib.contenders import OURS
from lib.corpus import fresh, minilm_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lib.contenders import Contender, Outcome, Row

LEAST_SECONDS = 0.05  # a shorter run is repeated within its turn
LEAST_TOTAL = 0.1  # seconds of the runs of which the best counts
WARM_UP = "A short text, so that vocabularies are loaded before the clock starts.\n\n" * 3


@dataclass
class Runs:
    """The CPU seconds of every run of one contender, its last result, and why it gave up."""

    contender: Contender
    text: str
    seconds: list[float] = field(default_factory=list)
    result: Any = None
    failure: str = ""

    @property
    def best(self) -> float:
        """CPU seconds of the fastest run."""
        return min(self.seconds)

    @property
    def speed(self) -> float:
        """Millions of UTF-8 bytes per CPU second, in the fastest run."""
        return len(self.text.encode()) / self.best / 1e6


def race(
    entries: Sequence[tuple[Contender, str]], *, rounds: int, budget: float, same_text: bool
) -> list[Runs]:
    """Run the contenders in turn, round after round.

    Parameters
    ----------
    entries : sequence of (Contender, str)
        Each contender with its text.
    rounds : int
        Turns that each contender gets.
    budget : float
        CPU seconds after which a contender gets no further turn.
    same_text : bool
        Whether all runs get one `str`, whose UTF-8 form Python keeps after the first.

    Returns
    -------
    list of Runs
        One for each entry, in order.
    """
    runs = [Runs(contender, text) for contender, text in entries]
    for run in runs:
        run.contender.make()(WARM_UP)
    for _ in range(rounds):
        for run in runs:
            if not run.failure and sum(run.seconds) <= budget:
                _turn_or_failure(run, same_text=same_text)
    return runs


def _turn_or_failure(run: Runs, *, same_text: bool) -> None:
    try:
        _turn(run, same_text=same_text)
    except Exception as error:
        if run.contender.package == OURS:
            raise
        run.failure = f"failed: {type(error).__name__}: {error}"


def _turn(run: Runs, *, same_text: bool) -> None:
    left = LEAST_SECONDS
    while left > 0:
        run.result = None
        work, text = run.contender.make(), run.text if same_text else fresh(run.text)
        seconds, run.result = cpu_seconds(lambda: work(text))  # noqa: B023 - called at once
        run.seconds.append(seconds)
        left -= seconds


def cpu_seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of a call, those of all threads together, and its result."""
    gc.collect()
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def best_seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of the fastest of a few runs, and the result."""
    best, result, spent = math.inf, None, 0.0
    while spent < LEAST_TOTAL:
        seconds, result = cpu_seconds(work)
        best, spent = min(best, seconds), spent + seconds
    return max(best, 1e-9), result


def over_limit(row: Row, outcome: Outcome) -> int | None:
    """Count the chunks longer than the limit, measured by tiktoken or `len`."""
    if outcome.texts is None or row.limit is None:
        return None
    size = SIZES[row.unit]
    return sum(size(text) > row.limit for text in outcome.texts)


def wrong_offsets(text: str, outcome: Outcome) -> int | None:
    """Count the chunks that do not stand where their offsets say."""
    if outcome.texts is None or outcome.spans is None:
        return None
    pairs = zip(outcome.texts, outcome.spans, strict=True)
    return sum(text[start:end] != chunk or start < 0 for chunk, (start, end) in pairs)


def tokens(text: str, name: str = "cl100k_base") -> int:
    """Count tokens with tiktoken, the reference."""
    return len(_encoding(name).encode_ordinary(text))


def word_pieces(text: str) -> int:
    """Count the word pieces of all-MiniLM-L6-v2 with tokenizers, the reference."""
    return len(minilm().encode(text, add_special_tokens=False).ids)


@cache
def minilm() -> Any:
    """Load the tokenizer of all-MiniLM-L6-v2, without the truncation that its file asks for."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm_json()))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


SIZES: dict[str, Callable[[str], int]] = {
    "tokens": tokens,
    "characters": len,
    "word pieces": word_pieces,
}


@cache
def _encoding(name: str) -> Any:
    import tiktoken

    return tiktoken.get_encoding(name)
