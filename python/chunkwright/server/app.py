"""Application of the service: all routes of all dialects, behind the guards."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ChunkwrightError, MissingExtraError
from chunkwright.server.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

    from chunkwright.server.problems import Problem
    from chunkwright.server.service import Service


def create_app(settings: Settings | None = None) -> FastAPI:
    """Make the service as an ASGI application, to be served or mounted.

    Parameters
    ----------
    settings
        The settings; None: the defaults. The server that runs the application decides on the
        address and the number of processes. A program that mounts the application should run its
        lifespan (``app.router.lifespan_context``) within its own, so that it shuts down in order;
        it may do so repeatedly.

    Returns
    -------
    FastAPI
        The application; ``app.state.service`` holds what its requests share.

    Raises
    ------
    MissingExtraError
        If a library is not installed: ``pip install "chunkwright[server]"``.
    ConfigError, StoreError, TokenizerError, ModelError
        If a store or a model of the settings cannot be used.

    Examples
    --------
    >>> from chunkwright.server import create_app
    >>> from starlette.testclient import TestClient
    >>> client = TestClient(create_app(), base_url="http://localhost")
    >>> options = {"max_chars": 8}
    >>> asked = {"text": "One two three.", "chunking": {"strategy": "window", "options": options}}
    >>> [row["text"] for row in client.post("/v1/chunk", json=asked).json()["chunks"]]
    ['One two ', 'three.']
    """
    app = routed_app(settings or Settings())
    service: Service = app.state.service
    service.open()
    _add_guards(app, service)
    return app


def routed_app(settings: Settings) -> FastAPI:
    """Make the application without its guards, and with nothing opened.

    Raises
    ------
    MissingExtraError
        If a library is not installed.
    """
    try:
        import fastapi
        import flatbuffers  # noqa: F401
        import orjson  # noqa: F401
        import prometheus_client  # noqa: F401
        import python_multipart  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("the service", "server") from error
    from chunkwright import __version__
    from chunkwright.server.description import SERVERS, describe
    from chunkwright.server.dialects import DIALECTS
    from chunkwright.server.routes.chunk import chunk
    from chunkwright.server.routes.quick import QuickRoute
    from chunkwright.server.schemas.requests import ChunkRequest
    from chunkwright.server.service import Service

    service = Service(settings)
    service.dialects = tuple(dialect.name for dialect in DIALECTS)
    app = fastapi.FastAPI(
        title="chunkwright",
        version=__version__,
        summary="Cuts documents into chunks for retrieval.",
        servers=SERVERS,
        openapi_url="/openapi.json" if service.settings.docs else None,
        # FastAPI's pages load scripts from a content delivery network.
        docs_url=None,
        redoc_url=None,
        # A redirect would lead to the host that the client names, which nobody has checked.
        redirect_slashes=False,
        lifespan=_lifespan,
    )
    app.state.service = service
    for dialect in DIALECTS:
        app.include_router(dialect.router())
        app.router.routes[:0] = dialect.quick_routes()
        if dialect.add_handlers is not None:
            dialect.add_handlers(service)
    describe(app)
    app.router.routes.insert(0, QuickRoute(app.router, "/v1/chunk", ChunkRequest, chunk))
    _answer_problems(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service = app.state.service
    service.begin()
    try:
        yield
    finally:
        await service.end()


def _answer_problems(app: FastAPI) -> None:
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException

    from chunkwright.server.problems import Problem, problem_of
    from chunkwright.server.refusals import problem_of_http, problem_of_validation

    makers: dict[type[Exception], Callable[[Request, Any], Problem]] = {
        Problem: lambda _, problem: problem,
        ChunkwrightError: lambda _, error: problem_of(error),
        RequestValidationError: problem_of_validation,
        HTTPException: lambda request, error: problem_of_http(error, _methods(request)),
    }
    for kind, make in makers.items():
        app.add_exception_handler(kind, _answering(make))


def _methods(request: Request) -> list[str]:
    """Return all methods that a request's path may be asked by."""
    from chunkwright.server.guard.known_routes import KnownRoutes
    from chunkwright.server.guard.requests import path_in

    return KnownRoutes(request.app.routes).methods(path_in(request.scope))


def _answering(make: Callable[[Request, Any], Problem]) -> Any:
    from chunkwright.server.guard.requests import dialect_in

    async def answer(request: Request, error: Exception) -> Response:
        return dialect_in(request.scope).answer(make(request, error))

    return answer


def _add_guards(app: FastAPI, service: Service) -> None:
    from starlette.middleware.cors import CORSMiddleware

    from chunkwright.server.dialects import dialect_of
    from chunkwright.server.guard.bodies import Bodies
    from chunkwright.server.guard.compression import Compression
    from chunkwright.server.guard.heads import Heads
    from chunkwright.server.guard.logs import Logs
    from chunkwright.server.guard.requests import Keys

    # A request meets the guard first that is added last.
    app.add_middleware(Heads)
    app.add_middleware(Bodies, service=service)
    app.add_middleware(Keys, settings=service.settings)
    if service.settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=service.settings.cors_origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
        )
    app.add_middleware(Compression)
    app.add_middleware(Logs, service=service, dialect_of=dialect_of)
