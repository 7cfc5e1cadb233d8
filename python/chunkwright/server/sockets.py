"""Websockets of the service: what a client sends and takes is bounded in bytes and in time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from chunkwright.server.guard.requests import STALL_SECONDS

if TYPE_CHECKING:
    from websockets.frames import Frame

PING_SECONDS = 20.0
"""Seconds between two pings, and those in which a client has to answer one."""

MOST_MESSAGE = 4096
"""Bytes of a client's message."""

_MOST_FRAMES = 64
_OF_BODIES = frozenset({b"content-length", b"transfer-encoding"})
_LOG = logging.getLogger("chunkwright.server.sockets")
# At a lower level, uvicorn writes addresses, and keys stand in those.
_LOG.setLevel(logging.WARNING)


def asks_for_socket(method: bytes, headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Return whether the head of a request that asks for another protocol opens a websocket.

    Examples
    --------
    >>> asks_for_socket(b"GET", [(b"upgrade", b"websocket"), (b"sec-websocket-key", b"a")])
    True
    >>> asks_for_socket(b"POST", [(b"upgrade", b"h2c"), (b"content-length", b"9")])
    False
    """
    names = {name for name, _ in headers}
    asked = [value.strip().lower() for name, value in headers if name == b"upgrade"]
    if method != b"GET" or asked != [b"websocket"]:
        return False
    return b"sec-websocket-key" in names and not names & _OF_BODIES


class Socket(WebSocketsSansIOProtocol):
    """A websocket that ends when its client takes nothing, or does not end it itself.

    Nobody reads the text of a client's message, so that it need not be UTF-8.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.logger = self.conn.logger = _LOG
        self.conn.debug = False
        self._end_timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_end_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client sends."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.handshake_complete = self.close_sent = True
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
            self._end()

    def pause_writing(self) -> None:
        """Wait until the client has taken a part of what was sent, but not for ever."""
        super().pause_writing()
        self._start_end_timer()

    def resume_writing(self) -> None:
        """Go on."""
        self._stop_end_timer()
        super().resume_writing()

    async def run_asgi(self) -> None:
        """Have the application answer, and end the connection after it."""
        await super().run_asgi()
        self._start_end_timer()

    def handle_text(self, event: Frame) -> None:
        """Take a text as bytes."""
        self.handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Take a part of a message, unless there are too many."""
        if len(self.frames) >= _MOST_FRAMES:
            self.transport.abort()
        else:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, unless the client takes no answers."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_parser_exception(self) -> None:
        """End the connection of a client that does not keep to the protocol."""
        if self.conn.close_sent is None:
            self.transport.abort()
        else:
            super().handle_parser_exception()

    def _end(self) -> None:
        self.transport.close()
        self._start_end_timer()

    def _start_end_timer(self) -> None:
        if self._end_timer is None and not self.disconnected:
            self._end_timer = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def _stop_end_timer(self) -> None:
        if self._end_timer is not None:
            self._end_timer.cancel()
            self._end_timer = None
