"""Contextual chunks by a model that answers at once: CPU time and memory of all but the model.

``python benches/contextual.py [--chunks N]`` cuts documents of 25 kB into chunks of 128 tokens,
asks for a snippet for each, counts the new texts, and keeps all replies in a new cache; then it
does so again from the cache. ``structure`` asks no model. What is printed is Markdown. CPU seconds
of the whole process: pin it to one core (``taskset -c 0``), since threads take turns.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from typing import TYPE_CHECKING, Any

from lib.corpus import text_of
from lib.memory import kilobytes, settle
from lib.table import Table, at_most, duration, say, versions

import chunkwright as cw
from chunkwright.llm import Runner

if TYPE_CHECKING:
    from collections.abc import Iterator

STRATEGY = cw.Recursive(max_tokens=128)
DOCUMENT_CHARS = 25_000
# Documents that are shown as a whole are smaller.
WHOLE_CHARS = 8000
# Seconds for 100,000 chunks.
WANTED = {"first run": 10.0, "from the cache": 5.0}
PER = 100_000


def main() -> None:
    """Print a row for each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=PER)
    n = parser.parse_args().chunks
    text = text_of(5)
    say(
        f"{versions()}. The function that stands in for a model answers at once. CPU seconds of "
        "the whole process; extra memory is the peak above what was resident before."
    )
    table = Table("context, run", "chunks", "CPU time", "wanted", "extra memory (MB)")
    for context in ("neighbours", "document"):
        size = DOCUMENT_CHARS if context == "neighbours" else WHOLE_CHARS
        with tempfile.TemporaryDirectory() as cache:
            for run, wanted in WANTED.items():
                runner = Runner(_instant, name="instant", cache=cache)
                writer = cw.Contextual(STRATEGY, llm=runner, context=context)
                cells = _measured(writer, _documents(text, size), n, wanted)
                table.row(f"{context}, {run}", *cells)
    writer = cw.Contextual(STRATEGY, context="structure")
    table.row("structure", *_measured(writer, _documents(text, DOCUMENT_CHARS), n, None))


async def _instant(_messages: list[dict[str, str]]) -> str:
    return "From the report of the year before last, on how its sales grew in the second quarter."


def _documents(text: str, size: int) -> Iterator[cw.Document]:
    """Yield ever new documents."""
    number = 0
    while True:
        start = number * 7919 * 13 % (len(text) - size)
        yield cw.Document(text=text[start : start + size], name=f"document {number}")
        number += 1


def _measured(
    writer: cw.Contextual, documents: Iterator[cw.Document], n: int, wanted: float | None
) -> tuple[str, ...]:
    """Return the cells of a run."""
    settle()
    before = kilobytes("VmHWM")
    start = time.process_time()
    n_chunks = 0
    for chunks in writer.stream(documents):
        n_chunks += _counted(chunks)
        if n_chunks >= n:
            break
    seconds = time.process_time() - start
    extra = (kilobytes("VmHWM") - before) / 1000
    goal = None if wanted is None else round(wanted * n_chunks / PER, 2)
    return f"{n_chunks:,}", duration(seconds), at_most(goal, seconds, "s"), f"{extra:.0f}"


def _counted(chunks: Any) -> int:
    return len(chunks.contextual_n_tokens)


if __name__ == "__main__":
    main()
