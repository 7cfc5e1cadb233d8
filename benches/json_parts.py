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
import platform
import time
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import yaml  # type: ignore[import-untyped]
from langchain_text_splitters import RecursiveJsonSplitter

import chunkwright as cw

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1_000_000
LIMIT = 2000
ROUNDS = 5
# The peer is given so many records, PyYAML writes so many.
PART = 1500


def main() -> None:
    """Print a row for each text and splitter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=5)
    options = parser.parse_args()
    records = _records(options.megabytes)
    minified = json.dumps({"rows": records}, separators=(",", ":"))
    print(
        f"chunkwright {version('chunkwright')}, langchain-text-splitters "
        f"{version('langchain-text-splitters')}, Python {platform.python_version()}, "
        f"{platform.machine()}; {len(minified) / MEGABYTE:.1f} MB minified"
    )
    texts = {
        "minified": minified,
        "indented": json.dumps({"rows": records}, indent=2),
        "YAML": yaml.safe_dump({"rows": records[:PART]}, sort_keys=False),
    }
    for name, text in texts.items():
        syntax: Any = "yaml" if name == "YAML" else "json"
        for limit in ({"max_chars": LIMIT}, {"max_tokens": 512}):
            given: Any = limit
            _print(name, str(limit), text, cw.Json(syntax=syntax, **given), ROUNDS)
    _print_peer(records[:PART])


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


def _print(name: str, limit: str, text: str, cut: Callable[[str], Any], rounds: int) -> None:
    seconds = _seconds(lambda: cut(text), rounds)
    print(f"  {name:9} {limit:20} {len(text) / MEGABYTE / seconds:8.1f} MB/s")


def _print_peer(records: list[dict[str, Any]]) -> None:
    text = json.dumps({"rows": records}, separators=(",", ":"))
    splitter = RecursiveJsonSplitter(max_chunk_size=LIMIT)
    data = json.loads(text)
    seconds = _seconds(lambda: splitter.split_text(data, convert_lists=True), 1)
    parts = splitter.split_text(data, convert_lists=True)
    n_over = sum(len(part) > LIMIT for part in parts)
    ours = _seconds(lambda: cw.Json(max_chars=LIMIT)(text), ROUNDS)
    said = f"{n_over} of {len(parts)} parts over the limit"
    print(f"  LangChain {'2000 characters':20} {len(text) / MEGABYTE / seconds:8.1f} MB/s, {said}")
    print(f"  ours is {seconds / ours:.0f} x on its {len(text) / MEGABYTE:.1f} MB")


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
