"""Runs of many requests to a language model that answers at once: what all but the model costs.

CPU seconds of the process and the growth of its peak memory: requests alone, to a model that is a
plain function and to one that is ``async``, and chunks that get a context, cutting included; each
without a cache, with one that fills, and resumed from the full one. Each has a process of its own,
since a peak never falls.
``python benches/llm_runs.py`` prints Markdown.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from lib.memory import kilobytes, settle
from lib.table import Table, at_most, duration, say, versions

import chunkwright as cw
from chunkwright.llm import Message, Request, Runner
from chunkwright.llm.request import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SENTENCE = "It rained all day, and the ferry was late again. "
# A neighbourhood of some 160 tokens.
CONTEXT = SENTENCE * 14
CHUNK_TOKENS = 60
DOCUMENT_CHUNKS = 100
# Seconds for 100,000.
WANTED = {"no cache": None, "with a cache": 10.0, "resumed": 5.0}
PER = 100_000


def main() -> None:
    """Print the table."""
    options = _options()
    if options.only:
        what, folder = options.only
        _measure(what, folder, options.n)
        return
    say(
        f"{versions()}. {options.n:,} requests, or chunks, in a process of its own for each run; "
        "the function that stands in for a model answers at once."
    )
    table = Table("work", "run", "CPU time", "wanted", "extra memory (MB)")
    for what in WORKS:
        with tempfile.TemporaryDirectory() as folder:
            for run, wanted in WANTED.items():
                command = [sys.executable, __file__, "--n", str(options.n)]
                command += ["--only", what, "" if run == "no cache" else folder]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                seconds, megabytes = map(float, done.stdout.split())
                goal = None if wanted is None else wanted * options.n / PER
                cells = duration(seconds), at_most(goal, seconds, "s"), f"{megabytes:.0f}"
                table.row(what, run, *cells)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=100_000, help="requests, or chunks")
    parser.add_argument("--only", nargs=2, metavar=("WORK", "CACHE"), help=argparse.SUPPRESS)
    return parser.parse_args()


def _measure(what: str, folder: str, n: int) -> None:
    """Print CPU seconds and extra megabytes of one run."""
    model, work = WORKS[what]
    work(Runner(model), 8)
    runner = Runner(model, name="instant", cache=folder or None)
    gc.collect()
    settle()
    before, start = kilobytes("VmRSS"), time.process_time()
    n_done = work(runner, n)
    seconds = time.process_time() - start
    if n_done != n:
        raise RuntimeError(f"{n_done:,} answers to {n:,} requests")
    print(seconds, (kilobytes("VmHWM") - before) / 1024)


def _ask(runner: Runner, n: int) -> int:
    return sum(answer.value is not None for answer in runner.ask(_requests(n)))


def _requests(n: int) -> Iterator[Request[str]]:
    system = Message("system", "Say what the text is about.")
    for number in range(n):
        asked = Message("user", f"{CONTEXT}\n\nPart {number}.")
        yield Request((system, asked), plain_text, max_tokens=100, temperature=0.3)


def _contextualize(runner: Runner, n: int) -> int:
    contextual = cw.Contextual(cw.Sentence(max_tokens=CHUNK_TOKENS, sentences=4), llm=runner)
    n_done = 0
    for chunks in contextual.stream(_documents(n)):
        n_done += sum(text.startswith("[On ") for text in chunks.contextual_texts())
    return n_done


def _documents(n_chunks: int) -> Iterator[str]:
    for first in range(0, n_chunks, DOCUMENT_CHUNKS):
        numbers = range(first, min(first + DOCUMENT_CHUNKS, n_chunks))
        yield "".join(f"Day {number}. {SENTENCE * 3}" for number in numbers)


def _plain(messages: list[dict[str, str]]) -> str:
    return f"On {messages[-1]['content'][-40:]}"


async def _async(messages: list[dict[str, str]]) -> str:
    return _plain(messages)


WORKS = {
    "requests to an async function": (_async, _ask),
    "requests to a plain function": (_plain, _ask),
    "chunks, by an async function": (_async, _contextualize),
}

if __name__ == "__main__":
    main()
