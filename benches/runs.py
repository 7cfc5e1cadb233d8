"""Speeds over texts that are one run: a letter, blanks or a few signs by the megabyte.

Prints a Markdown table with the megabytes (10⁶ bytes) that each call does in a second of processor
time; the exit status is 3 if one does less than `WANTED`. ``python benches/runs.py [TEXT ...]``
runs only the texts named.
"""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

from lib.corpus import SEED
from lib.measure import cpu_seconds
from lib.table import MISSED, Table, say, three_digits, versions

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable

N_BYTES = 2_000_000
WANTED = 50.0  # MB/s
ROUNDS = 3
LIMIT = 512


def main(names: list[str]) -> int:
    """Print the table and return `MISSED` if anything is slower than wanted."""
    calls = _calls()
    say(
        f"{versions()}. MB/s of CPU time over {N_BYTES / 1e6:g} MB of each text, {LIMIT} tokens, "
        f"the best of {ROUNDS} rounds. {WANTED:g} MB/s are wanted, and less has a `!`."
    )
    table = Table("text", *(f"{name} (MB/s)" for name in calls))
    slow = 0
    for name, text in _texts().items():
        if names and name not in names:
            continue
        speeds = [_speed(call, text) for call in calls.values()]
        slow += sum(speed < WANTED for speed in speeds)
        table.row(name, *(three_digits(v) + "!" * (v < WANTED) for v in speeds))
    return MISSED if slow else 0


def _texts() -> dict[str, str]:
    runs = {
        "letter": "a",
        "blank": " ",
        "newline": "\n",
        "tab": "\t",
        "two letters": "ab",
        "digit": "0",
        "signs": "=-",
        "dots": ".",
    }
    texts = {name: unit * (N_BYTES // len(unit)) for name, unit in runs.items()}
    texts["blanks, words"] = _mixed([" "], "word")
    texts["blanks, lines"] = "x" + _mixed([" ", "\n", "\t"], "") + "x"
    return texts


def _mixed(units: list[str], between: str) -> str:
    """Join runs of some units, as long as chance has them."""
    dice, parts, size = random.Random(SEED), [], 0  # noqa: S311 - a seed, no secret
    while size < N_BYTES:
        parts.append(dice.choice(units) * dice.randint(1, 1_000) + between)
        size += len(parts[-1])
    return "".join(parts)


def _calls() -> dict[str, Callable[[str], object]]:
    return {
        "count_tokens": cw.count_tokens,
        "recursive": cw.Recursive(max_tokens=LIMIT),
        "window": cw.Window(max_tokens=LIMIT),
        "sentence": cw.Sentence(max_tokens=LIMIT),
        "balanced": cw.Balanced(max_tokens=LIMIT),
    }


def _speed(call: Callable[[str], object], text: str) -> float:
    seconds = min(cpu_seconds(lambda: call(text))[0] for _ in range(ROUNDS))
    return len(text) / 1e6 / seconds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
