"""Guard of bodies: read before the work begins, within limits of bytes and of time."""

from __future__ import annotations

import asyncio
from functools import partial

from chunkwright import telemetry
from chunkwright.server.children.costs import is_small
from chunkwright.server.children.work import RequestWork
from chunkwright.server.guard.requests import (
    STREAMS,
    App,
    Receive,
    Scope,
    Send,
    dialect_in,
    header,
    path_in,
    refuse,
    replaying,
)
from chunkwright.server.guard.unpacking import CODINGS, Unpacking
from chunkwright.server.problems import Problem, busy, too_large
from chunkwright.server.service import Service

# Methods of requests that have documents read.
_WORKING = frozenset({"POST", "PUT"})
# Bytes that are unpacked at once.
_FIRST_STEP, _STEP = 1 << 16, 1 << 22


class ClientGoneError(Exception):
    """The client has gone before its request was whole: nobody is answered."""


class Bodies:
    """Reads each body whole, unpacks it, and hands it on; streams hand it on as it comes.

    Parameters
    ----------
    app
        What stands behind the guard.
    service
        The service, with its limits and what it holds now. What its children are for, they answer.
    """

    def __init__(self, app: App, service: Service) -> None:
        self._app = app
        self._service = service
        self._settings = service.settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request whose body is too large, too slow or damaged; have others answered."""
        if scope["type"] != "http" or path_in(scope) in STREAMS:
            await self._app(scope, receive, send)
            return
        held = _Held(self._service)
        try:
            body = await self._whole(scope, receive, held)
            if self._is_for_child(scope, body):
                await self._answered_by_child(scope, body, receive, send)
            else:
                message = {"type": "http.request", "body": body, "more_body": False}
                body, whole = b"", replaying(message, receive)
                del message
                await self._app(scope, whole, send)
        except ClientGoneError:
            return
        except Problem as problem:
            await refuse(scope, receive, send, problem)
        finally:
            held.free()

    def _is_for_child(self, scope: Scope, body: bytes) -> bool:
        """Return whether a request may take memory without bounds, and a child is to answer it."""
        if self._service.children is None or scope["method"] not in _WORKING:
            return False
        return dialect_in(scope).reads(path_in(scope)) and not is_small(body)

    async def _answered_by_child(
        self, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> None:
        children = self._service.children
        assert children is not None  # noqa: S101 - looked at before
        work = RequestWork.of(scope, body, telemetry.carried())
        answer = await self._service.child_pool.run(lambda: children.do(work), receive=receive)
        for message in answer:
            await send(message)

    async def _whole(self, scope: Scope, receive: Receive, held: _Held) -> bytes:
        _check_length(scope, self._settings.max_body)
        encoding = (header(scope, b"content-encoding") or "identity").strip().lower()
        if encoding != "identity" and encoding not in CODINGS:
            known = ", ".join(each for each in CODINGS if not each.startswith("x-"))
            message = f"content-encoding {encoding!r} is none of {known} and identity"
            raise Problem(415, "unsupported_encoding", message, headers={"Accept-Encoding": known})
        try:
            async with asyncio.timeout(self._settings.body_timeout):
                body = await self._read(receive, held)
        except TimeoutError:
            raise Problem(408, "slow_body", "the body did not come in time") from None
        if encoding != "identity":
            body = await self._inflated(body, encoding, receive, held)
            _say_unpacked(scope, len(body))
        scope.setdefault("state", {})["body_size"] = len(body)
        return body

    async def _read(self, receive: Receive, held: _Held) -> bytes:
        parts: list[bytes] = []
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGoneError
            if part := message.get("body", b""):
                held.add(len(part))
                if held.size > self._settings.max_body:
                    raise too_large("the body", self._settings.max_body)
                parts.append(part)
            if not message.get("more_body", False):
                return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _inflated(self, body: bytes, coding: str, receive: Receive, held: _Held) -> bytes:
        """Return what a compressed body holds, step by step, so that no step takes long."""
        unpacking = Unpacking(body, coding)
        parts: list[bytes] = []
        size, step = 0, _FIRST_STEP
        while not unpacking.is_over:
            # Unpacking a small body takes less time than starting a thread.
            part = (
                unpacking.step(step)
                if not parts and len(body) <= _FIRST_STEP
                else await self._service.pool.run(partial(unpacking.step, step), receive=receive)
            )
            held.add(len(part))
            size += len(part)
            if size > self._settings.max_unpacked:
                raise too_large("the unpacked body", self._settings.max_unpacked)
            parts.append(part)
            step = _STEP
        return b"".join(parts)


class _Held:
    """Bytes that a request holds, counted with those of all others."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.size = 0

    def add(self, size: int) -> None:
        if self._service.n_held + size > self._service.settings.max_held:
            raise busy("the service holds as many bytes of requests as it may", 503)
        self.size += size
        self._service.n_held += size

    def free(self) -> None:
        self._service.n_held -= self.size
        self.size = 0


def _check_length(scope: Scope, most: int) -> None:
    length = header(scope, b"content-length")
    if length is not None and length.isascii() and length.isdigit() and int(length[:20]) > most:
        raise too_large("the body", most)


def _say_unpacked(scope: Scope, size: int) -> None:
    changed = (b"content-encoding", b"content-length")
    headers = [each for each in scope["headers"] if each[0] not in changed]
    scope["headers"] = [*headers, (b"content-length", str(size).encode())]
