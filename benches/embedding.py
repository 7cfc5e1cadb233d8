"""Compares the embedding of texts: ours on ONNX Runtime against sentence-transformers on torch.

Both have the same weights: those of the graph are written as a checkpoint into a temporary folder.
Before anything is timed, the cosine of the two vectors of each text is checked.

    pip install ".[bench-torch]"
    python benches/embedding.py MODEL_FOLDER TEXT_FOLDER --texts 2000 --threads 1 2
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
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from chunkwright.embed import Onnx

Embed = Callable[[list[str]], Any]

# About 50 tokens of English.
PIECE_CHARS = 220
LEAST_COSINE = 0.9999
# Of sentence-transformers: its own default, and what is faster on few processors.
PEER_BATCHES = (32, 8)


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="folder with a graph of BERT's kind")
    parser.add_argument("texts_from", type=Path, help="folder with .md or .txt files")
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, len(os.sched_getaffinity(0))])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one object a line")
    options = parser.parse_args()

    texts = pieces(options.texts_from, options.texts)
    with tempfile.TemporaryDirectory() as folder:
        write_checkpoint(options.model, Path(folder))
        theirs = torch_model(Path(folder))
    least = check(Onnx(options.model).embed, peer(theirs, 32, 1), texts[:500])
    names = ("chunkwright", "onnxruntime", "sentence-transformers", "torch")
    print(", ".join(f"{name} {version(name)}" for name in names))
    mean = sum(map(len, texts)) / len(texts)
    print(f"{len(texts)} texts of {mean:.0f} characters; least cosine {least:.7f}")
    for n_threads in dict.fromkeys(options.threads):
        ours = Onnx(options.model, workers=n_threads).embed
        ways = {"chunkwright": ours} | {
            f"sentence-transformers, batches of {size}": peer(theirs, size, n_threads)
            for size in PEER_BATCHES
        }
        for name, embed in ways.items():
            _report(name, n_threads, timed(embed, texts, options.rounds), len(texts), options.json)


def _report(name: str, n_threads: int, run: Run, n_texts: int, as_json: bool) -> None:
    per_cpu, per_wall = n_texts / run.cpu, n_texts / run.wall
    if as_json:
        row = {"name": name, "threads": n_threads, "texts": n_texts, **vars(run)}
        print(json.dumps(row))
        return
    print(
        f"{name:45} {n_threads} threads  {per_cpu:7.1f} texts a CPU second"
        f"  {per_wall:7.1f} a second  peak {run.peak} MiB"
    )


if __name__ == "__main__":
    main()
