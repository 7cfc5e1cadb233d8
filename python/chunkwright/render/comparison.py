"""Two ways to cut one text, compared: sizes, and where they cut."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkwright.chunk_view import Chunk
from chunkwright.chunks import Chunks

SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Summary:
    """Tokens of the chunks; None stands for what no chunk has."""

    chunks: int
    mean: float | None
    least: int | None
    median: int | None
    p90: int | None
    most: int | None

    @classmethod
    def of(cls, sizes: list[int]) -> "Summary":
        """Summarise sizes; each percentile is the size of a chunk."""
        if not sizes:
            return cls(0, None, None, None, None, None)
        ranked = sorted(sizes)
        n = len(ranked)
        median, p90 = (ranked[-(-n * percent // 100) - 1] for percent in (50, 90))
        return cls(n, sum(ranked) / n, ranked[0], median, p90, ranked[-1])


def boundaries(text: str, chunks: "Chunks") -> dict[int, int]:
    """Return where a chunk ends and the next begins, in code points, and the number of the former.

    Whitespace between two chunks may belong to either or to none: the boundary is behind it, so
    that two ways to cut in the same gap are the same.
    """
    begin = previous = _behind_space(text, 0)
    by_place: dict[int, int] = {}
    for number, chunk in enumerate(chunks):
        start = _body_start(chunk)
        # What lies before the last boundary is the whitespace that was skipped already.
        previous = _behind_space(text, start) if start > previous else previous
        if begin < previous < len(text):
            by_place.setdefault(previous, number - 1)
    return by_place


def histogram(sizes: Iterable[Iterable[int]], n_bins: int = 10) -> list[tuple[int, int, list[int]]]:
    """Count sizes in bins of one width: each bin's first and last size, and each list's count."""
    lists = [list(some) for some in sizes]
    most = max((size for some in lists for size in some), default=0)
    width = _round_up(-(-(most + 1) // n_bins))
    bins = []
    for first in range(0, most + 1, width):
        counts = [sum(first <= size < first + width for size in some) for some in lists]
        bins.append((first, first + width - 1, counts))
    return bins


def _round_up(width: int) -> int:
    """Return the next number that people count in: 1, 2, 5, 10, 20, 50, ..."""
    step = 1
    while step * 10 < width:
        step *= 10
    return next(step * digit for digit in (1, 2, 5, 10) if step * digit >= width)


def _body_start(chunk: "Chunk") -> int:
    return next((piece.start for piece in chunk.pieces if piece.role == "body"), chunk.start)


def _behind_space(text: str, position: int) -> int:
    found = SPACE.match(text, position)
    return position if found is None else found.end()
