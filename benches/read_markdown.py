"""Markdown read as elements, by markdown-it-py and by ours: CPU time, memory, growth.

``python benches/read_markdown.py [FILE ...]`` reads the Markdown files given, by default those of
the repository, repeated to ten megabytes, and prints Markdown.
"""

from __future__ import annotations

import argparse
import gc
import time
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.contenders import OURS
from lib.memory import kilobytes, settle
from lib.table import (
    NOTHING,
    Table,
    at_least,
    named_version,
    say,
    three_digits,
    times,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1_000_000
ROOT = Path(__file__).parents[1]
ROUNDS = 7
SIZES = (1, 2, 4, 8)
# The peer takes seconds for a megabyte.
MEGABYTES_OF_PEER = 1
PEER = "markdown-it-py"
WANTED = 100  # MB/s


def main() -> None:
    """Print every row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--megabytes", type=int, default=10)
    options = parser.parse_args()
    files = options.files or sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    source = "\n\n".join(file.read_text(encoding="utf-8") for file in files)
    text = _repeated(source, options.megabytes)
    import chunkwright as cw

    # Read first, so that no freed memory is taken again.
    memory = _extra_peak(cw.read_markdown, text)
    ours = _megabytes_a_second(cw.read_markdown, text, ROUNDS)
    peer = _megabytes_a_second(_peer(), _repeated(source, MEGABYTES_OF_PEER), 2)
    say(
        f"{versions(PEER)}. CPU time of {options.megabytes} MB, of which the peer reads "
        f"{MEGABYTES_OF_PEER} MB; memory is the peak beyond the text."
    )
    table = Table("reader", "MB/s", "ours is", "wanted", "memory (bytes a byte of text)")
    table.row(
        f"`{OURS}.read_markdown`",
        three_digits(ours),
        NOTHING,
        at_least(WANTED, ours, "MB/s"),
        f"{memory:.2f}",
    )
    table.row(named_version(PEER), three_digits(peer), times(ours / peer), NOTHING, NOTHING)
    seconds = [_seconds(cw.read_markdown, _repeated(source, size), ROUNDS) for size in SIZES]
    exponent = log(seconds[-1] / seconds[0]) / log(SIZES[-1] / SIZES[0])
    say(f"From {SIZES[0]} to {SIZES[-1]} MB our time grows with an exponent of {exponent:.2f}.")


def _repeated(source: str, megabytes: float) -> str:
    """Return the source, cut or repeated to a size in millions of UTF-8 bytes."""
    data = source.encode()
    n_bytes = int(megabytes * MEGABYTE)
    return (data * (n_bytes // len(data) + 1))[:n_bytes].decode(errors="ignore")


def _peer() -> Callable[[str], Any]:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").parse


def _megabytes_a_second(call: Callable[[str], Any], text: str, rounds: int) -> float:
    return len(text.encode()) / MEGABYTE / _seconds(call, text, rounds)


def _seconds(call: Callable[[str], Any], text: str, rounds: int) -> float:
    """Return the CPU time of the fastest run."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        call(text)
        best = min(best, time.process_time() - start)
    return best


def _extra_peak(call: Callable[[str], Any], text: str) -> float:
    """Return the most memory that is taken while a text is read, per byte of the text."""
    call("# warm\n\n| a |\n|---|\n")
    n_bytes = len(text.encode())
    settle()
    before = kilobytes("VmRSS")
    call(text)
    return (kilobytes("VmHWM") - before) * 1024 / n_bytes


if __name__ == "__main__":
    main()
