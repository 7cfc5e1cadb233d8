"""Calls of tools by the official client, without a process between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from mcp import Client

from chunkwright.server.mcp.protocol import protocol_server
from chunkwright.server.mcp.service import AgentService

T = TypeVar("T")


class Answer(NamedTuple):
    """What a tool answers."""

    text: str
    value: Any
    is_error: bool


def answer_of(result: Any) -> Answer:
    (content,) = result.content
    return Answer(content.text, result.structured_content, bool(result.is_error))


def with_client(service: AgentService, use: Callable[[Client], Awaitable[T]]) -> T:
    """Return what is made of a client of a service."""

    async def run() -> T:
        async with Client(protocol_server(service)) as client:
            return await use(client)

    return asyncio.run(run())


def ask(service: AgentService, tool: str, **arguments: Any) -> Answer:
    """Return what a tool answers, by itself."""
    (found,) = ask_each(service, [(tool, arguments)])
    return found


def ask_each(service: AgentService, calls: list[tuple[str, dict[str, Any]]]) -> list[Answer]:
    """Return what tools answer that are called at once."""

    async def use(client: Client) -> list[Answer]:
        asked = (client.call_tool(name, arguments) for name, arguments in calls)
        return [answer_of(result) for result in await asyncio.gather(*asked)]

    return with_client(service, use)
