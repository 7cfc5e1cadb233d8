"""Problems of requests: the status of each error, and what the client is told of it."""

from __future__ import annotations

import errno
import logging
from collections.abc import Mapping
from typing import Any

from chunkwright.errors import (
    ChunkwrightError,
    ConfigError,
    EncryptedError,
    MissingExtraError,
    ModelError,
    ReadError,
    StoreError,
    nearest,
)

_LOG = logging.getLogger("chunkwright.server")
# A message repeats what a client has sent, which may be long.
_SHOWN = 500
_OURS = {
    ModelError: (502, "model_failed", "a model that the service asks has failed"),
    StoreError: (503, "store_failed", "the store cannot be used now"),
}


STATUSES = {
    400: "The body is damaged",
    401: "No key, or a wrong one",
    403: "Files or addresses may not be named",
    404: "There is no such file, document or task",
    408: "The body came too slowly",
    413: "Too large",
    415: "A body of another kind",
    421: "Not a name of this service",
    422: "A field, a value or a document that cannot be used",
    429: "Too many requests wait",
    500: "A fault",
    501: "The service was started without what this needs",
    502: "A model failed",
    503: "The service ends, or holds too much",
    504: "The work took too long",
    507: "The work took more memory than the service may have",
}
"""What is wrong, by the status of the answer."""


class Problem(Exception):  # noqa: N818 - as RFC 9457 calls it
    """What is wrong with a request, or with the service, as its client is told.

    Parameters
    ----------
    status
        The status of the answer.
    code
        A name for programs, such as ``"too_large"``.
    message
        A sentence for people. It has no path of the server, no text of a document and no trace.
    field
        The field of the request that is to blame, as in ``"chunking.options.max_tokens"``.
    headers
        Headers of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message: str = _shortened(message)
        self.field = field
        self.headers: dict[str, str] = dict(headers or {})

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors of tasks go from one process to another.
        return _restored, (self.status, self.code, self.message, self.field, self.headers)

    @property
    def row(self) -> dict[str, str | None]:
        """The problem as JSON says it."""
        return {"code": self.code, "message": self.message, "field": self.field}

    @property
    def body(self) -> dict[str, dict[str, str | None]]:
        """The body of the answer of our own routes."""
        return {"error": self.row}


def _shortened(message: str) -> str:
    return message if len(message) <= _SHOWN else f"{message[:_SHOWN]}..."


def _restored(*args: Any) -> Problem:
    status, code, message, field, headers = args
    return Problem(status, code, message, field=field, headers=headers)


# What a machine may lack for a while, by the system's numbers.
_NO_SPACE = ("no_space", "the service has no space left on its disk for this request")
_NO_FILES = ("no_files", "the service has as many files and connections open as it may")
_LACKS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), _NO_SPACE),
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), _NO_FILES),
}


def problem_of(error: BaseException, *, at: str = "") -> Problem:
    """Return what a client is told of an error; what is not the client's fault goes to the log.

    Parameters
    ----------
    error
        What was raised.
    at
        Where the options of a `ConfigError` stand in the request, as in ``"chunking.options"``.
    """
    if isinstance(error, Problem):
        return error
    if isinstance(error, ConfigError | ReadError | MissingExtraError):
        return _told(error, at)
    _LOG.error("a request failed: %s", type(error).__name__, exc_info=_without_text(error))
    for kind, (status, code, message) in _OURS.items():
        if isinstance(error, kind):
            return Problem(status, code, message)
    if isinstance(error, MemoryError):
        return Problem(503, "out_of_memory", "the service has no memory left for this request")
    if isinstance(error, OSError) and (lack := _LACKS.get(error.errno or 0)) is not None:
        code, message = lack
        return Problem(503, code, message, headers={"Retry-After": "5"})
    known = "the service cannot do this now" if isinstance(error, ChunkwrightError) else "a fault"
    return Problem(500, "internal", f"{known}; its log says more")


def _told(error: ConfigError | ReadError | MissingExtraError, at: str) -> Problem:
    """Return the problem of an error whose message is for the client."""
    if isinstance(error, ConfigError):
        field = ".".join(part for part in (at, error.option) if part)
        return Problem(422, "invalid_value", str(error), field=field or None)
    if isinstance(error, ReadError):
        wrong = "password" if isinstance(error, EncryptedError) else None
        return Problem(422, "unreadable", str(error), field=wrong)
    _LOG.warning("a request needs what is not installed: %s", error)
    return Problem(501, "not_installed", str(error))


def _without_text(error: BaseException) -> BaseException:
    """Return what the log shows of an error: where it was raised, and not what led to it.

    Messages of our own errors are made to be read; those of others may be what was cut.
    """
    said = f": {error}" if isinstance(error, ChunkwrightError) else ""
    return RuntimeError(f"{type(error).__qualname__}{said}").with_traceback(error.__traceback__)


def too_large(what: str, most: int, *, field: str | None = None) -> Problem:
    """Return the problem of more bytes than the service takes."""
    return Problem(413, "too_large", f"{what} is larger than {most:,} bytes", field=field)


def unknown(what: str, value: object, known: list[str], *, field: str) -> Problem:
    """Return the problem of an unknown value; it names the nearest one that is known."""
    message = f"unknown {what} {value!r}: {nearest(value, known)}"
    return Problem(422, "invalid_value", message, field=field)


GONE = 499
"""The status that nginx logs for a client that has gone; no client sees it."""


def client_gone() -> Problem:
    """Return the problem of work whose client has gone."""
    return Problem(GONE, "client_gone", "the client has gone")


def busy(what: str, status: int = 429, *, code: str = "busy", seconds: int = 1) -> Problem:
    """Return a problem that ends by itself; the client may try again after so many seconds."""
    return Problem(status, code, what, headers={"Retry-After": str(seconds)})


def draining() -> Problem:
    """Return the problem of a request to a service that ends."""
    return busy("the service ends", 503, code="draining", seconds=5)
