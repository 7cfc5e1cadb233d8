"""Run of the MCP server: over standard input and output, or over HTTP."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from chunkwright.errors import MissingExtraError
from chunkwright.server.guard.requests import LOCAL_HOSTS, App, Gate, Scope, header, path_in
from chunkwright.server.log_lines import log_to_stderr
from chunkwright.server.mcp.service import AgentService
from chunkwright.server.problems import Problem
from chunkwright.server.run import serve
from chunkwright.server.settings import Settings, host_in

if TYPE_CHECKING:
    from starlette.applications import Starlette


class Origins(Gate):
    """Answers 403 to a page of another origin in a browser, and 405 to all but POST and probes.

    Each call of a tool is one request with one answer; a stream that only waits is not offered.

    Parameters
    ----------
    app
        What stands behind the guard.
    settings
        The hosts and origins that are allowed beside this machine.
    probes
        Paths for those who run it, which are asked by GET.
    """

    def __init__(self, app: App, settings: Settings, probes: Collection[str]) -> None:
        super().__init__(app)
        self._probes = frozenset(probes)
        self._hosts = {host_in(each) for each in LOCAL_HOSTS.union(settings.hosts)}
        self._origins = frozenset(settings.cors_origins)

    def _problem(self, scope: Scope) -> Problem | None:
        origin = header(scope, b"origin")
        if origin is not None and not self._is_allowed(origin):
            message = "pages of this origin may not ask; the server is started with --allow-origin"
            return Problem(403, "wrong_origin", message)
        if path_in(scope) not in self._probes and scope["method"] not in {"POST", "OPTIONS"}:
            headers = {"Allow": "POST"}
            return Problem(405, "method_not_allowed", "only POST is answered", headers=headers)
        return None

    def _is_allowed(self, origin: str) -> bool:
        try:
            host = urlsplit(origin).hostname
        except ValueError:
            return False
        return origin in self._origins or host in self._hosts


MakeService: TypeAlias = Callable[[Settings], AgentService]
PATH = "/mcp"
"""Where it answers over HTTP."""
# What shells add to the number of the signal that ended a process.
_KILLED = 128


def serve_stdio(settings: Settings, make: MakeService) -> None:
    """Serve one client over standard input and output, until it closes them.

    Nothing but the protocol is written to standard output.

    Parameters
    ----------
    settings, make
        The settings, and what makes the service of them, which can be pickled.

    Raises
    ------
    MissingExtraError
        If the library mcp is not installed.
    ConfigError, StoreError, ModelError
        If there is no such store or folder, or they cannot be used.
    """
    _check_libraries()
    import anyio

    log_to_stderr()
    _silence()
    service = make(settings)
    _end_on_signals()
    try:
        anyio.run(_over_stdio, service)
    finally:
        service.close()


def serve_http(settings: Settings, make: MakeService) -> None:
    """Serve over HTTP, at ``/mcp``, until the process is told to end.

    Parameters
    ----------
    settings, make
        The settings, and what makes the service of them, which can be pickled.

    Raises
    ------
    MissingExtraError
        If the library mcp, or those of the service, are not installed.
    ConfigError, StoreError, ModelError
        If there is no such store or folder, or they or the address cannot be used.
    """
    _check_libraries()
    # What is wrong with a store or a folder is said before anything begins.
    make(settings).close()
    serve(settings, partial(mcp_app, make=make))


def mcp_app(settings: Settings, make: MakeService = AgentService) -> Starlette:
    """Make the MCP server as an ASGI application, behind the guards of the service.

    Parameters
    ----------
    settings, make
        The settings, and what makes the service of them, which can be pickled.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    from chunkwright.server.dialects.native import NATIVE
    from chunkwright.server.guard.bodies import Bodies
    from chunkwright.server.guard.logs import Logs
    from chunkwright.server.guard.requests import Keys
    from chunkwright.server.mcp.protocol import protocol_server
    from chunkwright.server.routes import operations

    service = make(settings)
    _silence()
    app = protocol_server(service, lifespan=partial(_lifespan, service)).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=settings.max_body,
        # The guards look at the host and the origin, and know the names that the settings allow.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    app.state.service = service
    for path, answer in operations.PROBES.items():
        app.add_route(path, answer, methods=["GET"], include_in_schema=False)
    app.add_middleware(Bodies, service=service)
    app.add_middleware(Origins, settings=settings, probes=operations.PROBES)
    app.add_middleware(Keys, settings=settings)
    # Problems in front of the protocol are said as the service's own routes say them.
    app.add_middleware(Logs, service=service, dialect_of=lambda _: NATIVE)
    return app


@asynccontextmanager
async def _lifespan(service: AgentService, server: Any) -> AsyncIterator[dict[str, Any]]:
    del server
    try:
        yield {}
    finally:
        service.close()


async def _over_stdio(service: AgentService) -> None:
    from mcp.server.stdio import stdio_server

    from chunkwright.server.mcp.protocol import protocol_server

    server = protocol_server(service)
    async with stdio_server() as (receiving, sending):
        await server.run(receiving, sending, server.create_initialization_options())


def _end_on_signals() -> None:
    """End at once when told to: a thread waits for standard input, and nothing else would end it.

    What was written to the store is whole, as after any end of the process.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # A signal that is ignored, as under nohup, must not end the run.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda sent, _: os._exit(_KILLED + sent))


def _silence() -> None:
    # Its messages repeat requests, which may hold texts of documents.
    logging.getLogger("mcp").setLevel(logging.ERROR)


def _check_libraries() -> None:
    try:
        import mcp  # noqa: F401
        import orjson  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("the MCP server", "mcp") from error
