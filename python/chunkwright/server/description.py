"""Description of the service by OpenAPI: FastAPI's, with the servers and the keys of each path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.server.dialects import dialect_of

if TYPE_CHECKING:
    from fastapi import FastAPI

    from chunkwright.server.dialect import Dialect

SERVERS: list[dict[str, Any]] = [
    {"url": "/", "description": "The service that gives this description."},
    {"url": "http://127.0.0.1:8000", "description": "A service with its default address."},
]
"""Where the service is."""
_BEARER = "Bearer"
_ABOUT = "A key that the service was started with; none is needed where it has none."


def describe(app: FastAPI) -> None:
    """Have an application say in its description which keys its routes take."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        found = plain()
        if "security" not in found:
            _add_security(found)
        return found

    app.openapi = described  # type: ignore[method-assign]


def _add_security(found: dict[str, Any]) -> None:
    schemes: dict[str, Any] = {_BEARER: {"type": "http", "scheme": "bearer", "description": _ABOUT}}
    for path, operations in found["paths"].items():
        dialect = dialect_of(path)
        schemes |= {
            _scheme(name): {
                "type": "apiKey",
                "in": "header",
                "name": name,
                "description": _ABOUT,
            }
            for name in dialect.key_headers
        }
        for operation in operations.values():
            operation["security"] = [] if path in dialect.open_paths else _security(dialect)
    found.setdefault("components", {})["securitySchemes"] = schemes
    found["security"] = _security(dialect_of("/"))


def _security(dialect: Dialect) -> list[dict[str, list[str]]]:
    """Return the keys that a dialect takes; the last is none, for a service that has none."""
    names = [*map(_scheme, dialect.key_headers), _BEARER]
    needed: list[dict[str, list[str]]] = [{name: []} for name in names]
    return [*needed, {}]


def _scheme(header: str) -> str:
    """Return what the scheme of a header is called, such as ``XApiKey``."""
    return "".join(part.capitalize() for part in header.split("-"))
