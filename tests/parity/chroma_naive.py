"""Chroma's two token chunkers as they are described, written down without a thought for speed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import tiktoken

Length = Callable[[str], Any]
SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]


class RecursiveTokenChunker:
    """Splits at the first separator found; what is not under the size, at later ones."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        separators: list[str] | None = None,
        keep_separator: Any = True,
        is_separator_regex: bool = False,
        length_function: Length = len,
        strip_whitespace: bool = True,
    ) -> None:
        check(chunk_size, chunk_overlap)
        self.size, self.overlap, self.length = chunk_size, chunk_overlap, length_function
        self.keep, self.strip = keep_separator, strip_whitespace
        self.separators = separators or SEPARATORS
        self.pattern = str if is_separator_regex else re.escape

    @classmethod
    def from_tiktoken_encoder(cls, encoding_name: str = "gpt2", **kwargs: Any) -> Any:
        encoding = tiktoken.get_encoding(encoding_name)
        return cls(length_function=lambda text: len(encoding.encode(text)), **kwargs)

    def split_text(self, text: str) -> list[str]:
        return self.split(text, self.separators)

    def split(self, text: str, separators: list[str]) -> list[str]:
        found = (s for s in separators if not s or re.search(self.pattern(s), text))
        separator = next(found, None)
        later = separators[separators.index(separator) + 1 :] if separator else []
        separator = separators[-1] if separator is None else separator
        chunks: list[str] = []
        run: list[str] = []
        for piece in self.pieces(text, separator):
            if self.length(piece) < self.size:
                run.append(piece)
                continue
            chunks += self.merged(run, separator)
            chunks += self.split(piece, later) if later else [piece]
            run = []
        return chunks + self.merged(run, separator)

    def pieces(self, text: str, separator: str) -> list[str]:
        pattern = self.pattern(separator)
        if not separator:
            parts = list(text)
        elif not self.keep:
            parts = re.split(pattern, text)
        else:
            head, *rest = re.split(f"({pattern})", text)
            # Each match goes with what follows; groups of the pattern's own take part in the pairs.
            parts = [head, *(rest[i] + rest[i + 1] for i in range(0, len(rest), 2))]
        return [part for part in parts if part]

    def merged(self, pieces: list[str], separator: str) -> list[str]:
        if not pieces:
            return []
        glue = "" if self.keep else separator
        between = self.length(glue)
        chunks: list[str] = []
        kept: list[str] = []
        total = 0
        for piece in pieces:
            size = self.length(piece)
            if total + size + (between if kept else 0) > self.size and kept:
                chunks.append(glue.join(kept))
                # Pieces leave at the front until what is left may be repeated and leaves room.
                while total > self.overlap or (
                    total > 0 and total + size + (between if kept else 0) > self.size
                ):
                    total -= self.length(kept[0]) + (between if len(kept) > 1 else 0)
                    kept = kept[1:]
            total += size + (between if kept else 0)
            kept.append(piece)
        chunks.append(glue.join(kept))
        stripped = (chunk.strip() if self.strip else chunk for chunk in chunks)
        return [chunk for chunk in stripped if chunk]


class FixedTokenChunker:
    """Encodes once and decodes windows."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        encoding_name: str = "cl100k_base",
        model_name: str | None = None,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        allowed_special: Any = frozenset(),
        disallowed_special: Any = "all",
    ) -> None:
        check(chunk_size, chunk_overlap)
        self.encoding = (
            tiktoken.encoding_for_model(model_name)
            if model_name
            else tiktoken.get_encoding(encoding_name)
        )
        self.size, self.step = chunk_size, chunk_size - chunk_overlap
        self.special = {
            "allowed_special": allowed_special,
            "disallowed_special": disallowed_special,
        }

    def split_text(self, text: str) -> list[str]:
        ids = self.encoding.encode(text, **self.special)
        windows: list[str] = []
        for start in range(0, len(ids), self.step):
            windows.append(self.encoding.decode(ids[start : min(start + self.size, len(ids))]))
            if start + self.size >= len(ids):
                break
        return windows


def check(size: int, overlap: int) -> None:
    if overlap > size:
        raise ValueError(
            f"Got a larger chunk overlap ({overlap}) than chunk size ({size}), should be smaller."
        )
