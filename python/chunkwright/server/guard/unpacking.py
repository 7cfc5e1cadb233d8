"""Unpacker of compressed bodies, in bounded steps: gzip of several members, deflate, zstd."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chunkwright.server.problems import Problem

if TYPE_CHECKING or sys.version_info < (3, 14):
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

# Bytes that are given to a codec at once: it copies what stands behind the end of a member.
_STEP = 1 << 16
_MOST_MEMBERS = 10_000
# 8 MiB, as RFC 9659 has it for HTTP.
_WINDOW_LOG = 23


def _zstd() -> Any:
    return ZstdDecompressor(options={DecompressionParameter.window_log_max: _WINDOW_LOG})


CODINGS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.decompressobj(31),
    "zstd": _zstd,
    "deflate": lambda: zlib.decompressobj(15),
    "x-gzip": lambda: zlib.decompressobj(31),
}
"""Makes what unpacks one member of a body, by the body's coding."""


class Unpacking:
    """A compressed body that is unpacked step by step, so that no step takes long.

    Parameters
    ----------
    body
        The body.
    coding
        Its coding, one of :data:`CODINGS`.
    damaged
        What is said of one that is damaged; by default, that a request's body is.
    """

    def __init__(self, body: bytes, coding: str, damaged: Problem | None = None) -> None:
        self._body = body
        self._damaged = damaged or Problem(400, "damaged_body", "the compressed body is damaged")
        self._make = CODINGS[coding]
        self._codec = self._make()
        self._at = 0
        self._members = 1
        self.is_over: bool = False

    def step(self, most: int) -> bytes:
        """Return the next bytes, so many at most; sets ``is_over`` when they are the last.

        Raises
        ------
        Problem
            If the body is damaged, is cut off, or has something behind it.
        """
        parts, room = [], most
        while room > 0 and not self.is_over:
            part = self._part(room)
            parts.append(part)
            room -= len(part)
            if self._codec.eof:
                self._end_member()
        return b"".join(parts)

    def _part(self, room: int) -> bytes:
        given = b""
        # A codec that has not given all yet wants nothing new.
        if getattr(self._codec, "needs_input", True):
            given = self._body[self._at : self._at + _STEP]
        try:
            part: bytes = self._codec.decompress(given, room)
        except (zlib.error, ZstdError):
            raise self._damaged from None
        rest = self._codec.unused_data or getattr(self._codec, "unconsumed_tail", b"")
        self._at += len(given) - len(rest)
        if not (part or given or self._codec.eof):
            raise self._damaged
        return part

    def _end_member(self) -> None:
        if self._at >= len(self._body):
            self.is_over = True
            return
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise self._damaged
        self._codec = self._make()
