"""Chroma's chunker that asks a language model as it is described: it may ask without end."""

from __future__ import annotations

import re
from collections.abc import Callable

from .chroma_naive import RecursiveTokenChunker
from .chroma_naive_semantic import cl100k


class LLMSemanticChunker:
    """Asks about one window after another until the model names a piece behind its beginning."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        self.ask = ask
        self.splitter = RecursiveTokenChunker(50, 0, length_function=cl100k)

    def split_text(self, text: str) -> list[str]:
        pieces = self.splitter.split_text(text)
        named: list[int] = []
        at = 0
        while at < len(pieces) - 4:
            numbers = self.valid(pieces, at)
            named.extend(numbers)
            at = numbers[-1]
        chunks = [""]
        for number, piece in enumerate(pieces, 1):
            chunks[-1] += piece + " "
            if number in named:
                chunks.append("")
        return [chunk.strip() for chunk in chunks if chunk]

    def valid(self, pieces: list[str], at: int) -> list[int]:
        shown = ""
        n_tokens = 0
        for number in range(at, len(pieces)):
            n_tokens += cl100k(pieces[number])
            shown += f"<|start_chunk_{number + 1}|>{pieces[number]}<|end_chunk_{number + 1}|>"
            if n_tokens > 800:
                break
        while True:
            reply = self.ask(shown)
            line = next(line for line in reply.split("\n") if "split_after:" in line)
            numbers = [int(number) for number in re.findall(r"\d+", line)]
            if numbers == sorted(numbers) and all(number >= at for number in numbers):
                return numbers
