"""How many chunks change when a text is edited: an index has to embed only those again.

Each of the five corpora is edited at random places, one edit at a time (a word or a sentence is
inserted, deleted or replaced by one of the same corpus), and cut again. A chunk has changed if none
of those before the edit has its text.

``python benches/stability.py [EDITS] [MAX_TOKENS]`` prints a Markdown table; EDITS is the number
for each corpus, 400 by default.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from lib.corpus import CORPORA, SEED, shared_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import chunkwright as cw

EDITS = 400
MAX_TOKENS = 512
WORD = re.compile(r"\S+\s*")
SENTENCE = re.compile(r"\S[^.!?]*[.!?]+\s*")
ACTIONS = ("insert", "delete", "replace")
COLUMNS = ("strategy", "mean", "90 %", "99 %", "most", "up to 3", "tokens", "deviation", "least")


def main(arguments: list[str]) -> None:
    """Print a row for each strategy."""
    n_edits = int(arguments[0]) if arguments else EDITS
    max_tokens = int(arguments[1]) if arguments[1:] else MAX_TOKENS
    texts = [_corpus(name) for name in CORPORA]
    _print_row(*COLUMNS)
    _print_row(*("---" for _ in COLUMNS))
    for name, strategy in _strategies(max_tokens).items():
        changed = np.array([n for text in texts for n in _changes(strategy, text, n_edits)])
        sizes = [strategy(text).n_tokens for text in texts]
        _print_row(name, *_spread(changed), *_shape(sizes))


def _strategies(max_tokens: int) -> dict[str, Callable[[str], cw.Chunks]]:
    import chunkwright as cw

    target = max_tokens * 3 // 4
    return {
        "Balanced": cw.Balanced(max_tokens=max_tokens),
        "Recursive": cw.Recursive(max_tokens=max_tokens),
        f"Recursive, soft_max={target}": cw.Recursive(max_tokens=max_tokens, soft_max=target),
        "Sentence": cw.Sentence(max_tokens=max_tokens),
        "Window": cw.Window(max_tokens=max_tokens),
    }


def _corpus(name: str) -> str:
    path = shared_folder() / "data" / "chroma-report" / "corpora" / f"{name}.md"
    return path.read_text(encoding="utf-8")


def _changes(strategy: Callable[[str], cw.Chunks], text: str, n_edits: int) -> Iterator[int]:
    before = Counter(strategy(text).texts())
    for edited in _edited(text, n_edits):
        yield (Counter(strategy(edited).texts()) - before).total()


def _edited(text: str, n_edits: int) -> Iterator[str]:
    """Yield the text with one edit each, the same ones in every run."""
    choose = random.Random(SEED)  # noqa: S311 - nothing secret
    units = [[match.span() for match in unit.finditer(text)] for unit in (WORD, SENTENCE)]
    for _ in range(n_edits):
        spans = choose.choice(units)
        (start, end), (first, last) = choose.choice(spans), choose.choice(spans)
        action = choose.choice(ACTIONS)
        new = "" if action == "delete" else text[first:last]
        yield text[:start] + new + text[start if action == "insert" else end :]


def _spread(changed: np.ndarray) -> list[str]:
    shown = [f"{changed.mean():.2f}"]
    shown += [f"{np.percentile(changed, share):.0f}" for share in (90, 99, 100)]
    return [*shown, f"{100 * (changed <= 3).mean():.1f} %"]  # noqa: PLR2004 - the column's name


def _shape(sizes: list[np.ndarray]) -> list[str]:
    of_all = np.concatenate(sizes)
    deviation = f"{100 * of_all.std() / of_all.mean():.0f} %"
    return [f"{of_all.mean():.0f}", deviation, f"{of_all.min()}"]


def _print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
