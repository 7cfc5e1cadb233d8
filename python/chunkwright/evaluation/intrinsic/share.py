"""Share of counted things, which can be added up over texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Share(NamedTuple):
    """Share of things that are of some kind.

    Attributes
    ----------
    n
        How many are.
    of
        How many there are at all.
    """

    n: int
    of: int

    @property
    def share(self) -> float | None:
        """The share, from 0 to 1; None where there is nothing."""
        return self.n / self.of if self.of else None

    @classmethod
    def total(cls, shares: Iterable[Share]) -> Share:
        """Return the share of all things together."""
        found = list(shares)
        return cls(sum(each.n for each in found), sum(each.of for each in found))
