"""Routes of the service's own pages: the playground, and the contents of its store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright import __version__
from chunkwright.errors import MissingExtraError
from chunkwright.render import page
from chunkwright.render.viewing import viewer_script, viewer_style
from chunkwright.server.problems import Problem

router: APIRouter = APIRouter(include_in_schema=False)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
"""What the page may load and send: nothing from elsewhere, and nothing to elsewhere."""

# In the order of their dependencies; the viewer uses the first two as well.
_SHARED = (
    "viewer-text.js",
    "viewer-dom.js",
    "playground-service.js",
    "playground-dialog.js",
    "playground-pictures.js",
)
_PLAYGROUND = (
    *_SHARED,
    "playground-settings.js",
    "playground-words.js",
    "playground-controls.js",
    "playground-form.js",
    "playground-source.js",
    "playground-calls.js",
    "playground-drawer.js",
    "playground-notices.js",
    "playground.js",
)
_STORE = (*_SHARED, "playground-drawer.js", "store-lists.js", "store-block.js", "store.js")
PAGES = {"/": "playground.html", "/store": "store.html"}
"""Templates of the pages, by their paths."""
ASSETS = ("viewer.js", "viewer.css", "playground.js", "playground.css", "store.js", "store.css")
"""Files that the pages load."""
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    # Another version of the service may be behind the same address soon.
    "Cache-Control": "no-cache",
}


class Asset(NamedTuple):
    """A file that a browser loads.

    Attributes
    ----------
    body
        Its bytes.
    media_type
        What they are.
    """

    body: bytes
    media_type: str

    def answer(self, request: Request) -> Response:
        """Answer with it, or say that the browser has it already."""
        # A weak tag: the same bytes may be sent compressed.
        tag = f'"{sha256(self.body).hexdigest()[:32]}"'
        headers = {**_HEADERS, "ETag": f"W/{tag}"}
        known = request.headers.get("if-none-match", "").split(",")
        if tag in (each.strip().removeprefix("W/") for each in known):
            return Response(status_code=304, headers=headers)
        return Response(self.body, headers=headers, media_type=self.media_type)


@router.get("/")
async def playground(request: Request) -> Response:
    """Show the playground."""
    return _page("/").answer(request)


@router.get("/store")
async def store(request: Request) -> Response:
    """Show what the store holds."""
    return _page("/store").answer(request)


@router.get("/assets/{name}")
async def asset(name: str, request: Request) -> Response:
    """Give a script or a style sheet of the page."""
    found = _assets().get(name)
    if found is None:
        raise Problem(404, "not_found", "the page has no such file")
    return found.answer(request)


@cache
def _page(path: str) -> Asset:
    try:
        shown = page(PAGES[path], version=__version__, sample=_read("playground-sample.md"))
    except MissingExtraError as error:
        message = str(MissingExtraError("the page of the service", "server"))
        raise Problem(501, "not_installed", message) from error
    return Asset(shown.encode(), "text/html")


@cache
def _assets() -> dict[str, Asset]:
    made = {
        "viewer.js": viewer_script(),
        "viewer.css": viewer_style(),
        "playground.js": _joined(_PLAYGROUND),
        "playground.css": _read("playground.css"),
        "store.js": _joined(_STORE),
        "store.css": _read("store.css"),
    }
    types = {"js": "text/javascript", "css": "text/css"}
    return {name: Asset(made[name].encode(), types[name.rpartition(".")[2]]) for name in ASSETS}


def _joined(scripts: Sequence[str]) -> str:
    own = "\n".join(map(_read, scripts))
    return f'(() => {{\n"use strict";\n{own}}})();\n'


def _read(name: str) -> str:
    return (files("chunkwright.render") / "assets" / name).read_text("utf-8")
