"""Dialect of docling-serve: its routes, so that its clients need another base address alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.server.dialect import Dialect

if TYPE_CHECKING:
    from fastapi import APIRouter
    from starlette.responses import Response

    from chunkwright.server.problems import Problem
    from chunkwright.server.service import Service

_PATHS = ("/v1/chunk/", "/v1/convert/", "/v1/status/", "/v1/result/")


def _router() -> APIRouter:
    from chunkwright.server.dialects.docling.routes import router

    return router()


def _owns(path: str) -> bool:
    return path.startswith(_PATHS)


def _answer(problem: Problem) -> Response:
    from chunkwright.server.answers import json_answer
    from chunkwright.server.dialects.docling.forms import detail_of

    return json_answer({"detail": detail_of(problem)}, problem.status, problem.headers)


def _add_handlers(service: Service) -> None:
    from chunkwright.server.dialects.docling.work import add_handlers

    add_handlers(service)


DOCLING = Dialect("docling-serve", _router, _owns, _answer, add_handlers=_add_handlers)
"""docling-serve's routes."""
