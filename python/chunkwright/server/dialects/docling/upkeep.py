"""Routes of docling-serve for those who run it: what is forgotten, memory, and an older schema."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.answers import json_answer
from chunkwright.server.guard.requests import owner_of
from chunkwright.server.service import service_of

from .openapi30 import in_version_3_0
from .refusals import ANSWERS
from .work import KINDS

_MEGABYTE = 1024 * 1024
_STATUS = Path("/proc/self/status")
_GROUP = Path("/sys/fs/cgroup")
_MOST_TYPES = 20
# Seconds for which objects are counted once.
_PERIOD = 10
_OLDER_THAN = 3600.0


def add_upkeep_routes(router: APIRouter) -> None:
    """Add the routes."""
    for path, endpoint in (
        ("/v1/clear/converters", _clear_converters),
        ("/v1/clear/results", _clear_results),
        ("/v1/memory/stats", _memory_stats),
        ("/v1/memory/counts", _memory_counts),
    ):
        router.add_api_route(
            path,
            endpoint,
            methods=["GET"],
            name=path.removeprefix("/v1/"),
            response_class=Response,
            responses=ANSWERS,
        )
    # A schema does not describe the route that gives it.
    router.add_api_route("/openapi-3.0.json", _schema, methods=["GET"], include_in_schema=False)


async def _clear_converters() -> Response:
    """Say that no converter is kept: there are none to be loaded."""
    return json_answer({"status": "ok"})


async def _clear_results(
    request: Request,
    older_then: Annotated[float, Query(ge=0, allow_inf_nan=False)] = _OLDER_THAN,
) -> Response:
    """Forget the tasks of this caller that ended at least so many seconds ago."""
    tasks = service_of(request).tasks
    await tasks.clear(owner_of(request.scope), frozenset(KINDS.values()), older_then)
    return json_answer({"status": "ok"})


async def _memory_stats(request: Request) -> Response:
    """Say how many megabytes the process and its group take."""
    return json_answer(await service_of(request).pool.run(_megabytes))


def _megabytes() -> dict[str, float]:
    status = _numbers(_STATUS)
    group = _numbers(_GROUP / "memory.stat")
    names = {"anon": "RssAnon:", "file": "RssFile:"}
    own = {name: status.get(field, 0) * 1024 for name, field in names.items()}
    found = {name: group.get(name, own.get(name, 0)) for name in ("anon", "file", "slab")}
    rss = status.get("VmRSS:", 0) * 1024
    try:
        total = int((_GROUP / "memory.current").read_text())
    except (OSError, ValueError):
        total = rss
    found |= {"rss": rss, "cgroup_total": total}
    return {name: value / _MEGABYTE for name, value in found.items()}


def _numbers(file: Path) -> dict[str, int]:
    """Return the numbers of a file of the system by the words before them; none without one."""
    try:
        rows = (line.split() for line in file.read_text().splitlines())
        return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}
    except OSError:
        return {}


async def _memory_counts(request: Request) -> Response:
    """Say how many objects there are, of which types, and how many tasks of the event loop."""
    tasks = asyncio.all_tasks()
    counted: dict[str, Any] = await service_of(request).pool.run(
        lambda: _objects(int(monotonic() // _PERIOD))
    )
    pending = sum(not task.done() for task in tasks)
    return json_answer(counted | {"asyncio": {"all_tasks": len(tasks), "pending_tasks": pending}})


@lru_cache(maxsize=1)
def _objects(period: int) -> dict[str, Any]:
    """Count the objects of the process: at most once in a period, since all work waits for it."""
    del period
    objects = gc.get_objects()
    types = Counter(type(each).__name__ for each in objects)
    return {
        "gc": {"counts": gc.get_count(), "threshold": gc.get_threshold()},
        "objects": {"total": len(objects)},
        "top_types": [
            {"type": name, "count": count} for name, count in types.most_common(_MOST_TYPES)
        ],
    }


async def _schema(request: Request) -> Response:
    """Describe the service for what reads OpenAPI 3.0 alone."""
    if not service_of(request).settings.docs:
        return json_answer({"detail": "Not Found"}, 404)
    described: dict[str, Any] = request.app.openapi()
    return json_answer(in_version_3_0(described))
