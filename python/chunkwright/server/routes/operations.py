"""Routes for those who run the service: health, readiness, version, metrics, capabilities."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright import __version__
from chunkwright.chunking.option_table import abouts
from chunkwright.chunking.registry import ALL_STRATEGIES
from chunkwright.errors import install_line
from chunkwright.readers.kinds import FILES, KINDS, missing_extras
from chunkwright.server.answers import json_answer
from chunkwright.server.guard.metrics import CONTENT_TYPE
from chunkwright.server.guard.requests import READY
from chunkwright.server.routes.working import REFUSALS
from chunkwright.server.schemas.answers import CapabilitiesAnswer, HealthAnswer, VersionAnswer
from chunkwright.server.schemas.requests import offered, options_schema
from chunkwright.server.service import service_of

router: APIRouter = APIRouter()

METRICS = "/metrics"
_TEXT = {"text/plain": {"schema": {"type": "string"}}}


@router.get("/health", responses={200: {"model": HealthAnswer}})
@router.head("/health", include_in_schema=False)
@router.get("/livez", include_in_schema=False)
async def health(request: Request) -> Response:
    """Say that the process lives."""
    del request
    return json_answer({"status": "ok"})


@router.head("/ready", include_in_schema=False)
@router.get("/readyz", include_in_schema=False)
@router.get("/ready", responses={200: {"model": HealthAnswer}, 503: {"model": HealthAnswer}})
async def ready(request: Request) -> Response:
    """Say whether requests are to be sent here: 503 while the service ends."""
    if service_of(request).is_draining:
        return json_answer({"status": "draining"}, 503)
    return json_answer({"status": "ok"})


@router.get("/version", responses={200: {"model": VersionAnswer}})
async def version(request: Request) -> Response:
    """Say the version."""
    del request
    return json_answer({"version": __version__})


@router.get(
    METRICS,
    response_class=Response,
    responses={200: {"content": _TEXT}, 401: REFUSALS[401], 421: REFUSALS[421]},
)
async def metrics(request: Request) -> Response:
    """Give the metrics of all processes, as Prometheus reads them."""
    return Response(service_of(request).metrics.text(), media_type=CONTENT_TYPE)


PROBES = {
    "/health": health,
    "/livez": health,
    **dict.fromkeys(READY, ready),
    "/version": version,
    METRICS: metrics,
}
"""What answers those who run the service, by its path."""


@router.get("/v1/capabilities", responses={200: {"model": CapabilitiesAnswer}, **REFUSALS})
async def capabilities(request: Request) -> Response:
    """Say what this service can do: strategies with their options, models, kinds and limits."""
    service = service_of(request)
    settings = service.settings
    limits = ("max_body", "max_unpacked", "max_chunks", "timeout")
    return json_answer(
        {
            "version": __version__,
            "strategies": [_strategy_row(name) for name in offered()],
            "tokenizers": service.models.tokenizer_names,
            "embedders": service.models.embedder_names,
            "kinds": [*KINDS, *FILES],
            "dialects": list(service.dialects),
            "missing": [
                {"extra": extra, "suffixes": suffixes, "install": install_line(extra)}
                for extra, suffixes in missing_extras().items()
            ],
            "store": settings.store is not None,
            "paths": bool(settings.roots),
            "urls": bool(settings.url_hosts),
            "limits": {name: getattr(settings, name) for name in limits},
        }
    )


def _strategy_row(name: str) -> dict[str, Any]:
    kind = ALL_STRATEGIES[name]
    about = abouts()[name]
    options = options_schema(name)
    return {"name": name, "about": about, "takes": list(kind.takes), "options": options}
