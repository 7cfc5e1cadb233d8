"""Compound files (OLE2), made by hand: an Outlook message, and streams of any names."""

from __future__ import annotations

import struct
from dataclasses import dataclass

_FREE, _END, _TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR, _SMALL, _LIMIT = 512, 64, 4096
Tree = dict[str, "bytes | Tree"]


@dataclass
class _Entry:
    """An entry of the directory."""

    name: str = ""
    kind: int = 0
    next: int = _FREE
    child: int = _FREE
    start: int = 0
    size: int = 0

    def written(self) -> bytes:
        name = self.name.encode("utf-16-le") + b"\0\0" if self.name else b""
        kinds = (self.kind, 1, _FREE, self.next, self.child)
        return struct.pack("<64sHBBIII36xIQ", name, len(name), *kinds, self.start, self.size)


class _Writer:
    """Writes the streams of a tree, all of which are small."""

    def __init__(self, tree: Tree) -> None:
        self.small, self.table = b"", list[int]()
        self.entries = [_Entry("Root Entry", 5)]
        self.add(tree, self.entries[0])

    def add(self, below: Tree, parent: _Entry) -> None:
        """Add what is below an entry, each the neighbour of the one before."""
        before: _Entry | None = None
        for name in sorted(below, key=lambda name: (len(name), name.upper())):
            each, number = below[name], len(self.entries)
            if before is None:
                parent.child = number
            else:
                before.next = number
            before = _Entry(name, 2 if isinstance(each, bytes) else 1)
            self.entries.append(before)
            if isinstance(each, bytes):
                self.store(each, before)
            else:
                self.add(each, before)

    def store(self, data: bytes, entry: _Entry) -> None:
        """Add the small sectors of a stream."""
        assert len(data) < _LIMIT
        n, start = -(-len(data) // _SMALL), len(self.table)
        self.table += [*range(start + 1, start + n), _END] if n else []
        self.small += data.ljust(n * _SMALL, b"\0")
        entry.start, entry.size = (start if n else _END), len(data)


def compound(tree: Tree) -> bytes:
    """Make a compound file of small streams, and of storages that hold such, too."""
    writer = _Writer(tree)
    entries = writer.entries + [_Entry()] * (-len(writer.entries) % 4)
    n_entries, n_small = len(entries) // 4, -(-len(writer.small) // _SECTOR)
    n_tables = -(-4 * len(writer.table) // _SECTOR)
    # One table of sectors, then the directory, the table of small sectors, and these.
    table = [_TABLE]
    for n in (n_entries, n_tables, n_small):
        table += [*range(len(table) + 1, len(table) + n), _END] if n else []
    entries[0].start, entries[0].size = 1 + n_entries + n_tables, len(writer.small)
    magic = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    head = struct.pack("<8s16xHHHHH6x", magic, 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<10I", 0, 1, 1, 0, _LIMIT, 1 + n_entries, n_tables, _END, 0, 0)
    head += struct.pack("<108I", *[_FREE] * 108)
    data = struct.pack("<128I", *table, *[_FREE] * (128 - len(table)))
    data += b"".join(entry.written() for entry in entries)
    small = writer.table + [_FREE] * (n_tables * 128 - len(writer.table))
    data += struct.pack(f"<{len(small)}I", *small)
    return head + data + writer.small.ljust(n_small * _SECTOR, b"\0")


def message(subject: str, sender: str, body: str) -> bytes:
    """Make an Outlook message (MSG)."""
    texts = {0x001A: "IPM.Note", 0x0037: subject, 0x0C1A: sender, 0x1000: body}
    properties = bytes(32)
    streams: Tree = {}
    for number, text in texts.items():
        data = text.encode("utf-16-le")
        streams[f"__substg1.0_{number:04X}001F"] = data
        properties += struct.pack("<HHIII", 0x001F, number, 6, len(data) + 2, 0)
    nameid: Tree = {f"__substg1.0_{number:08X}": b"" for number in (0x20102, 0x30102, 0x40102)}
    return compound(
        {"__properties_version1.0": properties, "__nameid_version1.0": nameid, **streams}
    )
