"""Requests as the guards see them: their headers, their owners, and how they are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from chunkwright.server.dialect import Dialect


def owner_of(scope: MutableMapping[str, Any]) -> str:
    """Return whose request it is: a hash of the key; empty where there are no keys."""
    owner: str = scope.get("state", {}).get("owner", "")
    return owner


Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_ENDED = "body_ended"

LINGER_SECONDS = 2.0
"""Seconds in which what a refused client still sends is thrown away."""

STREAMS = frozenset({"/v1/chunk:batch"})
"""Paths whose bodies are read while they are answered."""


def path_in(scope: Scope) -> str:
    """Return the path of a request below where the application is mounted."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")) or "/"


def dialect_in(scope: Scope) -> Dialect:
    """Return the dialect that the outermost guard has found a request to speak."""
    found: Dialect = scope["state"]["dialect"]
    return found


def header(scope: Scope, name: bytes) -> str | None:
    """Return the value of a header; None if it is not there."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


async def refuse(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Answer a problem, as the dialect of the path says it, and close the connection.

    What the client still sends is thrown away for a while: a connection that is closed on a client
    that sends would take the answer along.
    """
    answer = dialect_in(scope).answer(problem)
    answer.headers["Connection"] = "close"
    last: list[Message] = []

    async def send_but_last(message: Message) -> None:
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        await send({**message, "more_body": True} if is_last else message)
        if is_last:
            last.append({"type": "http.response.body", "body": b""})

    await answer(scope, receive, send_but_last)
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            await _throw_away(scope, receive)
    for message in last:
        await send(message)


async def _throw_away(scope: Scope, receive: Receive) -> None:
    # Who asks whether to send a body has been told not to.
    is_over = header(scope, b"expect") is not None
    while not (is_over or scope.get("state", {}).get(_ENDED)):
        is_over = (await receive())["type"] != "http.request"


def noting_end(scope: Scope, receive: Receive) -> Receive:
    """Return what gives a request's messages, and notes in its scope when its body has ended."""
    state = scope.setdefault("state", {})

    async def noted() -> Message:
        message = await receive()
        if not message.get("more_body", False):
            state[_ENDED] = True
        return message

    return noted
