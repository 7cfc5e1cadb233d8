"""Files of S/MIME (CMS): what is signed or compressed in them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from typing import NamedTuple

from chunkwright.errors import ReadError

# Types of content, by RFC 5652, 3274 and 5083, as the bytes of their numbers.
_PKCS_7, _PKCS_9 = bytes.fromhex("2a864886f70d0107"), bytes.fromhex("2a864886f70d01091001")
_SIGNED, _COMPRESSED = _PKCS_7 + b"\x02", _PKCS_9 + b"\x09"
_ENCRYPTED = {*(_PKCS_7 + number for number in (b"\x03", b"\x04", b"\x06")), _PKCS_9 + b"\x17"}
_BEGIN = re.compile(
    rb"0.{1,5}?\x06(?:\x09%s|\x0b%s)" % (re.escape(_PKCS_7), re.escape(_PKCS_9)), re.DOTALL
)
_BEGIN_BYTES = 32
# Bits of tags and lengths, by X.690.
_MADE_OF_PARTS, _LONG = 0x20, 0x80
_END = b"\0\0"
_MAX_DEPTH, _MAX_VALUES, _MAX_BYTES = 32, 1_000_000, 1 << 28


class Sealed(Enum):
    """What a file of S/MIME has in place of a content that can be read."""

    ENCRYPTED = "encrypted"
    SIGNATURE = "only a signature"


def is_cms(data: bytes) -> bool:
    """Return whether bytes begin as a file of S/MIME does."""
    return _BEGIN.match(data[:_BEGIN_BYTES]) is not None


def content_of(data: bytes) -> bytes | Sealed:
    """Return what is signed or compressed in a file, or why there is nothing to be read.

    Raises
    ------
    ReadError
        If it is damaged, or too large.
    """
    try:
        return _Reader(data).content()
    except (IndexError, StopIteration, zlib.error) as error:
        raise ReadError("a damaged message in S/MIME") from error


class _Value(NamedTuple):
    """A value of ASN.1: its tag, where its content starts and ends, and what is behind it."""

    tag: int
    start: int
    end: int
    behind: int


class _Reader:
    """Reads values of ASN.1 as BER writes them, within bounds."""

    def __init__(self, data: bytes) -> None:
        self._data, self._n_left = data, _MAX_VALUES

    def content(self) -> bytes | Sealed:
        """Return what the file holds."""
        kind, *content = self._parts(self._value(0))
        number = self._data[kind.start : kind.end]
        if number in _ENCRYPTED:
            return Sealed.ENCRYPTED
        if number not in {_SIGNED, _COMPRESSED} or not content:
            return Sealed.SIGNATURE
        # Behind a version and the algorithms: the type of what is inside, and that.
        inside = next(islice(self._parts(next(self._parts(content[0]))), 2, None))
        _, *wrapped = self._parts(inside)
        if not wrapped:
            return Sealed.SIGNATURE
        octets = self._octets(next(self._parts(wrapped[0])))
        return octets if number == _SIGNED else _inflated(octets)

    def _value(self, at: int, depth: int = 0) -> _Value:
        self._n_left -= 1
        if depth > _MAX_DEPTH or self._n_left < 0:
            raise ReadError(
                f"a message in S/MIME with more than {_MAX_VALUES:,} values, or values "
                f"{_MAX_DEPTH} deep"
            )
        data = self._data
        tag, length, at = data[at], data[at + 1], at + 2
        if length == _LONG:
            start = at
            while data[at : at + 2] != _END:
                at = self._value(at, depth + 1).behind
            return _Value(tag, start, at, at + 2)
        if length & _LONG:
            n_bytes = length - _LONG
            length, at = int.from_bytes(data[at : at + n_bytes]), at + n_bytes
        if at + length > len(data):
            raise IndexError
        return _Value(tag, at, at + length, at + length)

    def _parts(self, value: _Value) -> Iterator[_Value]:
        at = value.start
        while at < value.end:
            part = self._value(at)
            yield part
            at = part.behind

    def _octets(self, value: _Value, depth: int = 0) -> bytes:
        """Return a text of bytes, which may be made of several ones."""
        if not value.tag & _MADE_OF_PARTS:
            return self._data[value.start : value.end]
        if depth > _MAX_DEPTH:
            raise IndexError
        return b"".join(self._octets(part, depth + 1) for part in self._parts(value))


def _inflated(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    made = unpacker.decompress(data, _MAX_BYTES)
    if unpacker.unconsumed_tail:
        raise ReadError(f"a message in S/MIME that unpacks to more than {_MAX_BYTES:,} bytes")
    return made
