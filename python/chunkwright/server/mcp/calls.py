"""Calls of tools: arguments checked, work done on threads, answers and errors that agents use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, ValidationError

from chunkwright.errors import nearest
from chunkwright.server.mcp.rendering import rendered
from chunkwright.server.problems import Problem, problem_of

if TYPE_CHECKING:
    from chunkwright.server.mcp.service import AgentService
    from chunkwright.server.mcp.tools import Tool

# Of a wrong value, so much is repeated.
_SHOWN = 100


async def call(
    service: AgentService, tools: Sequence[Tool], name: str, arguments: Mapping[str, Any]
) -> CallToolResult:
    """Call a tool; what is wrong is an answer, too, which says how it is put right.

    Parameters
    ----------
    service
        What the tools share.
    tools
        The tools that are offered.
    name
        The name of one.
    arguments
        Its arguments.
    """
    try:
        tool = next((each for each in tools if each.name == name), None)
        if tool is None:
            known = [each.name for each in tools]
            raise Problem(404, "not_found", f"unknown tool {name!r}: {nearest(name, known)}")  # noqa: TRY301
        request = _request(tool, arguments)
        answer = await service.pool.run(lambda: tool.call(service, request))
    except Exception as error:  # noqa: BLE001 - each is told, and what is unexpected logged
        return _failed(problem_of(error))
    text = TextContent(type="text", text=rendered(answer))
    return CallToolResult(content=[text], structured_content=answer.model_dump(mode="json"))


def _failed(problem: Problem) -> CallToolResult:
    at = "" if problem.field is None or problem.field in problem.message else f"{problem.field}: "
    text = TextContent(type="text", text=f"{at}{problem.message}")
    return CallToolResult(content=[text], is_error=True)


def _request(tool: Tool, arguments: Mapping[str, Any]) -> BaseModel:
    """Return the arguments of a tool, checked.

    Raises
    ------
    Problem
        If a name is unknown, or a value does not fit: says which, and what would.
    """
    try:
        return tool.request.model_validate(dict(arguments))
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, found["loc"]))
        known = [*tool.request.model_fields]
        if found["type"] == "extra_forbidden" and len(found["loc"]) == 1:
            message = f"{tool.name} has no argument {field!r}: {nearest(field, known)}"
        elif found["type"] == "missing":
            message = f"{tool.name} needs the argument {field!r}"
        else:
            message = f"{field}: {found['msg']}{_got(found['input'])}"
        raise Problem(422, "invalid_value", message, field=field) from None


def _got(value: Any) -> str:
    shown = repr(value)
    return f", got {shown}" if len(shown) <= _SHOWN else ""
