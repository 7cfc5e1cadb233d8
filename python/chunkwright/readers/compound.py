"""Compound files (OLE2): the names of the streams by which the documents in them are told."""

from __future__ import annotations

from typing import BinaryIO, NamedTuple

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER, _ENTRY = 512, 128
# Larger directories are looked at so far, and files of some 2 GB.
_MAX_SECTORS, _MAX_LISTS = 512, 256
_IN_HEADER = 109


def stream_names(file: BinaryIO) -> frozenset[str]:
    """Return the names of the streams and storages right below the root of a compound file.

    Those of documents that are embedded in it are none of them. Of a damaged file as many as can be
    found.
    """
    entries = _directory(file)
    names: set[str] = set()
    left, seen = [entries[0].child] if entries else [], set[int]()
    while left:
        at = left.pop()
        if at in seen or not 0 < at < len(entries):
            continue
        seen.add(at)
        names.add(entries[at].name)
        left += [entries[at].before, entries[at].behind]
    # A damaged tree may lead to none of them.
    return frozenset(names or (entry.name for entry in entries))


class _Entry(NamedTuple):
    """An entry of the directory: its name, its neighbours in the tree, and what is below it."""

    name: str
    before: int
    behind: int
    child: int


def _directory(file: BinaryIO) -> list[_Entry]:
    file.seek(0)
    header = file.read(_HEADER)
    if len(header) < _HEADER or not header.startswith(MAGIC):
        return []
    shift = min(header[30], 12)
    tables = _tables(file, header, shift)
    sector, seen, entries = _number(header, 48), set[int](), list[_Entry]()
    while sector not in seen and len(seen) < _MAX_SECTORS:
        seen.add(sector)
        data = _sector(file, sector, shift)
        entries += [_entry(data[at : at + _ENTRY]) for at in range(0, len(data), _ENTRY)]
        table, at = divmod(sector, max((1 << shift) // 4, 1))
        if table >= len(tables):
            break
        sector = _number(_sector(file, tables[table], shift), 4 * at)
    return entries


def _tables(file: BinaryIO, header: bytes, shift: int) -> list[int]:
    """Return the sectors that say of each sector which one follows it."""
    tables = [_number(header, 76 + 4 * i) for i in range(_IN_HEADER)]
    sector, n = _number(header, 68), max((1 << shift) // 4 - 1, 0)
    for _ in range(_MAX_LISTS):
        data = _sector(file, sector, shift)
        if not data:
            break
        tables += [_number(data, 4 * i) for i in range(n)]
        sector = _number(data, 4 * n)
    return tables


def _entry(data: bytes) -> _Entry:
    name = data[:64].decode("utf-16-le", "replace").partition("\0")[0]
    return _Entry(name, *(_number(data, at) for at in (68, 72, 76)))


def _sector(file: BinaryIO, number: int, shift: int) -> bytes:
    # Signs of no sector are larger.
    if number >= 0xFFFF_FFF0:  # noqa: PLR2004 - of the format
        return b""
    file.seek((number + 1) << shift)
    return file.read(1 << shift)


def _number(data: bytes, at: int) -> int:
    found = data[at : at + 4]
    return int.from_bytes(found, "little") if len(found) == 4 else 0xFFFF_FFFF  # noqa: PLR2004 - of the format
