"""Documents of requests: what a request gives or names, read."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chunkwright.document import Document
from chunkwright.readers.read import read
from chunkwright.server.bodies.costs import reading_cost
from chunkwright.server.bodies.uploads import plain_name
from chunkwright.server.problems import Problem

if TYPE_CHECKING:
    from chunkwright.server.schemas.sources import SourceFields
    from chunkwright.server.service import Service


def document_of(source: SourceFields, service: Service) -> Document:
    """Return the document that a request gives or names; reads it, which may take long.

    Raises
    ------
    Problem
        If a path or an address may not be asked for, or the Base64 is none.
    ReadError, ConfigError, MissingExtraError
        As :func:`chunkwright.read`.
    """
    found = _read(source, service)
    if source.id is not None:
        found = found.with_id(source.id)
    return found if source.metadata is None else found.with_metadata(source.metadata)


def _read(source: SourceFields, service: Service) -> Document:
    if source.text is not None:
        if source.kind is None:
            return Document(text=source.text, name=source.name)
        return _of_bytes(source.text.encode(), source, source.name, service)
    if source.elements is not None:
        return read(source.elements, kind=source.kind, name=source.name)
    if source.docling is not None:
        return read(_docling(source.docling), kind=source.kind, name=source.name)
    name = source.name or _own_name(source)
    return _of_bytes(_data(source, service), source, name, service)


def _docling(given: dict[str, Any]) -> dict[str, Any]:
    if given.get("schema_name") != "DoclingDocument":
        message = "docling has no schema_name 'DoclingDocument'"
        raise Problem(422, "unreadable", message, field="docling")
    return given


def _own_name(source: SourceFields) -> str | None:
    """Return what a file or an address calls itself, which may tell its kind."""
    if source.path is not None:
        return source.path
    return None if source.url is None else plain_name(urlsplit(source.url).path) or None


def _of_bytes(data: bytes, source: SourceFields, name: str | None, service: Service) -> Document:
    with service.reading(reading_cost(len(data), source.kind, name)):
        return read(
            data,
            kind=source.kind,
            name=name,
            pages=source.pages,
            password=source.password,
        )


def _data(source: SourceFields, service: Service) -> bytes:
    if source.data is not None:
        return decoded(source.data, field="data")
    if source.path is not None:
        from chunkwright.server.reading_roots import Roots

        return Roots(service.settings.roots).read(source.path, service.settings.max_body)
    from chunkwright.server.bodies.fetched import fetched

    assert source.url is not None  # noqa: S101 - exactly one is given
    return fetched(source.url, service.settings)


def decoded(data: str, *, field: str) -> bytes:
    """Return the bytes that Base64 says.

    Raises
    ------
    Problem
        If it is no Base64.
    """
    try:
        return b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise Problem(422, "unreadable", f"{field} is no Base64", field=field) from None
