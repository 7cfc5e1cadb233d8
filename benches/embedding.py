"""Compares the embedding of texts: ours on ONNX Runtime against sentence-transformers on torch.

Both have the same weights: those of the graph are written as a checkpoint into a temporary folder.
Before anything is timed, the cosine of the two vectors of each text is checked.

    pip install ".[bench-torch]"
    python benches/embedding.py --texts 2000 --threads 1 2

Model and texts are those of ``CHUNKWRIGHT_SHARED`` unless others are named. Without
sentence-transformers ours are timed alone. What is printed is Markdown, or JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from lib.contenders import installed
from lib.corpus import shared_folder
from lib.table import NOTHING, Table, at_least, named_version, say, three_digits, times, versions

from chunkwright.embed import Onnx

Embed = Callable[[list[str]], Any]

# About 50 tokens of English.
PIECE_CHARS = 220
LEAST_COSINE = 0.9999
# Of sentence-transformers: its own default, and what is faster on few processors.
PEER_BATCHES = (32, 8)
PEER = "sentence-transformers"
WANTED = 2.0  # times as fast as the peer


@dataclass(frozen=True)
class Run:
    """What one way of embedding took.

    Parameters
    ----------
    cpu, wall : float
        Seconds, the best of all rounds.
    peak : int
        The most memory that the process has had so far, in MiB.
    """

    cpu: float
    wall: float
    peak: int


def pieces(folder: Path, n: int) -> list[str]:
    """Return pieces of some sentences, taken evenly from all texts of a folder."""
    files = sorted([*folder.rglob("*.md"), *folder.rglob("*.txt")])
    found = [piece for file in files for piece in _pieces_of(file.read_text("utf-8"))]
    if not found:
        sys.exit(f"{folder} holds no texts")
    return found[:: max(1, len(found) // n)][:n]


def _pieces_of(text: str) -> list[str]:
    joined = [""]
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        if joined[-1] and len(joined[-1]) + len(sentence) > PIECE_CHARS:
            joined.append("")
        joined[-1] = f"{joined[-1]} {sentence}".strip()
    return [piece for piece in joined if piece]


def write_checkpoint(model: Path, folder: Path) -> None:
    """Write the weights of a graph of BERT's kind as transformers reads them."""
    import onnx
    from onnx import numpy_helper
    from safetensors.numpy import save_file

    shutil.copytree(model, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.onnx"))
    folder.chmod(0o755)
    graph = onnx.load(next(iter([*model.glob("onnx/model.onnx"), *model.glob("model.onnx")]))).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    # The exporter transposes the weights of products, and keeps their module in the node's name.
    of_products = {
        name: node.name.strip("/").removesuffix("/MatMul").replace("/", ".") + ".weight"
        for node in graph.node
        for name in node.input
        if node.op_type == "MatMul" and name in values
    }
    (table,) = (name for name in values if name.endswith("embeddings.word_embeddings.weight"))
    root = table.removesuffix("embeddings.word_embeddings.weight")
    weights = {
        of_products.get(name, name).removeprefix(root): np.ascontiguousarray(
            value.T if name in of_products else value
        )
        for name, value in values.items()
        if name in of_products or name.startswith(root)
    }
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def torch_model(folder: Path) -> Any:
    """Return the model of sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def peer(model: Any, batch_size: int, n_threads: int) -> Embed:
    """Return sentence-transformers' way to embed."""
    import torch

    def embed(texts: list[str]) -> Any:
        torch.set_num_threads(n_threads)
        return model.encode(texts, batch_size=batch_size, show_progress_bar=False)

    return embed


def timed(embed: Embed, texts: list[str], rounds: int) -> Run:
    """Time a way to embed, after it has done a few texts."""
    embed(texts[:32])
    runs = []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        embed(texts)
        runs.append((time.process_time() - cpu, time.perf_counter() - wall))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Run(min(cpu for cpu, _ in runs), min(wall for _, wall in runs), peak)


def check(ours: Embed, theirs: Embed, texts: list[str]) -> float:
    """Return the least cosine of two vectors of a text."""
    one, other = np.asarray(ours(texts)), np.asarray(theirs(texts))
    norms = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    least = float(((one * other).sum(axis=1) / norms).min())
    if least < LEAST_COSINE:
        sys.exit(f"the vectors differ: the least cosine is {least}")
    return least


def main() -> None:
    """Print how long each takes."""
    options = _options()
    model = options.model or shared_folder() / "models" / "all-MiniLM-L6-v2"
    folder = options.texts_from or shared_folder() / "data" / "chroma-report"
    texts = pieces(folder, options.texts)
    theirs, least = _peer_of(model, texts)
    table = None if options.json else _table(texts, least)
    for n_threads in dict.fromkeys(options.threads):
        ways: dict[str, Embed] = {"chunkwright": Onnx(model, workers=n_threads).embed}
        if theirs is not None:
            ways |= {
                f"{named_version(PEER)}, batches of {size}": peer(theirs, size, n_threads)
                for size in PEER_BATCHES
            }
        runs = {name: timed(embed, texts, options.rounds) for name, embed in ways.items()}
        for name, run in runs.items():
            if table is None:
                print(json.dumps({"name": name, "threads": n_threads, **vars(run)}))
            else:
                table.row(name, n_threads, *_cells(run, runs["chunkwright"], len(texts)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, nargs="?", help="folder with a graph of BERT's kind")
    parser.add_argument("texts_from", type=Path, nargs="?", help="folder with .md or .txt files")
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, len(os.sched_getaffinity(0))])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one object a line")
    return parser.parse_args()


def _peer_of(model: Path, texts: list[str]) -> tuple[Any, float | None]:
    """Return the peer's model, and the least cosine of its vectors and ours; none without it."""
    if installed(PEER) is None:
        return None, None
    with tempfile.TemporaryDirectory() as folder:
        write_checkpoint(model, Path(folder))
        theirs = torch_model(Path(folder))
    return theirs, check(Onnx(model).embed, peer(theirs, 32, 1), texts[:500])


def _table(texts: list[str], least: float | None) -> Table:
    mean = sum(map(len, texts)) / len(texts)
    shown = "" if least is None else f"; the least cosine of two vectors of a text is {least:.7f}"
    say(
        f"{versions('onnxruntime', PEER, 'torch')}. {len(texts):,} texts of {mean:.0f} characters "
        f"in the mean{shown}. Memory is the most that the process has had so far."
    )
    columns = ("texts a CPU second", "texts a second", "ours is", "wanted", "memory (MiB)")
    return Table("by", "threads", *columns)


def _cells(run: Run, ours: Run, n_texts: int) -> tuple[str, ...]:
    ratio, is_ours = run.cpu / ours.cpu, run is ours
    return (
        three_digits(n_texts / run.cpu),
        three_digits(n_texts / run.wall),
        NOTHING if is_ours else times(ratio),
        at_least(None if is_ours else WANTED, ratio),
        f"{run.peak:,}",
    )


if __name__ == "__main__":
    main()
