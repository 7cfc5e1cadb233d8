"""Service behind the routes: its settings, threads, models, tasks and store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from chunkwright import telemetry
from chunkwright.server.guard.metrics import Metrics
from chunkwright.server.known_strategies import KnownStrategies
from chunkwright.server.named_models import NamedModels
from chunkwright.server.pool import Pool, Receive
from chunkwright.server.problems import Problem, busy
from chunkwright.server.settings import Settings

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from chunkwright.server.children.children import Children
    from chunkwright.server.tasks import Tasks
    from chunkwright.server.tasks.task import Result
    from chunkwright.server.tasks.worker import Handler
    from chunkwright.store import Store

# The part of all that may be held that reading a small document takes, at most.
_SMALL = 128


class Service:
    """What all requests of one process share.

    Parameters
    ----------
    settings
        What the service was started with.

    Attributes
    ----------
    child_pool
        Threads that wait for what children do, so that they take none of those that work.
    handlers
        What does tasks, and parts of requests that may take memory without bounds, by their kinds.
    children
        What does work of unbounded cost, with a limit of memory; None without.
    embedder
        The path of the model of the store's vectors, or ``"none"``; None: that of the last import.
    is_writing
        Whether requests may write to the store.
    strategies
        Strategies that have cut a document, by how requests ask for them.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.models: NamedModels = NamedModels(settings.tokenizers, settings.embedders)
        self.metrics: Metrics = Metrics()
        self.strategies: KnownStrategies = KnownStrategies()
        self.dialects: tuple[str, ...] = ()
        self.handlers: dict[str, Handler] = {}
        self.children: Children | None = None
        self.embedder: str | None = None
        self.is_writing: bool = True
        self._opening, self._counting = Lock(), Lock()
        self._renew()

    def _renew(self) -> None:
        """Set what belongs to one event loop: a service that has ended begins on another."""
        settings = self.settings
        self.pool: Pool = Pool(settings.threads, settings.most_waiting, settings.timeout)
        self.child_pool: Pool = Pool(settings.threads, settings.most_waiting, settings.timeout)
        self.metrics.watch(self.pool, self.child_pool)
        self.is_draining: bool = False
        self.n_streams = 0
        self.n_sockets = 0
        self.n_held = 0
        self.n_read: int = 0
        self._store: Store | None = None
        self._working: asyncio.Future[None] | None = None
        self._draining: asyncio.Future[None] | None = None
        self._has_ended = False
        vars(self).pop("tasks", None)

    @cached_property
    def tasks(self) -> Tasks:
        """Long work, which other processes of the service see as well."""
        from chunkwright.server.tasks import Tasks

        if self.children is None:
            return Tasks.of(self.settings, self.pool, self.handlers)
        handlers = {kind: partial(self._done_in_child, kind) for kind in self.handlers}
        return Tasks.of(self.settings, self.child_pool, handlers)

    async def handled(self, kind: str, request: bytes, receive: Receive) -> Result:
        """Return what a handler makes of a request, in a child if there is one."""
        if self.children is None:
            return await self.pool.run(partial(self.handlers[kind], request), receive=receive)
        call = partial(self._done_in_child, kind, request)
        return await self.child_pool.run(call, receive=receive)

    def _done_in_child(self, kind: str, request: bytes) -> Result:
        from chunkwright.server.children.work import TaskWork

        assert self.children is not None  # noqa: S101 - the caller's
        made: Result = self.children.do(TaskWork(kind, request, telemetry.carried()))
        return made

    @property
    def store(self) -> Store:
        """The store that is searched and cited from, opened once.

        Raises
        ------
        Problem
            If the service was started without one.
        ConfigError, StoreError, ModelError
            If it is not there, or cannot be opened.
        """
        if self.settings.store is None:
            message = "the service has no store: start it with --store"
            raise Problem(501, "no_store", message)
        from chunkwright.server.stored.opening import opened_store

        with self._opening:
            if self._store is None:
                self._store = opened_store(
                    self.settings.store, embedder=self.embedder, read_only=not self.is_writing
                )
        return self._store

    def open(self) -> None:
        """Open what the service was started with, so that a mistake ends the start.

        Raises
        ------
        ConfigError, StoreError, TokenizerError, ModelError, MissingExtraError
            If it cannot be used.
        """
        from chunkwright.server.reading_roots import Roots

        Roots(self.settings.roots)
        if self.settings.originals is not None:
            Roots([self.settings.originals], option="originals")
        if self.settings.max_memory is None:
            self.models.load()
        else:
            self.models.load_tokenizers()
            self._start_children()
        _ = self.tasks
        if self.settings.store is not None:
            _ = self.store

    def _start_children(self) -> None:
        from chunkwright.server.children.children import Children

        if self.children is None:
            self.children = Children(self.settings, self.metrics.chunks)

    @contextmanager
    def reading(self, n_bytes: int) -> Iterator[None]:
        """Reserve the memory that reading a document may take, while it is read.

        A document is read alone whatever it takes. A small one is always read: there are no more
        of them than threads, and a slow large one would keep them all waiting.

        Raises
        ------
        Problem
            503, if that and what is read beside it are more than all requests may hold.
        """
        with self._counting:
            most = self.settings.max_held
            is_small = n_bytes <= most // _SMALL
            if self.n_read and not is_small and self.n_read + n_bytes > most:
                raise busy("the service reads as much at once as it may", 503)
            self.n_read += n_bytes
        try:
            with telemetry.span("read", cost=n_bytes):
                yield
        finally:
            with self._counting:
                self.n_read -= n_bytes

    def begin(self) -> None:
        """Start the worker of tasks, unless it runs; open a service again that has ended."""
        if self._has_ended:
            self._renew()
            self.open()
        if self._working is None and not self.is_draining:
            self._working = asyncio.ensure_future(self.tasks.run())

    def drain(self) -> None:
        """Let running requests finish, take no more, and end all waits for tasks."""
        if not self.is_draining:
            self.is_draining = True
            self._draining = asyncio.ensure_future(self.tasks.drain(self.settings.drain_timeout))

    async def end(self) -> None:
        """Stop the worker of tasks, and close what is open."""
        self.drain()
        if self._draining is not None:
            await self._draining
        if self._working is not None:
            self._working.cancel()
            await asyncio.wait([self._working])
        self.close()
        telemetry.flush()
        self._has_ended = True

    def close(self) -> None:
        """Close what is open."""
        for opened in (vars(self).get("tasks"), self._store, self.children):
            if opened is not None:
                opened.close()
        self.children = None


def service_of(request: HTTPConnection) -> Service:
    """Return the service that a request is made to."""
    found: Any = request.app.state.service
    assert isinstance(found, Service)  # noqa: S101 - the app's own
    return found
