"""The shared corpus of hostile inputs, and what it is run over."""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import regex

import chunkwright as cw
from chunkwright.chunking import Strategy

if TYPE_CHECKING:
    from collections.abc import Callable

ENCODING = "cl100k_base"


@dataclass(frozen=True, kw_only=True)
class Run:
    """A strategy with its options."""

    strategy: type[Strategy]
    unit: str
    size: int
    overlap: int

    def __str__(self) -> str:
        return f"{self.strategy.__name__}-{self.size}-{self.overlap}-{self.unit}"

    def chunks(self, text: str) -> cw.Chunks:
        options: dict[str, Any] = {"overlap": self.overlap}
        if self.unit == "chars":
            return self.strategy(max_chars=self.size, **options)(text)
        options["tokenizer"] = minilm() if self.unit == "pieces" else ENCODING
        return self.strategy(max_tokens=self.size, **options)(text)

    @property
    def measure(self) -> Callable[[str], int]:
        return {"tokens": tiktoken_count, "chars": len, "pieces": minilm_count}[self.unit]


SEMANTIC: list[type[Strategy]] = [cw.Kamradt, cw.KamradtModified, cw.Cluster, cw.Discontinuity]

RUNS = [
    Run(strategy=strategy, unit=unit, size=size, overlap=overlap)
    for strategy in (cw.Recursive, cw.Sentence, cw.Balanced, cw.Window)
    for unit, size, overlap in (
        ("tokens", 128, 0),
        ("tokens", 64, 12),
        ("tokens", 7, 0),
        ("chars", 300, 0),
        ("chars", 120, 30),
        ("pieces", 64, 12),
        ("pieces", 9, 0),
    )
] + [
    Run(strategy=strategy, unit=unit, size=size, overlap=overlap)
    for strategy in SEMANTIC
    for unit, size, overlap in (("tokens", 7, 0), ("chars", 120, 30))
]


def load() -> Any:
    """Return the module of the generators, or None where the shared data are absent."""
    path = Path(os.environ.get("CHUNKWRIGHT_SHARED", "")) / "hostile" / "hostile.py"
    spec = importlib.util.spec_from_file_location("hostile", path)
    if not path.is_file() or spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hostile"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def tiktoken_count(text: str) -> int:
    """Count tokens by the reference, which joins surrogates that make a pair."""
    import tiktoken

    return len(tiktoken.get_encoding(ENCODING).encode_ordinary(text))


def minilm_json() -> str:
    """Return the path of MiniLM's tokenizer.json, whose tokens are word pieces."""
    shared = Path(os.environ.get("CHUNKWRIGHT_SHARED", ""))
    return str(shared / "models" / "all-MiniLM-L6-v2" / "tokenizer.json")


@cache
def minilm() -> cw.Tokenizer:
    return cw.Tokenizer(minilm_json())


@cache
def _peer() -> Any:
    from tokenizers import Tokenizer

    peer = Tokenizer.from_file(minilm_json())
    peer.no_truncation()
    peer.no_padding()
    return peer


def minilm_count(text: str) -> int:
    """Count word pieces by the reference, which takes no surrogates."""
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return len(_peer().encode(text, add_special_tokens=False).ids)


def violations(
    module: Any, text: str, chunks: cw.Chunks, budget: int, measure: Callable[[str], int]
) -> list[str]:
    """Ask the oracle, and add what it does not know: pieces and indivisible graphemes."""
    indivisible = {chunk.text for chunk in chunks if chunk.oversize}
    overlap = any(piece.role == "overlap" for chunk in chunks for piece in chunk.pieces)
    found: list[str] = module.check_chunks(
        text,
        chunks.texts(),
        budget=budget,
        count=lambda chunk: 0 if chunk in indivisible else measure(chunk),
        spans=list(zip(chunks.starts.tolist(), chunks.ends.tolist(), strict=True)),
        overlap=overlap,
    )
    divisible = sum(len(regex.findall(r"\X", chunk)) != 1 for chunk in indivisible)
    found += [f"oversize-but-divisible:{divisible}"] if divisible else []
    return found + lost_between_bodies(text, chunks)


def lost_between_bodies(text: str, chunks: cw.Chunks) -> list[str]:
    """Bodies are in order, disjoint, and leave out nothing but whitespace."""
    at = 0
    for chunk in chunks:
        for piece in chunk.pieces:
            if piece.role != "body":
                continue
            if piece.start < at:
                return [f"bodies-overlap-at:{piece.start}"]
            if text[at : piece.start].strip():
                return [f"lost-before:{piece.start}"]
            at = piece.end
    return [f"lost-after:{at}"] if text[at:].strip() else []
