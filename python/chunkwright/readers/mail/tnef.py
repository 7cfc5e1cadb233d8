"""Messages of Outlook in TNEF (``winmail.dat``): the attributes of their stream as a message."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from chunkwright.errors import ReadError
from chunkwright.readers.mail.message import MAX_DEPTH, Attachment, Body, Message
from chunkwright.readers.mail.properties import (
    BINARY,
    DATA,
    FILE_NAMES,
    NARROW,
    OBJECT,
    WIDE,
    Properties,
    encoding_of_page,
    narrow_text,
)

MAGIC = b"\x78\x9f\x3e\x22"
# Attributes, by the specification MS-OXTNEF.
_SUBJECT, _BODY, _CODEPAGE, _PROPERTIES, _RECIPIENTS = 0x8004, 0x800C, 0x9007, 0x9003, 0x9004
_ATTACHED, _TITLE, _FILE, _FILE_PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
_HEAD, _OF_ATTRIBUTE = 6, struct.Struct("<BII")
# Properties of one type may be many; those with a name of their own have numbers from here on.
_MANY, _NAMED = 0x1000, 0x8000
_SIZED = {WIDE, NARROW, BINARY, OBJECT}
_SIZES = {0x2: 2, 0x3: 4, 0x4: 4, 0x5: 8, 0x6: 8, 0x7: 8, 0xA: 4, 0xB: 2, 0x14: 8, 0x40: 8}
_SIZES |= {0x48: 16, 0x0: 0, 0x1: 0}
_OBJECT_HEAD = 16


def message_of(data: bytes, depth: int = 0) -> Message:
    """Return what a message in TNEF says, as far as it is whole.

    Raises
    ------
    ReadError
        If nothing of it is, or messages in it are too deep.
    """
    if depth > MAX_DEPTH:
        raise ReadError(f"a message in TNEF in which messages are {MAX_DEPTH} deep")
    if not data.startswith(MAGIC):
        raise ReadError("not a message in TNEF: it does not begin like one")
    made = _Reader(depth)
    for attribute in _attributes(data):
        made.take(attribute)
    if not made.n_taken:
        raise ReadError("a damaged message in TNEF (winmail.dat)")
    return made.message()


class _Attribute(NamedTuple):
    number: int
    data: bytes


def _attributes(data: bytes) -> Iterator[_Attribute]:
    """Yield the attributes of a stream, up to where it is damaged."""
    at = _HEAD
    while at + _OF_ATTRIBUTE.size <= len(data):
        _, number, length = _OF_ATTRIBUTE.unpack_from(data, at)
        at += _OF_ATTRIBUTE.size
        said = data[at : at + length]
        if len(said) < length:
            return
        yield _Attribute(number & 0xFFFF, said)
        at += length + 2


class _File:
    """A file that is attached, under way."""

    def __init__(self) -> None:
        self.title, self.data = b"", b""
        self.properties = _Values({}, {})


class _Reader:
    """Reads the attributes of a message."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._encoding: str | None = None
        self._texts: dict[int, bytes] = {}
        self._own = _Values({}, {})
        self._recipients: list[_Values] = []
        self._files: list[_File] = []
        self.n_taken = 0

    def take(self, attribute: _Attribute) -> None:
        """Take the next attribute."""
        number, data = attribute
        self.n_taken += 1
        if number == _CODEPAGE:
            self._encoding = encoding_of_page(int.from_bytes(data[:4], "little"))
        elif number in {_SUBJECT, _BODY}:
            self._texts[number] = data
        elif number == _PROPERTIES:
            self._own = next(_property_lists(data, 1, self._encoding), self._own)
        elif number == _RECIPIENTS:
            n = int.from_bytes(data[:4], "little")
            self._recipients = list(_property_lists(data[4:], n, self._encoding))
        elif number == _ATTACHED:
            self._files.append(_File())
        elif self._files and number == _TITLE:
            self._files[-1].title = data
        elif self._files and number == _FILE:
            self._files[-1].data = data
        elif self._files and number == _FILE_PROPERTIES:
            lists = _property_lists(data, 1, self._encoding)
            self._files[-1].properties = next(lists, self._files[-1].properties)

    def message(self) -> Message:
        """Return the message."""
        subject = narrow_text(self._texts.get(_SUBJECT, b""), self._encoding)
        subject = self._own.subject() or " ".join(subject.split())
        made = Message.of(subject, self._own.head(self._recipients), self._own.message_id())
        body, plain = self._own.body(), narrow_text(self._texts.get(_BODY, b""), self._encoding)
        if plain.strip() and (body is None or body.kind == "rtf"):
            body = Body("text", plain)
        if body is not None:
            made.parts.append(body)
        made.attachments.extend(map(self._attachment, self._files))
        return made

    def _attachment(self, file: _File) -> Attachment:
        properties = file.properties
        names = map(properties.text, FILE_NAMES)
        name = next(filter(None, names), "") or narrow_text(file.title, self._encoding)
        inner = (properties.data(DATA, OBJECT) or b"")[_OBJECT_HEAD:]
        if inner.startswith(MAGIC):
            message = message_of(inner, self._depth + 1)
            return Attachment(name or message.subject or "message", message)
        return Attachment(name or "attachment", file.data or properties.data(DATA, BINARY) or inner)


class _Values(Properties):
    """Properties that were read from a list of them."""

    def __init__(
        self,
        values: dict[tuple[int, int], bytes],
        numbers: dict[int, int],
        encoding: str | None = None,
    ) -> None:
        super().__init__(numbers, encoding)
        self._values = values

    def data(self, of: int, kind: int) -> bytes | None:
        return self._values.get((of, kind))


def _property_lists(data: bytes, n: int, encoding: str | None) -> Iterator[_Values]:
    """Yield so many lists of properties; the last one up to where it is damaged."""
    at = 0
    for _ in range(n):
        values: dict[tuple[int, int], bytes] = {}
        try:
            at = _read_properties(data, at, values)
        except struct.error:
            at = len(data)
        if values:
            numbers = {
                of: int.from_bytes(value, "little", signed=True)
                for (of, kind), value in values.items()
                if kind not in _SIZED
            }
            yield _Values(values, numbers, encoding)
        if at >= len(data):
            return


def _read_properties(data: bytes, at: int, values: dict[tuple[int, int], bytes]) -> int:
    """Read a list of properties, of several values the last, and return where it ends."""
    (n,) = struct.unpack_from("<I", data, at)
    at += 4
    for _ in range(n):
        kind, number = struct.unpack_from("<HH", data, at)
        at += 4
        if number >= _NAMED:
            at = _behind_name(data, at)
        single = kind & ~_MANY
        n_values = 1
        if kind & _MANY or single in _SIZED:
            (n_values,) = struct.unpack_from("<I", data, at)
            at += 4
        for _ in range(n_values):
            size = _SIZES.get(single)
            if single in _SIZED:
                (size,) = struct.unpack_from("<I", data, at)
                at += 4
            if size is None or at + size > len(data):
                raise struct.error
            values[number, single] = data[at : at + size]
            at += size + -size % 4
    return at


def _behind_name(data: bytes, at: int) -> int:
    """Return where the name of a property ends: a number, or a text."""
    kind, size = struct.unpack_from("<16xII", data, at)
    return at + 24 + (size + -size % 4 if kind else 0)
