"""Chroma's evaluation written down anew, character by character and sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

Span = tuple[int, int]
Metadata = dict[str, Any]


def characters(spans: Iterable[Span]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


def span(of: Metadata) -> Span:
    return of["start_index"], of["end_index"]


def holding(references: Sequence[Span], chunks: Iterable[Span]) -> list[Span]:
    """The chunks that hold some of a reference, or touch one."""
    return [
        (start, end)
        for start, end in chunks
        if any(start <= last and first <= end for first, last in references)
    ]


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def omega(references: list[Metadata], corpus: str, chunks: list[Metadata]) -> tuple[float, int]:
    wanted = list(map(span, references))
    own = holding(wanted, (span(chunk) for chunk in chunks if chunk["corpus_id"] == corpus))
    covered, asked = characters(own), characters(wanted)
    return share(len(covered & asked), len(covered | asked)) if own else 0.0, len(own)


def scores(
    references: list[Metadata], corpus: str, hits: list[Metadata]
) -> tuple[float, float, float]:
    """IoU, recall, precision."""
    wanted = list(map(span, references))
    covered = characters(span(hit) for hit in hits if hit["corpus_id"] == corpus)
    found = len(covered & characters(wanted))
    retrieved = sum(end - start for start, end in map(span, hits))
    missed = sum(len(characters([each]) - covered) for each in wanted)
    asked = sum(end - start for start, end in wanted)
    return share(found, retrieved + missed), share(found, asked), share(found, retrieved)


def despite_whitespace(document: str, query: str) -> tuple[str, int, int] | None:
    pattern = r"\s*".join(map(re.escape, query.split()))
    match = re.search(pattern, document, re.IGNORECASE)
    return None if match is None else (match[0], *match.span())
