"""Shards: units whose chunks are one file, known by the hash of what these depend on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from chunkwright.corpus.inputs.places import LocalPlace, place_of
from chunkwright.corpus.settings import SHARD_BYTES
from chunkwright.io.sources import Source

if TYPE_CHECKING:
    from chunkwright.corpus.inputs.splitting import Unit

# Digits of a hash that names a shard: enough for 2^64 of them.
_DIGITS = 32
# Of units in the second half of a shard, one in so many ends it.
_ENDS = 4


@dataclass(frozen=True)
class Shard:
    """Units that are read, cut and written together, all of them or none.

    Parameters
    ----------
    name
        The hash of its units and of the configuration: 32 hexadecimal digits.
    units
        Its units, in order.
    marks
        Its documents that are the same as one before them; see
        :mod:`chunkwright.corpus.planning.duplicates`.
    drops
        Whether those are left out; else they are marked.
    """

    name: str
    units: tuple[Unit, ...]
    marks: Mapping[str, Mapping[int, str]] = field(default_factory=dict, compare=False)
    drops: bool = True

    @property
    def size(self) -> int:
        """Bytes of its inputs."""
        return sum(unit.size for unit in self.units)

    @property
    def files(self) -> list[str]:
        """A file of each folder of this machine that its units are in, by absolute paths."""
        some = {os.path.dirname(unit.path): unit.path for unit in self.units}  # noqa: PTH120
        local = [path for path in some.values() if isinstance(place_of(path), LocalPlace)]
        return [file for path in local if (file := Source(path).file) is not None]


def grouped(units: Iterable[Unit], most: int = SHARD_BYTES) -> Iterator[tuple[Unit, ...]]:
    """Group units, in their order; a unit more or less changes the groups near it alone.

    Where a group ends depends on the units in it: by their sizes alone, one file that is added
    would change all groups behind it, and what is done of them would have to be done again.

    Parameters
    ----------
    units
        The units.
    most
        Bytes of a group, if none of its units has more.
    """
    group: list[Unit] = []
    size = 0
    for unit in units:
        if group and size + unit.size > most:
            yield tuple(group)
            group, size = [], 0
        group.append(unit)
        size += unit.size
        if size >= most // 2 and _hash(unit.key)[0] % _ENDS == 0:
            yield tuple(group)
            group, size = [], 0
    if group:
        yield tuple(group)


def shard_of(
    units: tuple[Unit, ...],
    fingerprint: str,
    marks: Mapping[str, Mapping[int, str]] | None = None,
    *,
    drops: bool = True,
) -> Shard:
    """Return the shard that units make under a configuration.

    Parameters
    ----------
    units
        The units.
    fingerprint
        That of the configuration.
    marks, drops
        See :class:`Shard`; marks of other units are left out.
    """
    own = {unit.key: marks[unit.key] for unit in units if marks and unit.key in marks}
    said = [f"{unit.key}\0{sorted(own.get(unit.key, {}).items())}" for unit in units]
    parts = "\n".join([fingerprint, *said])
    return Shard(_hash(parts).hex()[:_DIGITS], units, own, drops)


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
