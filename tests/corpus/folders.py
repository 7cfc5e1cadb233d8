"""Inputs of corpora that tests make, and what outputs hold."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from chunkwright.corpus import Counts
from chunkwright.corpus.inputs.places import LocalPlace
from chunkwright.corpus.inputs.splitting import Unit
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.corpus.output.parquet import part_path

_WORDS = ("harbour", "engine", "ledger", "winter", "copper", "signal", "garden", "Größe", "漢字")


def text(number: int, n_words: int = 40) -> str:
    """Return a text of its own for each number."""
    chance = random.Random(number)
    return f"Document {number}. " + " ".join(chance.choices(_WORDS, k=n_words)) + "."


def write_json(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_parquet(path: Path, columns: Mapping[str, Any], group_rows: int = 7) -> Path:
    """Write columns as Parquet, so many rows to a row group."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(dict(columns)), path, row_group_size=group_rows)
    return path


def mixed(folder: Path, n_rows: int = 20) -> Path:
    """Make a folder of JSON lines, Parquet and Markdown, and return it."""
    numbers = range(n_rows)
    write_json(folder / "a.jsonl", ({"text": text(n), "year": n} for n in numbers))
    write_parquet(
        folder / "b.parquet",
        {"text": [text(100 + n) for n in numbers], "year": [2000 + n for n in numbers]},
    )
    for n in range(3):
        (folder / f"page-{n}.md").write_text(f"# Page {n}\n\n{text(200 + n)}\n")
    return folder


def unit_of(path: Path, format_: str, part: tuple[int, int] | None = None) -> Unit:
    """Return a unit of a file."""
    state = LocalPlace().state(str(path))
    assert state is not None
    return Unit(str(path), path.name, format_, state.stamp, state.size, part)


def table(out: str | Path) -> pa.Table:
    """Return the chunks of an output, in the order of its inputs."""
    parts = [pq.read_table(part_path(str(out), name)) for name, _ in Manifest(str(out)).plan()]
    return pa.concat_tables(parts)


def rows(out: str | Path) -> list[dict[str, Any]]:
    """Return the same as dicts."""
    found: list[dict[str, Any]] = table(out).to_pylist()
    return found


def errors(out: str | Path) -> list[dict[str, Any]]:
    """Return the failures of an output."""
    found: list[dict[str, Any]] = []
    for path in sorted(Path(out, "_errors").glob("*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found


def files(out: str | Path) -> dict[str, bytes]:
    """Return the files of chunks and of errors of an output, and whatever else is left there."""
    run = Path(out, "_run")
    found = (path for path in sorted(Path(out).rglob("*")) if path.is_file())
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in found
        if path.parent != run
        and not path.is_relative_to(run / "shards")
        and not path.is_relative_to(run / "hashes")
    }


def marks(out: str | Path) -> dict[str, dict[str, Any]]:
    """Return what is known of the shards that are done, but for times."""
    found = {}
    for path in sorted(Path(out, "_run", "shards").iterdir()):
        found[path.name] = json.loads(path.read_text())
        del found[path.name]["seconds"]
    return found


def documents_of(chunks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the ids of the documents of rows, in order, each once."""
    return list(dict.fromkeys(row["document_id"] for row in chunks))


def comparable(counts: Counts) -> dict[str, Any]:
    """Return what counts say of chunks and documents, wherever these were written, and when."""
    left_out = {"seconds", "output_bytes", "input_bytes", "shards"}
    return {name: value for name, value in counts.to_dict().items() if name not in left_out}
