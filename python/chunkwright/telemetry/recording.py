"""Recorder of spans and numbers to providers of OpenTelemetry."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from opentelemetry import context, metrics, trace
from opentelemetry.trace import SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from chunkwright import __version__
from chunkwright.telemetry.spans import Span

if TYPE_CHECKING:
    from contextvars import Token
    from typing import Self

PREFIX = "chunkwright"
"""What the names of our own spans, attributes and numbers begin with."""
# Seconds of requests, as OpenTelemetry's conventions for HTTP have them.
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
# Seconds that the end of a process waits for a collector.
_FLUSH_SECONDS = 3.0
# Programs tell those that they start so which trace they belong to.
_PARENT = "TRACEPARENT"


class RecordedSpan(Span):
    """A span that is recorded.

    Parameters
    ----------
    span
        OpenTelemetry's.
    """

    __slots__ = ("_span", "_token")

    def __init__(self, span: trace.Span) -> None:
        self._span = span
        self._token: Token[context.Context] | None = None

    @property
    def context(self) -> context.Context:
        """The context in which spans are below it."""
        return trace.set_span_in_context(self._span)

    def __enter__(self) -> Self:
        self._token = context.attach(self.context)
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self._token is not None:
            context.detach(self._token)
        if kind is not None:
            self.fail(kind.__name__)
        self._span.end()

    def set(self, **attributes: Any) -> None:
        """Say more of it, in attributes of ``chunkwright``; what is None is left out."""
        self._span.set_attributes(_own(attributes))

    def put(self, attributes: Mapping[str, Any]) -> None:
        """Say more of it, in attributes of OpenTelemetry's conventions."""
        self._span.set_attributes({k: v for k, v in attributes.items() if v is not None})

    def rename(self, name: str) -> None:
        """Call it otherwise, once that is known."""
        self._span.update_name(name)

    def fail(self, kind: str) -> None:
        """Say that what it stands for has failed, and with which kind of error.

        The error's message may be the text of a document.
        """
        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))

    def end(self) -> None:
        """End it, if it is not the span of a block."""
        self._span.end()


class Recorder:
    """Records to a provider of tracers, to one of meters, or to both.

    Parameters
    ----------
    tracers, meters
        The providers; None: such things are not recorded.
    """

    def __init__(
        self, tracers: trace.TracerProvider | None, meters: metrics.MeterProvider | None
    ) -> None:
        self._providers = [each for each in (tracers, meters) if each is not None]
        tracers = tracers or trace.NoOpTracerProvider()
        meters = meters or metrics.NoOpMeterProvider()
        self._tracer = tracers.get_tracer(PREFIX, __version__)
        self._meter = meters.get_meter(PREFIX, __version__)
        self._lock = Lock()
        self._is_late = False
        self._numbers: dict[str, Any] = {}
        self._propagator = TraceContextTextMapPropagator()
        begun = os.environ.get(_PARENT)
        self._outer = self._propagator.extract({"traceparent": begun}) if begun else None

    def span(self, name: str, parent: Span | None, attributes: Mapping[str, Any]) -> Span:
        """Begin a span, below a parent or the one that is open."""
        if isinstance(parent, RecordedSpan):
            where: context.Context | None = parent.context
        else:
            is_open = trace.get_current_span().get_span_context().is_valid
            where = None if is_open else self._outer
        own = _own(attributes)
        return RecordedSpan(self._tracer.start_span(f"{PREFIX}.{name}", where, attributes=own))

    def request(self, method: str, headers: Mapping[str, str]) -> Span:
        """Begin the span of a request, in the trace of its headers."""
        where = self._propagator.extract(headers, context.Context())
        return RecordedSpan(self._tracer.start_span(method, where, SpanKind.SERVER))

    def carried(self) -> dict[str, str]:
        """Return the span that is open, as headers."""
        headers: dict[str, str] = {}
        self._propagator.inject(headers)
        return headers

    @contextmanager
    def within(self, headers: Mapping[str, str]) -> Iterator[None]:
        """Have spans be below the one that headers name."""
        token = context.attach(self._propagator.extract(headers, context.Context()))
        try:
            yield
        finally:
            context.detach(token)

    def add(self, name: str, n: float, attributes: Mapping[str, Any]) -> None:
        """Add to a number that only grows."""
        self._number(f"{PREFIX}.{name}", self._meter.create_counter).add(n, _own(attributes))

    def observe(self, name: str, value: float, attributes: Mapping[str, Any]) -> None:
        """Note seconds."""
        given = {key: value for key, value in attributes.items() if value is not None}
        self._number(name, self._seconds).record(value, given)

    def flush(self) -> None:
        """Send what is recorded; wait a while for it, and no more once that was in vain."""
        if self._is_late:
            return
        # What sends tries again and again, whatever time it is given.
        sending = [
            Thread(target=_flush, args=(each,), name="chunkwright-flush", daemon=True)
            for each in self._providers
        ]
        deadline = monotonic() + _FLUSH_SECONDS
        for thread, provider in zip(sending, self._providers, strict=True):
            try:
                thread.start()
            except RuntimeError:
                # The first releases of Python 3.12 begin no threads while they end.
                _flush(provider)
        for thread in sending:
            if thread.ident is not None:
                thread.join(max(0.0, deadline - monotonic()))
        self._is_late = any(thread.is_alive() for thread in sending)

    def _number(self, name: str, make: Any) -> Any:
        with self._lock:
            if name not in self._numbers:
                self._numbers[name] = make(name)
            return self._numbers[name]

    def _seconds(self, name: str) -> Any:
        boundaries = list(_SECONDS)
        return self._meter.create_histogram(
            name, "s", explicit_bucket_boundaries_advisory=boundaries
        )


def _flush(provider: Any) -> None:
    # A provider of the program's own may be one that keeps nothing.
    with suppress(AttributeError):
        provider.force_flush(int(_FLUSH_SECONDS * 1000))


def _own(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{PREFIX}.{name}": value for name, value in attributes.items() if value is not None}
