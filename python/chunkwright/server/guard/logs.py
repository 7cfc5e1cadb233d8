"""Guard that writes down each answer: a line of JSON, and the metrics."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from chunkwright import telemetry
from chunkwright.server.guard.known_routes import UNMATCHED, KnownRoutes
from chunkwright.server.guard.requests import (
    READY,
    App,
    Message,
    Receive,
    Scope,
    Send,
    header,
    noting_end,
    owner_of,
    path_in,
    refuse,
)
from chunkwright.server.problems import GONE, draining, problem_of
from chunkwright.server.service import Service
from chunkwright.server.settings import KEY_ID_LENGTH

if TYPE_CHECKING:
    from chunkwright.server.dialect import Dialect

LOG = logging.getLogger("chunkwright.server.access")
_MOST_ID = 64
_METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"}
)
_BEGINNINGS = frozenset(
    {"http.response.start", "websocket.http.response.start", "websocket.accept"}
)
# Status of a connection that goes on as a websocket, and of one that servers refuse to be one.
_SWITCHED, _CLOSED_UNOPENED = 101, 403
# The first status that says that the service is at fault.
_FAULT = 500
# W3C Trace Context; an id of nothing but zeros is none, nor is a version ff. Versions after 00 may
# say more behind it.
_TRACEPARENT = re.compile(
    r"(?:00(?=.{53}\Z)|(?!00|ff)[0-9a-f]{2})"
    r"-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?"
)


class Logs:
    """Writes down who asked what, and status, sizes and time of the answer; no text of a document.

    A request's own ``X-Request-Id`` is kept, so that logs of several services can be joined.
    While the service ends, new requests are answered 503.

    Parameters
    ----------
    app
        What stands behind the guard.
    service
        The service, with its metrics.
    dialect_of
        Returns the dialect that a path belongs to, in which problems are said.
    """

    def __init__(self, app: App, service: Service, dialect_of: Callable[[str], Dialect]) -> None:
        self._app = app
        self._service = service
        self._dialect_of = dialect_of
        self._known: KnownRoutes | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered, and write down how."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        with telemetry.request_span(_method_of(scope), _Headers(scope)) as span:
            await self._answered(scope, receive, send, span)

    async def _answered(
        self, scope: Scope, receive: Receive, send: Send, span: telemetry.Span
    ) -> None:
        answer = _Answer(send, _id_of(scope))
        scope.setdefault("state", {})["dialect"] = self._dialect_of(path_in(scope))
        receive = noting_end(scope, receive)
        try:
            if self._service.is_draining and path_in(scope) not in READY:
                await refuse(scope, receive, answer.send, draining())
            else:
                await self._app(scope, receive, answer.send)
        except Exception as error:  # noqa: BLE001 - the client is told, and the log without texts
            problem = problem_of(error)
            # An answer that has begun cannot say it: it stays incomplete, and the server breaks
            # the connection off.
            if not answer.status:
                await refuse(scope, receive, answer.send, problem)
        finally:
            self._write(scope, answer, span)

    def _write(self, scope: Scope, answer: _Answer, span: telemetry.Span) -> None:
        seconds = perf_counter() - answer.begun
        route = self._route_of(scope)
        status = answer.status or GONE
        size = scope.get("state", {}).get("body_size", 0)
        self._service.metrics.answered(route, status, seconds, (size, answer.size))
        if span is not telemetry.NOTHING:
            _record(scope, span, route, status, seconds)
        if LOG.isEnabledFor(logging.INFO):
            facts = {
                "request": answer.id,
                **_who(scope),
                "method": _method_of(scope),
                "route": route,
                **self._path_of(scope, route),
                "status": status,
                "ms": round(seconds * 1000, 3),
                "bytes_in": size,
                "bytes_out": answer.size,
                **_trace_of(scope),
            }
            LOG.info("%s", json.dumps(facts))

    def _route_of(self, scope: Scope) -> str:
        """Return the template of a request's route, also if a guard has refused the request.

        The path itself would make unbounded labels, and may hold secrets.
        """
        if (path := getattr(scope.get("route"), "path", None)) is not None:
            return str(path)
        return self._routes(scope).template(path_in(scope))

    def _path_of(self, scope: Scope, route: str) -> dict[str, str]:
        if route != UNMATCHED:
            return {}
        return {"path": self._routes(scope).shortened(path_in(scope))}

    def _routes(self, scope: Scope) -> KnownRoutes:
        if self._known is None:
            self._known = KnownRoutes(scope["app"].routes)
        return self._known


class _Headers(Mapping[str, str]):
    """The headers of a request, as OpenTelemetry looks them up."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def __getitem__(self, name: str) -> str:
        if (value := header(self._scope, name.lower().encode("latin-1"))) is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (name.decode("latin-1") for name, _ in self._scope["headers"])

    def __len__(self) -> int:
        return len(self._scope["headers"])


def _record(scope: Scope, span: telemetry.Span, route: str, status: int, seconds: float) -> None:
    """Say of a request's span and in the metrics how it was answered, by OpenTelemetry's names."""
    method = _method_of(scope)
    facts = {
        "http.request.method": method if method in _METHODS else "_OTHER",
        "http.route": None if route == UNMATCHED else route,
        "http.response.status_code": status,
        "url.scheme": scope.get("scheme"),
    }
    span.rename(f"{facts['http.request.method']} {route}")
    span.put(facts)
    who = _who(scope)
    span.put({"client.address": who["client"]})
    span.set(key=who["key"])
    if status >= _FAULT:
        span.fail(str(status))
    telemetry.observe("http.server.request.duration", seconds, facts)


def _who(scope: Scope) -> dict[str, str | None]:
    """Return the address of a client, and what logs call its key."""
    address, *_ = scope.get("client") or (None,)
    return {"client": address, "key": owner_of(scope)[:KEY_ID_LENGTH] or None}


def _method_of(scope: Scope) -> str:
    """Return the method of a request; what opens a websocket is a GET."""
    method: str = scope.get("method", "GET")
    return method


def _trace_of(scope: Scope) -> dict[str, str]:
    """Return the id of the trace that a request is part of, if its client says one."""
    found = _TRACEPARENT.fullmatch(header(scope, b"traceparent") or "")
    return {} if found is None else {"trace": found[1]}


class _Answer:
    """What is known of an answer while it is sent."""

    def __init__(self, send: Send, id_: str) -> None:
        self.begun = perf_counter()
        self.id = id_
        self.status = 0
        self.size = 0
        self._send = send

    async def send(self, message: Message) -> None:
        """Send a part of the answer, with the request's id."""
        if message["type"] in _BEGINNINGS:
            self.status = message.get("status", _SWITCHED)
            headers: list[Any] = [*message.get("headers", []), *self._own_headers()]
            message = {**message, "headers": headers}
        elif message["type"] == "websocket.close" and not self.status:
            self.status = _CLOSED_UNOPENED
        else:
            self.size += len(message.get("body") or message.get("text") or b"")
        await self._send(message)

    def _own_headers(self) -> list[tuple[bytes, bytes]]:
        return [
            (b"x-request-id", self.id.encode("latin-1")),
            (b"x-content-type-options", b"nosniff"),
        ]


def _id_of(scope: Scope) -> str:
    given = header(scope, b"x-request-id") or ""
    is_usable = 0 < len(given) <= _MOST_ID and given.replace("-", "").isalnum() and given.isascii()
    return given if is_usable else uuid4().hex
