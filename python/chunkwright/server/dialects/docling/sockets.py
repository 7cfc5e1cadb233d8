"""Websocket of docling-serve's tasks: the state of one, told when it changes or is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from chunkwright.server.answers import json_bytes
from chunkwright.server.guard.requests import STALL_SECONDS, refuse
from chunkwright.server.problems import Problem, busy
from chunkwright.server.service import Service, service_of
from chunkwright.server.tasks import Task

from .status import status_row, task_of

# Seconds between two looks at a task, and between two answers to a client that asks.
_PERIOD = 1.0
_LEAST_PERIOD = 0.1
_RESTARTS = 1012


def add_socket_route(router: APIRouter) -> None:
    """Add the route."""
    router.add_api_websocket_route("/v1/status/ws/{task_id}", _status, name="status/ws")


async def _status(socket: WebSocket, task_id: str) -> None:
    """Tell of a task until it has ended, the client has gone, or the service ends."""
    service = service_of(socket)
    try:
        with _counted(service):
            await socket.accept()
            await _Told(socket, task_id, service).tell()
    except Problem as problem:
        await refuse(socket.scope, socket.receive, socket.send, problem)
    except (WebSocketDisconnect, TimeoutError):
        # The client has gone, or takes nothing.
        return


@contextmanager
def _counted(service: Service) -> Iterator[None]:
    if service.n_sockets >= service.settings.most_waiting:
        raise busy("the service is busy: too many websockets are open")
    service.n_sockets += 1
    try:
        yield
    finally:
        service.n_sockets -= 1


class _Told:
    """A task whose client is told of it.

    Parameters
    ----------
    socket
        The connection, which is open.
    task_id
        The id of the task.
    service
        The service that has it.
    """

    def __init__(self, socket: WebSocket, task_id: str, service: Service) -> None:
        self._socket = socket
        self._task_id = task_id
        self._service = service

    async def tell(self) -> None:
        """Tell of the task until there is nothing more to tell."""
        try:
            await self._say("connection", task=status_row(await self._task(0)))
            await self._tell_until_over()
        except Problem as problem:
            await self._say("error", error=problem.message)
            await self._socket.close()

    async def _tell_until_over(self) -> None:
        changes = asyncio.ensure_future(self._tell_changes())
        questions = asyncio.ensure_future(self._answer_questions())
        both = {changes, questions}
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in both:
                each.cancel()
            await asyncio.wait(both)
        for each in done:
            each.result()
        if changes in done:
            # Not told before: a question may be answered no more once the end is said.
            await self._socket.close(1000 if changes.result() else _RESTARTS)

    async def _tell_changes(self) -> bool:
        """Tell of each change; return whether the task has ended."""
        told: dict[str, Any] | None = None
        while not self._service.is_draining:
            task = await self._task(0 if told is None else _PERIOD)
            row = status_row(task)
            if row != told:
                await self._say("update", task=row)
                told = row
            if task.is_over:
                return True
        return False

    async def _answer_questions(self) -> None:
        """Tell of the task at each message, whatever it says, until the client goes."""
        while (await self._socket.receive())["type"] == "websocket.receive":
            await self._say("update", task=status_row(await self._task(0)))
            await asyncio.sleep(_LEAST_PERIOD)

    async def _task(self, wait: float) -> Task:
        return await task_of(self._socket, self._task_id, wait)

    async def _say(self, kind: str, **said: Any) -> None:
        row = {"message": kind, "task": None, "error": None, **said}
        async with asyncio.timeout(STALL_SECONDS):
            await self._socket.send_text(json_bytes(row).decode())
