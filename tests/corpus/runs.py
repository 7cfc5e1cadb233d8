"""Runs whose outputs tests compare, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chunkwright as cw
from chunkwright.corpus import Corpus, Result
from tests.corpus import children
from tests.corpus.folders import errors, files, marks, rows

WINDOW = cw.Window(max_chars=60)
OPTIONS: list[dict[str, Any]] = [{}, {"duplicates": "drop", "shard_bytes": 4000}]


def run(inputs: Path, out: Path, **options: Any) -> Result:
    """Cut a corpus as children do."""
    return children.corpus_of(inputs, options).write(out)


def held(out: Path) -> Any:
    """Return all that an output holds; nothing of what was begun and not ended is in it."""
    everything = [path.name for path in out.rglob("*")]
    assert not [name for name in everything if name.endswith("tmp")]
    return files(out), marks(out)


def check_whole_parts(out: Path, wanted: Mapping[str, bytes]) -> None:
    """Check that what is there under its name is whole, and what is marked is there."""
    for path in out.glob("*.parquet"):
        assert path.read_bytes() == wanted[path.name]
    shards = out / "_run" / "shards"
    for path in shards.glob("*.json") if shards.exists() else ():
        assert (out / f"part-{path.stem}.parquet").exists()


def written(folder: Path, strategy: Any = WINDOW, **options: Any) -> tuple[Any, Any, Any]:
    """Cut what is in a folder; return the chunks, the failures, and what was counted."""
    out = folder.parent / "out"
    result = Corpus(folder, strategy, **options).write(out, force=True)
    return rows(out), errors(out), result.counts
