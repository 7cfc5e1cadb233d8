"""Connections of the service: what a client sends and takes is bounded in bytes and in time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from chunkwright.server.answers import json_bytes
from chunkwright.server.guard.requests import STALL_SECONDS
from chunkwright.server.problems import Problem
from chunkwright.server.sockets import asks_for_socket

if TYPE_CHECKING:
    import asyncio


Headers: TypeAlias = Sequence[tuple[bytes, bytes]]

_OF_UPGRADES = frozenset({b"upgrade", b"http2-settings"})


class BadHeadError(ValueError):
    """The head of a request is wrong; the message is sent to its client."""


def check_head(method: bytes, version: str, headers: Headers) -> None:
    """Refuse what a proxy in front of the service could read as another request.

    Parameters
    ----------
    method, version
        As in ``b"GET"`` and ``"1.1"``.
    headers
        The headers, with their names in small letters.

    Raises
    ------
    BadHeadError
        If there is not one name of the host, the body is encoded for the way in another way than in
        chunks, or the service is asked to be a tunnel.
    """
    if method == b"CONNECT":
        raise BadHeadError("The service is no proxy.")
    hosts = sum(name == b"host" for name, _ in headers)
    if hosts > 1 or (version == "1.1" and not hosts):
        raise BadHeadError("A request has one Host header.")
    for name, value in headers:
        if name == b"transfer-encoding" and value.strip().lower() != b"chunked":
            raise BadHeadError("The only Transfer-Encoding is chunked.")


def without_upgrade(method: bytes, url: bytes, headers: Headers) -> bytes:
    """Return a head that does not ask for another protocol."""
    lines = [method + b" " + url + b" HTTP/1.1", *_lines(headers), b"", b""]
    return b"\r\n".join(lines)


def _lines(headers: Headers) -> Iterator[bytes]:
    for name, value in headers:
        if name == b"connection":
            asked = (token.strip() for token in value.split(b","))
            kept = [token for token in asked if token.lower() not in _OF_UPGRADES]
            if kept:
                yield name + b": " + b", ".join(kept)
        elif name not in _OF_UPGRADES:
            yield name + b": " + value


MOST_HEAD = 64 * 1024
"""Bytes of the first line and the headers of a request, and of what follows its body."""

MOST_PIPELINED = 100
"""Requests of a connection that wait for the answer to an earlier one."""

HEAD_SECONDS = 10.0
"""Seconds in which a head has to arrive, from its first byte on, or from the connection's begin."""

LEAST_TAKEN = 16 * 1024
"""Bytes of the part of an answer that a client has to take in ``STALL_SECONDS``."""

_TOO_LONG = "The head of the request is too long."
_BAD = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: %d\r\n"
    b"connection: close\r\n\r\n%s"
)


class Connection(HttpToolsProtocol):
    """A connection that ends when its client sends a head, or takes an answer, too slowly.

    The parser keeps what it has of a head, and the transport what it has of an answer; nothing else
    would ever end them.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._is_in_head = True
        # Bytes of this head, and bytes received since the last part of a body.
        self._head_size = self._bare_size = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._output_timer: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._is_sending = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the head of the first request, but not for ever."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_head_timer()
        self._stop_output_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client sends."""
        self._unset_keepalive_if_required()
        if self._is_in_head:
            self._await_head()
        self._bare_size += len(data)
        try:
            self._feed(data)
        except httptools.HttpParserError as error:
            cause = error.__context__
            known = isinstance(cause, BadHeadError)
            self.send_400_response(str(cause) if known else "This is no request of HTTP.")
        else:
            if self._bare_size > MOST_HEAD:
                self.send_400_response(_TOO_LONG)

    def _feed(self, data: bytes) -> None:
        while True:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as stop:
                if self._opens_socket():
                    self._become_socket(data[stop.args[0] :])
                    return
                # A client that asks for another protocol sends its request in this one all the
                # same; the parser would leave out its body.
                head = without_upgrade(self.parser.get_method(), self.url, self.headers)
                data = head + data[stop.args[0] :]
                self.parser: httptools.HttpRequestParser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
            else:
                return

    def _opens_socket(self) -> bool:
        is_free = self.cycle is None or self.cycle.response_complete
        is_served = self.ws_protocol_class is not None
        return is_served and is_free and asks_for_socket(self.parser.get_method(), self.headers)

    def _become_socket(self, data: bytes) -> None:
        """Go on as a websocket; its client may have sent frames behind the head already."""
        self._stop_output_timer()
        self.connections.discard(self)
        socket = self.ws_protocol_class(  # type: ignore[misc,call-arg]
            config=self.config, server_state=self.server_state, app_state=self.app_state
        )
        socket.connection_made(self.transport)
        self.transport.set_protocol(socket)
        lines = [name + b": " + value for name, value in self.headers]
        head = b"\r\n".join([b"GET " + self.url + b" HTTP/1.1", *lines, b"", b""])
        socket.data_received(head + data)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, unless that would end up inside another answer."""
        if self.transport.is_closing():
            return
        cycle = self.cycle
        is_open = cycle is not None and not cycle.response_complete
        if is_open and (cycle.response_started or self.pipeline):
            self.transport.close()
        else:
            body = json_bytes(Problem(400, "bad_request", msg).body)
            self.transport.write(_BAD % (len(body), body))
            self.transport.close()
            self._watch_output()
        if is_open:
            cycle.disconnected = True
            cycle.message_event.set()

    def on_message_begin(self) -> None:
        """Wait for the rest of a head."""
        self._await_head()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._grow_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; those that follow a body are left out, since they were not checked."""
        self._grow_head(len(name) + len(value))
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Go on to the body."""
        self._stop_head_timer()
        check_head(self.parser.get_method(), self.parser.get_http_version(), self.headers)
        if self.parser.should_upgrade():
            return
        self._is_in_head = False
        super().on_headers_complete()
        if len(self.pipeline) > MOST_PIPELINED:
            raise BadHeadError("Too many requests wait for an answer.")

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._bare_size = 0
        self._is_sending = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for the next head, from its first byte on."""
        if self.parser.should_upgrade():
            return
        super().on_message_complete()
        self._is_in_head = True
        self._head_size = self._bare_size = 0

    def on_response_complete(self) -> None:
        """Wait until the client has taken the answer, but not for ever."""
        super().on_response_complete()
        self._watch_output()

    def pause_writing(self) -> None:
        """Wait until the client has taken a part of the answer, but not for ever."""
        super().pause_writing()
        self._watch_output()

    def resume_writing(self) -> None:
        """Go on with the answer."""
        self._stop_output_timer()
        super().resume_writing()

    def _grow_head(self, size: int) -> None:
        self._head_size += size
        if self._head_size > MOST_HEAD:
            raise BadHeadError(_TOO_LONG)

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._end_head)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _end_head(self) -> None:
        self._head_timer = None
        if self.cycle is not None and not self.cycle.response_complete:
            # The client has sent more than the request that is being answered.
            self._await_head()
        elif not self.transport.is_closing():
            self.transport.close()
            self._watch_output()

    def _watch_output(self) -> None:
        if self._output_timer is None and (unsent := self.transport.get_write_buffer_size()):
            self._unsent, self._is_sending = unsent, False
            self._output_timer = self.loop.call_later(STALL_SECONDS, self._check_output)

    def _stop_output_timer(self) -> None:
        if self._output_timer is not None:
            self._output_timer.cancel()
            self._output_timer = None

    def _check_output(self) -> None:
        self._output_timer = None
        before, unsent = self._unsent, self.transport.get_write_buffer_size()
        # Some clients send a whole stream before they look at the answer.
        if unsent > max(0, before - LEAST_TAKEN) and not self._is_sending:
            self.transport.abort()
        else:
            self._watch_output()
