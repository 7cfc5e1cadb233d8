"""Page of the service's description: Swagger UI, from files of the extra and not from elsewhere."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.errors import MissingExtraError
from chunkwright.server.problems import Problem
from chunkwright.server.routes.page import Asset
from chunkwright.server.service import service_of

router: APIRouter = APIRouter(include_in_schema=False)

# It brings Swagger UI as files.
_LIBRARY = "fastapi_offline"
_FILES = {
    "swagger-ui.js": ("swagger-ui-bundle.js", "text/javascript"),
    "swagger-ui.css": ("swagger-ui.css", "text/css"),
}
# Addresses are relative: the service may be behind a proxy, below a path.
_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>chunkwright: API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<main id="api"></main>
<script src="docs/swagger-ui.js"></script>
<script src="docs/start.js"></script>
"""
_START = """\
fetch("openapi.json")
  .then((answer) => answer.json())
  .then((spec) => {
    const here = new URL(".", location.href).pathname;
    spec.servers = [{ url: here.replace(/\\/$/, "") || "/" }];
    SwaggerUIBundle({ spec, dom_id: "#api", deepLinking: true, validatorUrl: null });
  });
"""
PAGES = frozenset(
    {"/openapi.json", "/docs", "/scalar", "/docs/start.js", *(f"/docs/{name}" for name in _FILES)}
)
"""Paths of the description, which says nothing that the documentation does not."""


@router.get("/docs")
@router.get("/scalar")
async def page(request: Request) -> Response:
    """Show the description of the service."""
    _check(request)
    # Without the library the page would be empty.
    _file("swagger-ui.js")
    return Asset(_PAGE.encode(), "text/html").answer(request)


@router.get("/docs/start.js")
async def start(request: Request) -> Response:
    """Give the script that begins the page."""
    _check(request)
    return Asset(_START.encode(), "text/javascript").answer(request)


@router.get("/docs/{name}")
async def file(name: str, request: Request) -> Response:
    """Give a script or a style sheet of the page."""
    _check(request)
    if name not in _FILES:
        raise Problem(404, "not_found", "the page has no such file")
    return _file(name).answer(request)


def _check(request: Request) -> None:
    if not service_of(request).settings.docs:
        raise Problem(404, "not_found", "the service does not describe itself (--no-docs)")


@cache
def _file(name: str) -> Asset:
    found = find_spec(_LIBRARY)
    if found is None or found.origin is None:
        raise Problem(
            501, "not_installed", str(MissingExtraError("the page of the description", "server"))
        )
    called, media_type = _FILES[name]
    return Asset((Path(found.origin).parent / "static" / called).read_bytes(), media_type)
