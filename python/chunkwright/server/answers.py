"""Answers as JSON, compact and in UTF-8 whatever texts are in them, and their warnings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import orjson
from starlette.responses import Response

from chunkwright.readers.pages import named_pages
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from starlette.requests import Request


def needs_ocr(name: str, pages: Sequence[int]) -> str:
    """Return the warning that pages of a file were not read.

    Examples
    --------
    >>> needs_ocr("scan.pdf", [1, 2, 5])
    'scan.pdf: the text of pages 1-2, 5 is in pictures: it needs OCR, and is not in the answer'
    """
    place = f"{name}: " if name else ""
    said = f"the text of {named_pages(pages)} is in pictures"
    return f"{place}{said}: it needs OCR, and is not in the answer"


# A header of 4 kB is taken by every proxy.
_MOST_WARNINGS, _SHOWN = 12, 250


def warning_header(warnings: Sequence[str]) -> dict[str, str]:
    """Return the header ``Warning`` (RFC 7234) with the first of these; none for none.

    Examples
    --------
    >>> warning_header(["a.pdf: one", "b.pdf: two"])
    {'Warning': '299 - "a.pdf: one", 299 - "b.pdf: two"'}
    """
    shown = [each if len(each) <= _SHOWN else f"{each[:_SHOWN]}..." for each in warnings]
    n_more = len(shown) - _MOST_WARNINGS
    shown[_MOST_WARNINGS:] = [f"and {n_more:,} more"] if n_more > 0 else []
    quoted = (each.replace("\\", "/").replace('"', "'") for each in shown)
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


# Clients send the same header again and again.
@lru_cache(maxsize=64)
def weights_in(header: str) -> Mapping[str, float]:
    """Return what a header such as ``Accept`` names, each with its weight from 0 to 1.

    Examples
    --------
    >>> dict(weights_in("gzip;q=0.5, *;q=0, br"))
    {'gzip': 0.5, '*': 0.0, 'br': 1.0}
    """
    found = {}
    for part in header.lower().split(","):
        name, *parameters = part.split(";")
        found[name.strip()] = _weight(parameters)
    return MappingProxyType(found)


def _weight(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


def media_types(accept: str) -> list[str]:
    """Return the media types that a header ``Accept`` names, best first, those of weight 0 aside.

    An empty header names none, so all are accepted.

    Examples
    --------
    >>> media_types("text/csv;q=0.5, application/json, image/png;q=0"), media_types(" ")
    (['application/json', 'text/csv'], ['*/*'])
    """
    weights = weights_in(accept.strip() or "*/*")
    named = [kind for kind, weight in weights.items() if kind and weight > 0]
    return sorted(named, key=weights.__getitem__, reverse=True)


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
