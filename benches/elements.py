"""Unstructured's chunking, by Unstructured and by ours: the same elements, CPU time, one run.

``python benches/elements.py`` needs ``unstructured`` installed; about five minutes.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import time
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from math import log
from typing import TYPE_CHECKING, Any

os.environ["DO_NOT_TRACK"] = "1"  # before the peer is imported

from lib.element_input import items_of, n_bytes, one_text, table_of, unstructured_objects
from lib.memory import kilobytes, settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from lib.element_input import Item

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


def main() -> None:
    """Print every row."""
    options = _options()
    print(_header())
    rows: dict[str, Callable[[], None]] = {
        "basic": partial(_many, "basic", options),
        "by_title": partial(_many, "by_title", options),
        "structural": partial(_structural, options),
        "tokens": partial(_tokens, options),
        "tables": partial(_tables, options),
        "json": partial(_table_json, options),
        "one": partial(_one, options),
        "memory": partial(_memory, options),
    }
    for name in options.rows or rows:
        rows[name]()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", nargs="+", metavar="ROW")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    return parser.parse_args()


def _header() -> str:
    return (
        f"chunkwright {version('chunkwright')}, unstructured {version('unstructured')}, "
        f"Python {platform.python_version()}, {platform.machine()}"
    )


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


def _many(strategy: str, options: argparse.Namespace) -> None:
    items = items_of(options.elements)
    objects = unstructured_objects(items)
    peer, native = _peer(strategy), _native(strategy, max_chars=500)
    bare = _peer(strategy, include_orig_elements=False)
    title = f"{strategy}, {options.elements:,} elements"
    _race(
        f"{title}: objects",
        items,
        [
            Contender("unstructured", peer, objects),
            Contender("compat.unstructured", _compat(strategy), objects, 8),
            Contender("native columns, of objects", native, objects, 40),
            Contender("native columns, of dicts", native, items, 40),
        ],
        options.rounds,
    )
    _race(
        f"{title}: JSON-ready dicts, no originals",
        items,
        [
            Contender("unstructured", _dicts_of_peer(bare), objects),
            Contender("native, of dicts", _dicts(native, originals=False), items, 40),
        ],
        options.rounds,
    )
    _race(
        f"{title}: JSON-ready dicts with originals",
        items,
        [
            Contender("unstructured", _dicts_of_peer(peer), objects),
            Contender("native, of dicts", _dicts(native, originals=True), items, 40),
        ],
        options.rounds,
    )


def _structural(options: argparse.Namespace) -> None:
    """Blocks beside sections, and merged ones beside clusters of the same text."""
    import chunkwright as cw

    items = items_of(options.elements)
    document = cw.read_elements(items)
    limits: list[dict[str, Any]] = [{"max_tokens": 512}, {"max_chars": 2000}]
    for sizes in limits:
        _race(
            f"structural, {options.elements:,} elements that are read, {sizes}",
            items,
            [
                Contender("native by_title", cw.ByTitle(**sizes), document),
                Contender("native structural", cw.Structural(**sizes), document, 1),
            ],
            options.rounds,
        )
        _race(
            f"structural, {options.elements:,} elements that are read, lexical vectors, {sizes}",
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
            options.rounds,
        )


def _tokens(options: argparse.Namespace) -> None:
    n = options.elements // 10
    items = items_of(n)
    objects = unstructured_objects(items)
    sizes = {"max_tokens": 256, "tokenizer": "cl100k_base"}
    _race(
        f"basic, 256 tokens, {n:,} elements",
        items,
        [
            Contender("unstructured", _peer("basic", **sizes), objects),
            Contender("compat.unstructured", _compat("basic", **sizes), objects, 100),
            Contender("native columns", _native("basic", **sizes), items),
        ],
        options.rounds,
    )


def _tables(options: argparse.Namespace) -> None:
    for title, items in (
        ("a table of 5,000 rows", table_of(5000)),
        ("the same, merged by 50 rows", table_of(5000, merged=50)),
    ):
        objects = unstructured_objects(items)
        _race(
            title,
            items,
            [
                Contender("unstructured", _peer("basic"), objects),
                Contender("compat.unstructured", _compat("basic"), objects, 15),
                Contender("native columns", _native("basic", max_chars=500), items),
            ],
            options.rounds,
        )


def _table_json(options: argparse.Namespace) -> None:
    items = table_of(2000)
    objects = unstructured_objects(items)
    native = _dicts(_native("basic", max_chars=500), originals=True)
    contenders = [
        Contender("unstructured, to_dict", _dicts_of_peer(_peer("basic")), objects),
        Contender("compat.unstructured, elements_to_dicts", _compat_dicts, objects, 50),
        Contender("native, of dicts", native, items, 50),
    ]
    _race("a table of 2,000 rows, dicts with originals", items, contenders, options.rounds)
    _growth("  native", native, [table_of(n) for n in (1000, 2000, 4000, 8000)])


def _compat_dicts(elements: Any) -> Any:
    from chunkwright.compat import unstructured as compat

    return compat.elements_to_dicts(compat.chunk_elements(elements))


def _one(options: argparse.Namespace) -> None:
    del options
    native = _native("basic", max_chars=500)
    _growth(
        "one text, characters, 0.5 to 4 MB", native, [one_text(n * 500_000) for n in (1, 2, 4, 8)]
    )
    tokens = _native("basic", max_tokens=256, overlap=20)
    _growth("one text, tokens, 0.5 to 4 MB", tokens, [one_text(n * 500_000) for n in (1, 2, 4, 8)])
    sizes = {"max_tokens": 256, "tokenizer": "cl100k_base"}
    items = one_text(20_000)
    objects = unstructured_objects(items)
    _race(
        "one text of 20 kB, 256 tokens",
        items,
        [
            Contender("unstructured", _peer("basic", **sizes), objects),
            Contender("compat.unstructured", _compat("basic", **sizes), objects),
        ],
        1,
    )


# ---------------------------------------------------------------------- clock


def _race(title: str, items: list[Item], contenders: list[Contender], rounds: int) -> None:
    n_megabytes = n_bytes(items) / 1e6
    for _ in range(rounds):
        for contender in contenders:
            _turn(contender)
    print(f"\n{title} ({n_megabytes:.1f} MB)")
    peer = contenders[0]
    for contender in contenders:
        times = peer.seconds / contender.seconds
        reached = "" if not contender.wanted else f"  wanted {contender.wanted}: "
        reached += "" if not contender.wanted else ("yes" if times >= contender.wanted else "NO")
        speed = n_megabytes / contender.seconds
        line = (
            f"{contender.seconds:9.4f} s {speed:8.1f} MB/s {times:8.1f} x {contender.n_chunks:8,}"
        )
        print(f"  {contender.label:42}{line}{reached}", flush=True)


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


def _growth(title: str, call: Callable[[Any], Any], sizes: list[list[Item]]) -> None:
    points = []
    for items in sizes:
        contender = Contender(title, call, items)
        _turn(contender)
        points.append((n_bytes(items), contender.seconds))
    (small, fast), (large, slow) = points[0], points[-1]
    exponent = log(slow / fast) / log(large / small)
    times = ", ".join(f"{seconds * 1000:.1f}" for _, seconds in points)
    print(f"\n{title}: {times} ms; exponent {exponent:.2f}", flush=True)


# ---------------------------------------------------------------------- memory


def _memory(options: argparse.Namespace) -> None:
    import subprocess
    import sys

    if options.memory_of:
        print(_peak(options))
        return
    print(f"\npeak memory over what holds the elements, {options.elements:,} elements")
    for who in ("unstructured", "compat", "native"):
        command = [sys.executable, __file__, "--rows", "memory", "--memory-of", who]
        command += ["--elements", str(options.elements)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(f"  {who:42}{json.loads(done.stdout.splitlines()[-1]) / 1024:9.1f} MB", flush=True)


def _peak(options: argparse.Namespace) -> int:
    objects = unstructured_objects(items_of(options.elements))
    calls = {"unstructured": _peer, "compat": _compat}
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
