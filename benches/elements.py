"""Unstructured's chunking, by Unstructured and by ours: the same elements, CPU time, one run.

``python benches/elements.py`` needs ``unstructured`` installed; about five minutes. It prints
Markdown: what is raced, growth, and peak memory.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

os.environ["DO_NOT_TRACK"] = "1"  # before the peer is imported

from lib.element_input import items_of, n_bytes, one_text, table_of, unstructured_objects
from lib.memory import kilobytes, settle
from lib.table import (
    NOTHING,
    Table,
    at_least,
    duration,
    named_version,
    say,
    three_digits,
    times,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lib.element_input import Item

PEER_PACKAGE = "unstructured"
PEER = named_version(PEER_PACKAGE)
ENOUGH = 4.0  # CPU seconds after which nobody gets another turn


@dataclass
class Contender:
    """A call, what it is given, and how many times faster ours should be."""

    label: str
    call: Callable[[Any], Any]
    given: Any
    wanted: float | None = None
    seconds: float = float("inf")
    n_chunks: int = 0


class Race(NamedTuple):
    """Contenders that are given the same elements; the first is what the others are compared to."""

    title: str
    items: list[Item]
    contenders: list[Contender]


def main() -> None:
    """Print every row."""
    options = _options()
    if options.memory_of:
        print(_peak(options))
        return
    say(
        f"{versions('unstructured')}. CPU seconds of the whole process, the best of "
        f"{options.rounds} rounds. Ours include reading the elements."
    )
    chosen = options.rows or [*RACES, "memory"]
    raced = [name for name in chosen if name in RACES]
    if raced:
        _print_races(raced, options)
    if set(chosen) & {"json", "one"}:
        _print_growth(chosen)
    if "memory" in chosen:
        _print_memory(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", nargs="+", metavar="ROW", choices=[*RACES, "memory"])
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    return parser.parse_args()


# ---------------------------------------------------------------------- calls


def _peer(strategy: str, **options: Any) -> Callable[[Any], Any]:
    from unstructured.chunking.basic import chunk_elements
    from unstructured.chunking.title import chunk_by_title

    chunker = chunk_elements if strategy == "basic" else chunk_by_title
    return lambda elements: chunker(elements, **options)


def _compat(strategy: str, **options: Any) -> Callable[[Any], Any]:
    from chunkwright.compat import unstructured as compat

    chunker = compat.chunk_elements if strategy == "basic" else compat.chunk_by_title
    return lambda elements: chunker(elements, **options)


def _native(strategy: str, **options: Any) -> Callable[[Any], Any]:
    import chunkwright as cw

    return (cw.Basic if strategy == "basic" else cw.ByTitle)(**options)


def _dicts_of_peer(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda elements: [chunk.to_dict() for chunk in call(elements)]


def _dicts(call: Callable[[Any], Any], *, originals: bool) -> Callable[[Any], Any]:
    from chunkwright.compat.unstructured import chunks_to_dicts

    return lambda elements: chunks_to_dicts(call(elements), originals=originals)


# ---------------------------------------------------------------------- rows


def _many(strategy: str, options: argparse.Namespace) -> Iterator[Race]:
    items = items_of(options.elements)
    objects = unstructured_objects(items)
    peer, native = _peer(strategy), _native(strategy, max_chars=500)
    bare = _peer(strategy, include_orig_elements=False)
    title = f"{strategy}, {options.elements:,} elements"
    yield Race(
        f"{title}: objects",
        items,
        [
            Contender("unstructured", peer, objects),
            Contender("compat.unstructured", _compat(strategy), objects, 8),
            Contender("native columns, of objects", native, objects, 40),
            Contender("native columns, of dicts", native, items, 40),
        ],
    )
    yield Race(
        f"{title}: JSON-ready dicts, no originals",
        items,
        [
            Contender("unstructured", _dicts_of_peer(bare), objects),
            Contender("native, of dicts", _dicts(native, originals=False), items, 40),
        ],
    )
    yield Race(
        f"{title}: JSON-ready dicts with originals",
        items,
        [
            Contender("unstructured", _dicts_of_peer(peer), objects),
            Contender("native, of dicts", _dicts(native, originals=True), items, 40),
        ],
    )


def _structural(options: argparse.Namespace) -> Iterator[Race]:
    """Blocks beside sections, and merged ones beside clusters of the same text."""
    import chunkwright as cw

    items = items_of(options.elements)
    document = cw.read_elements(items)
    limits: dict[str, dict[str, Any]] = {
        "512 tokens": {"max_tokens": 512},
        "2,000 characters": {"max_chars": 2000},
    }
    for name, sizes in limits.items():
        yield Race(
            f"structural, {options.elements:,} elements that are read, {name}",
            items,
            [
                Contender("native by_title", cw.ByTitle(**sizes), document),
                Contender("native structural", cw.Structural(**sizes), document, 1),
            ],
        )
        yield Race(
            f"structural, {options.elements:,} elements that are read, lexical vectors, {name}",
            items,
            [
                Contender("native cluster", cw.Cluster(**sizes), document.text),
                Contender(
                    "native by_similarity", cw.BySimilarity(embedder="lexical", **sizes), document
                ),
                Contender(
                    "native structural",
                    cw.Structural(embedder="lexical", merge_at=0.1, **sizes),
                    document,
                    1,
                ),
            ],
        )


def _tokens(options: argparse.Namespace) -> Iterator[Race]:
    n = options.elements // 10
    items = items_of(n)
    objects = unstructured_objects(items)
    sizes = {"max_tokens": 256, "tokenizer": "cl100k_base"}
    yield Race(
        f"basic, 256 tokens, {n:,} elements",
        items,
        [
            Contender("unstructured", _peer("basic", **sizes), objects),
            Contender("compat.unstructured", _compat("basic", **sizes), objects, 100),
            Contender("native columns", _native("basic", **sizes), items),
        ],
    )


def _tables(options: argparse.Namespace) -> Iterator[Race]:
    del options
    for title, items in (
        ("a table of 5,000 rows", table_of(5000)),
        ("the same, merged by 50 rows", table_of(5000, merged=50)),
    ):
        objects = unstructured_objects(items)
        yield Race(
            title,
            items,
            [
                Contender("unstructured", _peer("basic"), objects),
                Contender("compat.unstructured", _compat("basic"), objects, 15),
                Contender("native columns", _native("basic", max_chars=500), items),
            ],
        )


def _table_json(options: argparse.Namespace) -> Iterator[Race]:
    del options
    items = table_of(2000)
    objects = unstructured_objects(items)
    contenders = [
        Contender("unstructured, to_dict", _dicts_of_peer(_peer("basic")), objects),
        Contender("compat.unstructured, elements_to_dicts", _compat_dicts, objects, 50),
        Contender("native, of dicts", _native_dicts(), items, 50),
    ]
    yield Race("a table of 2,000 rows, dicts with originals", items, contenders)


def _native_dicts() -> Callable[[Any], Any]:
    return _dicts(_native("basic", max_chars=500), originals=True)


def _compat_dicts(elements: Any) -> Any:
    from chunkwright.compat import unstructured as compat

    return compat.elements_to_dicts(compat.chunk_elements(elements))


def _one(options: argparse.Namespace) -> Iterator[Race]:
    del options
    sizes = {"max_tokens": 256, "tokenizer": "cl100k_base"}
    items = one_text(20_000)
    objects = unstructured_objects(items)
    yield Race(
        "one text of 20 kB, 256 tokens",
        items,
        [
            Contender("unstructured", _peer("basic", **sizes), objects),
            Contender("compat.unstructured", _compat("basic", **sizes), objects),
        ],
    )


RACES: dict[str, Callable[[argparse.Namespace], Iterator[Race]]] = {
    "basic": partial(_many, "basic"),
    "by_title": partial(_many, "by_title"),
    "structural": _structural,
    "tokens": _tokens,
    "tables": _tables,
    "json": _table_json,
    "one": _one,
}


# ---------------------------------------------------------------------- clock


def _print_races(names: list[str], options: argparse.Namespace) -> None:
    columns = ("text (MB)", "by", "CPU time", "MB/s", "ours is", "wanted", "chunks")
    table = Table("work", *columns)
    for name in names:
        for race in RACES[name](options):
            _race(race, table, options.rounds)


def _race(race: Race, table: Table, rounds: int) -> None:
    n_megabytes = n_bytes(race.items) / 1e6
    for _ in range(rounds):
        for contender in race.contenders:
            _turn(contender)
    first = race.contenders[0]
    for contender in race.contenders:
        ratio = first.seconds / contender.seconds
        is_first = contender is first
        table.row(
            race.title if is_first else "",
            three_digits(n_megabytes) if is_first else "",
            contender.label.replace("unstructured", PEER) if is_first else contender.label,
            duration(contender.seconds),
            three_digits(n_megabytes / contender.seconds),
            NOTHING if is_first else times(ratio),
            at_least(contender.wanted, ratio),
            f"{contender.n_chunks:,}",
        )


def _turn(contender: Contender) -> None:
    spent = 0.0
    while spent < min(0.2, ENOUGH):
        gc.collect()
        start = time.process_time()
        result = contender.call(contender.given)
        seconds = time.process_time() - start
        contender.seconds = min(contender.seconds, seconds)
        contender.n_chunks = len(result)
        spent += seconds
        del result


def _print_growth(names: list[str]) -> None:
    say("Growth of our time from the smallest to the largest text; an exponent of 1 is linear.")
    table = Table("text", "sizes (MB)", "CPU time (ms)", "exponent")
    if "json" in names:
        tables = [table_of(n) for n in (1000, 2000, 4000, 8000)]
        _growth("tables of 1,000 to 8,000 rows, native dicts", _native_dicts(), tables, table)
    if "one" in names:
        texts = [one_text(n * 500_000) for n in (1, 2, 4, 8)]
        _growth("one text, 500 characters", _native("basic", max_chars=500), texts, table)
        tokens = _native("basic", max_tokens=256, overlap=20)
        _growth("one text, 256 tokens, overlap 20", tokens, texts, table)


def _growth(title: str, call: Callable[[Any], Any], sizes: list[list[Item]], table: Table) -> None:
    points = []
    for items in sizes:
        contender = Contender(title, call, items)
        _turn(contender)
        points.append((n_bytes(items), contender.seconds))
    (small, fast), (large, slow) = points[0], points[-1]
    table.row(
        title,
        ", ".join(f"{size / 1e6:.1f}" for size, _ in points),
        ", ".join(f"{seconds * 1000:.1f}" for _, seconds in points),
        f"{log(slow / fast) / log(large / small):.2f}",
    )


# ---------------------------------------------------------------------- memory


def _print_memory(options: argparse.Namespace) -> None:
    say(f"Peak memory beyond the {options.elements:,} elements, `by_title`.")
    table = Table("by", "memory (MB)")
    for who in (PEER_PACKAGE, "compat.unstructured", "native columns"):
        command = [sys.executable, __file__, "--memory-of", who]
        command += ["--elements", str(options.elements)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        label = PEER if who == PEER_PACKAGE else who
        table.row(label, f"{float(done.stdout.splitlines()[-1]) / 1024:.0f}")


def _peak(options: argparse.Namespace) -> int:
    objects = unstructured_objects(items_of(options.elements))
    calls = {PEER_PACKAGE: _peer, "compat.unstructured": _compat}
    who = options.memory_of
    call = calls[who]("by_title") if who in calls else _native("by_title", max_chars=500)
    call(objects[:100])
    settle()
    before = kilobytes("VmRSS")
    result = call(objects)
    peak = kilobytes("VmHWM") - before
    del result
    return peak


if __name__ == "__main__":
    main()
