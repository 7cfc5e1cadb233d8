"""`orig_elements`: elements as JSON, compressed, in base64, decoded without trusting their size."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any

from chunkwright.errors import ReadError

# What the payloads of one document may come to by default, decoded; Unstructured's own limit.
MAX_DECODED_BYTES = 200 * 1024 * 1024

# zlib's own header, in base64, at each of its levels, and gzip's.
_LOOKS_ENCODED = re.compile(r"(?:e[AFJN]|H4sI)[A-Za-z0-9+/\s]*={0,2}\s*")
BLOCK_BYTES = 2**20
# Enough to see how a list of elements begins and ends.
ENDS_BYTES = 40
# Takes zlib's header and gzip's.
_EITHER_HEADER = zlib.MAX_WBITS | 32


class Allowance:
    """Bytes that may still be decoded, of all payloads of a document together.

    Parameters
    ----------
    max_bytes
        The sum.
    """

    def __init__(self, max_bytes: int = MAX_DECODED_BYTES) -> None:
        self.max_bytes = max_bytes
        self._left = max_bytes

    def take(self, n_bytes: int, place: str) -> None:
        """Take bytes that were decoded.

        Raises
        ------
        ReadError
            If so many are not left; names the place where they stand.
        """
        self._left -= n_bytes
        if self._left < 0:
            limit = f"max_decoded_bytes={self.max_bytes}"
            raise ReadError(f"{place} decodes to more than {limit}")


def is_payload(text: str) -> bool:
    """Return whether a text looks like elements in base64, as nothing else does."""
    return _LOOKS_ENCODED.fullmatch(text) is not None


def decoded(payload: str, allowance: Allowance, place: str) -> list[dict[str, Any]]:
    """Decode the elements that a payload holds.

    Parameters
    ----------
    payload
        Base64 of a zlib stream, as Unstructured writes it, or of a gzip one, as its documentation
        says.
    allowance
        What may be decoded; what is decoded is taken from it.
    place
        Where the payload stands, for messages.

    Raises
    ------
    ReadError
        If it is no payload, or a larger one than is allowed; names the place.
    """
    try:
        elements = json.loads(b"".join(_blocks(payload, allowance, place)))
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{place} holds no JSON: {error}") from error
    if not isinstance(elements, list):
        raise ReadError(f"{place} holds no list of elements, but {type(elements).__name__}")
    for at, element in enumerate(elements):
        if not isinstance(element, dict):
            raise ReadError(f"{place}[{at}] must be a dict, got {type(element).__name__}")
    return elements


def check(payload: str, allowance: Allowance, place: str) -> None:
    """Check that a payload can be decoded, and holds what begins and ends as elements do.

    Memory is that of the payload, whatever it holds.

    Raises
    ------
    ReadError
        As :func:`decoded`.
    """
    first = last = b""
    for block in _blocks(payload, allowance, place):
        first = first or block.lstrip()[:ENDS_BYTES]
        last = (last + block.rstrip())[-ENDS_BYTES:]
    begins, ends = b"".join(first.split()), b"".join(last.split())
    if begins != b"[]" and not (begins.startswith(b"[{") and ends.endswith(b"}]")):
        raise ReadError(f"{place} holds no JSON list of elements, but {first!r}...")


def _blocks(payload: str, allowance: Allowance, place: str) -> Iterator[bytes]:
    """Decompress block by block, and take them from the allowance."""
    stream, data = zlib.decompressobj(_EITHER_HEADER), _raw(payload, place)
    while not stream.eof:
        try:
            block = stream.decompress(data, BLOCK_BYTES)
        except zlib.error as error:
            raise ReadError(f"{place} is neither zlib nor gzip: {error}") from error
        data = stream.unconsumed_tail
        if not block and not data and not stream.eof:
            raise ReadError(f"{place} is truncated: its stream has no end")
        allowance.take(len(block), place)
        yield block


def _raw(payload: str, place: str) -> bytes:
    try:
        # Lines may be broken; whatever else is no digit of base64 is an error.
        return binascii.a2b_base64("".join(payload.split()), strict_mode=True)
    except ValueError as error:
        raise ReadError(f"{place} is not base64: {error}") from error
