"""Guard that writes down each answer: a line of JSON, and the metrics."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from chunkwright.server.guard.requests import (
    App,
    Message,
    Receive,
    Scope,
    Send,
    header,
    noting_end,
    path_in,
    refuse,
)
from chunkwright.server.pool import GONE
from chunkwright.server.problems import Problem, problem_of
from chunkwright.server.service import Service

if TYPE_CHECKING:
    from chunkwright.server.dialect import Dialect

LOG = logging.getLogger("chunkwright.server.access")
_MOST_ID = 64


class Logs:
    """Writes down route, status, sizes and time of each answer, and no text of a document.

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered, and write down how."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, _id_of(scope))
        scope.setdefault("state", {})["dialect"] = self._dialect_of(path_in(scope))
        receive = noting_end(scope, receive)
        try:
            if self._service.is_draining and path_in(scope) not in {"/ready", "/readyz"}:
                ending = Problem(503, "draining", "the service ends", headers={"Retry-After": "5"})
                await refuse(scope, receive, answer.send, ending)
            else:
                await self._app(scope, receive, answer.send)
        except Exception as error:  # noqa: BLE001 - the client is told, and the log without texts
            problem = problem_of(error)
            # An answer that has begun cannot say it: it stays incomplete, and the server breaks
            # the connection off.
            if not answer.status:
                await refuse(scope, receive, answer.send, problem)
        finally:
            self._write(scope, answer)

    def _write(self, scope: Scope, answer: _Answer) -> None:
        seconds = perf_counter() - answer.begun
        # The path itself would make unbounded labels, and may hold secrets.
        route = getattr(scope.get("route"), "path", "")
        status = answer.status or GONE
        size = scope.get("state", {}).get("body_size", 0)
        self._service.metrics.answered(route, status, seconds, (size, answer.size))
        if LOG.isEnabledFor(logging.INFO):
            facts = {
                "request": answer.id,
                "method": scope["method"],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 3),
                "bytes_in": size,
                "bytes_out": answer.size,
            }
            LOG.info("%s", json.dumps(facts))


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
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers: list[Any] = [*message.get("headers", []), *self._own_headers()]
            message = {**message, "headers": headers}
        else:
            self.size += len(message.get("body", b""))
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
