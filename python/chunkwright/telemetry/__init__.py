"""Traces and metrics by OpenTelemetry: spans of stages, and numbers; off unless an endpoint is set.

The variables of the environment are OpenTelemetry's own, such as ``OTEL_EXPORTER_OTLP_ENDPOINT``.
While it is off, a span costs a function call.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from chunkwright.errors import MissingExtraError
from chunkwright.telemetry.spans import NOTHING, Span

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from chunkwright.telemetry.recording import Recorder

__all__ = [
    "NOTHING",
    "Span",
    "add",
    "begin",
    "carried",
    "flush",
    "observe",
    "request_span",
    "span",
    "spanned",
    "use",
    "within",
]

P = ParamSpec("P")
T = TypeVar("T")

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""The variable that turns traces and metrics on."""
TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
"""The variable that turns traces on, or sends them elsewhere."""
METRICS_ENDPOINT = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
"""The variable that turns metrics on, or sends them elsewhere."""
_DISABLED = "OTEL_SDK_DISABLED"


class _Off:
    """Records nothing."""

    def span(self, name: str, parent: Span | None, attributes: Mapping[str, Any]) -> Span:
        del name, parent, attributes
        return NOTHING

    def request(self, method: str, headers: Mapping[str, str]) -> Span:
        del method, headers
        return NOTHING

    def carried(self) -> dict[str, str]:
        return {}

    def within(self, headers: Mapping[str, str]) -> AbstractContextManager[None]:
        del headers
        return nullcontext()

    def add(self, name: str, n: float, attributes: Mapping[str, Any]) -> None:
        """Count nothing."""

    def observe(self, name: str, value: float, attributes: Mapping[str, Any]) -> None:
        """Note nothing."""

    def flush(self) -> None:
        """Send nothing."""


_OFF = _Off()
_lock = Lock()
_recorder: _Off | Recorder | None = None


def span(name: str, *, parent: Span | None = None, **attributes: Any) -> Span:
    """Begin a span of the work, below the one that is open, or below a `parent`.

    Parameters
    ----------
    name
        What is done, such as ``"read"``; it is called ``chunkwright.read`` in traces.
    parent
        The span that it belongs to, where that is not the one that is open.
    attributes
        What is known of it; the text of a document never is.

    Examples
    --------
    >>> from chunkwright import telemetry
    >>> with telemetry.span("read", kind="pdf") as reading:
    ...     reading.set(pages=3)
    """
    return (_recorder or _begun()).span(name, parent, attributes)


def spanned(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Have each call of a function be a span of that name, as :func:`span` takes it."""

    def around(call: Callable[P, T]) -> Callable[P, T]:
        @wraps(call)
        def inside(*args: P.args, **options: P.kwargs) -> T:
            with span(name):
                return call(*args, **options)

        return inside

    return around


def request_span(method: str, headers: Mapping[str, str]) -> Span:
    """Begin the span of a request, in the trace that its header ``traceparent`` names."""
    return (_recorder or _begun()).request(method, headers)


def carried() -> dict[str, str]:
    """Return the span that is open as headers, for another process to go on within it."""
    return (_recorder or _begun()).carried()


def within(headers: Mapping[str, str]) -> AbstractContextManager[None]:
    """Have spans be below the one of another process, as :func:`carried` has given it."""
    return (_recorder or _begun()).within(headers)


def add(name: str, n: float, **attributes: Any) -> None:
    """Add to a number that only grows; it is called ``chunkwright.<name>``."""
    (_recorder or _begun()).add(name, n, attributes)


def observe(name: str, value: float, attributes: Mapping[str, Any]) -> None:
    """Note a value of a distribution, by OpenTelemetry's own names."""
    (_recorder or _begun()).observe(name, value, attributes)


def flush() -> None:
    """Send what is recorded and not sent yet, before a process ends that does not say so."""
    if _recorder is not None:
        _recorder.flush()


def use(tracers: TracerProvider | None = None, meters: MeterProvider | None = None) -> None:
    """Record to providers of the program's own; to none of both turns it off.

    Raises
    ------
    MissingExtraError
        If OpenTelemetry is not installed: ``pip install "chunkwright[otel]"``.
    """
    global _recorder  # noqa: PLW0603 - one for the process, as OpenTelemetry has it
    _recorder = _OFF if tracers is None and meters is None else _recording(tracers, meters)


def begin() -> None:
    """Begin to record if the environment asks for it, and has not been looked at yet.

    Raises
    ------
    MissingExtraError
        If it does, and the libraries are not installed; spans are recorded nowhere then.
    """
    global _recorder  # noqa: PLW0603 - one for the process, as OpenTelemetry has it
    with _lock:
        if _recorder is not None:
            return
        _recorder = _OFF
        if wanted := _wanted():
            _recorder = _recording(*_providers(*wanted))
            atexit.register(flush)


def _begun() -> _Off | Recorder:
    # The service says so when it starts; a library's user may not care.
    with suppress(MissingExtraError):
        begin()
    return _recorder or _OFF


def _wanted() -> tuple[bool, bool] | None:
    """Return whether traces and whether metrics are asked for; None if neither is."""
    if os.environ.get(_DISABLED, "").strip().lower() == "true":
        return None
    wanted = tuple(
        bool(os.environ.get(ENDPOINT) or os.environ.get(own))
        for own in (TRACES_ENDPOINT, METRICS_ENDPOINT)
    )
    return (wanted[0], wanted[1]) if any(wanted) else None


def _recording(tracers: TracerProvider | None, meters: MeterProvider | None) -> Recorder:
    try:
        from chunkwright.telemetry.recording import Recorder
    except ImportError as error:
        raise MissingExtraError("recording traces and metrics", "otel") from error
    return Recorder(tracers, meters)


def _providers(
    has_traces: bool, has_metrics: bool
) -> tuple[TracerProvider | None, MeterProvider | None]:
    try:
        from chunkwright.telemetry.exporting import meters, tracers
    except ImportError as error:
        raise MissingExtraError("sending traces and metrics", "otel") from error
    return tracers() if has_traces else None, meters() if has_metrics else None
