"""Documents and strategies of requests: what a request gives or names, read and made."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from chunkwright.chunking.registry import make_strategy, options_of
from chunkwright.document import Document
from chunkwright.errors import ConfigError
from chunkwright.readers.read import read
from chunkwright.server.bodies.uploads import plain_name
from chunkwright.server.problems import Problem, problem_of, unknown
from chunkwright.server.reading_costs import reading_cost
from chunkwright.server.schemas.requests import WITHOUT, offered

if TYPE_CHECKING:
    from chunkwright.chunking.registry import AnyStrategy
    from chunkwright.server.schemas.requests import Chunking, SourceFields
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
        made = _of_bytes(source.text.encode(), source, source.name, service)
        return made.with_encoding(None)
    if source.elements is not None:
        return read(source.elements, kind=source.kind, name=source.name)
    if source.docling is not None:
        return read(_docling(source.docling), kind=source.kind, name=source.name)
    # An address that is none is refused before anything is looked for in it.
    data = _data(source, service)
    return _of_bytes(data, source, source.name or _own_name(source), service)


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
            attachments=source.attachments,
            hidden=source.hidden,
            ocr=source.ocr,
            ocr_engine=source.ocr_engine,
            ocr_languages=source.ocr_languages,
        )


def bytes_of(source: SourceFields, service: Service) -> bytes:
    """Return the bytes of the file that a request gives or names; none of a text or of objects.

    Raises
    ------
    Problem
        As :func:`document_of`.
    """
    if source.data is None and source.path is None and source.url is None:
        return b""
    return _data(source, service)


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


def strategy_of(chunking: Chunking, service: Service, *, at: str = "chunking") -> AnyStrategy:
    """Return the strategy that a request describes.

    Parameters
    ----------
    chunking
        Its name and its options.
    service
        The service, which has models by their names.
    at
        Where the request has it.

    Raises
    ------
    Problem
        If the strategy or an option is unknown or has no such value: names the field, and the
        nearest right name.
    """
    check_offered(chunking.strategy, at=f"{at}.strategy")
    options = {**chunking.options}
    where = f"{at}.options"
    try:
        known = options_of(chunking.strategy)
        # Models are looked up by name here: the strategy would take a name for a path.
        for option in options.keys() & {"tokenizer", "embedder"} & {*known}:
            options[option] = _model(service, option, options[option], f"{where}.{option}")
        return make_strategy(chunking.strategy, options)
    except ConfigError as error:
        if error.option == "embedder" and "embedder" not in options:
            names = ", ".join(map(repr, service.models.embedder_names))
            message = f"{chunking.strategy} needs the option embedder, one of {names}"
            raise Problem(422, "invalid_value", message, field=f"{where}.embedder") from error
        raise problem_of(error, at=at if error.option == "strategy" else where) from error


def check_offered(strategy: str, *, at: str) -> None:
    """Check that a service offers a strategy.

    Parameters
    ----------
    strategy
        Its name.
    at
        Where the request has it.

    Raises
    ------
    Problem
        If it does not: names the nearest one, or all that it does.
    """
    if strategy in WITHOUT:
        names = ", ".join(map(repr, offered()))
        message = f"strategy {strategy!r} asks a language model, and is none of {names}"
        raise Problem(422, "invalid_value", message, field=at)
    if strategy not in offered():
        raise unknown("strategy", strategy, offered(), field=at)


def _model(service: Service, option: str, name: Any, field: str) -> Any:
    if option == "embedder":
        return None if name is None else service.models.embedder(name, field=field)
    return service.models.tokenizer(name, field=field)
