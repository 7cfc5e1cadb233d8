"""Recall of the lines that answer issues, on data that `contextbench_data.py` has prepared.

For each issue, files of code are cut, indexed and searched by words; hits are taken in the order
of their ranks while they fit. What is printed is the mean share of an issue's lines that hits of
2,000, 4,000 and 8,000 tokens cover. Weights are chosen on the half `chosen` and stated on the half
`stated`.

    python benches/contextbench.py DATA --half stated
    python benches/contextbench.py DATA --half chosen --weights path=0,document=0
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from contextbench_data import HALVES

import chunkwright as cw
from chunkwright.chunking.registry import strategy_class
from chunkwright.evaluation.data.corpora import read_corpora

BUDGETS = (2000, 4000, 8000)
STRATEGIES = ("recursive", "line_based", "balanced")
# No budget holds more hits.
MOST_HITS = 2000


def main() -> None:
    """Print a row for each strategy and weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder that contextbench_data.py has written")
    parser.add_argument("--half", choices=[*HALVES, "all"], default="stated")
    parser.add_argument("--strategy", nargs="+", default=STRATEGIES, metavar="NAME")
    parser.add_argument("--max-tokens", type=int, default=300, help="the size of chunks")
    parser.add_argument(
        "--weights",
        nargs="+",
        default=["path=0,document=0", ""],
        help="weights of fields, such as path=2,document=1; empty: those by default",
    )
    parser.add_argument("--each", action="store_true", help="print each issue, too")
    args = parser.parse_args()
    tasks = [task for task in read_tasks(args.data) if args.half in ("all", task["half"])]
    print(f"{len(tasks)} issues, half: {args.half}; recall of lines at {BUDGETS} tokens, percent")
    retrievers = [cw.Retriever(field_weights=weights_of(each)) for each in args.weights]
    for name in args.strategy:
        strategy: Any = strategy_class(name)(max_tokens=args.max_tokens)
        found = [recalls(args.data, task, strategy, retrievers) for task in tasks]
        for row, weights in enumerate(args.weights):
            means = np.mean([each[row] for each in found], axis=0)
            shown = " ".join(f"{100 * mean:5.1f}" for mean in means)
            print(f"{name:12} {weights or 'by default':28} {shown}")
            for task, each in zip(tasks, found, strict=True) if args.each else ():
                print("   ", task["id"], *(f"{100 * share:5.1f}" for share in each[row]))


def read_tasks(data: Path) -> list[dict[str, Any]]:
    """Return the issues."""
    lines = (data / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def weights_of(given: str) -> dict[str, float]:
    """Return weights of fields by name."""
    pairs = (pair.split("=") for pair in given.split(",") if pair)
    return {name: float(weight) for name, weight in pairs}


def recalls(
    data: Path, task: dict[str, Any], strategy: Any, retrievers: list[cw.Retriever]
) -> list[list[float]]:
    """Return the share of an issue's lines within each budget, for each retriever."""
    files = read_corpora(data / "files" / task["id"], names="path")
    chunks = strategy.batch(list(files.values()), names=list(files))
    gold: dict[str, set[int]] = {}
    for each in task["gold"]:
        gold.setdefault(each["file"], set()).update(range(each["first"], each["last"] + 1))
    found = []
    for retriever in retrievers:
        (hits,) = retriever.index(chunks).search([task["question"]], k=MOST_HITS)
        found.append(list(shares(chunks, [hit.index for hit in hits], gold)))
    return found


def shares(chunks: cw.Chunks, ranked: list[int], gold: dict[str, set[int]]) -> Iterator[float]:
    """Yield the share of lines that the first chunks cover which fit into each budget."""
    names, n_lines = chunks.names, sum(map(len, gold.values()))
    sizes = np.cumsum([chunks[row].n_tokens for row in ranked])
    for budget in BUDGETS:
        covered: dict[str, set[int]] = {}
        for row in ranked[: int(np.searchsorted(sizes, budget, "right"))]:
            chunk = chunks[row]
            name = str(names[chunk.doc_index])
            first, last = chunk.lines
            own = gold.get(name, set()).intersection(range(first, last + 1))
            covered.setdefault(name, set()).update(own)
        yield sum(map(len, covered.values())) / max(1, n_lines)


if __name__ == "__main__":
    main()
