"""JSON and YAML cut between items and members, by ours and by LangChain's JSON splitter: CPU time.

``python benches/json_parts.py [--megabytes N]`` cuts records that are made, minified and indented,
and the same as YAML. The peer takes what ``json.loads`` made of the text, which is not timed, and
writes its parts anew; it is given a part of the records, as it takes seconds for a megabyte. Parts
over the limit are counted. It needs LangChain's text splitters and PyYAML.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from typing import TYPE_CHECKING, Any

import yaml  # type: ignore[import-untyped]
from langchain_text_splitters import RecursiveJsonSplitter
from lib.table import NOTHING, Table, named_version, say, three_digits, times, versions

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1_000_000
LIMIT = 2000
ROUNDS = 5
# The peer is given so many records, PyYAML writes so many.
PART = 1500
PEER = "langchain-text-splitters"
LIMITS: dict[str, dict[str, Any]] = {
    "2,000 characters": {"max_chars": LIMIT},
    "512 tokens": {"max_tokens": 512},
}


def main() -> None:
    """Print a row for each text and splitter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=5)
    options = parser.parse_args()
    records = _records(options.megabytes)
    minified = json.dumps({"rows": records}, separators=(",", ":"))
    say(
        f"{versions(PEER)}. CPU time of the best of {ROUNDS} runs. The peer is given a part of the "
        "records, as `json.loads` made them."
    )
    table = Table("text", "size (MB)", "limit", "by", "MB/s", "ours is", "parts over the limit")
    texts = {
        "minified": minified,
        "indented": json.dumps({"rows": records}, indent=2),
        "YAML": yaml.safe_dump({"rows": records[:PART]}, sort_keys=False),
    }
    for name, text in texts.items():
        syntax: Any = "yaml" if name == "YAML" else "json"
        for limit, given in LIMITS.items():
            cut = cw.Json(syntax=syntax, **given)
            _print(table, name, text, limit, cut)
    _print_peer(table, records[:PART])


def _records(megabytes: float) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    n_bytes = 0.0
    while n_bytes < megabytes * MEGABYTE:
        i = len(records)
        records.append(
            {
                "id": i,
                "name": f"Station {i % 97}",
                "tags": ["rain", "wind"][: i % 3],
                "readings": {"mm": i % 13 / 10, "hours": [i % 24, (i + 5) % 24]},
                "note": "It rained over the old town. " * (i % 4),
            }
        )
        n_bytes += len(json.dumps(records[-1], separators=(",", ":"))) + 1
    return records


def _print(table: Table, name: str, text: str, limit: str, cut: cw.Json) -> float:
    """Print how fast ours cuts a text, and return the seconds."""
    seconds = _seconds(lambda: cut(text), ROUNDS)
    size = len(text) / MEGABYTE
    chunks = cut(text)
    sizes = (
        [chunk.n_tokens for chunk in chunks] if cut.max_tokens else [len(t) for t in chunks.texts()]
    )
    n_over = sum(size > (cut.max_tokens or LIMIT) for size in sizes)
    over = f"{n_over} of {len(sizes):,}"
    speed = three_digits(size / seconds)
    table.row(name, three_digits(size), limit, "`cw.Json`", speed, NOTHING, over)
    return seconds


def _print_peer(table: Table, records: list[dict[str, Any]]) -> None:
    text = json.dumps({"rows": records}, separators=(",", ":"))
    splitter = RecursiveJsonSplitter(max_chunk_size=LIMIT)
    data = json.loads(text)
    seconds = _seconds(lambda: splitter.split_text(data, convert_lists=True), 1)
    parts = splitter.split_text(data, convert_lists=True)
    n_over = sum(len(part) > LIMIT for part in parts)
    name, limit = "minified, a part", next(iter(LIMITS))
    ours = _print(table, name, text, limit, cw.Json(max_chars=LIMIT))
    size = len(text) / MEGABYTE
    table.row(
        name,
        three_digits(size),
        limit,
        named_version(PEER),
        three_digits(size / seconds),
        times(seconds / ours),
        f"{n_over} of {len(parts):,}",
    )


def _seconds(call: Callable[[], object], rounds: int) -> float:
    """Return the CPU time of the fastest run."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main()
