"""Overlaps of chunks whose neighbours have changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.store.drafts import BODY, OVERLAP, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwright.chunking.bases.strategy import Strategy
    from chunkwright.store.importing.texts import VersionText
    from chunkwright.store.importing.windows import Limit

# After so many starts that do not fit there is no overlap, as in the core.
_MAX_TRIES = 64
# Bytes that a unit of a limit has at most in most texts.
_BYTES_A_UNIT = 8


@dataclass(frozen=True)
class Overlaps:
    """How far chunks reach back into those before them.

    Attributes
    ----------
    text
        The text of the version.
    limit
        The limit of the strategy.
    most
        The longest overlap, in the unit of the limit; 0 where there is none.
    is_added
        Whether every chunk overlaps the one before: strategies over elements do so within one.
    """

    text: VersionText
    limit: Limit
    most: int
    is_added: bool

    @classmethod
    def of(cls, strategy: Strategy, text: VersionText, limit: Limit) -> Overlaps:
        """Return the overlaps of a strategy; those that begin with a sentence are not made anew."""
        most = strategy.overlap if strategy.overlap_at != "sentence" else 0
        return cls(text, limit, most, "elements" not in strategy.takes)

    def of_rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return chunks, each with an overlap that lies in the chunk before."""
        found: list[Row] = []
        for row in rows:
            begin = row.body[0]
            own = [piece for piece in row.pieces if piece[0] == OVERLAP and piece[2] <= begin]
            floor = found[-1].body[0] if found else begin
            if own and min(piece[1] for piece in own) < floor:
                rest = [piece for piece in row.pieces if piece not in own]
                found.append(self._added(self._measured(row._replace(pieces=rest)), floor))
            elif not own and found and self.is_added and found[-1].body[1] <= begin:
                found.append(self._added(row, floor))
            else:
                found.append(row)
        return found

    def _added(self, row: Row, floor: int) -> Row:
        """Return a chunk with as long an overlap as fits."""
        begin = row.body[0]
        at = max(floor, begin - self.most * _BYTES_A_UNIT)
        if not self.most or row.pieces[0][0] != BODY or at >= begin:
            return row
        part = self.text.data[at:begin].decode("utf-8", "ignore")
        starts = [i for i in range(len(part)) if _begins_word(part, i)]
        for i in starts[-_MAX_TRIES:]:
            repeated = part[i:]
            if not repeated.strip() or self.limit.size(repeated) > self.most:
                continue
            start = begin - len(repeated.encode())
            wide = self._measured(row._replace(pieces=[[OVERLAP, start, begin], *row.pieces]))
            if wide.size <= self.limit.most:
                return wide
        return row

    def _measured(self, row: Row) -> Row:
        return row._replace(size=self.limit.size_of(row, self.text))


def _begins_word(text: str, at: int) -> bool:
    return not text[at].isspace() and (at == 0 or text[at - 1].isspace())
