"""Answers as JSON, compact and in UTF-8 whatever texts are in them, and their warnings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson
from starlette.responses import Response

from chunkwright.readers.pages import shown_pages
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from starlette.requests import Request


def needs_ocr(name: str, pages: Sequence[int]) -> str:
    """Return what a client is told of pages of a file that are not read.

    Examples
    --------
    >>> needs_ocr("scan.pdf", [1, 2, 5])
    'scan.pdf: the text of pages 1-2, 5 is in pictures: it needs OCR, and is not in the answer'
    """
    noun = "page" if len(pages) == 1 else "pages"
    place = f"{name}: " if name else ""
    said = f"the text of {noun} {shown_pages(pages)} is in pictures"
    return f"{place}{said}: it needs OCR, and is not in the answer"


def warning_header(warnings: Sequence[str]) -> dict[str, str]:
    """Return the header ``Warning`` (RFC 7234) with each of these; none for none.

    Examples
    --------
    >>> warning_header(["a.pdf: one", "b.pdf: two"])
    {'Warning': '299 - "a.pdf: one", 299 - "b.pdf: two"'}
    """
    quoted = (each.replace("\\", "/").replace('"', "'") for each in warnings)
    texts = (each.encode("ascii", "backslashreplace").decode() for each in quoted)
    value = ", ".join(f'299 - "{"".join(c for c in each if c.isprintable())}"' for each in texts)
    return {"Warning": value} if value else {}


JSON = "application/json"
LINES = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"
ZIP = "application/zip"


def media_type_of(request: Request) -> str:
    """Return what a request says that its body is, without parameters; empty if nothing."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def media_types(accept: str) -> list[str]:
    """Return the media types that a header ``Accept`` names, best first, those of weight 0 aside.

    An empty header names none, so all are accepted.

    Examples
    --------
    >>> media_types("text/csv;q=0.5, application/json, image/png;q=0"), media_types(" ")
    (['application/json', 'text/csv'], ['*/*'])
    """
    weighted = []
    for each in (accept.strip() or "*/*").split(","):
        media_type, *parameters = (part.strip().lower() for part in each.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        if media_type and weight.strip("0."):
            weighted.append((weight, media_type))
    # A weight is a number from 0 to 1 with a leading digit, so texts are in its order.
    return [kind for _, kind in sorted(weighted, key=lambda pair: pair[0], reverse=True)]


def accepted(accept: str, forms: Sequence[str], answered: str) -> str:
    """Return the first of some media types that a client accepts; of any, the first of them.

    Raises
    ------
    Problem
        406, if it accepts none: `answered` says what there is.
    """
    for kind in media_types(accept):
        if kind in forms:
            return kind
        if kind in {"*/*", "application/*"}:
            return forms[0]
    raise Problem(406, "not_acceptable", answered, field="Accept")


def json_bytes(value: Any) -> bytes:
    """Return a value as compact JSON; a surrogate that a name may have is escaped."""
    try:
        return orjson.dumps(value)
    except TypeError:
        # It takes no surrogates, and no integers over 64 bits.
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode("utf-8", "backslashreplace")


def json_answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a value as an answer."""
    return Response(json_bytes(value), status, headers, JSON)
