"""Requests to the dialect without a server: files and fields in, an answer out."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from typing import Any

from chunkwright.errors import ChunkwrightError
from chunkwright.server.bodies.uploads import Upload
from chunkwright.server.dialects.unstructured.answers import Answer, FileLimits, answer
from chunkwright.server.named_models import NamedModels
from chunkwright.server.problems import Problem, problem_of

LIMITS = FileLimits(max_unpacked=10_000_000, max_chunks=100_000)
MODELS = NamedModels({}, {})


def asked(
    *files: tuple[str, bytes] | tuple[str, bytes, str],
    accept: str | None = None,
    limits: FileLimits = LIMITS,
    **fields: Any,
) -> Answer:
    """The answer to files, each with its name, bytes and media type, and fields of a form."""
    uploads = [Upload("files", name, "".join(kind), data) for name, data, *kind in files]
    form = {name: _values(value) for name, value in fields.items() if value is not None}
    return answer(uploads, form, accept=accept, limits=limits, embedder=MODELS.embedder)


def _values(value: Any) -> list[str]:
    values = value if isinstance(value, list | tuple) else [value]
    return [str(each).lower() if isinstance(each, bool) else str(each) for each in values]


def elements(name: str, data: bytes, kind: str = "", **fields: Any) -> list[dict[str, Any]]:
    """The elements, or chunks, of one file."""
    found = asked((name, data, kind), **fields)
    assert found.media_type == "application/json"
    return json.loads(found.body)  # type: ignore[no-any-return]


def originals_of(chunk: dict[str, Any]) -> list[dict[str, Any]]:
    """The elements that a chunk says it was made of."""
    packed = base64.b64decode(chunk["metadata"]["orig_elements"])
    return json.loads(zlib.decompress(packed))  # type: ignore[no-any-return]


def outcome(work: Callable[[], Any]) -> tuple[Any, Problem | None]:
    """What a call returns, or what its client is told of the error that it raises."""
    try:
        return work(), None
    except (Problem, ChunkwrightError) as error:
        return None, problem_of(error)
