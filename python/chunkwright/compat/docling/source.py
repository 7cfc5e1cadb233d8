"""DoclingDocument JSON, given as text, bytes or a dict, as the core reads it."""

from __future__ import annotations

import json
from typing import Any

from chunkwright import _core
from chunkwright.errors import ReadError

DoclingJson = str | bytes | dict[str, Any]
"""A DoclingDocument as JSON: its text, its bytes in UTF-8, or the dict that it stands for."""


def text_of(source: DoclingJson) -> str | bytes:
    """Return JSON as text or bytes.

    Raises
    ------
    ReadError
        If a dict holds what JSON cannot.
    """
    if not isinstance(source, dict):
        return source
    try:
        return json.dumps(source, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ReadError(f"this dict is no DoclingDocument: {error}") from error


def read_json(source: str | bytes) -> _core.DoclingDocument:
    """Return the document that JSON holds, checked and repaired as docling-core does it.

    Raises
    ------
    ReadError
        If it holds none; names the item that is wrong.
    """
    return _core.DoclingDocument.of_json(source)
