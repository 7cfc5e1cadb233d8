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
    """Begin a span of the work, below the open one, or below a `parent`.

    Parameters
    ----------
    name
        The name of the work, such as ``"read"``, which is ``chunkwright.read`` in traces.
    parent
        The parent span, if it is not the open one.
    attributes
        The attributes of the span, which never include the text of a document.

    Examples
    --------
    >>> from chunkwright import telemetry
    >>> with telemetry.span("read", kind="pdf") as reading:
    ...     reading.set(pages=3)
    """
    return (_recorder or _begun()).span(name, parent, attributes)


def spanned(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Record each call of a function as a span, with the arguments of :func:`span`."""

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
    """Return the open span as headers, so that another process can continue it."""
    return (_recorder or _begun()).carried()


def within(headers: Mapping[str, str]) -> AbstractContextManager[None]:
    """Continue the span of another process, from the headers of :func:`carried`."""
    return (_recorder or _begun()).within(headers)


def add(name: str, n: float, **attributes: Any) -> None:
    """Add to a counter, whose name is ``chunkwright.<name>``."""
    (_recorder or _begun()).add(name, n, attributes)


def observe(name: str, value: float, attributes: Mapping[str, Any]) -> None:
    """Record a value of a histogram, by OpenTelemetry's own names."""
    (_recorder or _begun()).observe(name, value, attributes)


def flush() -> None:
    """Send what is recorded but not sent yet, for a process that ends without notice."""
    if _recorder is not None:
        _recorder.flush()


def use(tracers: TracerProvider | None = None, meters: MeterProvider | None = None) -> None:
    """Record to providers of the program's own; without any, stop recording.

    Raises
    ------
    MissingExtraError
        If OpenTelemetry is not installed: ``pip install "chunkwright[otel]"``.
    """
    global _recorder  # noqa: PLW0603 - one for the process, as OpenTelemetry has it
    _recorder = _OFF if tracers is None and meters is None else _recording(tracers, meters)


def begin() -> None:
    """Begin to record if the environment asks for it; only the first call looks at it.

    Raises
    ------
    MissingExtraError
        If it asks for it, but the libraries are not installed; then nothing is recorded.
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
