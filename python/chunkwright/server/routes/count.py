"""Route that counts tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from chunkwright.server.answers import json_bytes
from chunkwright.server.routes.working import REFUSALS, answered
from chunkwright.server.schemas.answers import CountAnswer
from chunkwright.server.schemas.requests import CountRequest

if TYPE_CHECKING:
    from chunkwright.server.service import Service

router: APIRouter = APIRouter()


@router.post("/v1/count", responses={200: {"model": CountAnswer}, **REFUSALS})
async def count(asked: CountRequest, request: Request) -> Response:
    """Count the tokens, code points, bytes and lines of texts."""
    return await answered(request, lambda service: json_bytes(_counts(asked, service)))


def _counts(asked: CountRequest, service: Service) -> dict[str, Any]:
    tokenizer = service.models.tokenizer(asked.tokenizer)
    texts = [asked.text] if asked.text is not None else asked.texts or []
    rows = [
        {
            "tokens": tokens,
            "chars": len(text),
            "bytes": len(text.encode()),
            "lines": text.count("\n") + (not text.endswith("\n") and bool(text)),
        }
        for text, tokens in zip(texts, tokenizer.count_batch(texts), strict=True)
    ]
    return {"counts": rows, "tokenizer": asked.tokenizer}
