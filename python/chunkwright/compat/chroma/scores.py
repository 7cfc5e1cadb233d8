"""The scores of Chroma's evaluation, question by question.

They are computed by the core. It takes references that are ranges of integers and hold something;
what else a questions file may say (ranges that are empty, run backwards, or are no integers) is
computed step by step, as the peer does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from chunkwright import _core

from .questions import Row

Range: TypeAlias = tuple[float, float]


def sum_of_ranges(ranges: Iterable[Range]) -> float:
    """Return the lengths of ranges together; what several hold counts for each of them."""
    return sum(end - start for start, end in ranges)


def union_ranges(ranges: Iterable[Range]) -> list[Range]:
    """Join ranges that overlap or touch, and return them in order.

    Examples
    --------
    >>> from chunkwright.compat.chroma import union_ranges
    >>> union_ranges([(5, 9), (0, 3), (3, 4)])
    [(0, 4), (5, 9)]
    """
    joined: list[Range] = []
    for span in sorted(ranges, key=itemgetter(0)):
        if not joined:
            joined.append(span)
            continue
        start, end = span
        first, last = joined[-1]
        if start <= last:
            joined[-1] = (first, max(last, end))
        else:
            joined.append((start, end))
    return joined


def intersect_two_ranges(range1: Range, range2: Range) -> Range | None:
    """Return what two ranges share; of two that touch that is an empty range, else None."""
    (start1, end1), (start2, end2) = range1, range2
    start, end = max(start1, start2), min(end1, end2)
    return (start, end) if start <= end else None


def difference(ranges: Iterable[Range], target: Range) -> list[Range]:
    """Take a range out of others.

    Examples
    --------
    >>> from chunkwright.compat.chroma import difference
    >>> difference([(0, 10), (20, 30)], (5, 25))
    [(0, 5), (25, 30)]
    """
    left: list[Range] = []
    target_start, target_end = target
    for start, end in ranges:
        if end < target_start or start > target_end:
            left.append((start, end))
            continue
        if start < target_start:
            left.append((start, target_start))
        if end > target_end:
            left.append((target_end, end))
    return left


def find_target_in_document(document: str, target: str) -> tuple[int, int] | None:
    """Return where a text first stands in another, exactly as it is."""
    start = document.find(target)
    return None if start == -1 else (start, start + len(target))


LIMIT = 2**62
Metadata = dict[str, Any]


class Scores(NamedTuple):
    """For each question: three scores, 0 to 1."""

    iou: list[float]
    recall: list[float]
    precision: list[float]


def omega_scores(rows: Sequence[Row], chunks: Sequence[Metadata]) -> tuple[list[float], list[int]]:
    """Return for each question precision omega, and how many chunks hold or touch a reference."""
    core = _Core.of(rows, chunks)
    if core is not None:
        omega, holding = core.excerpts.omega(core.places)
        return _list(omega), _list(holding)
    of_corpus: dict[Any, list[Range]] = {}
    for chunk in chunks:
        of_corpus.setdefault(chunk["corpus_id"], []).append(_range(chunk))
    covers = [_Cover.of(row, of_corpus.get(row.corpus_id, ())) for row in rows]
    return [cover.omega() for cover in covers], [cover.n_holding for cover in covers]


def hit_scores(rows: Sequence[Row], hits: Sequence[Sequence[Metadata]]) -> Scores:
    """Return the scores of each question's hits, all of which count."""
    flat = [chunk for of_question in hits for chunk in of_question]
    core = _Core.of(rows, flat)
    if core is not None:
        offsets = _integers([0, *accumulate(map(len, hits))])
        recall, precision, iou = core.excerpts.score(
            core.places, offsets, _integers(range(len(flat)))
        )
        return Scores(*map(_list, (iou, recall, precision)))
    scores = [_hit_scores(row, some) for row, some in zip(rows, hits, strict=True)]
    return Scores(*map(list, zip(*scores, strict=True))) if scores else Scores([], [], [])


def _hit_scores(row: Row, hits: Sequence[Metadata]) -> tuple[float, float, float]:
    own = [_range(chunk) for chunk in hits if chunk["corpus_id"] == row.corpus_id]
    cover = _Cover.of(row, own)
    n_shared = sum_of_ranges(cover.shared)
    retrieved = sum_of_ranges(map(_range, hits))
    return (
        _share(n_shared, retrieved + sum_of_ranges(cover.left)),
        _share(n_shared, sum_of_ranges(map(_range, row.references))),
        _share(n_shared, retrieved),
    )


class _Core(NamedTuple):
    """References and chunks as the core takes them."""

    excerpts: _core.Excerpts
    places: _core.Places

    @classmethod
    def of(cls, rows: Sequence[Row], chunks: Sequence[Metadata]) -> _Core | None:
        """Hand both over; None if the core does not take them."""
        references = [_range(reference) for row in rows for reference in row.references]
        places = [_range(chunk) for chunk in chunks]
        if not (_are_valid(references, 1) and _are_valid(places, 0)):
            return None
        numbers = _Numbers()
        return cls(
            _core.Excerpts(
                _integers(numbers[row.corpus_id] for row in rows),
                _integers([0, *accumulate(len(row.references) for row in rows)]),
                *_columns(references),
            ),
            _core.Places(
                _integers(numbers[chunk["corpus_id"]] for chunk in chunks), *_columns(places)
            ),
        )


class _Numbers(dict[Any, int]):
    """Numbers corpora in the order in which they are asked for."""

    def __missing__(self, name: Any) -> int:
        return self.setdefault(name, len(self))


class _Cover(NamedTuple):
    """Coverage of a question's references by chunks, found step by step.

    Attributes
    ----------
    shared
        What both hold.
    chunks
        The chunks that hold or touch a reference.
    left
        What no chunk holds of each reference.
    n_holding
        How many chunks hold or touch a reference.
    """

    shared: list[Range]
    chunks: list[Range]
    left: list[Range]
    n_holding: int

    @classmethod
    def of(cls, row: Row, places: Iterable[Range]) -> _Cover:
        references = [(int(start), int(end)) for start, end in map(_range, row.references)]
        left = list(map(_range, row.references))
        shared: list[Range] = []
        chunks: list[Range] = []
        for place in places:
            common = list(_common(place, references))
            for each in common:
                left = difference(left, each)
            shared += common
            chunks += [place] * bool(common)
        return cls(union_ranges(shared), union_ranges(chunks), left, len(chunks))

    def omega(self) -> float:
        return _share(
            sum_of_ranges(self.shared), sum_of_ranges(union_ranges(self.chunks + self.left))
        )


def _common(place: Range, references: Iterable[Range]) -> Iterator[Range]:
    for reference in references:
        common = intersect_two_ranges(place, reference)
        if common is not None:
            yield common


def _range(of: Metadata) -> Range:
    return of["start_index"], of["end_index"]


def _are_valid(ranges: Iterable[Range], least: int) -> bool:
    return all(
        type(start) is type(end) is int and 0 <= start <= end - least < LIMIT
        for start, end in ranges
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _integers(numbers: Iterable[int]) -> memoryview:
    import numpy as np

    return np.fromiter(numbers, np.int64).data


def _columns(ranges: Sequence[Range]) -> tuple[memoryview, memoryview]:
    starts, ends = (_integers(int(each[i]) for each in ranges) for i in (0, 1))
    return starts, ends


def _list(column: Any) -> list[Any]:
    return memoryview(column).tolist()
