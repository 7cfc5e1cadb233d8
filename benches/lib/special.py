"""The rows that are no race over a whole text: span counts, peak memory, start-up time."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from typing import Any

from lib.contenders import OURS, TIMES, Line, installed, verdict
from lib.corpus import SEED
from lib.measure import cpu_seconds, tokens
from lib.memory import extra_peak
from lib.rows import MEMORY

ENCODING = "cl100k_base"
SPANS = 2_000
SPAN_LENGTH = 1_267  # code points; about 1,270 bytes of the corpora
IMPORTS = 11
MODULES = {
    OURS: "chunkwright",
    "tiktoken": "tiktoken",
    "chunkr-rs": "chunkr",
    "langchain-text-splitters": "langchain_text_splitters",
    "chonkie": "chonkie",
}
IMPORT_LIMIT = 50  # milliseconds
HELP_LIMIT = 300  # milliseconds
MEMORY_LIMIT = 2.5  # of the text's UTF-8 bytes

SpanCount = Callable[[int, int], int]


def span_lines(text: str, rounds: int) -> list[Line]:
    """Time the count of one span of a prepared text against a count of the slice.

    Parameters
    ----------
    text : str
        The text, at least `SPAN_LENGTH` long.
    rounds : int
        Times that all spans are counted; the best is shown.

    Returns
    -------
    list of Line
        Microseconds for one span.
    """
    makers = {OURS: _our_spans, "tiktoken": _tiktoken_spans, "toktok-rs": _toktok_spans}
    wanted = {"tiktoken": 20.0}
    lines = [_span_line(package, label) for package, label in _SPAN_CALLS.items()]
    present = {line.package: makers[line.package](text) for line in lines if line.version}
    spans = _spans(text)
    best = _best_times(present, spans, rounds)
    right = [tokens(text[start:end]) for start, end in spans]
    for line in lines:
        if line.package in present:
            seconds, counts = best[line.package]
            line.speed = seconds / SPANS * 1e6
            differing = sum(a != b for a, b in zip(counts, right, strict=True))
            line.note = f"{SPANS:,} spans, {differing} counted wrong"
            _rate(line, best, wanted.get(line.package))
    return lines


_SPAN_CALLS = {
    OURS: "Tokenizer.index(text).count(start, end)",
    "tiktoken": "encode_ordinary(text[start:end])",
    "toktok-rs": "batch_count([text[start:end]])",
}


def _span_line(package: str, label: str) -> Line:
    title = "one span of a prepared text, about 1,270 bytes, cl100k_base"
    version = installed(package)
    return Line(row="span", title=title, label=label, package=package, version=version, unit="µs")


def _rate(line: Line, best: dict[str, tuple[float, list[int]]], wanted: float | None) -> None:
    if line.package == OURS or OURS not in best:
        return
    line.ratio = best[line.package][0] / best[OURS][0]
    if wanted is not None:
        line.wanted = verdict(f"{wanted:g} {TIMES}", reached=line.ratio >= wanted)


def _best_times(
    counters: dict[str, SpanCount], spans: list[tuple[int, int]], rounds: int
) -> dict[str, tuple[float, list[int]]]:
    best: dict[str, tuple[float, list[int]]] = {}
    for _ in range(rounds):
        for package, count in counters.items():
            run = cpu_seconds(lambda: [count(a, b) for a, b in spans])  # noqa: B023 - called at once
            best[package] = min(best.get(package, run), run)
    return best


def _spans(text: str) -> list[tuple[int, int]]:
    dice = random.Random(SEED)  # noqa: S311 - a benchmark's sample
    last = max(0, len(text) - SPAN_LENGTH)
    starts = [dice.randint(0, last) for _ in range(SPANS)]
    return [(start, start + SPAN_LENGTH) for start in starts]


def _our_spans(text: str) -> SpanCount:
    import chunkwright

    return chunkwright.Tokenizer(ENCODING).index(text).count


def _tiktoken_spans(text: str) -> SpanCount:
    import tiktoken

    encode = tiktoken.get_encoding(ENCODING).encode_ordinary
    return lambda start, end: len(encode(text[start:end]))


def _toktok_spans(text: str) -> SpanCount:
    import toktok

    count: Any = toktok.batch_count
    return lambda start, end: int(count([text[start:end]], ENCODING, threads=1)[0])


def memory_lines(megabytes: float) -> list[Line]:
    """Measure the peak memory of token chunking on one long text.

    Parameters
    ----------
    megabytes : float
        Size of the text in millions of bytes.

    Returns
    -------
    list of Line
        Extra peak as a multiple of the text.
    """
    lines = []
    for contender in MEMORY.contenders:
        line = Line(
            row=MEMORY.key,
            title=f"{MEMORY.title}, {megabytes:g} MB",
            label=contender.label,
            package=contender.package,
            version=contender.version,
        )
        if line.version:
            line.memory = extra_peak(MEMORY, contender, megabytes)
        if contender.package == OURS and line.memory is not None:
            reached = line.memory < MEMORY_LIMIT
            line.wanted = verdict(f"< {MEMORY_LIMIT} {TIMES} text", reached=reached)
        if contender.cap and contender.cap < megabytes:
            line.note = f"first {contender.cap:g} MB"
        lines.append(line)
    return lines


def import_lines() -> list[Line]:
    """Time `import` in fresh interpreters, less what a bare interpreter takes.

    Returns
    -------
    list of Line
        Median CPU milliseconds.
    """
    lines = [_import_line(package, module) for package, module in MODULES.items()]
    present = [line for line in lines if line.version]
    times: dict[str, list[float]] = {line.label: [] for line in present}
    bare: list[float] = []
    for _ in range(IMPORTS):
        bare.append(_interpreter("-c", "pass"))
        for line in present:
            times[line.label].append(_interpreter("-c", line.label))
    for line in present:
        # Less than what two medians differ by is nothing.
        line.speed = max(0.0, median(times[line.label]) - median(bare)) * 1e3
    if lines[0].speed is not None:
        reached = lines[0].speed < IMPORT_LIMIT
        lines[0].wanted = verdict(f"< {IMPORT_LIMIT} ms", reached=reached)
    return lines


def _import_line(package: str, module: str) -> Line:
    label = f"import {module}"
    version = installed(package)
    return Line(
        row="import", title="import", label=label, package=package, version=version, unit="ms"
    )


def help_line() -> Line:
    """Time `chunkwright --help` as a process of its own.

    Returns
    -------
    Line
        Median CPU milliseconds, the interpreter's own start included.
    """
    times = [_interpreter("-m", "chunkwright", "--help") for _ in range(IMPORTS)]
    milliseconds = median(times) * 1e3
    return Line(
        row="import",
        title="import",
        label="chunkwright --help",
        package=OURS,
        version=installed(OURS),
        unit="ms",
        speed=milliseconds,
        wanted=verdict(f"< {HELP_LIMIT} ms", reached=milliseconds < HELP_LIMIT),
    )


def _interpreter(*arguments: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
