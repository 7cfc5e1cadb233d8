"""Generated damage to a file: what disks, interrupted copies and other programmes leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st

Damage: TypeAlias = Callable[[bytes], bytes]

# Where in a file, so that it is in one of any size; the ends of files hold what the rest hangs on.
PLACE = st.one_of(
    st.floats(0, 1, exclude_max=True), st.floats(0, 0.02), st.floats(0.95, 1, exclude_max=True)
)


def _at(data: bytes, place: float) -> int:
    return int(place * len(data))


def _flip(places: list[tuple[float, int]]) -> Damage:
    def damage(data: bytes) -> bytes:
        changed = bytearray(data)
        for place, bit in places if data else []:
            changed[_at(data, place)] ^= 1 << bit
        return bytes(changed)

    return damage


def _overwrite(place: float, what: bytes) -> Damage:
    def damage(data: bytes) -> bytes:
        at = _at(data, place)
        return (data[:at] + what + data[at + len(what) :])[: len(data)]

    return damage


def _cut(place: float) -> Damage:
    return lambda data: data[: _at(data, place)]


def _drop(place: float, n: int) -> Damage:
    return lambda data: data[: _at(data, place)] + data[_at(data, place) + n :]


def _swap(one: float, other: float, n: int) -> Damage:
    def damage(data: bytes) -> bytes:
        a, b = sorted((_at(data, one), _at(data, other)))
        n_moved = min(n, b - a, len(data) - b)
        moved, there = data[a : a + n_moved], data[b : b + n_moved]
        return data[:a] + there + data[a + n_moved : b] + moved + data[b + n_moved :]

    return damage


def _join(damages: list[Damage]) -> Damage:
    def damage(data: bytes) -> bytes:
        for each in damages:
            data = each(data)
        return data

    return damage


SIZES = st.sampled_from([1, 2, 4, 16, 100, 512, 4096])
ONE = st.one_of(
    st.builds(_flip, st.lists(st.tuples(PLACE, st.integers(0, 7)), min_size=1, max_size=4)),
    st.builds(_overwrite, PLACE, st.binary(min_size=1, max_size=16)),
    st.builds(
        _overwrite, PLACE, st.builds(bytes.__mul__, st.sampled_from([b"\0", b"\xff"]), SIZES)
    ),
    st.builds(_cut, PLACE),
    st.builds(_drop, PLACE, SIZES),
    st.builds(_swap, PLACE, PLACE, SIZES),
    st.builds(lambda tail: lambda data: data + tail, st.binary(min_size=1, max_size=64)),
    st.binary(max_size=200).map(lambda other: lambda _data: other),
)
DAMAGES: st.SearchStrategy[Damage] = st.lists(ONE, min_size=1, max_size=3).map(_join)
