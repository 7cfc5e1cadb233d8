"""Parts of the service's description: bodies of requests, and answers that refuse them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from chunkwright.server.problems import STATUSES

Answers: TypeAlias = dict[int | str, dict[str, Any]]

FILE: Mapping[str, Any] = {"type": "string", "format": "binary"}
"""The schema of a file in a form."""


def refusals(shape: Any, statuses: Mapping[int, str] = STATUSES) -> Answers:
    """Return the answers that say what is wrong, all of one shape, by their status."""
    return {status: {"model": shape, "description": about} for status, about in statuses.items()}


def body_in(*media_types: str, schema: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the description of a body that a route reads by itself, in addition to FastAPI's."""
    # Of bytes as they are, OpenAPI 3.1 has no schema.
    content = {each: {} if schema is None else {"schema": schema} for each in media_types}
    return {"requestBody": {"required": True, "content": content}}
