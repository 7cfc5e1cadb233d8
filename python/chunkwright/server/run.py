"""Run of a service: its processes, its socket, its logs, and its end."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from inspect import signature
from math import ceil
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright import telemetry
from chunkwright.concurrency.cores import yield_sooner
from chunkwright.errors import ChunkwrightError, ConfigError, MissingExtraError, install_line
from chunkwright.readers.kinds import missing_extras
from chunkwright.server.log_lines import log_to_stderr
from chunkwright.server.settings import SHARED_FOLDER, Settings, key_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from socket import socket

    from uvicorn import Config

    MakeApp: TypeAlias = Callable[[Settings], Any]

_BACKLOG = 2048
_LOG = logging.getLogger("chunkwright.server")


def serve(settings: Settings | None = None, app: MakeApp | None = None) -> None:
    """Serve until the process is told to end; then complete running requests.

    Parameters
    ----------
    settings
        The settings; the defaults by default.
    app
        A function that makes the ASGI application from the settings, in each process; by default
        :func:`chunkwright.server.create_app`. It must be a function of a module.

    Raises
    ------
    MissingExtraError
        If a library is not installed.
    ConfigError
        If the address cannot be listened on, or uvicorn is of a version that does not fit.
    """
    try:
        import httptools  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("the service", "server") from error
    check_uvicorn()
    settings = settings or Settings()
    log_to_stderr()
    with ExitStack() as stack:
        settings = _with_files(settings, stack)
        bound = stack.enter_context(bound_socket(config_of(settings, app)))
        say_what_is_served(settings)
        # Said when all models and stores are open: what is said to listen answers.
        listening = f"listening on http://{_address(bound)} with {_processes(settings)}"
        on_start = partial(_LOG.info, "%s", listening)
        if settings.is_supervised:
            _serve_together(settings, app, bound, on_start)
        else:
            _serve(settings, app, bound, on_start)


def check_uvicorn() -> None:
    """Check that the installed uvicorn has what the service bounds connections by.

    A method that uvicorn no longer calls would end a limit, and nobody would notice.

    Raises
    ------
    ConfigError
        If it has not: names what is missing.
    """
    import uvicorn

    try:
        from chunkwright.server.connections import Connection
        from chunkwright.server.processes import DrainingServer
        from chunkwright.server.sockets import Socket
    except ImportError as error:
        lacking = [str(error)]
    else:
        lacking = [each for kind in (Connection, Socket, DrainingServer) for each in changed(kind)]
    if lacking:
        raise ConfigError(
            f"uvicorn {uvicorn.__version__} is not as this version of chunkwright needs it"
            f" ({', '.join(lacking)}): install another version of one of them"
        )


def changed(kind: type) -> Iterator[str]:
    """Yield public methods of a class that its base lacks, or has with other parameters.

    Examples
    --------
    >>> class Base:
    ...     def begin(self) -> None: ...
    ...     def end(self, code: int) -> None: ...
    >>> class Kind(Base):
    ...     def begin(self) -> None: ...
    ...     def end(self) -> None: ...
    ...     def stop(self) -> None: ...
    >>> list(changed(Kind))
    ['Base.end', 'Base.stop']
    """
    base = kind.__mro__[1]
    for name, method in vars(kind).items():
        if name.startswith("_") or not callable(method):
            continue
        known = getattr(base, name, None)
        if known is None or len(signature(known).parameters) != len(signature(method).parameters):
            yield f"{base.__name__}.{name}"


def say_what_is_served(settings: Settings) -> None:
    """Say who may ask, and what cannot be read for want of an extra."""
    if settings.keys:
        _LOG.info("keys in the log: %s", ", ".join(map(key_id, settings.keys)))
    elif not settings.is_local:
        message = "%s is reached by other machines, and no request needs a key (--no-key)"
        _LOG.warning(message, settings.host)
    try:
        telemetry.begin()
    except MissingExtraError as error:
        _LOG.warning("%s is set, but %s", telemetry.ENDPOINT, error)
    if missing := missing_extras():
        lacking = ", ".join(f"{extra} ({' '.join(of)})" for extra, of in missing.items())
        install = install_line(",".join(missing))
        _LOG.warning("extras that are not installed: %s; %s brings them", lacking, install)


def _serve(
    settings: Settings, app: MakeApp | None, bound: socket, on_start: Callable[[], object]
) -> None:
    from chunkwright.server.processes import DrainingServer

    yield_sooner()
    DrainingServer(config_of(settings, app), on_start).run(sockets=[bound])


def _serve_together(
    settings: Settings, app: MakeApp | None, bound: socket, on_start: Callable[[], object]
) -> None:
    from prometheus_client import multiprocess

    from chunkwright.server.processes import Processes

    processes = Processes(
        settings.workers,
        _serve_as_one_of_many,
        (settings, app, bound),
        # A process that has ended no longer counts in the gauges of what is under way.
        multiprocess.mark_process_dead,
    )
    # Connections that no process has taken yet would otherwise wait until all have ended.
    processes.run(settings.drain_timeout, on_start=on_start, on_drain=bound.close)


def _serve_as_one_of_many(
    settings: Settings, app: MakeApp | None, bound: socket, on_start: Callable[[], object]
) -> None:
    from chunkwright.server.processes import CANNOT_START

    log_to_stderr()
    try:
        _serve(settings, app, bound, on_start)
    except ChunkwrightError as error:
        _LOG.error("%s", error)
        sys.exit(CANNOT_START)


def config_of(settings: Settings, app: MakeApp | None) -> Config:
    """Return what uvicorn is told: where to listen, how long to wait, and how to make the app."""
    import uvicorn

    from chunkwright.server.sockets import MOST_MESSAGE, PING_SECONDS

    return uvicorn.Config(
        partial(_made, settings, app),
        factory=True,
        host=settings.host,
        port=settings.port,
        http="chunkwright.server.connections:Connection",
        ws="chunkwright.server.sockets:Socket",
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=ceil(settings.drain_timeout) or 1,
    )


def _processes(settings: Settings) -> str:
    return "one process" if settings.workers == 1 else f"{settings.workers} processes"


def _address(bound: socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def bound_socket(config: Config) -> socket:
    """Return the socket, which all processes share; connections wait there until one serves.

    Raises
    ------
    ConfigError
        If the address cannot be listened on.
    """
    try:
        bound = config.bind_socket()
    except SystemExit:
        # The process has logged why.
        raise ConfigError(f"{config.host}:{config.port} cannot be listened on") from None
    # Programs that a reader starts must not keep the port.
    bound.set_inheritable(False)
    # Connections inherit it. The end of an answer would else wait 40 ms for the client's delayed
    # acknowledgement of its beginning: asyncio sets it only on sockets that name their protocol.
    bound.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    bound.listen(_BACKLOG)
    return bound


def _with_files(settings: Settings, stack: ExitStack) -> Settings:
    """Return the settings with the files that all processes share: tasks and metrics."""
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="chunkwright-")))
    if settings.is_supervised:
        metrics = folder / "metrics"
        metrics.mkdir()
        os.environ[SHARED_FOLDER] = str(metrics)
        stack.callback(os.environ.pop, SHARED_FOLDER, None)
    if settings.tasks_file is None:
        settings = replace(settings, tasks_file=str(folder / "tasks.db"))
    return settings


def _made(settings: Settings, app: MakeApp | None) -> Any:
    from chunkwright.server.app import create_app

    return (app or create_app)(settings)
